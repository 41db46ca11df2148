import Daybook
import DaybookLMDB

// Partly written batches and lost answers.
extension StoreTurn {
    /// Settles a batch after a lost answer; resends it if the log has not moved.
    ///
    /// - Throws: `.store(.unknown)` if the answer stays lost.
    mutating func resolve(_ batch: StoreBatch) throws(LogError) {
        let link = link
        try link.settling { () throws(LogError) in try isResolved(batch) ? () : nil }
    }

    /// Asks the store once for the outcome of a batch; returns false while it is open.
    private mutating func isResolved(_ batch: StoreBatch) throws(LogError) -> Bool {
        let digests = batch.commits.map(\.digest)
        let (end, firsts) = try link.store.outcomes(of: digests)
        link.note(end)
        guard end.isSame(as: batch.end) else {
            // What is not written now, never will be: its rows are made for another end.
            try CatchUp(log, link).run()
            settle(batch, firsts.map { $0.map { .repeated($0) } ?? .unwritten })
            return true
        }
        // The lost call may still be on its way. The same digests keep it from being written twice.
        let answer = try link.store.append(batch)
        link.note(answer.end)
        switch answer.result {
        case .moved, .behind: return false
        // The lost call is not written any more either, because its recording times are the same.
        case .clock: return true
        case .appended:
            try take(answer.outcomes, of: batch)
            return true
        }
    }

    /// Ends the turn of the tickets whose commits are written or forbidden; the others stay in
    /// `waiting`.
    ///
    /// The receipt of a commit of an earlier append is known if the replica has the commit. A
    /// ticket keeps the receipts that it got when its rows were made, because the rows were written
    /// as they are.
    mutating func settle(_ batch: StoreBatch, _ outcomes: [StoreAnswer.Outcome]) {
        guard outcomes.count == batch.commits.count else { return }
        var ofGroups: [Int32: [Int]] = [:]
        for (index, commit) in batch.commits.enumerated() {
            ofGroups[commit.group, default: []].append(index)
        }
        var left: [AppendTicket] = []
        for (group, ticket) in tickets.waiting.enumerated() {
            let own = ofGroups[Int32(group)] ?? []
            if !own.isEmpty, own.allSatisfy({ isWritten(batch.commits[$0], outcomes[$0]) }) {
                continue
            }
            if let position = own.lazy.compactMap({ outcomes[$0].forbidden }).first {
                let index = ticket.requests.firstIndex { !$0.conditions.isEmpty } ?? 0
                ticket.fail(
                    BatchError(index: index, error: .conflict(at: Position(position))))
                continue
            }
            left.append(ticket)
        }
        tickets.waiting = left
    }

    /// True if a commit of a batch is in the store.
    ///
    /// A random digest is found only for its own commit. Under an idempotency key there may be the
    /// commit of another writer, which has another chain value.
    private func isWritten(
        _ commit: StoreBatch.Commit, _ outcome: StoreAnswer.Outcome
    ) -> Bool {
        switch outcome {
        case .written: return true
        case .forbidden, .unwritten: return false
        case .repeated(let first):
            let row = commit.row.rawSpan
            let isKeyed = commit.row[CommitRecord.shortKeyRange].contains { $0 != 0 }
            guard isKeyed else { return true }
            let stored = try? log.file.commitHead(at: Position(first))
            return stored?.head.chain == row.extracting(CommitRecord.chainRange).copied()
        }
    }
}

extension StoreAnswer.Outcome {
    /// The position of the event that a condition forbids; `nil` for other outcomes.
    fileprivate var forbidden: UInt64? {
        if case .forbidden(let position) = self { position } else { nil }
    }
}
