public import Daybook

/// The fixed-size header of a row of the table `events`, before the tags and the payload.
///
/// Integers are little-endian:
///
/// | offset | bytes | field |
/// |-------:|------:|-------|
/// | 0 | 8 | `recordedAt`, microseconds since 1970, UTC |
/// | 8 | 8 | `occurredAt`, microseconds since 1970, UTC |
/// | 16 | 2 | `kind`, a row of the table `names` |
/// | 18 | 2 | `zone`, a row of the table `names`; 0 for none |
/// | 20 | 4 | `offsetS`, seconds east of UTC |
/// | 24 | 4 | `commitOffset`, number of events before this one in its commit |
/// | 28 | 1 | `tagCount` |
/// | 29 | 1 | number of names of people that are stored separately from the payload, at most 127; the high bit is set if personal integers are stored separately |
/// | 30 | 2 | `tagByteCount`: each tag is one byte of length, then its UTF-8 |
///
/// After the payload, there are 8 bytes for each separately stored name, in the order of offsets:
/// the offset in the payload of the name's placeholder, which is the bytes 80 00, and the number of
/// the person, 4 bytes each. If integers are stored separately, the SHA-256 digest of the salted
/// integers follows, 32 bytes. See `SealedNumbers`.
public struct EventHeader: Hashable, Sendable {
    /// The size of the header, in bytes.
    public static let byteCount = 32

    /// The time at which the event's commit was recorded, by the log's clock.
    public var recordedAt: Instant
    /// The time at which the event happened, by the device's clock.
    public var occurredAt: Instant
    /// The event kind, as a row number of the table `names`.
    public var kind: UInt16
    /// The device's time zone, as a row number of the table `names`; 0 for none.
    public var zone: UInt16
    /// The device's offset from UTC at `occurredAt`, in seconds east.
    public var offsetS: Int32
    /// The number of events before this one in its commit.
    public var commitOffset: UInt32
    /// The number of the event's tags.
    public var tagCount: UInt8
    /// The byte at offset 29: the number of separately stored names, plus `numbersFlag` if integers
    /// are stored separately.
    ///
    /// 0 if the whole payload is stored in the row.
    @usableFromInline var parts: UInt8
    /// The size of all tags in bytes, including one length byte for each tag.
    public var tagByteCount: UInt16

    /// The offset of the byte `parts` in the header.
    static let partsOffset = 29
    /// The size of each separately stored name in bytes: an offset and a person number.
    static let nameByteCount = 8
    /// The bit of `parts` that is set if personal integers are stored separately.
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

    /// Returns the error for a row that ends within the header.
    @usableFromInline @inline(never)
    static func truncated(_ bytes: Int) -> CorruptRecord {
        .truncated(
            [
                "recordedAt": 8, "occurredAt": 16, "kind": 18, "zone": 20, "offsetS": 24,
                "commitOffset": 28, "tagCount": 29, "parts": 30, "tagByteCount": 32,
            ], bytes: bytes)
    }

    /// Returns the error for a row that ends after the header, in its tags, names or digest.
    @usableFromInline @inline(never)
    func truncated(_ bytes: Int) -> CorruptRecord {
        .truncated(
            [
                "tags": payloadOffset,
                hasNumbers ? "digest of integers" : "names": payloadOffset + partsByteCount,
            ], bytes: bytes)
    }

    /// The error for tags that do not end at the offset that the header gives.
    var invalidTags: CorruptRecord {
        .invalid(
            field: "tags", found: "\(tagCount) tags that do not end at byte \(payloadOffset)",
            expected: "\(tagCount) tags in \(tagByteCount) bytes")
    }

    /// Returns the position and times of the event at a position as an envelope.
    @inlinable @inline(__always)
    func envelope(at position: UInt64) -> Envelope {
        Envelope(
            position: Position(position), occurredAt: occurredAt, recordedAt: recordedAt,
            offsetS: offsetS)
    }

    /// The offset of the payload in the stored event, in bytes.
    @inlinable public var payloadOffset: Int { Self.byteCount + Int(tagByteCount) }

    /// The number of separately stored names of people.
    var nameCount: Int { Int(parts & ~Self.numbersFlag) }

    /// True if personal integers are stored separately from the payload.
    var hasNumbers: Bool { parts & Self.numbersFlag != 0 }

    /// The size of the data after the payload in bytes: separate names and the digest of integers.
    @usableFromInline var partsByteCount: Int {
        Self.nameByteCount * nameCount + (hasNumbers ? PersonalText.sealByteCount : 0)
    }

    /// Returns the byte range of the payload in the stored event.
    func payloadRange(in bytes: RawSpan) -> Range<Int> {
        payloadOffset..<bytes.byteCount - partsByteCount
    }

    /// Returns the SHA-256 digest of the separately stored integers; `nil` if there are none.
    func numbersSeal(in bytes: RawSpan) -> [UInt8]? {
        hasNumbers ? bytes.copied(from: bytes.byteCount - PersonalText.sealByteCount) : nil
    }

    /// Appends the stored form of the header to `bytes`.
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
    /// Reads the little-endian integer at `offset`; traps if the span is too short.
    @inlinable
    func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Value.Type = Value.self
    ) -> Value {
        precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= byteCount)
        return unsafe Value(
            littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type))
    }

    /// Returns a copy of the bytes from `start` to the end.
    func copied(from start: Int = 0) -> [UInt8] {
        unsafe extracting(start...).withUnsafeBytes { unsafe Array($0) }
    }

    /// Returns `byteCount` bytes from `start` on as text; `nil` if they are not valid UTF-8.
    func text(from start: Int, byteCount: Int) -> String? {
        unsafe extracting(start..<start + byteCount).withUnsafeBytes { bytes in
            String(copyingUTF8: unsafe Span(_unsafeBytes: bytes))
        }
    }
}

extension [UInt8] {
    /// Appends the little-endian bytes of an integer.
    mutating func append(littleEndian value: some FixedWidthInteger & BitwiseCopyable) {
        unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
    }
}
