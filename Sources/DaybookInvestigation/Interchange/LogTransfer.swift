package import Daybook
package import DaybookLog

/// A transfer of the commits of one log into another log, each once.
///
/// A commit gets the idempotency key `LOGID/POSITION`, the id of its log and the position of its
/// first event, so that a later transfer adds only what is new. Kinds, times, zones, tags and
/// payloads stay as they are; times of recording and positions are those of the other log.
package struct LogTransfer {
    private let source: EventLog
    private let target: EventLog
    private let catalogue: Catalogue
    /// True to append nothing.
    private let isTrial: Bool
    private var outcome = ImportOutcome(rows: 0, unit: "event")
    private var batch: [Commit] = []
    private var batchEventCount = 0

    /// A commit that is ready to be appended.
    private struct Commit {
        var first: Position
        var request: AppendRequest
        /// The position in the source of the event that caused the commit.
        var cause: Position?
    }

    /// The commit whose events are being read.
    private struct Open {
        var commit: RecordedCommit
        var events: [NewEvent] = []
        /// The reason why the commit cannot be transferred.
        var fault: (code: String, message: String)?
    }

    /// Number of events after which the batch is appended.
    private static let eventsPerBatch = 2_000
    private static let attemptCount = 100

    package init(
        of source: EventLog, into target: EventLog, _ catalogue: Catalogue, isTrial: Bool
    ) {
        self.source = source
        self.target = target
        self.catalogue = catalogue
        self.isTrial = isTrial
    }

    /// Appends the commits that the other log lacks; returns the counts of their events. The rows
    /// of the result are positions of the log that is read, as are their lines.
    package mutating func run(progress: (Int) -> Void) throws -> ImportOutcome {
        var open: Open?
        let windows = ReadWindow(through: try source.head()).divided(by: 4_096)
        for window in windows {
            var closed: [Open] = []
            try source.reader(.all, window).forEachInFull {
                (event, commit, text) throws(LogError) in
                if open?.commit.first != commit.first {
                    if let open { closed.append(open) }
                    open = Open(commit: commit)
                }
                try add(event, text, to: &open)
                return true
            }
            for open in closed { try add(open) }
            progress(outcome.rows)
        }
        if let open { try add(open) }
        try append()
        return outcome
    }

    /// Adds an event to the commit that is being read.
    private func add(
        _ event: RecordedEvent, _ text: (UInt32) throws(LogError) -> String?, to open: inout Open?
    ) throws(LogError) {
        guard open?.fault == nil else { return }
        guard event.kind != TextsErased.kind else {
            open?.fault = ("erasure", try erasure(event))
            return
        }
        let newest = try folding { () throws(FoldError) in try catalogue.upcast(event) }
        guard let description = catalogue.events[newest.kind] else {
            open?.fault = ("unknownKind", "this program does not know the kind \(event.kind)")
            return
        }
        let sealCount = try folding { () throws(FoldError) in
            try mappingPayloadErrors(
                of: event, try unsafe description.seals(newest.payload.contents.bytes).count)
        }
        var texts: [UInt32: String] = [:]
        for index in 0..<UInt32(sealCount) { texts[index] = try text(index) }
        let new = try folding { () throws(FoldError) in
            try mappingPayloadErrors(of: event, try description.newEvent(copying: newest, texts))
        }
        if let new {
            let expectation =
                Limit.moment.expectation(of: new.occurredAt.microseconds)
                ?? Limit.offsetS.expectation(of: Int64(new.offsetS))
            if let expectation {
                open?.fault = ("outOfLimits", "the time or offset of the event: \(expectation)")
            } else {
                open?.events.append(new)
            }
        } else {
            open?.fault = (
                "erased",
                "a text, name or place is erased, so the commit cannot be appended to another log"
            )
        }
    }

    /// Returns the remark about an erasure, which only a log itself can carry out.
    private func erasure(_ event: RecordedEvent) throws(LogError) -> String {
        let erased = try folding { () throws(FoldError) in
            try mappingPayloadErrors(
                of: event, try BinaryReader.read(TextsErased.self, from: event.payload))
        }
        let named =
            erased.erasedTags.isEmpty ? "" : " of \(erased.erasedTags.joined(separator: ", "))"
        return "the log erased texts\(named); erase them in this log too, with 'erase'"
    }

    /// Adds a complete commit to the batch, unless the other log has it.
    private mutating func add(_ open: Open) throws {
        let commit = open.commit
        let key = CommandKey(key: "\(source.id)/\(commit.first)", asked: Array(commit.chain))
        let (row, count) = (Int(commit.first.rawValue), commit.eventCount)
        outcome.rows += count
        if open.fault?.code == "erasure" {
            outcome.duplicates += count
            outcome.notes =
                (outcome.notes ?? []) + [
                    ImportOutcome.Row(
                        row: row, line: row, code: open.fault?.code,
                        message: open.fault?.message ?? "")
                ]
            return
        }
        switch try state(of: key) {
        case .new: break
        case .known:
            outcome.duplicates += count
            return
        case .reused:
            return reject(row, "keyReused", "the log has another commit under the key of this one")
        }
        if let fault = open.fault { return reject(row, fault.code, fault.message) }
        if commit.isActorErased {
            return reject(
                row, "erased",
                "the actor's name is erased, so the commit cannot be appended to another log")
        }
        var metadata = commit.metadata
        metadata.causation = nil
        let request = AppendRequest(open.events, metadata: metadata, idempotency: key)
        if let reason = request.reasonUnstorable() { return reject(row, "unstorable", reason) }
        batch.append(
            Commit(first: commit.first, request: request, cause: commit.metadata.causation))
        batchEventCount += count
        if batchEventCount >= Self.eventsPerBatch { try append() }
    }

    /// Returns whether the other log knows the key of a commit.
    private func state(of key: CommandKey) throws(AppendError) -> CommandKey.State {
        do throws(AppendError) {
            return try target.receipt(for: key) == nil ? .new : .known
        } catch {
            guard case .keyReused = error else { throw error }
            return .reused
        }
    }

    /// Lists a commit that cannot be appended.
    private mutating func reject(_ row: Int, _ code: String, _ message: String) {
        outcome.rejected.append(
            ImportOutcome.Row(row: row, line: row, code: code, message: message))
    }

    private mutating func append() throws {
        defer { (batch, batchEventCount) = ([], 0) }
        for attempt in 1...Self.attemptCount {
            guard !isTrial, !batch.isEmpty else { break }
            // Positions count on this head, and on no commit being known after it.
            let head = try target.head()
            try removeKnown()
            guard !batch.isEmpty else { break }
            do {
                _ = try target.append(try requests(after: head))
                break
            } catch let error as BatchError {
                guard case .conflict = error.error, attempt < Self.attemptCount else {
                    throw error.error
                }
            }
        }
        outcome.accepted += batch.reduce(0) { $0 + $1.request.events.count }
    }

    /// Removes the commits from the batch that another process has appended meanwhile.
    private mutating func removeKnown() throws {
        let known = try batch.filter { commit in
            try commit.request.idempotency.map { try target.receipt(for: $0) != nil } ?? false
        }
        let firsts = Set(known.map(\.first))
        batch.removeAll { firsts.contains($0.first) }
        outcome.duplicates += known.reduce(0) { $0 + $1.request.events.count }
    }

    /// Returns the requests of the batch, with their causes as positions of the other log. They can
    /// be appended only while that log has no event after `head`.
    private func requests(after head: Position) throws -> [AppendRequest] {
        var next = head.next
        var firsts: [Position: Position] = [:]
        var requests: [AppendRequest] = []
        for commit in batch {
            var request = commit.request
            if let cause = commit.cause, let earlier = try source.commits.at(cause) {
                let first =
                    try firsts[earlier.first]
                    ?? target.commits.ofKey("\(source.id)/\(earlier.first)")?.first
                request.metadata.causation = first.map {
                    Position($0.rawValue + cause.rawValue - earlier.first.rawValue)
                }
            }
            firsts[commit.first] = next
            next = Position(next.rawValue + UInt64(request.events.count))
            requests.append(request)
        }
        requests[0].conditions = [AppendCondition(.all, after: head)]
        return requests
    }
}

extension RecordedCommit {
    /// Number of events of the commit.
    fileprivate var eventCount: Int { Int(last.rawValue - first.rawValue) + 1 }
}
