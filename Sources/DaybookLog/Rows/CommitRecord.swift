import Daybook
import DaybookCryptography

/// A row of the table `commits`: a commit, stored under the position of its first event.
///
/// Integers are little-endian:
///
/// | offset | bytes | field |
/// |-------:|------:|-------|
/// | 0 | 8 | `recordedAt`, microseconds since 1970, UTC |
/// | 8 | 4 | `eventCount` |
/// | 12 | 4 | layout: 1 |
/// | 16 | 32 | `chain` |
/// | 48 | 8 | `causation`, a position; 0 for none |
/// | 56 | 32 | `requestDigest`, HMAC-SHA256 of the request and of the salts of the commit's personal texts, under the log's secret; zero without an idempotency key |
/// | 88 | 4 | `actor`, the number of a person; 0 for none |
/// | 92 | 32 | `keyDigest`, HMAC-SHA256 of the idempotency key under the log's secret, or zero |
/// | 124 | 4 | byte counts of device and correlation, 2 bytes each |
/// | 128 | | device and correlation, in UTF-8; then, to the end, the number (4 bytes) and seal (32 bytes) of each person whom this commit is the first to name, in the order of numbers |
///
/// `chain` is SHA-256 over: the chain value of the previous commit (32 zero bytes for the first
/// commit); bytes 0–15 and 48–end of this row; each event kind and time zone that this commit is
/// the first to use, in the order of rows of `names`, as its category byte, its byte count in 2
/// bytes and its UTF-8; the row of each event.
struct CommitRecord: Hashable {
    /// The byte range of the chain value, which covers all other bytes of the row.
    static let chainRange = 16..<48
    /// The byte range of the digest's part of the idempotency key by which commits are found.
    static let shortKeyRange = 92..<108

    /// The only supported value of the field `layout`.
    private static let layout: UInt32 = 1
    /// The size of the fixed-size fields, in bytes.
    static let fixedByteCount = 128

    /// The fixed-size fields, each with the offset of its end.
    fileprivate static var fieldEnds: KeyValuePairs<String, Int> {
        [
            "recordedAt": 8, "eventCount": 12, "layout": 16, "chain": 48, "causation": 56,
            "requestDigest": 88, "actor": 92, "keyDigest": 124, "byte counts": 128,
        ]
    }

    /// A digest that is not there: 32 zero bytes.
    private static let noDigest = [UInt8](repeating: 0, count: 32)

    var recordedAt: Instant
    var eventCount: UInt32
    /// The chain value: SHA-256 over this commit and all earlier commits, 32 bytes.
    var chain = Self.noDigest
    /// The metadata without the actor, whose person number is in `actor`.
    var metadata: CommitMetadata
    /// HMAC-SHA256 of the request and of the salts of the commit's personal texts, 32 bytes; zero
    /// without an idempotency key.
    var requestDigest: [UInt8]
    /// The person number of the actor; 0 for a commit without an actor.
    var actor: UInt32 = 0
    /// HMAC-SHA256 of the idempotency key, 32 bytes; zero without an idempotency key.
    var keyDigest = Self.noDigest
    /// The people whom this commit is the first to name, in the order of person numbers.
    var newPeople: [NewPerson] = []

    /// A person whom a commit is the first to name, with the digest of the person's salted name.
    struct NewPerson: Hashable {
        /// The size of a new person's entry in the row of a commit, in bytes.
        static let byteCount = 36

        var number: UInt32
        /// SHA-256 of the person's salted name, 32 bytes.
        var seal: [UInt8]
    }

    init(
        recordedAt: Instant, eventCount: UInt32, metadata: CommitMetadata, actor: UInt32,
        newPeople: [NewPerson], keyDigest: [UInt8]?, requestDigest: [UInt8]?
    ) {
        self.recordedAt = recordedAt
        self.eventCount = eventCount
        self.metadata = metadata
        self.metadata.actor = ""
        self.actor = actor
        self.newPeople = newPeople
        self.keyDigest = keyDigest ?? Self.noDigest
        self.requestDigest = requestDigest ?? Self.noDigest
    }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount >= Self.fixedByteCount else {
            throw .truncated(Self.fieldEnds, bytes: bytes.byteCount)
        }
        let layout: UInt32 = bytes.integer(at: 12)
        guard layout == Self.layout else {
            throw .invalid(field: "layout", found: "\(layout)", expected: "\(Self.layout)")
        }
        recordedAt = Instant(microseconds: bytes.integer(at: 0))
        eventCount = bytes.integer(at: 8)
        chain = bytes.extracting(Self.chainRange).copied()
        requestDigest = bytes.extracting(56..<88).copied()
        keyDigest = bytes.extracting(92..<124).copied()
        actor = bytes.integer(at: 88)
        let causation: UInt64 = bytes.integer(at: 48)
        metadata = CommitMetadata(causation: causation == 0 ? nil : Position(causation))
        var offset = Self.fixedByteCount
        metadata.device = try Self.text("device", of: bytes, countAt: 124, &offset)
        metadata.correlation = try Self.text("correlation", of: bytes, countAt: 126, &offset)
        let rest = bytes.byteCount - offset
        guard rest % NewPerson.byteCount == 0 else {
            throw .invalid(
                field: "new people", found: "\(rest) bytes",
                expected: "a multiple of \(NewPerson.byteCount)")
        }
        while offset < bytes.byteCount {
            let end = offset + NewPerson.byteCount
            newPeople.append(
                NewPerson(
                    number: bytes.integer(at: offset),
                    seal: bytes.extracting(offset + 4..<end).copied()))
            offset = end
        }
    }

    /// Reads a text after the fixed-size fields, and moves `offset` past it.
    ///
    /// - Parameters:
    ///   - field: the name of the text, for errors.
    ///   - place: the offset of the text's byte count.
    ///   - offset: the offset of the text.
    private static func text(
        _ field: String, of bytes: RawSpan, countAt place: Int, _ offset: inout Int
    ) throws(CorruptRecord) -> String {
        let count = Int(bytes.integer(at: place, as: UInt16.self))
        guard count > 0 else { return "" }
        let end = offset + count
        guard end <= bytes.byteCount else {
            throw .truncated(field: field, needs: end, bytes: bytes.byteCount)
        }
        guard let text = bytes.text(from: offset, byteCount: count) else {
            throw .notUTF8(field: field, found: bytes.extracting(offset..<end).copied())
        }
        offset = end
        return text
    }

    /// True if a row without its checksum is a valid commit whose key digest begins with `prefix`.
    static func isCommit(_ bytes: RawSpan, withKeyDigest prefix: [UInt8]) -> Bool {
        guard bytes.byteCount >= fixedByteCount, bytes.extracting(92...).begins(with: prefix)
        else { return false }
        return (try? CommitRecord(decoding: bytes)) != nil
    }

    /// True if the commit was appended under an idempotency key.
    var hasKey: Bool { keyDigest.contains { $0 != 0 } }

    /// Returns the position of the commit's last event if its first event is at `first`; `nil` if
    /// `eventCount` is invalid.
    func lastPosition(startingAt first: UInt64) -> UInt64? {
        guard eventCount > 0 else { return nil }
        let (last, overflows) = first.addingReportingOverflow(UInt64(eventCount) - 1)
        return overflows ? nil : last
    }

    /// Returns the position of the last event of a commit, from its row without the checksum; `nil`
    /// for a row without a valid `eventCount`.
    ///
    /// Decodes nothing else, because the tree reads every commit.
    static func lastPosition(of row: RawSpan, startingAt first: UInt64) -> UInt64? {
        guard row.byteCount >= fixedByteCount else { return nil }
        let count: UInt32 = row.integer(at: 8)
        let (last, overflows) = first.addingReportingOverflow(UInt64(count) &- 1)
        return count > 0 && !overflows ? last : nil
    }

    /// Returns the fault of a row without a valid `eventCount`.
    static func fault(of row: RawSpan) -> CorruptRecord {
        do throws(CorruptRecord) {
            return try CommitRecord(decoding: row).invalidEventCount
        } catch {
            return error
        }
    }

    /// The error for an invalid `eventCount`.
    var invalidEventCount: CorruptRecord {
        .invalid(
            field: "eventCount", found: "\(eventCount)",
            expected: "at least 1, and not past the highest possible position")
    }

    /// The stored row without its checksum.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.fixedByteCount + 64)
        bytes.append(littleEndian: recordedAt.microseconds)
        bytes.append(littleEndian: eventCount)
        bytes.append(littleEndian: Self.layout)
        bytes.append(contentsOf: chain)
        bytes.append(littleEndian: metadata.causation?.rawValue ?? 0)
        bytes.append(contentsOf: requestDigest)
        bytes.append(littleEndian: actor)
        bytes.append(contentsOf: keyDigest)
        let (device, correlation) = (metadata.device.utf8, metadata.correlation.utf8)
        bytes.append(littleEndian: UInt16(device.count))
        bytes.append(littleEndian: UInt16(correlation.count))
        bytes.append(contentsOf: device)
        bytes.append(contentsOf: correlation)
        for person in newPeople {
            bytes.append(littleEndian: person.number)
            bytes.append(contentsOf: person.seal)
        }
        return bytes
    }
}

/// The running hash of one commit and its events; its final value is the chain value of the commit.
struct ChainHash {
    private var hasher = SHA256()

    /// Creates a hash of no bytes; `begin` must be called next.
    init() {}

    /// Creates the hash of a commit and the names that it is the first to use, before its events.
    ///
    /// - Parameters:
    ///   - previous: the chain value of the previous commit.
    ///   - newNames: the event kinds and time zones that the commit is the first to use.
    init(after previous: [UInt8], commit: CommitRecord, newNames: [Name]) {
        let bytes = commit.bytes
        hasher.update(previous)
        hasher.update(bytes[..<CommitRecord.chainRange.lowerBound])
        hasher.update(bytes[CommitRecord.chainRange.upperBound...])
        add(newNames)
    }

    /// Begins the hash of the next commit with its stored row, before its events.
    ///
    /// - Parameters:
    ///   - previous: the chain value of the previous commit.
    ///   - row: the row of the commit without its checksum, in canonical form.
    ///   - newNames: the event kinds and time zones that the commit is the first to use.
    mutating func begin(after previous: [UInt8], row: RawSpan, newNames: [Name]) {
        hasher.update(previous)
        let range = CommitRecord.chainRange
        add(row.extracting(..<range.lowerBound))
        add(row.extracting(range.upperBound...))
        add(newNames)
    }

    /// Adds to the hash the event kinds and time zones that the commit is the first to use.
    private mutating func add(_ newNames: [Name]) {
        for name in newNames {
            var bytes: [UInt8] = [name.category.rawValue]
            bytes.append(littleEndian: UInt16(name.text.utf8.count))
            bytes.append(contentsOf: name.text.utf8)
            hasher.update(bytes)
        }
    }

    /// Returns the chain value of the commit, 32 bytes, and resets the hash for the next commit.
    mutating func finish() -> [UInt8] { hasher.finish() }

    /// Adds the stored row of the commit's next event, without its checksum, to the hash.
    mutating func add(_ event: RawSpan) {
        unsafe event.withUnsafeBytes { unsafe hasher.update($0) }
    }

    /// Returns the chain value of the commit with the events added so far, 32 bytes.
    func value() -> [UInt8] {
        hasher.finalize()
    }
}

/// The actor and the device of a commit, without what else its row has.
struct CommitOutline: StoredRow {
    static var tableName: String { "commits" }

    /// The person number of the actor; 0 for a commit without an actor.
    let actor: UInt32
    /// The byte range of the device in the row.
    let device: Range<Int>

    init(decoding row: RawSpan) throws(CorruptRecord) {
        let start = CommitRecord.fixedByteCount
        guard row.byteCount >= start else {
            throw .truncated(CommitRecord.fieldEnds, bytes: row.byteCount)
        }
        actor = row.integer(at: 88)
        device = start..<start + Int(row.integer(at: 124, as: UInt16.self))
        guard device.upperBound <= row.byteCount else {
            throw .truncated(field: "device", needs: device.upperBound, bytes: row.byteCount)
        }
    }
}
