import Daybook
import DaybookLMDB

/// The rows of a batch of a segment and, beneath them, those of the replica.
struct SegmentRows {
    /// A batch and its segment.
    private final class Part {
        let batch: ReplicaBatch
        let reader: SegmentReader

        init(_ batch: ReplicaBatch, _ reader: SegmentReader) {
            self.batch = batch
            self.reader = reader
        }
    }

    let log: EventLog
    private let part: Part?
    /// The people of the batch, by number.
    let people: [UInt32: PersonRow]

    /// The rows of a replica alone.
    init(of log: EventLog) {
        self.log = log
        (part, people) = (nil, [:])
    }

    private init(of log: EventLog, _ part: Part, _ people: [UInt32: PersonRow]) {
        self.log = log
        self.part = part
        self.people = people
    }

    /// Returns the rows of a batch over those of a replica.
    static func rows(
        of batch: ReplicaBatch, _ reader: SegmentReader, over log: EventLog
    ) throws(LogError) -> SegmentRows {
        var people: [UInt32: PersonRow] = [:]
        for body in batch.people {
            let row = reader.copy(body)
            let number: UInt32 = row.rawSpan.integer(at: 0)
            people[number] = try PersonRow(
                row.rawSpan.extracting(4...), at: UInt64(number))
        }
        return SegmentRows(of: log, Part(batch, reader), people)
    }

    /// Returns the row of a person; `nil` if there is none.
    func person(
        _ number: UInt32, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> PersonRow? {
        if let row = people[number] { return row }
        guard let value = try transaction.row(UInt64(number), in: log.file.tables.people) else {
            return nil
        }
        return try PersonRow(value, at: UInt64(number))
    }

    /// Returns the commit that has the event at a position; `nil` if it is not here yet.
    func commit(
        at position: UInt64, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> CommitRecord? {
        if let commit = newCommit(at: position) { return commit.record }
        guard position > 0, position <= (try log.file.tables.lastPosition(in: transaction)) else {
            return nil
        }
        let first = try log.file.tables.firstPosition(ofCommitAt: position, in: transaction)
        return try log.file.tables.commit(startingAt: first, in: transaction)
    }

    /// Returns the row of an event; `nil` if it is not here yet.
    func event(
        at position: UInt64, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> [UInt8]? {
        if let part, let commit = newCommit(at: position) {
            return part.reader.copy(commit.events[Int(position - commit.first)])
        }
        return try transaction.row(position, in: log.file.tables.events)?.copied()
    }

    /// Returns the commit of the batch that has the event at a position.
    private func newCommit(at position: UInt64) -> ReplicaBatch.Commit? {
        guard let commits = part?.batch.commits, let first = commits.first, first.first <= position
        else { return nil }
        var (low, high) = (0, commits.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if commits[middle].first <= position { low = middle } else { high = middle }
        }
        let commit = commits[low]
        return position < commit.first + UInt64(commit.events.count) ? commit : nil
    }
}
