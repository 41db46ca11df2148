import Daybook
import DaybookLMDB

/// A check of the log in progress, whose memory does not grow with the number of events.
struct VerificationWalk {
    let log: EventLog
    let names: Names
    let catalogue: Catalogue
    var result: Verification
    private var recordedAt = Instant(microseconds: .min)
    private var namesSeen = 0
    /// The position after the last commit that was checked.
    private(set) var nextPosition: UInt64 = 1
    var indexedThrough: UInt64 = 0
    /// The digest of the index that the events require.
    var expectedIndex = IndexDigest()
    /// The digest of the stored index.
    var foundIndex = IndexDigest()
    /// Number of keys of the index whose last position is the one in `tags` or `kinds`.
    var settledKeys: UInt64 = 0
    /// True if the index was found to hold exactly the positions of the indexed events.
    var isIndexComplete = false
    /// Number of commits with an idempotency key.
    var keyedCommits = 0
    var personalRows = 0
    var people = PeopleCheck()
    let opener: EventOpener

    init(log: EventLog, names: Names, catalogue: Catalogue, _ result: Verification) {
        self.result = result
        self.log = log
        opener = EventOpener(log)
        self.names = names
        self.catalogue = catalogue
    }

    /// Checks all commits with their events, in order.
    mutating func checkCommits(
        _ transaction: borrowing ReadTransaction, _ progress: (Position) -> Void
    ) throws(LogError) {
        indexedThrough = try log.indexedThrough(in: transaction)
        let commits = log.tables.commits
        let broken = try transaction.scan(commits.table) {
            (first: UInt64, stored) throws(LogError) in
            if first != nextPosition {
                result.find(
                    nextPosition, "gap", "expected a commit at \(nextPosition), found \(first)")
            }
            nextPosition = first == .max ? first : first + 1
            if let commit = decode(commits, first, stored, transaction) {
                if let last = commit.lastPosition(startingAt: first) {
                    nextPosition = last == .max ? last : last + 1
                    try check(commit, first...last, transaction)
                } else {
                    result.find(first, "record", "its commit has no events")
                }
            }
            result.commits += 1
            if result.commits % 500 == 0 { progress(Position(nextPosition - 1)) }
            return true
        }
        if let broken { throw .storage(broken) }
        let head: UInt64?
        head = try mappingStorageErrors(try transaction.lastKey(of: log.tables.events.table))
        if let head, head >= nextPosition {
            result.find(
                nextPosition, "gap", "events \(nextPosition) to \(head) belong to no commit")
        }
    }

    /// Decodes the value of a row; records a finding and returns `nil` if this fails.
    private mutating func value<Result>(
        _ table: LogTable, _ key: UInt64, _ stored: RawSpan,
        _ transaction: borrowing ReadTransaction, _ body: (RawSpan) throws(CorruptRecord) -> Result
    ) -> Result? {
        do throws(LogError) {
            let value = try transaction.checked(stored, key, table)
            do throws(CorruptRecord) {
                return try body(value)
            } catch {
                result.find(key, "record", "table '\(table.name)': \(error)")
            }
        } catch {
            result.find(key, "checksum", "the row of table '\(table.name)' was changed")
        }
        return nil
    }

    private mutating func decode(
        _ commits: LogTable, _ first: UInt64, _ stored: RawSpan,
        _ transaction: borrowing ReadTransaction
    ) -> CommitRecord? {
        value(commits, first, stored, transaction) { (bytes) throws(CorruptRecord) in
            try CommitRecord(decoding: bytes)
        }
    }

    private mutating func check(
        _ commit: CommitRecord, _ range: ClosedRange<UInt64>,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let first = range.lowerBound
        if commit.recordedAt < recordedAt {
            result.find(first, "clock", "recordedAt is earlier than in the previous commit")
        }
        recordedAt = max(recordedAt, commit.recordedAt)
        if commit.hasKey { keyedCommits += 1 }
        try checkPeople(of: commit, range, transaction)
        var newNames: [Name] = []
        while namesSeen < names.rows.count,
            names.rows[namesSeen].firstPosition <= range.upperBound
        {
            newNames.append(names.rows[namesSeen])
            namesSeen += 1
        }
        var chain = Chain(after: result.head, commit: commit, newNames: newNames)
        var next = first
        let broken = try transaction.scan(log.tables.events.table, from: first) {
            (position: UInt64, stored) throws(LogError) in
            guard position == next, range.contains(position) else { return false }
            try checkEvent(position, stored, of: commit, startingAt: first, transaction, &chain)
            next += 1
            return next <= range.upperBound
        }
        if let broken { throw .storage(broken) }
        result.events += next - first
        if next <= range.upperBound {
            result.find(
                next, "gap",
                "the commit at \(first) ends at \(range.upperBound); event \(next) is missing")
        } else if chain.value() != commit.chain {
            result.find(
                first, "chain",
                "the chain value does not match; the commit or its events were changed")
        }
        result.head = commit.chain
    }

    private mutating func checkEvent(
        _ position: UInt64, _ stored: RawSpan, of commit: CommitRecord, startingAt first: UInt64,
        _ transaction: borrowing ReadTransaction, _ chain: inout Chain
    ) throws(LogError) {
        let bytes: RawSpan
        do throws(LogError) {
            bytes = try transaction.checked(stored, position, log.tables.events)
        } catch {
            return result.find(position, "checksum", "the event's row was changed")
        }
        chain.add(bytes)
        let header: EventHeader
        let event: RecordedEvent
        do throws(CorruptRecord) {
            header = try EventHeader(decoding: bytes)
            event = try RecordedEvent(position, header, bytes, names)
        } catch {
            return result.find(position, "record", "\(error)")
        }
        if position <= indexedThrough {
            expectedIndex.add(position, IndexKey(kind: header.kind))
            for key in Set(event.tags.map { IndexKey($0) }) { expectedIndex.add(position, key) }
        }
        for tag in event.tags {
            if let reason = tag.unstorable { result.find(position, "tags", reason) }
        }
        // Up to there the index shows the last positions, with a look-up for each of its keys.
        if position > indexedThrough {
            try checkLast(position, header.kind, event.tags, transaction)
        }
        if UInt64(header.commitOffset) != position - first || header.recordedAt != commit.recordedAt
        {
            result.find(position, "record", "it does not match its commit at \(first)")
        }
        try checkPayload(
            event, bytes.extracting(header.payloadRange(in: bytes)), transaction)
        let last = first + UInt64(commit.eventCount) - 1
        try checkParts(of: event, header, bytes, through: last, transaction)
    }

    /// Checks that the newest positions of the event's tags and kind are not before the event.
    mutating func checkLast(
        _ position: UInt64, _ kind: UInt16, _ tags: [Tag],
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        for tag in tags {
            let last = try log.lastPosition(of: IndexKey(tag), in: transaction)
            if (last ?? 0) < position {
                result.find(
                    position, "last", "the stored last position of the tag \(tag) is earlier")
            }
        }
        if (try log.lastPosition(ofKind: kind, in: transaction) ?? 0) < position {
            result.find(
                position, "last", "the stored last position of the kind in row \(kind) is earlier")
        }
    }

    private mutating func checkPayload(
        _ event: RecordedEvent, _ payload: RawSpan, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let position = event.position.rawValue
        guard let known = catalogue.events[event.kind] else {
            if catalogue.upcasters[event.kind] == nil {
                result.unknownKinds[event.kind, default: 0] += 1
            }
            return
        }
        let seals: [[UInt8]]
        do throws(CorruptPayload) {
            let inspected = try known.inspect(payload)
            if !inspected.isCanonical {
                result.find(position, "payload", "the payload of \(event.kind) is not canonical")
            }
            let missing = try known.tags(payload).filter { !event.tags.contains($0) }
            if let tag = missing.min() {
                result.find(position, "tags", "the tag \(tag) is missing")
            }
            seals = inspected.seals
        } catch {
            // The checksum of the row matches, so the payload is intact.
            result.find(
                position, "payload",
                "the payload of \(event.kind): \(error); its row is intact, so it was written in "
                    + "another layout of the kind",
                isOfLayout: true)
            return
        }
        try checkSeals(seals, event, transaction)
    }
}
