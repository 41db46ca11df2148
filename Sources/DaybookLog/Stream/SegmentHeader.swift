import Daybook
import DaybookCryptography
import DaybookLMDB

/// The start of a segment, which says from which log and after which head its commits are.
///
/// A segment is a file with commits as a log stores them, and the people and encrypted texts that
/// belong to them; `docs/format.md` has its bytes. It contains neither encryption keys nor the
/// log's secret.
struct SegmentHeader: Hashable {
    /// The log's id, 16 bytes.
    var logID: [UInt8]
    /// The position of the log's last event when the shipment began.
    ///
    /// People and texts are as of this position; those of earlier shipments may be outdated.
    var shipment: UInt64
    /// The number of the segment in its shipment, from 0.
    var part: UInt32
    /// The number of people that the log had when the shipment began.
    var peopleCount: UInt32
    /// The head before the segment's first commit.
    var after: Head

    /// The first bytes of every segment.
    static let magic = Array("daybook-segment-v1\n".utf8)
    /// The number of bytes of magic and header.
    static let byteCount = magic.count + 16 + 8 + 4 + 4 + 8 + Head.chainByteCount

    var bytes: [UInt8] {
        var bytes = Self.magic + logID
        bytes.append(littleEndian: shipment)
        bytes.append(littleEndian: part)
        bytes.append(littleEndian: peopleCount)
        bytes.append(littleEndian: after.position.rawValue)
        return bytes + after.chain
    }

    /// Reads the header at the start of a segment; `nil` if the bytes are no segment.
    init?(decoding bytes: RawSpan) {
        guard bytes.byteCount >= Self.byteCount, bytes.begins(with: Self.magic) else { return nil }
        let start = Self.magic.count
        logID = bytes.extracting(start..<start + 16).copied()
        shipment = bytes.integer(at: start + 16)
        part = bytes.integer(at: start + 24)
        peopleCount = bytes.integer(at: start + 28)
        let position: UInt64 = bytes.integer(at: start + 32)
        let chain = bytes.extracting(start + 40..<Self.byteCount).copied()
        guard shipment < UInt64(Int64.max), position <= shipment,
            (position == 0) == chain.allSatisfy({ $0 == 0 })
        else { return nil }
        after = Head(unchecked: Position(position), chain)
    }

    init(logID: [UInt8], shipment: UInt64, part: UInt32, peopleCount: UInt32, after: Head) {
        self.logID = logID
        self.shipment = shipment
        self.part = part
        self.peopleCount = peopleCount
        self.after = after
    }
}

/// The end of a segment.
struct SegmentEnd: Hashable {
    /// True if the segment is the last one of its shipment.
    var isLast: Bool
    /// The head after the segment's last commit; the header's `after` if it has no commits.
    var head: Head

    /// The number of bytes of the end record's body, with the digest of the segment.
    static let byteCount = 1 + 8 + Head.chainByteCount + 32

    /// The bytes before the digest.
    var bytes: [UInt8] {
        var bytes: [UInt8] = [isLast ? 1 : 0]
        bytes.append(littleEndian: head.position.rawValue)
        return bytes + head.chain
    }

    init(isLast: Bool, head: Head) {
        self.isLast = isLast
        self.head = head
    }

    /// Reads the body of an end record without its digest; `nil` if it is malformed.
    init?(decoding bytes: RawSpan) {
        let position: UInt64 = bytes.integer(at: 1)
        let flag: UInt8 = bytes.integer(at: 0)
        let chain = bytes.extracting(9..<9 + Head.chainByteCount).copied()
        guard flag <= 1, position < UInt64(Int64.max),
            (position == 0) == chain.allSatisfy({ $0 == 0 })
        else { return nil }
        isLast = flag == 1
        head = Head(unchecked: Position(position), chain)
    }
}

/// The kinds of records in a segment, each stored as an ASCII letter.
///
/// A record is its letter, the number of bytes of its body in 4 bytes, and the body.
enum SegmentRecord: UInt8 {
    /// `P`: a person: number, 4 bytes, and the row of `people`.
    case person = 0x50
    /// `T`: an encrypted text: key, 12 bytes, and the row of `texts`.
    case text = 0x54
    /// `N`: an event kind or time zone: the row of `names`.
    case name = 0x4E
    /// `C`: a commit: the row of `commits`.
    case commit = 0x43
    /// `E`: an event of the commit before: the row of `events`.
    case event = 0x45
    /// `B`: the end of a batch of commits with all their texts; without a body.
    case batch = 0x42
    /// `Z`: the end of the segment; see `SegmentEnd`.
    case end = 0x5A
}

extension [UInt8] {
    /// Appends a record of a segment.
    mutating func append(_ record: SegmentRecord, _ parts: [UInt8]...) {
        append(record.rawValue)
        append(littleEndian: UInt32(parts.reduce(0) { $0 + $1.count }))
        for part in parts { append(contentsOf: part) }
    }

    /// Appends a record of a segment with a stored row as its body.
    mutating func append(_ record: SegmentRecord, _ key: [UInt8] = [], row: RawSpan) {
        append(record.rawValue)
        append(littleEndian: UInt32(key.count + row.byteCount))
        append(contentsOf: key)
        append(row)
    }

    /// Appends the end record of a segment, with the digest of all bytes before.
    mutating func endSegment(_ end: SegmentEnd) {
        let body = end.bytes
        append(SegmentRecord.end.rawValue)
        append(littleEndian: UInt32(body.count + 32))
        self += body
        self += SHA256.hash(self)
    }
}
