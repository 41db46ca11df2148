import CivilTime
import Crypto
public import EventSourcing
import LMDB

/// What a check of the whole log found.
public struct Verification: Hashable, Sendable {
    public var events: UInt64 = 0
    public var commits: UInt64 = 0
    /// The chain value of the newest commit; 32 zero bytes in an empty log.
    public var head: [UInt8] = Array(repeating: 0, count: 32)
    /// Personal texts that have been erased. Their seals still hold.
    public var erasedTexts: UInt64 = 0
    /// Events of kinds the catalogue does not know; no fault.
    public var unknownKinds: [EventKind: UInt64] = [:]
    public var findings: [Finding] = []

    public var isSound: Bool { findings.isEmpty }

    /// One thing that is not as it must be.
    public struct Finding: Hashable, Sendable {
        public var position: Position
        public var rule: String
        public var message: String
    }

    /// Findings are listed up to this number.
    static let findingLimit = 1_000

    mutating func find(_ position: UInt64, _ rule: String, _ message: String) {
        guard findings.count < Self.findingLimit else { return }
        findings.append(
            Finding(position: Position(position), rule: rule, message: message))
    }
}

extension EventLog {
    /// Reads every commit and event and checks what must hold of them.
    ///
    /// The rules: `gap` positions are dense; `record` rows are as the format says; `clock`
    /// `recordedAt` never falls; `chain` the hash holds; `name` kinds and zones are known;
    /// `last` the last positions of tags and kinds are right; `index` the indexes are complete;
    /// `key` idempotency keys lead to their commits; `seal` personal texts fit their seals;
    /// `payload` and `tags` payloads are canonical and carry the tags they ask for.
    ///
    /// - Parameter progress: called now and then with the position reached.
    public func verify(
        against catalogue: Catalogue, progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Verification {
        let transaction = try beginReading()
        var walk = VerificationWalk(names: try names(in: transaction), catalogue: catalogue)
        try walk.checkCommits(self, transaction, progress)
        try walk.checkLastPositions(self, transaction)
        try walk.checkIndexes(self, transaction)
        try walk.checkKeys(self, transaction)
        try walk.checkSeals(self, transaction)
        return walk.result
    }
}

/// One check under way.
private struct VerificationWalk {
    let names: Names
    let catalogue: Catalogue
    var result = Verification()
    private var lastOfTag: [String: UInt64] = [:]
    private var lastOfKind: [UInt16: UInt64] = [:]
    private var recordedAt = Instant(microseconds: .min)
    private var namesSeen = 0
    private var commitsByKey: [String: UInt64] = [:]
    /// The seals in events, by the key of the row that holds the text.
    private var seals: [[UInt8]: [UInt8]] = [:]

    init(names: Names, catalogue: Catalogue) {
        self.names = names
        self.catalogue = catalogue
    }

    /// Walks commits and their events side by side.
    mutating func checkCommits(
        _ log: EventLog, _ transaction: borrowing ReadTransaction,
        _ progress: (Position) -> Void
    ) throws(LogError) {
        var starts: [UInt64] = []
        let broken = transaction.scan(log.tables.commits) { (first: UInt64, _) in
            starts.append(first)
            return true
        }
        if let broken { throw .storage(broken) }
        var expected: UInt64 = 1
        for first in starts {
            if first != expected {
                result.find(expected, "gap", "expected a commit at \(expected), found \(first)")
            }
            expected = try checkCommit(first, log, transaction)
            result.commits += 1
            if result.commits % 10_000 == 0 { progress(Position(expected - 1)) }
        }
        let head = try log.lastPosition(in: transaction)
        if head >= expected {
            result.find(expected, "gap", "events \(expected) to \(head) belong to no commit")
        }
    }

    /// Checks one commit and its events. Returns the position that must follow.
    private mutating func checkCommit(
        _ first: UInt64, _ log: EventLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> UInt64 {
        let commit: CommitRecord
        do throws(LogError) {
            commit = try log.commit(startingAt: first, in: transaction)
        } catch .corrupt(_, _, let cause) {
            result.find(first, "record", "its commit: \(cause)")
            return first + 1
        }
        if commit.recordedAt < recordedAt {
            result.find(first, "clock", "recordedAt falls behind the commit before")
        }
        recordedAt = max(recordedAt, commit.recordedAt)
        if !commit.key.isEmpty { commitsByKey[commit.key] = first }
        let end = first + UInt64(commit.eventCount)
        var newNames: [Name] = []
        while namesSeen < names.rows.count, names.rows[namesSeen].firstPosition < end {
            newNames.append(names.rows[namesSeen])
            namesSeen += 1
        }
        var chain = Chain(after: result.head, commit: commit, newNames: newNames)
        var next = first
        let broken = transaction.scan(log.tables.events, from: first) {
            (position: UInt64, bytes) in
            guard position == next, position < end else { return false }
            chain.add(bytes)
            checkEvent(position, bytes, of: commit, startingAt: first)
            next += 1
            return next < end
        }
        if let broken { throw .storage(broken) }
        result.events += next - first
        if next < end {
            result.find(
                next, "gap", "the commit at \(first) ends at \(end - 1); event \(next) is missing")
        } else if chain.value() != commit.chain {
            result.find(
                first, "chain",
                "the commit's bytes do not give its chain value; it or its events were changed")
        }
        result.head = commit.chain
        return end
    }

    private mutating func checkEvent(
        _ position: UInt64, _ bytes: RawSpan, of commit: CommitRecord, startingAt first: UInt64
    ) {
        let header: EventHeader
        let event: RecordedEvent
        do throws(CorruptRecord) {
            header = try EventHeader(decoding: bytes)
            event = try RecordedEvent(position, header, bytes, names)
        } catch {
            result.find(position, "record", "\(error)")
            return
        }
        lastOfKind[header.kind] = position
        for tag in event.tags { lastOfTag[tag.text] = position }
        if UInt64(header.commitOffset) != position - first || header.recordedAt != commit.recordedAt
        {
            result.find(position, "record", "it does not agree with its commit at \(first)")
        }
        guard let known = catalogue.events[event.kind] else {
            if catalogue.upcasters[event.kind] == nil {
                result.unknownKinds[event.kind, default: 0] += 1
            }
            return
        }
        do throws(CorruptPayload) {
            let payload = bytes.extracting(header.payloadOffset...)
            if try known.rewritten(payload) != event.payload {
                result.find(position, "payload", "the payload of \(event.kind) is not canonical")
            }
            for (ordinal, seal) in try known.seals(payload).enumerated() {
                seals[PersonalRow.key(position, UInt32(ordinal))] = seal
            }
            let missing = Set(try known.tags(payload)).subtracting(event.tags)
            if let tag = missing.min() {
                result.find(position, "tags", "the tag \(tag) is missing")
            }
        } catch {
            result.find(position, "payload", "the payload of \(event.kind): \(error)")
        }
    }

    mutating func checkLastPositions(
        _ log: EventLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        var unseen = lastOfTag
        var broken = transaction.scan(log.tables.tags) { (key, value) in
            let tag = key.text(from: 0, byteCount: key.byteCount) ?? ""
            let last: UInt64 = value.byteCount == 8 ? value.integer(at: 0) : 0
            if unseen.removeValue(forKey: tag) != last {
                result.find(last, "last", "the last position of the tag \(tag) is not \(last)")
            }
            return true
        }
        if let broken { throw .storage(broken) }
        for (tag, position) in unseen {
            result.find(position, "last", "the last position of the tag \(tag) is missing")
        }
        broken = transaction.scan(log.tables.kinds) { (kind: UInt64, value) in
            let last: UInt64 = value.byteCount == 8 ? value.integer(at: 0) : 0
            if lastOfKind.removeValue(forKey: UInt16(truncatingIfNeeded: kind)) != last {
                result.find(last, "last", "the last position of kind row \(kind) is not \(last)")
            }
            return true
        }
        if let broken { throw .storage(broken) }
        for (kind, position) in lastOfKind {
            result.find(position, "last", "the last position of kind row \(kind) is missing")
        }
    }

    mutating func checkIndexes(
        _ log: EventLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let indexed = try log.indexedThrough(in: transaction)
        var tagRows = 0
        var events = 0
        if indexed > 0 {
            let broken = transaction.scan(log.tables.events) { (position: UInt64, bytes) in
                guard position <= indexed else { return false }
                events += 1
                if let header = try? EventHeader(decoding: bytes),
                    let tags = try? header.tags(in: bytes)
                {
                    tagRows += Set(tags).count
                }
                return true
            }
            if let broken { throw .storage(broken) }
        }
        do throws(LMDBError) {
            let inTags = try transaction.count(of: log.tables.tagIndex)
            let inKinds = try transaction.count(of: log.tables.kindIndex)
            if inTags != tagRows || inKinds != events {
                result.find(
                    indexed, "index",
                    "the indexes hold \(inTags) tag and \(inKinds) kind rows, expected \(tagRows) "
                        + "and \(events); 'replay reindex' makes them anew")
            }
        } catch {
            throw .storage(error)
        }
    }

    mutating func checkKeys(
        _ log: EventLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let broken = transaction.scan(log.tables.keys) { (key, value) in
            let text = key.text(from: 0, byteCount: key.byteCount) ?? ""
            let first: UInt64 = value.byteCount == 8 ? value.integer(at: 0) : 0
            if commitsByKey.removeValue(forKey: text) != first {
                result.find(first, "key", "the key '\(text)' does not lead to its commit")
            }
            return true
        }
        if let broken { throw .storage(broken) }
        for (key, first) in commitsByKey {
            result.find(first, "key", "the key '\(key)' of the commit is not in the table")
        }
    }

    /// Each text that is still there must fit the seal in its event; those that are gone count
    /// as erased.
    mutating func checkSeals(
        _ log: EventLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let broken = transaction.scan(log.tables.personal) { (key, value) in
            let key = key.copied()
            let position = key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            // Texts of kinds the catalogue does not know cannot be held against their events.
            guard let seal = seals.removeValue(forKey: key) else { return true }
            if PersonalRow(value.copied()).seal != seal {
                result.find(position, "seal", "a personal text does not fit its seal")
            }
            return true
        }
        if let broken { throw .storage(broken) }
        result.erasedTexts = UInt64(seals.count)
    }
}
