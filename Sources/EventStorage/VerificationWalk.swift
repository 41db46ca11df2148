import CivilTime
import EventSourcing
import LMDB

/// One check of the log under way. What it keeps does not grow with the log.
struct VerificationWalk {
    private let log: EventLog
    private let names: Names
    private let catalogue: Catalogue
    private(set) var result = Verification()
    private var recordedAt = Instant(microseconds: .min)
    private var namesSeen = 0
    private var nextPosition: UInt64 = 1
    private var tagRows = 0
    private var indexedEvents = 0
    private var indexedThrough: UInt64 = 0
    private var personalRows = 0

    init(log: EventLog, names: Names, catalogue: Catalogue) {
        self.log = log
        self.names = names
        self.catalogue = catalogue
    }

    /// Walks commits and their events side by side.
    mutating func checkCommits(
        _ transaction: borrowing ReadTransaction, _ progress: (Position) -> Void
    ) throws(LogError) {
        indexedThrough = try log.indexedThrough(in: transaction)
        let broken = try transaction.scan(log.tables.commits) {
            (first: UInt64, bytes) throws(LogError) in
            if first != nextPosition {
                result.find(
                    nextPosition, "gap", "expected a commit at \(nextPosition), found \(first)")
            }
            nextPosition = first + 1
            if let commit = decode(bytes, first) {
                nextPosition = first + UInt64(commit.eventCount)
                try check(commit, startingAt: first, transaction)
            }
            result.commits += 1
            if result.commits % 10_000 == 0 { progress(Position(nextPosition - 1)) }
            return true
        }
        if let broken { throw .storage(broken) }
        let head = try log.lastPosition(in: transaction)
        if head >= nextPosition {
            result.find(
                nextPosition, "gap", "events \(nextPosition) to \(head) belong to no commit")
        }
    }

    private mutating func decode(_ bytes: RawSpan, _ first: UInt64) -> CommitRecord? {
        do throws(CorruptRecord) {
            return try CommitRecord(decoding: bytes)
        } catch {
            result.find(first, "record", "its commit: \(error)")
            return nil
        }
    }

    private mutating func check(
        _ commit: CommitRecord, startingAt first: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        if commit.recordedAt < recordedAt {
            result.find(first, "clock", "recordedAt falls behind the commit before")
        }
        recordedAt = max(recordedAt, commit.recordedAt)
        if !commit.key.isEmpty {
            let found = try log.firstPosition(ofKey: Array(commit.key.utf8), in: transaction)
            if found != first {
                result.find(first, "key", "the key '\(commit.key)' does not lead to its commit")
            }
        }
        let end = first + UInt64(commit.eventCount)
        var newNames: [Name] = []
        while namesSeen < names.rows.count, names.rows[namesSeen].firstPosition < end {
            newNames.append(names.rows[namesSeen])
            namesSeen += 1
        }
        var chain = Chain(after: result.head, commit: commit, newNames: newNames)
        var next = first
        let broken = try transaction.scan(log.tables.events, from: first) {
            (position: UInt64, bytes) throws(LogError) in
            guard position == next, position < end else { return false }
            chain.add(bytes)
            try checkEvent(position, bytes, of: commit, startingAt: first, transaction)
            next += 1
            return next < end
        }
        if let broken { throw .storage(broken) }
        result.events += next - first
        if next < end {
            result.find(
                next, "gap",
                "the commit at \(first) ends at \(end - 1); event \(next) is missing")
        } else if chain.value() != commit.chain {
            result.find(
                first, "chain",
                "the commit's bytes do not give its chain value; it or its events were changed")
        }
        result.head = commit.chain
    }

    private mutating func checkEvent(
        _ position: UInt64, _ bytes: RawSpan, of commit: CommitRecord, startingAt first: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let header: EventHeader
        let event: RecordedEvent
        do throws(CorruptRecord) {
            header = try EventHeader(decoding: bytes)
            event = try RecordedEvent(position, header, bytes, names)
        } catch {
            result.find(position, "record", "\(error)")
            return
        }
        if position <= indexedThrough {
            indexedEvents += 1
            tagRows += Set(event.tags).count
        }
        try checkLast(position, header.kind, event.tags, transaction)
        if UInt64(header.commitOffset) != position - first || header.recordedAt != commit.recordedAt
        {
            result.find(position, "record", "it does not agree with its commit at \(first)")
        }
        try checkPayload(event, bytes.extracting(header.payloadOffset...), transaction)
    }

    /// The last positions of the event's tags and kind do not lie before it.
    private mutating func checkLast(
        _ position: UInt64, _ kind: UInt16, _ tags: [Tag],
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        do throws(LMDBError) {
            for tag in tags {
                let key = Array(tag.text.utf8)
                let last = try transaction.bytes(for: key.rawSpan, in: log.tables.tags)
                if (last?.position ?? 0) < position {
                    result.find(position, "last", "the last position of the tag \(tag) is earlier")
                }
            }
            let last = try transaction.bytes(for: UInt64(kind), in: log.tables.kinds)
            if (last?.position ?? 0) < position {
                result.find(position, "last", "the last position of kind row \(kind) is earlier")
            }
        } catch {
            throw .storage(error)
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
            if try known.rewritten(payload) != event.payload {
                result.find(position, "payload", "the payload of \(event.kind) is not canonical")
            }
            let missing = Set(try known.tags(payload)).subtracting(event.tags)
            if let tag = missing.min() {
                result.find(position, "tags", "the tag \(tag) is missing")
            }
            seals = try known.seals(payload)
        } catch {
            result.find(position, "payload", "the payload of \(event.kind): \(error)")
            return
        }
        try checkSeals(seals, position, transaction)
    }

    /// A text that is still there must fit its seal; one that is gone counts as erased.
    private mutating func checkSeals(
        _ seals: [[UInt8]], _ position: UInt64, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        for (ordinal, seal) in seals.enumerated() {
            let key = PersonalRow.key(position, UInt32(ordinal))
            var row: PersonalRow?
            do throws(LMDBError) {
                if let bytes = try transaction.bytes(for: key.rawSpan, in: log.tables.personal) {
                    row = PersonalRow(bytes.copied())
                }
            } catch {
                throw .storage(error)
            }
            guard let row else {
                result.erasedTexts += 1
                continue
            }
            personalRows += 1
            if row.seal != seal {
                result.find(position, "seal", "a personal text does not fit its seal")
            }
        }
    }
}

extension VerificationWalk {
    /// Each last position is that of an event with the tag or of the kind; that none lies behind
    /// it, the events have shown.
    mutating func checkLastPositions(
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        var broken = try transaction.scan(log.tables.tags) { (key, value) throws(LogError) in
            let tag = key.text(from: 0, byteCount: key.byteCount) ?? ""
            let last = value.position ?? 0
            if try !log.isEvent(
                at: last, in: transaction,
                { header, bytes in
                    (try? header.tags(in: bytes))?.contains { $0.text == tag } ?? false
                })
            {
                result.find(last, "last", "no event at \(last) has the tag \(tag)")
            }
            return true
        }
        if let broken { throw .storage(broken) }
        broken = try transaction.scan(log.tables.kinds) {
            (kind: UInt64, value) throws(LogError) in
            let last = value.position ?? 0
            if try !log.isEvent(at: last, in: transaction, { header, _ in header.kind == kind }) {
                result.find(last, "last", "no event at \(last) is of kind row \(kind)")
            }
            return true
        }
        if let broken { throw .storage(broken) }
    }

    mutating func checkIndexes(_ transaction: borrowing ReadTransaction) throws(LogError) {
        do throws(LMDBError) {
            let inTags = try transaction.count(of: log.tables.tagIndex)
            let inKinds = try transaction.count(of: log.tables.kindIndex)
            if inTags != tagRows || inKinds != indexedEvents {
                result.find(
                    indexedThrough, "index",
                    "the indexes hold \(inTags) tag and \(inKinds) kind rows, expected \(tagRows) "
                        + "and \(indexedEvents); 'replay reindex' makes them anew")
            }
        } catch {
            throw .storage(error)
        }
    }

    /// Each key leads to a commit that has it.
    mutating func checkKeys(_ transaction: borrowing ReadTransaction) throws(LogError) {
        let broken = try transaction.scan(log.tables.keys) { (key, value) throws(LogError) in
            let text = key.text(from: 0, byteCount: key.byteCount) ?? ""
            let first = value.position ?? 0
            var known: String?
            do throws(LMDBError) {
                if let bytes = try transaction.bytes(for: first, in: log.tables.commits) {
                    known = decode(bytes, first)?.key
                }
            } catch {
                throw .storage(error)
            }
            if known != text {
                result.find(first, "key", "the commit at \(first) does not have the key '\(text)'")
            }
            return true
        }
        if let broken { throw .storage(broken) }
    }

    /// No text lies there that no event has sealed. Texts of kinds the catalogue does not know
    /// cannot be told apart from those, so that their log is not held to it.
    mutating func checkPersonalRows(_ transaction: borrowing ReadTransaction) throws(LogError) {
        guard result.unknownKinds.isEmpty,
            !result.findings.contains(where: { $0.rule == "payload" })
        else { return }
        do throws(LMDBError) {
            let rows = try transaction.count(of: log.tables.personal)
            if rows != personalRows {
                result.find(
                    0, "seal", "\(rows) personal texts are there, and events seal \(personalRows)")
            }
        } catch {
            throw .storage(error)
        }
    }
}

extension EventLog {
    /// Whether there is an event at a position, and it fits.
    fileprivate func isEvent(
        at position: UInt64, in transaction: borrowing ReadTransaction,
        _ fits: (EventHeader, RawSpan) -> Bool
    ) throws(LogError) -> Bool {
        do throws(LMDBError) {
            guard let bytes = try transaction.bytes(for: position, in: tables.events) else {
                return false
            }
            do throws(CorruptRecord) {
                return fits(try EventHeader(decoding: bytes), bytes)
            } catch {
                return false
            }
        } catch {
            throw .storage(error)
        }
    }
}

extension RawSpan {
    /// The position that a row of `tags`, `kinds` or `keys` holds; `nil` if it is not 8 bytes.
    fileprivate var position: UInt64? {
        byteCount == 8 ? integer(at: 0, as: UInt64.self) : nil
    }
}
