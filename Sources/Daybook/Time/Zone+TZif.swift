/// The reason why bytes are not a time zone.
package enum InvalidZone: Error, Hashable, Sendable, CustomStringConvertible {
    /// No header begins at this byte, where a header is expected.
    case noMagic(atByte: Int)
    /// A header has this unknown version byte.
    case unknownVersion(UInt8)
    /// The bytes end at this length, before the content that their counts announce.
    case truncated(atByte: Int)
    /// The number of local time types is not 1 to 256, as RFC 8536 requires.
    case badTypeCount(Int)
    /// A transition leads to this local time type, which does not exist.
    case unknownType(Int)
    /// An offset, in seconds east of UTC, is out of range.
    case badOffset(Int)
    /// The transition with this index, from 0, is not later than the previous transition.
    case transitionsOutOfOrder(at: Int)
    /// The zone counts this number of leap seconds.
    ///
    /// `Instant` does not count them, so the transitions would be seconds off.
    case leapSeconds(Int)
    /// The text after the tables is not a rule.
    ///
    /// At most 60 characters are given, with `?` for each that is not printable ASCII.
    case badFooter(String)

    /// A clause that follows the name of the zone.
    public var description: String {
        switch self {
        case .noMagic(let byte): "there is no 'TZif' at byte \(byte)"
        case .unknownVersion(let version):
            "the version byte is \(version); expected 0, or 50 to 52 for the versions 2 to 4"
        case .truncated(let byte): "it ends at byte \(byte), before the end of its content"
        case .badTypeCount(let count): "it has \(count) local time types, not 1 to 256"
        case .unknownType(let type): "a transition refers to the missing local time type \(type)"
        case .badOffset(let seconds): "an offset of \(seconds) seconds is out of range"
        case .transitionsOutOfOrder(let index):
            "transition \(index) is not later than the one before"
        case .leapSeconds(let count): "it has \(count) leap seconds, which are not supported"
        case .badFooter(let text): "'\(text)' is not a rule for times after the last transition"
        }
    }
}

extension Zone {
    /// Reads a zone from a compiled TZif file, such as those under `/usr/share/zoneinfo`.
    ///
    /// Source: RFC 8536 and RFC 9636, versions 1 to 4. From version 2 on, the 64-bit tables and the
    /// footer are read. Bytes after the footer are ignored.
    package init(name: String, tzif bytes: [UInt8]) throws(InvalidZone) {
        var reader = TZifReader(bytes: bytes)
        let first = try reader.header()
        guard first.version != 0 else {
            let (transitions, offsets) = try reader.tables(first, timeSize: 4)
            self.init(name: name, transitions: transitions, offsets: offsets, rule: nil)
            return
        }
        try reader.skip(first.byteCount(timeSize: 4))
        let second = try reader.header()
        guard second.version == first.version else { throw .unknownVersion(second.version) }
        let (transitions, offsets) = try reader.tables(second, timeSize: 8)
        let rule = try reader.footer()
        self.init(name: name, transitions: transitions, offsets: offsets, rule: rule)
    }
}

/// A reader of the parts of a compiled zone, in order.
///
/// It checks that the bytes exist before it reserves memory for them.
private struct TZifReader {
    /// The content of the file.
    let bytes: [UInt8]
    /// The index of the next byte.
    var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The header of a compiled zone, big-endian like all of its numbers:
    ///
    /// | offset | bytes | field                                      |
    /// |-------:|------:|--------------------------------------------|
    /// |      0 |     4 | `TZif`                                     |
    /// |      4 |     1 | version: zero, or the digit 2, 3 or 4      |
    /// |      5 |    15 | zero                                       |
    /// |     20 |  6×4  | the counts below                           |
    struct Header {
        /// The version byte: 0, or the ASCII digit 2, 3 or 4.
        let version: UInt8
        /// Number of flags that mark local time types given in UTC.
        let utcFlags: Int
        /// Number of flags that mark local time types given in standard time.
        let standardFlags: Int
        /// Number of leap seconds.
        let leapSeconds: Int
        /// Number of transitions.
        let transitions: Int
        /// Number of local time types.
        let types: Int
        /// Number of bytes of all zone abbreviations.
        let characters: Int

        /// Returns the length in bytes of the tables after the header.
        ///
        /// The counts have 32 bits, so the length does not overflow.
        func byteCount(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4)
                + standardFlags + utcFlags
        }
    }

    /// Throws an error unless `count` more bytes exist.
    private func require(_ count: Int) throws(InvalidZone) {
        guard count <= bytes.count - index else { throw .truncated(atByte: bytes.count) }
    }

    /// Skips `count` bytes.
    mutating func skip(_ count: Int) throws(InvalidZone) {
        try require(count)
        index += count
    }

    /// Reads a signed number. Traps if the number reaches beyond the bytes.
    private mutating func integer(_ size: Int) -> Int64 {
        var value: UInt64 = bytes[index] >= 0x80 ? .max : 0
        for byte in bytes[index..<index + size] { value = value << 8 | UInt64(byte) }
        index += size
        return Int64(bitPattern: value)
    }

    /// Reads an unsigned 32-bit number.
    private mutating func count() -> Int { Int(integer(4) & 0xFFFF_FFFF) }

    /// Reads a header of 44 bytes.
    mutating func header() throws(InvalidZone) -> Header {
        try require(44)
        guard bytes[index..<index + 4].elementsEqual("TZif".utf8) else {
            throw .noMagic(atByte: index)
        }
        let version = bytes[index + 4]
        guard version == 0 || (UInt8(ascii: "2")...UInt8(ascii: "4")).contains(version) else {
            throw .unknownVersion(version)
        }
        index += 20
        return Header(
            version: version, utcFlags: count(), standardFlags: count(), leapSeconds: count(),
            transitions: count(), types: count(), characters: count())
    }

    /// Reads the transitions, with the offset before the first and the offset after each of them.
    mutating func tables(
        _ header: Header, timeSize: Int
    ) throws(InvalidZone) -> (transitions: [Int64], offsets: [Int32]) {
        try require(header.byteCount(timeSize: timeSize))
        guard (1...256).contains(header.types) else { throw .badTypeCount(header.types) }
        guard header.leapSeconds == 0 else { throw .leapSeconds(header.leapSeconds) }
        var transitions: [Int64] = []
        transitions.reserveCapacity(header.transitions)
        for each in 0..<header.transitions {
            let second = integer(timeSize)
            if let last = transitions.last, second <= last {
                throw .transitionsOutOfOrder(at: each)
            }
            transitions.append(second)
        }
        let types = bytes[index..<index + header.transitions].map(Int.init)
        index += header.transitions
        if let unknown = types.first(where: { $0 >= header.types }) { throw .unknownType(unknown) }
        var typeOffsets: [Int32] = []
        for _ in 0..<header.types {
            let offset = integer(4)
            guard Stretch.offsets.contains(offset) else { throw .badOffset(Int(offset)) }
            typeOffsets.append(Int32(offset))
            // The saving-time flag and the abbreviation are not needed.
            index += 2
        }
        index += header.characters + header.standardFlags + header.utcFlags
        return (transitions, ([0] + types).map { typeOffsets[$0] })
    }

    /// Parses the rule between two line feeds; `nil` if there is none.
    mutating func footer() throws(InvalidZone) -> ZoneRule? {
        try require(2)
        let rest = bytes[(index + 1)...]
        guard bytes[index] == 10 else { throw badFooter(bytes[index...]) }
        guard let end = rest.firstIndex(of: 10) else { throw .truncated(atByte: bytes.count) }
        let text = rest[..<end]
        guard !text.isEmpty else { return nil }
        guard let rule = ZoneRule(text) else { throw badFooter(text) }
        return rule
    }

    /// Returns the error for a footer that is not a rule.
    private func badFooter(_ text: ArraySlice<UInt8>) -> InvalidZone {
        let printable = text.prefix(60).map { (32...126).contains($0) ? $0 : UInt8(ascii: "?") }
        return .badFooter(String(decoding: printable, as: UTF8.self))
    }
}
