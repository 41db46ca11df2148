import Daybook
import DaybookCryptography

/// One commit as it is stored, under the position of its first event.
///
/// Little-endian:
///
/// | offset | bytes | field |
/// |-------:|------:|-------|
/// | 0 | 8 | `recordedAt`, microseconds since 1970, UTC |
/// | 8 | 4 | `eventCount` |
/// | 12 | 4 | layout: 1, or 0 in commits of format version 1 |
/// | 16 | 32 | `chain` |
/// | 48 | 8 | `causation`, a position; 0 for none |
/// | 56 | 32 | `asked`, HMAC-SHA256 of what was asked under the log's secret; zero without a key |
/// | 88 | 4 | `actor`, the number of a person; 0 for none |
/// | 92 | 32 | `keyDigest`, HMAC-SHA256 of the idempotency key under the log's secret, or zero |
/// | 124 | 4 | byte counts of device and correlation, 2 bytes each |
/// | 128 | | those two texts, in UTF-8; then, to the end, each person whom the commit is the first to name, by number: the number in 4 bytes and the person's seal in 32 |
///
/// In layout 0, the byte counts of actor, device, correlation and idempotency key come at 88, and
/// those four texts at 96.
///
/// `chain` is SHA-256 over: the chain of the commit before (32 zero bytes for the first); bytes
/// 0–15 and 48–end of this row; each name that the commit was the first to use, in the order of
/// rows, as its category byte, its byte count in 2 bytes and its UTF-8; each event's row.
struct CommitRecord: Hashable {
    static let chainRange = 16..<48

    enum Layout: UInt32 {
        /// With the actor and the key in clear.
        case one = 0
        case two = 1

        var fixedByteCount: Int { self == .one ? 96 : 128 }

        /// The offset behind each field of a fixed size.
        var fieldEnds: KeyValuePairs<String, Int> {
            self == .one
                ? [
                    "recordedAt": 8, "eventCount": 12, "layout": 16, "chain": 48, "causation": 56,
                    "asked": 88, "byte counts": 96,
                ]
                : [
                    "recordedAt": 8, "eventCount": 12, "layout": 16, "chain": 48, "causation": 56,
                    "asked": 88, "actor": 92, "keyDigest": 124, "byte counts": 128,
                ]
        }

        /// The texts at the end, with the offset of the byte count of each.
        var textFields: KeyValuePairs<String, Int> {
            self == .one
                ? ["actor": 88, "device": 90, "correlation": 92, "key": 94]
                : ["device": 124, "correlation": 126]
        }
    }

    var layout: Layout
    var recordedAt: Instant
    var eventCount: UInt32
    var chain: [UInt8] = Array(repeating: 0, count: 32)
    /// The actor is empty in layout 1.
    var metadata: CommitMetadata
    var asked: [UInt8]
    /// The key in clear, in layout 0.
    var key = ""
    /// The number of the person who gave the command, in layout 1.
    var actor: UInt32 = 0
    var keyDigest: [UInt8] = Array(repeating: 0, count: 32)
    /// Those whom it is the first to name, by number, in layout 1.
    var newPeople: [NewPerson] = []

    /// A person's number and seal, which the chain covers from here on.
    struct NewPerson: Hashable {
        static let byteCount = 36

        var number: UInt32
        var seal: [UInt8]
    }

    init(
        recordedAt: Instant, eventCount: UInt32, metadata: CommitMetadata, actor: UInt32,
        newPeople: [NewPerson], keyDigest: [UInt8]?, asked: [UInt8]?
    ) {
        let none = [UInt8](repeating: 0, count: 32)
        layout = .two
        self.recordedAt = recordedAt
        self.eventCount = eventCount
        self.metadata = metadata
        self.metadata.actor = ""
        self.actor = actor
        self.newPeople = newPeople
        self.keyDigest = keyDigest ?? none
        self.asked = asked ?? none
    }

    /// A commit as format version 1 has it.
    init(
        recordedAt: Instant, eventCount: UInt32, metadata: CommitMetadata, key: String,
        asked: [UInt8]
    ) {
        layout = .one
        self.recordedAt = recordedAt
        self.eventCount = eventCount
        self.metadata = metadata
        self.key = key
        self.asked = asked
    }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount >= Layout.one.fixedByteCount else {
            throw .truncated(Layout.one.fieldEnds, bytes: bytes.byteCount)
        }
        let layoutNumber: UInt32 = bytes.integer(at: 12)
        guard let layout = Layout(rawValue: layoutNumber) else {
            throw .invalid(field: "layout", found: "\(layoutNumber)", expected: "0 or 1")
        }
        self.layout = layout
        guard bytes.byteCount >= layout.fixedByteCount else {
            throw .truncated(layout.fieldEnds, bytes: bytes.byteCount)
        }
        recordedAt = Instant(microseconds: bytes.integer(at: 0))
        eventCount = bytes.integer(at: 8)
        let copy = bytes.copied()
        chain = Array(copy[Self.chainRange])
        asked = Array(copy[56..<88])
        let causation: UInt64 = bytes.integer(at: 48)
        let fields = layout.textFields
        var texts: [String] = []
        var offset = layout.fixedByteCount
        for (field, place) in fields {
            let count = Int(bytes.integer(at: place, as: UInt16.self))
            guard offset + count <= copy.count else {
                throw .truncated(field: field, needs: offset + count, bytes: copy.count)
            }
            let stored = copy[offset..<offset + count]
            guard let text = String(validating: stored, as: UTF8.self) else {
                throw .notUTF8(field: field, found: Array(stored))
            }
            texts.append(text)
            offset += count
        }
        let rest = copy.count - offset
        guard layout == .one ? rest == 0 : rest % NewPerson.byteCount == 0 else {
            throw .invalid(
                field: "new people", found: "\(rest) bytes",
                expected: layout == .one ? "none" : "a multiple of \(NewPerson.byteCount)")
        }
        newPeople = stride(from: offset, to: copy.count, by: NewPerson.byteCount).map {
            NewPerson(
                number: bytes.integer(at: $0),
                seal: Array(copy[$0 + 4..<$0 + NewPerson.byteCount]))
        }
        metadata = CommitMetadata(causation: causation == 0 ? nil : Position(causation))
        switch layout {
        case .one:
            (metadata.actor, metadata.device) = (texts[0], texts[1])
            (metadata.correlation, key) = (texts[2], texts[3])
        case .two:
            (metadata.device, metadata.correlation) = (texts[0], texts[1])
            actor = bytes.integer(at: 88)
            keyDigest = Array(copy[92..<124])
        }
    }

    /// True where it was appended under an idempotency key.
    var hasKey: Bool { !key.isEmpty || keyDigest.contains { $0 != 0 } }

    /// The position of the last event of a commit that starts at `first`; `nil` where there can be
    /// none.
    func lastPosition(startingAt first: UInt64) -> UInt64? {
        guard eventCount > 0 else { return nil }
        let (last, overflows) = first.addingReportingOverflow(UInt64(eventCount) - 1)
        return overflows ? nil : last
    }

    /// The error of a number of events that no commit has.
    var countMisfit: CorruptRecord {
        .invalid(field: "eventCount", found: "\(eventCount)", expected: "at least 1, in the log")
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(layout.fixedByteCount + 64)
        bytes.append(littleEndian: recordedAt.microseconds)
        bytes.append(littleEndian: eventCount)
        bytes.append(littleEndian: layout.rawValue)
        bytes.append(contentsOf: chain)
        bytes.append(littleEndian: metadata.causation?.rawValue ?? 0)
        bytes.append(contentsOf: asked)
        var texts = [metadata.device, metadata.correlation]
        switch layout {
        case .one: texts = [metadata.actor] + texts + [key]
        case .two:
            bytes.append(littleEndian: actor)
            bytes.append(contentsOf: keyDigest)
        }
        for text in texts { bytes.append(littleEndian: UInt16(text.utf8.count)) }
        for text in texts { bytes.append(contentsOf: text.utf8) }
        for person in newPeople {
            bytes.append(littleEndian: person.number)
            bytes.append(contentsOf: person.seal)
        }
        return bytes
    }
}

/// The running hash over the commits.
struct Chain {
    private var hasher = SHA256()

    init(after previous: [UInt8], commit: CommitRecord, newNames: [Name]) {
        let bytes = commit.bytes
        hasher.update(previous)
        hasher.update(bytes[..<CommitRecord.chainRange.lowerBound])
        hasher.update(bytes[CommitRecord.chainRange.upperBound...])
        for name in newNames {
            var bytes: [UInt8] = [name.category.rawValue]
            bytes.append(littleEndian: UInt16(name.text.utf8.count))
            bytes.append(contentsOf: name.text.utf8)
            hasher.update(bytes)
        }
    }

    mutating func add(_ event: RawSpan) {
        unsafe event.withUnsafeBytes { unsafe hasher.update($0) }
    }

    func value() -> [UInt8] {
        hasher.finalize()
    }
}
