public import CivilTime
public import EventSourcing
public import LMDB

/// A commit, as tools show it.
public struct RecordedCommit: Hashable, Sendable {
    public var first: Position
    public var last: Position
    public var recordedAt: Instant
    public var metadata: CommitMetadata
    /// Empty where the commit had none.
    public var key: String
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
                goesOn = try body(position, header, bytes)
                return goesOn
            }
            guard goesOn, last < head else { return }
            first = last + 1
            transaction = try renew(transaction)
        }
    }

    /// Shows the events that match `query` to `body`, until it returns `false`.
    ///
    /// A kind stands for all its layouts: older ones are shown as they were recorded.
    ///
    /// - Parameters:
    ///   - after: events behind this position; in descending order, those up to `through` are
    ///     shown first.
    ///   - through: events up to this position, itself included; to the newest by default.
    public func read(
        _ query: Query = .all, after: Position = .origin, through: Position? = nil,
        _ order: ScanOrder = .ascending,
        _ body: (RecordedEvent) throws(LogError) -> Bool
    ) throws(LogError) {
        try visit(query, after: after, through: through, order) {
            (position, header, bytes, names) throws(LogError) in
            try body(RecordedEvent(stored: position, header, bytes, names.value))
        }
    }

    /// Whether any event of these kinds, in any layout, was ever appended.
    public func hasAny(_ kinds: Set<EventKind>) throws(LogError) -> Bool {
        guard !kinds.isEmpty else { return false }
        let names = try names(in: try beginReading())
        let all = names.everyLayout(Query(Query.Item(kinds: kinds))).items?.first?.kinds ?? kinds
        // A kind gets its row with its first event.
        return all.contains { names.row(of: $0) != nil }
    }

    /// The events that match `query`, copied.
    public func events(
        _ query: Query = .all, after: Position = .origin, through: Position? = nil,
        limit: Int = .max, _ order: ScanOrder = .ascending
    ) throws(LogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        guard limit > 0 else { return events }
        try read(query, after: after, through: through, order) { (event) throws(LogError) in
            events.append(event)
            return events.count < limit
        }
        return events
    }

    /// The commit that holds the event at `position`; `nil` where there is none.
    public func commit(at position: Position) throws(LogError) -> RecordedCommit? {
        let transaction = try beginReading()
        guard position > .origin, position.rawValue <= (try lastPosition(in: transaction)) else {
            return nil
        }
        let header = try header(at: position.rawValue, in: transaction)
        guard header.commitOffset < position.rawValue else {
            throw .corrupt(table: tables.events.name, key: position.rawValue, .otherEvents)
        }
        let first = position.rawValue - UInt64(header.commitOffset)
        return try recorded(try commit(startingAt: first, in: transaction), first)
    }

    /// The commit that was appended under an idempotency key; `nil` where there is none.
    public func commit(ofKey key: String) throws(LogError) -> RecordedCommit? {
        guard !key.isEmpty, key.utf8.count <= 511 else { return nil }
        let transaction = try beginReading()
        guard let first = try firstPosition(ofKey: Array(key.utf8), in: transaction) else {
            return nil
        }
        return try recorded(try commit(startingAt: first, in: transaction), first)
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

    private func recorded(
        _ commit: CommitRecord, _ first: UInt64
    ) throws(LogError) -> RecordedCommit {
        guard let last = commit.lastPosition(startingAt: first) else {
            throw .corrupt(table: tables.commits.name, key: first, .otherEvents)
        }
        return RecordedCommit(
            first: Position(first), last: Position(last), recordedAt: commit.recordedAt,
            metadata: commit.metadata, key: commit.key, chain: commit.chain)
    }

    /// The personal text that an event's field sealed; `nil` once it is erased.
    public func personalText(at position: Position, field: UInt32) throws(LogError) -> String? {
        let key = PersonalRow.key(position.rawValue, field)
        let transaction = try beginReading()
        guard let bytes = try transaction.row(key.rawSpan, in: tables.personal) else {
            return nil
        }
        return PersonalRow(bytes.copied()).text
    }

    /// Erases a personal text for good. The chain still holds. `false` if it was gone already.
    public func erasePersonalText(
        at position: Position, field: UInt32
    ) throws(LogError) -> Bool {
        let key = PersonalRow.key(position.rawValue, field)
        var wasThere = false
        try writing { (transaction) throws(LogError) in
            wasThere = try transaction.remove(key.rawSpan, from: tables.personal)
        }
        return wasThere
    }
}
