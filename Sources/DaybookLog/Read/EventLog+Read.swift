public import Daybook
public import DaybookLMDB

/// A commit, as tools show it.
public struct RecordedCommit: Hashable, Sendable {
    public var first: Position
    public var last: Position
    public var recordedAt: Instant
    public var metadata: CommitMetadata
    /// True where somebody gave it whose name is erased.
    public var isActorErased: Bool
    /// HMAC-SHA256 of the idempotency key under the log's secret; empty where it had none.
    public var keyDigest: [UInt8]
    /// SHA-256 over this commit and all before it.
    public var chain: [UInt8]
}

extension EventLog {
    /// Positions that one transaction of a scan goes through.
    @usableFromInline var readLength: UInt64 { 65_536 }

    /// Shows stored events to `body`, in the order of positions, until it returns `false`.
    ///
    /// This is the fast way: nothing is copied, and the bytes are good only inside `body`.
    ///
    /// - Parameters:
    ///   - after: events behind this position.
    ///   - body: gets the position, the header and the whole stored event, whose payload starts
    ///     at the header's `payloadOffset`.
    @inlinable
    public func scan(
        after: Position = .origin,
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        var transaction = try beginReading()
        let head = try lastPosition(in: transaction)
        guard after.rawValue < head else { return }
        let opener = EventOpener(self)
        var first = after.rawValue + 1
        while true {
            let last = head - first < readLength ? head : first + readLength - 1
            var goesOn = true
            try scanEvents(first...last, in: transaction) {
                (position, bytes) throws(LogError) in
                let header: EventHeader
                do throws(CorruptRecord) {
                    header = try EventHeader(decoding: bytes)
                } catch {
                    throw .corrupt(table: "events", key: position, error)
                }
                goesOn =
                    header.parts == 0
                    ? try body(position, header, bytes)
                    : try opener.show(position, header, bytes, in: transaction, body)
                return goesOn
            }
            countRead(last - first + 1)
            guard goesOn, last < head else { return }
            first = last + 1
            transaction = try renew(transaction)
        }
    }

    @usableFromInline
    func countRead(_ count: UInt64) { activity.add(Int(count), .eventsRead) }

    /// Shows the events that match `query`: a forward to `reader`, for removal.
    public func read(
        _ query: Query = .all, after: Position = .origin, through: Position? = nil,
        _ order: ScanOrder = .ascending,
        _ body: (RecordedEvent) throws(LogError) -> Bool
    ) throws(LogError) {
        try reader(query, ReadWindow(after: after, through: through, in: order)).forEach(body)
    }

    /// Finds out if any event of these kinds, in any layout, was ever appended.
    public func hasAny(_ kinds: Set<EventKind>) throws(LogError) -> Bool {
        guard !kinds.isEmpty else { return false }
        let names = try names(in: try beginReading())
        let all = names.everyLayout(Query(Query.Item(kinds: kinds))).items?.first?.kinds ?? kinds
        // A kind gets its row with its first event.
        return all.contains { names.row(of: $0) != nil }
    }

    /// The events that match `query`, copied: a forward to `reader`, for removal.
    public func events(
        _ query: Query = .all, after: Position = .origin, through: Position? = nil,
        limit: Int = .max, _ order: ScanOrder = .ascending
    ) throws(LogError) -> [RecordedEvent] {
        try reader(query, ReadWindow(after: after, through: through, in: order))
            .collect(limit: limit)
    }

    /// The commit that holds the event at `position`; `nil` where there is none.
    public func commit(at position: Position) throws(LogError) -> RecordedCommit? {
        try readingPeople { (transaction) throws(LogError) -> RecordedCommit?? in
            guard position > .origin, position.rawValue <= (try lastPosition(in: transaction))
            else { return .some(nil) }
            let first = try firstPosition(ofCommitAt: position.rawValue, in: transaction)
            return try recorded(first, in: transaction)
        }
    }

    /// The commit that was appended under an idempotency key; `nil` where there is none.
    public func commit(ofKey key: String) throws(LogError) -> RecordedCommit? {
        guard !key.isEmpty, key.utf8.count <= 511 else { return nil }
        return try readingPeople { (transaction) throws(LogError) -> RecordedCommit?? in
            guard let first = try firstPosition(ofKey: key, in: transaction) else {
                return .some(nil)
            }
            return try recorded(first, in: transaction)
        }
    }

    /// The newest position recorded at or before `time`: the log as it was known then.
    public func position(asOf time: Instant) throws(LogError) -> Position {
        let transaction = try beginReading()
        var low: UInt64 = 0
        var high = try lastPosition(in: transaction)
        while low < high {
            let middle = low + (high - low + 1) / 2
            if try header(at: middle, in: transaction).recordedAt <= time {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return Position(low)
    }

    /// - Returns: `nil` where a newer state has to say who gave it.
    private func recorded(
        _ first: UInt64, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> RecordedCommit? {
        let commit = try commit(startingAt: first, in: transaction)
        guard let last = commit.lastPosition(startingAt: first) else {
            throw .corrupt(table: tables.commits.name, key: first, commit.countMisfit)
        }
        guard let actor = try actor(of: commit, in: transaction) else { return nil }
        var metadata = commit.metadata
        if case .named(let name) = actor { metadata.actor = name }
        return RecordedCommit(
            first: Position(first), last: Position(last), recordedAt: commit.recordedAt,
            metadata: metadata, isActorErased: actor == .erased,
            keyDigest: commit.hasKey ? commit.keyDigest : [], chain: commit.chain)
    }
}
