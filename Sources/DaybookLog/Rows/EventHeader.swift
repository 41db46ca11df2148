public import Daybook

/// The fixed part of a stored event. Its tags follow, then its payload.
///
/// Little-endian:
///
/// | offset | bytes | field |
/// |-------:|------:|-------|
/// | 0 | 8 | `recordedAt`, microseconds since 1970, UTC |
/// | 8 | 8 | `occurredAt`, microseconds since 1970, UTC |
/// | 16 | 2 | `kind`, a row of the table `names` |
/// | 18 | 2 | `zone`, a row of the table `names`; 0 for none |
/// | 20 | 4 | `offsetS`, seconds east of UTC |
/// | 24 | 4 | `commitOffset`, how many events of its commit come before it |
/// | 28 | 1 | `tagCount` |
/// | 29 | 1 | how many names of people lie apart from the payload, at most 127; the high bit where integers about people do |
/// | 30 | 2 | `tagByteCount`: each tag is one byte of length, then its UTF-8 |
///
/// Behind the payload, 8 bytes for each name that lies apart: its offset in the payload, where the
/// bytes 80 00 are in its place, and the number of the person, 4 bytes each, by ascending offset;
/// then, where integers lie apart, their seal in 32 bytes. See `SealedNumbers`.
public struct EventHeader: Hashable, Sendable {
    public static let byteCount = 32

    public var recordedAt: Instant
    public var occurredAt: Instant
    public var kind: UInt16
    public var zone: UInt16
    public var offsetS: Int32
    public var commitOffset: UInt32
    public var tagCount: UInt8
    /// The byte that says what lies apart; 0 in an event that is shown whole.
    @usableFromInline var parts: UInt8
    public var tagByteCount: UInt16

    static let partsOffset = 29
    static let nameByteCount = 8
    static let numbersFlag: UInt8 = 128

    init(
        recordedAt: Instant, occurredAt: Instant, kind: UInt16, zone: UInt16, offsetS: Int32,
        commitOffset: UInt32, tagCount: UInt8, parts: UInt8, tagByteCount: UInt16
    ) {
        self.recordedAt = recordedAt
        self.occurredAt = occurredAt
        self.kind = kind
        self.zone = zone
        self.offsetS = offsetS
        self.commitOffset = commitOffset
        self.tagCount = tagCount
        self.parts = parts
        self.tagByteCount = tagByteCount
    }

    /// Reads the header at the start of a stored event.
    @inlinable @inline(__always)
    public init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount >= Self.byteCount else { throw Self.truncated(bytes.byteCount) }
        recordedAt = Instant(microseconds: bytes.integer(at: 0))
        occurredAt = Instant(microseconds: bytes.integer(at: 8))
        kind = bytes.integer(at: 16)
        zone = bytes.integer(at: 18)
        offsetS = bytes.integer(at: 20)
        commitOffset = bytes.integer(at: 24)
        tagCount = bytes.integer(at: 28)
        parts = bytes.integer(at: 29)
        tagByteCount = bytes.integer(at: 30)
        let leastCount = payloadOffset + (parts == 0 ? 0 : partsByteCount)
        guard bytes.byteCount >= leastCount else { throw truncated(bytes.byteCount) }
    }

    @usableFromInline @inline(never)
    static func truncated(_ bytes: Int) -> CorruptRecord {
        .truncated(
            [
                "recordedAt": 8, "occurredAt": 16, "kind": 18, "zone": 20, "offsetS": 24,
                "commitOffset": 28, "tagCount": 29, "parts": 30, "tagByteCount": 32,
            ], bytes: bytes)
    }

    @usableFromInline @inline(never)
    func truncated(_ bytes: Int) -> CorruptRecord {
        .truncated(
            [
                "tags": payloadOffset,
                hasNumbers ? "seal of integers" : "names": payloadOffset + partsByteCount,
            ], bytes: bytes)
    }

    /// The error of tags that do not end where the header says.
    var tagMisfit: CorruptRecord {
        .invalid(
            field: "tags", found: "\(tagCount) tags that do not end at byte \(payloadOffset)",
            expected: "\(tagCount) tags in \(tagByteCount) bytes")
    }

    /// Makes the envelope of the event at a position.
    @inlinable @inline(__always)
    func envelope(at position: UInt64) -> Envelope {
        Envelope(
            position: Position(position), occurredAt: occurredAt, recordedAt: recordedAt,
            offsetS: offsetS)
    }

    /// Where the payload starts in the stored event.
    @inlinable public var payloadOffset: Int { Self.byteCount + Int(tagByteCount) }

    var nameCount: Int { Int(parts & ~Self.numbersFlag) }

    /// True where integers about people lie apart from the payload.
    var hasNumbers: Bool { parts & Self.numbersFlag != 0 }

    /// Bytes behind the payload.
    @usableFromInline var partsByteCount: Int {
        Self.nameByteCount * nameCount + (hasNumbers ? PersonalText.sealByteCount : 0)
    }

    /// The payload's place in the stored event, in front of what lies apart.
    func payloadRange(in bytes: RawSpan) -> Range<Int> {
        payloadOffset..<bytes.byteCount - partsByteCount
    }

    /// The seal of the integers that lie apart; `nil` for an event without them.
    func numbersSeal(in bytes: RawSpan) -> [UInt8]? {
        hasNumbers ? bytes.copied(from: bytes.byteCount - PersonalText.sealByteCount) : nil
    }

    /// The last eight fields go in as two words.
    func append(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: recordedAt.microseconds)
        bytes.append(littleEndian: occurredAt.microseconds)
        bytes.append(
            littleEndian: UInt64(kind) | UInt64(zone) << 16
                | UInt64(UInt32(bitPattern: offsetS)) << 32)
        bytes.append(
            littleEndian: UInt64(commitOffset) | UInt64(tagCount) << 32
                | UInt64(parts) << 40 | UInt64(tagByteCount) << 48)
    }
}

extension RawSpan {
    /// The little-endian integer at `offset`. Traps if it does not lie inside the span.
    @inlinable
    func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Value.Type = Value.self
    ) -> Value {
        precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= byteCount)
        return unsafe Value(
            littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type))
    }

    /// The bytes, copied.
    func copied(from start: Int = 0) -> [UInt8] {
        unsafe extracting(start...).withUnsafeBytes { unsafe Array($0) }
    }

    /// The text from `start`, or `nil` if it is not valid UTF-8.
    func text(from start: Int, byteCount: Int) -> String? {
        unsafe extracting(start..<start + byteCount).withUnsafeBytes { bytes in
            String(copyingUTF8: unsafe Span(_unsafeBytes: bytes))
        }
    }
}

extension [UInt8] {
    mutating func append(littleEndian value: some FixedWidthInteger & BitwiseCopyable) {
        unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
    }
}
