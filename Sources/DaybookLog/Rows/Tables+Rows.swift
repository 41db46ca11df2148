import Daybook
public import DaybookLMDB

// Reading and decoding of single rows.
extension Tables {
    /// Returns the position of the newest event; 0 for an empty log.
    ///
    /// - Throws: `.corrupt` if the newest commit does not end at this position.
    @usableFromInline
    func lastPosition(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64 {
        try newest(in: transaction).position
    }

    /// Returns the newest commit; `nil` for an empty log.
    func lastCommit(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> CommitRecord? {
        try newest(in: transaction).commit
    }

    /// Returns the newest event's position and the newest commit; 0 and `nil` for an empty log.
    ///
    /// - Throws: `.corrupt` if the newest commit does not end at the newest event.
    func newest(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> (position: UInt64, commit: CommitRecord?) {
        let lastEvent = try transaction.lastKey(of: events)
        let lastCommit = try transaction.lastKey(of: commits)
        guard let lastCommit else {
            guard lastEvent == nil else {
                throw .corrupt(table: commits.name, key: 1, .missing)
            }
            return (0, nil)
        }
        let commit = try commit(startingAt: lastCommit, in: transaction)
        guard commit.lastPosition(startingAt: lastCommit) == lastEvent, let lastEvent else {
            let last =
                lastEvent.map { "a count that ends at event \($0)" }
                ?? "no commit, because the log has no events"
            throw .corrupt(
                table: commits.name, key: lastCommit,
                .invalid(field: "eventCount", found: "\(commit.eventCount)", expected: last))
        }
        return (lastEvent, commit)
    }

    /// Returns the head of the newest commit and when that was recorded.
    ///
    /// - Returns: `.origin` and `nil` for an empty log.
    func chainHead(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> (head: Head, recordedAt: Instant?) {
        let (last, commit) = try newest(in: transaction)
        return (
            commit.map { Head(unchecked: Position(last), $0.chain) } ?? .origin, commit?.recordedAt
        )
    }

    /// Returns the stored commit whose first event is at a position.
    func commit(
        startingAt first: UInt64, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> CommitRecord {
        guard let bytes = try transaction.row(first, in: commits) else {
            throw .corrupt(table: commits.name, key: first, .missing)
        }
        return try CommitRecord(bytes, at: first)
    }

    /// Returns the first position of the commit with the digest of an idempotency key; `nil` if the
    /// key is new.
    func firstPosition(
        ofKeyDigest digest: [UInt8], in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        let short = Array(digest.prefix(16))
        guard let first = try storedPosition(short.rawSpan, in: keysByDigest, transaction)
        else {
            return nil
        }
        guard try commit(startingAt: first, in: transaction).keyDigest == digest else {
            throw .damaged(
                table: keysByDigest.name, row: short,
                .invalid(
                    field: "position", found: "\(first), whose commit has another key",
                    expected: "the commit of the key"))
        }
        return first
    }

    /// Returns the first position that the table `keysByDigest` stores for the idempotency key of a
    /// commit; `nil` if it lacks the key.
    func firstPosition(
        ofKeyOf commit: CommitRecord, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        let short = Array(commit.keyDigest.prefix(16))
        return try storedPosition(short.rawSpan, in: keysByDigest, transaction)
    }

    /// Returns the first position of the commit that contains the event at a position.
    func firstPosition(
        ofCommitAt position: UInt64, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64 {
        try firstPosition(
            ofCommitAt: position, try header(at: position, in: transaction))
    }

    /// Returns the first position of the commit that contains an event, from its position and
    /// header.
    func firstPosition(
        ofCommitAt position: UInt64, _ header: EventHeader
    ) throws(LogError) -> UInt64 {
        guard header.commitOffset < position else {
            throw .corrupt(
                table: events.name, key: position,
                .invalid(
                    field: "commitOffset", found: "\(header.commitOffset)",
                    expected: "a number less than the position \(position)"))
        }
        return position - UInt64(header.commitOffset)
    }

    /// Returns the position that a row of `keysByDigest`, `tags` or `meta` stores; `nil` if there
    /// is no such row.
    func storedPosition(
        _ key: RawSpan, in table: LogTable,
        _ transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        guard let value = try transaction.row(key, in: table) else { return nil }
        guard value.byteCount == 8 else {
            throw .damaged(
                table: table.name, row: key.copied(),
                .size("position", value.byteCount, expected: 8))
        }
        return value.integer(at: 0, as: UInt64.self)
    }

    /// Returns the header of the event at a position.
    func header(
        at position: UInt64, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> EventHeader {
        guard let bytes = try transaction.row(position, in: events) else {
            throw .corrupt(table: events.name, key: position, .missing)
        }
        return try EventHeader(bytes, at: position)
    }

    /// Returns an event as stored, with placeholders for separately stored names and integers.
    func event(
        at position: UInt64, _ names: Names,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> RecordedEvent {
        guard let bytes = try transaction.row(position, in: events) else {
            throw .corrupt(table: events.name, key: position, .missing)
        }
        let header = try EventHeader(bytes, at: position)
        return try RecordedEvent(position, header, bytes, names)
    }

    /// Calls `body` with the position and row of each event of a range, until it returns `false`.
    ///
    /// - Throws: `.corrupt` if there is no event at a position of the range.
    @inlinable @inline(__always)
    func scanEvents(
        _ range: ClosedRange<UInt64>, _ order: ScanOrder = .ascending,
        in transaction: borrowing some Transaction & ~Copyable,
        _ body: (UInt64, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        let isAscending = order == .ascending
        let end = isAscending ? range.upperBound : range.lowerBound
        var expected = isAscending ? range.lowerBound : range.upperBound
        var isOver = false
        try transaction.scanRows(events, order, from: expected) {
            (position: UInt64, bytes) throws(LogError) in
            guard position == expected else {
                throw .corrupt(table: "events", key: expected, .missing)
            }
            guard try body(position, bytes), position != end else {
                isOver = true
                return false
            }
            expected = isAscending ? position + 1 : position - 1
            return true
        }
        guard isOver else { throw .corrupt(table: "events", key: expected, .missing) }
    }
}

extension RecordedEvent {
    /// Decodes a stored event whose header is already decoded.
    init(
        _ position: UInt64, _ header: EventHeader, _ bytes: RawSpan, _ names: Names
    ) throws(LogError) {
        self.init(
            envelope: header.envelope(at: position),
            kind: try names.kind(header.kind, at: position),
            tags: try header.tags(in: bytes, at: position),
            zone: try names.zone(header.zone, at: position),
            payload: bytes.extracting(header.payloadRange(in: bytes)).copied())
    }
}

extension EventHeader {
    /// Returns the tags of the stored event with this header.
    func tags(in bytes: RawSpan) throws(CorruptRecord) -> [Tag] {
        var tags: [Tag] = []
        tags.reserveCapacity(Int(tagCount))
        try forEachTag(in: bytes) { (tag) throws(CorruptRecord) in tags.append(try Tag(tag)) }
        return tags
    }

    /// Returns the tags of the stored event at a position.
    func tags(in bytes: RawSpan, at position: UInt64) throws(LogError) -> [Tag] {
        var tags: [Tag] = []
        tags.reserveCapacity(Int(tagCount))
        try forEachTag(in: bytes, at: position) { (tag) throws(CorruptRecord) in
            tags.append(try Tag(tag))
        }
        return tags
    }

    /// Calls `body` with the UTF-8 of each tag of the stored event at a position.
    func forEachTag(
        in bytes: RawSpan, at position: UInt64, _ body: (RawSpan) throws(CorruptRecord) -> Void
    ) throws(LogError) {
        do throws(CorruptRecord) {
            try forEachTag(in: bytes, body)
        } catch {
            throw .corrupt(table: "events", key: position, error)
        }
    }

    /// Calls `body` with the UTF-8 of each tag of the stored event with this header.
    func forEachTag(
        in bytes: RawSpan, _ body: (RawSpan) throws(CorruptRecord) -> Void
    ) throws(CorruptRecord) {
        var offset = Self.byteCount
        for _ in 0..<tagCount {
            guard offset < payloadOffset else { throw invalidTags }
            let count = Int(bytes.integer(at: offset, as: UInt8.self))
            guard offset + 1 + count <= payloadOffset else { throw invalidTags }
            try body(bytes.extracting(offset + 1..<offset + 1 + count))
            offset += 1 + count
        }
        guard offset == payloadOffset else { throw invalidTags }
    }
}

extension Tag {
    /// Decodes a stored tag.
    fileprivate init(_ bytes: RawSpan) throws(CorruptRecord) {
        guard let text = bytes.text(from: 0, byteCount: bytes.byteCount) else {
            throw .notUTF8(field: "tags", found: bytes.copied())
        }
        self.init(stored: text)
    }
}
