import CivilTime
import Crypto
import EventSourcing

/// One commit as it is stored, under the position of its first event.
///
/// Little-endian:
///
/// | offset | bytes | field |
/// |-------:|------:|-------|
/// | 0 | 8 | `recordedAt`, microseconds since 1970, UTC |
/// | 8 | 4 | `eventCount` |
/// | 12 | 4 | zero |
/// | 16 | 32 | `chain` |
/// | 48 | 8 | `causation`, a position; 0 for none |
/// | 56 | 32 | `asked`, HMAC-SHA256 of what was asked under the log's secret; zero without a key |
/// | 88 | 8 | byte counts of actor, device, correlation and idempotency key, 2 bytes each |
/// | 96 | | those four texts, in UTF-8 |
///
/// `chain` is SHA-256 over: the chain of the commit before (32 zero bytes for the first); bytes
/// 0–15 and 48–end of this row; each name that the commit was the first to use, in the order of
/// rows, as its category byte, its byte count in 2 bytes and its UTF-8; each event's row.
struct CommitRecord: Hashable {
    static let fixedByteCount = 96
    static let chainRange = 16..<48

    var recordedAt: Instant
    var eventCount: UInt32
    var chain: [UInt8] = Array(repeating: 0, count: 32)
    var metadata: CommitMetadata
    var key = ""
    var asked: [UInt8] = Array(repeating: 0, count: 32)

    init(
        recordedAt: Instant, eventCount: UInt32, metadata: CommitMetadata, key: String,
        asked: [UInt8]
    ) {
        self.recordedAt = recordedAt
        self.eventCount = eventCount
        self.metadata = metadata
        self.key = key
        self.asked = asked
    }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount >= Self.fixedByteCount else {
            throw .truncated(bytes: bytes.byteCount)
        }
        guard bytes.integer(at: 12, as: UInt32.self) == 0 else { throw .reservedBytesUsed }
        recordedAt = Instant(microseconds: bytes.integer(at: 0))
        eventCount = bytes.integer(at: 8)
        let copy = bytes.copied()
        chain = Array(copy[Self.chainRange])
        asked = Array(copy[56..<88])
        let causation: UInt64 = bytes.integer(at: 48)
        var texts: [String] = []
        var offset = Self.fixedByteCount
        for index in 0..<4 {
            let count = Int(bytes.integer(at: 88 + 2 * index, as: UInt16.self))
            guard offset + count <= copy.count else { throw .truncated(bytes: copy.count) }
            guard let text = String(validating: copy[offset..<offset + count], as: UTF8.self)
            else { throw .text }
            texts.append(text)
            offset += count
        }
        guard offset == copy.count else { throw .truncated(bytes: copy.count) }
        metadata = CommitMetadata(
            actor: texts[0], device: texts[1], correlation: texts[2],
            causation: causation == 0 ? nil : Position(causation))
        key = texts[3]
    }

    /// The position of the last event of a commit that starts at `first`; `nil` where there can be
    /// none.
    func lastPosition(startingAt first: UInt64) -> UInt64? {
        guard eventCount > 0 else { return nil }
        let (last, overflows) = first.addingReportingOverflow(UInt64(eventCount) - 1)
        return overflows ? nil : last
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.fixedByteCount + 64)
        bytes.append(littleEndian: recordedAt.microseconds)
        bytes.append(littleEndian: eventCount)
        bytes.append(littleEndian: UInt32(0))
        bytes.append(contentsOf: chain)
        bytes.append(littleEndian: metadata.causation?.rawValue ?? 0)
        bytes.append(contentsOf: asked)
        let texts = [metadata.actor, metadata.device, metadata.correlation, key]
        for text in texts { bytes.append(littleEndian: UInt16(text.utf8.count)) }
        for text in texts { bytes.append(contentsOf: text.utf8) }
        return bytes
    }
}

/// The running hash over the commits.
struct Chain {
    private var hasher = SHA256()

    init(after previous: [UInt8], commit: CommitRecord, newNames: [Name]) {
        let bytes = commit.bytes
        hasher.update(data: previous)
        hasher.update(data: bytes[..<CommitRecord.chainRange.lowerBound])
        hasher.update(data: bytes[CommitRecord.chainRange.upperBound...])
        for name in newNames {
            var bytes: [UInt8] = [name.category.rawValue]
            bytes.append(littleEndian: UInt16(name.text.utf8.count))
            bytes.append(contentsOf: name.text.utf8)
            hasher.update(data: bytes)
        }
    }

    mutating func add(_ event: RawSpan) {
        unsafe event.withUnsafeBytes { unsafe hasher.update(bufferPointer: $0) }
    }

    func value() -> [UInt8] {
        Array(hasher.finalize())
    }
}
