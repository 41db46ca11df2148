/// The reason why the bytes of a TZif file are not a time zone.
package enum InvalidZone: Error, Hashable, Sendable, CustomStringConvertible {
    /// A header is expected at this byte, but none begins there.
    case noMagic(atByte: Int)
    /// A header has this version byte, which is unknown or not that of the first header.
    case unknownVersion(UInt8)
    /// The file ends at this byte, before the end of a header, the tables or the footer.
    case truncated(atByte: Int)
    /// The file has this number of local time types, but RFC 8536 requires 1 to 256.
    case badTypeCount(Int)
    /// A transition refers to the local time type with this index, which does not exist.
    case unknownType(Int)
    /// An offset from UTC, in seconds, lies outside `Stretch.offsets`.
    case badOffset(Int)
    /// The transition with this index, from 0, is not later than the previous transition.
    case transitionsOutOfOrder(at: Int)
    /// The times in the file include this number of leap seconds.
    ///
    /// `Instant` does not count leap seconds, so the transitions would be wrong by seconds.
    case leapSeconds(Int)
    /// The text after the tables is not a rule; the value is its start, with `?` if not printable.
    case badFooter(String)

    /// The reason as a clause, which follows the name of the zone in messages.
    public var description: String {
        switch self {
        case .noMagic(let byte): "expected a header with 'TZif' at byte \(byte), found other bytes"
        case .unknownVersion(let version):
            "a header has the version byte \(version); expected 0, or 50 to 52 for the versions 2 "
                + "to 4, and the same byte in both headers"
        case .truncated(let byte):
            "the file ends at byte \(byte), before the end of its content"
        case .badTypeCount(let count):
            "the file has \(count.counted("local time type")), but must have 1 to 256"
        case .unknownType(let type):
            "a transition refers to local time type \(type), which the file does not define"
        case .badOffset(let seconds):
            "the file has an offset from UTC of \(seconds) seconds; expected "
                + "\(Stretch.offsets.lowerBound) to \(Stretch.offsets.upperBound)"
        case .transitionsOutOfOrder(let index):
            "transition \(index), counted from 0, is not later than the transition before it"
        case .leapSeconds(let count):
            "the times in the file include \(count.counted("leap second")); expected none"
        case .badFooter(let text):
            "the text after the tables is not a rule for times after the last transition: "
                + "'\(text)'"
        }
    }
}

extension Zone {
    /// Reads a zone from a compiled TZif file, such as those under `/usr/share/zoneinfo`.
    ///
    /// Versions 1 to 4 of the format are read, from version 2 on only the 64-bit tables and the
    /// footer. Bytes after the footer are ignored.
    ///
    /// Source: RFC 8536 and RFC 9636.
    package init(name: String, tzif bytes: [UInt8]) throws(InvalidZone) {
        var reader = TZifReader(bytes: bytes)
        let first = try reader.readHeader()
        guard first.version != 0 else {
            let (transitions, offsets) = try reader.readTables(first, timeSize: 4)
            self.init(name: name, transitions: transitions, offsets: offsets, rule: nil)
            return
        }
        try reader.skip(first.byteCount(timeSize: 4))
        let second = try reader.readHeader()
        guard second.version == first.version else { throw .unknownVersion(second.version) }
        let (transitions, offsets) = try reader.readTables(second, timeSize: 8)
        let rule = try reader.readFooter()
        self.init(name: name, transitions: transitions, offsets: offsets, rule: rule)
    }
}

/// A reader of the headers, tables and footer of a TZif file, in order.
///
/// It checks that the bytes of a table exist before it reserves memory for the table.
private struct TZifReader {
    let bytes: [UInt8]
    var index = 0

    /// The header of a TZif file, whose numbers are big-endian like all numbers in the file:
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
        /// Number of flags that tell which local time types have transitions in UTC.
        let utcFlagCount: Int
        /// Number of flags that tell which local time types have transitions in standard time.
        let standardFlagCount: Int
        /// Number of leap seconds in the tables.
        let leapSecondCount: Int
        /// Number of transitions, the times at which the offset changes.
        let transitionCount: Int
        /// Number of local time types, each of which is an offset with an abbreviation.
        let typeCount: Int
        /// Number of bytes of all zone abbreviations together.
        let abbreviationByteCount: Int

        /// Returns the length in bytes of the tables after the header, with times of 4 or 8 bytes.
        func byteCount(timeSize: Int) -> Int {
            transitionCount * (timeSize + 1) + typeCount * 6 + abbreviationByteCount
                + leapSecondCount * (timeSize + 4) + standardFlagCount + utcFlagCount
        }
    }

    /// Throws `InvalidZone.truncated` unless at least `count` bytes are left.
    private func require(_ count: Int) throws(InvalidZone) {
        guard count <= bytes.count - index else { throw .truncated(atByte: bytes.count) }
    }

    /// Skips `count` bytes, or throws `InvalidZone.truncated` if fewer are left.
    mutating func skip(_ count: Int) throws(InvalidZone) {
        try require(count)
        index += count
    }

    /// Reads a signed number of `size` bytes; traps if fewer bytes are left.
    private mutating func readInteger(_ size: Int) -> Int64 {
        var value: UInt64 = bytes[index] >= 0x80 ? .max : 0
        for byte in bytes[index..<index + size] { value = value << 8 | UInt64(byte) }
        index += size
        return Int64(bitPattern: value)
    }

    /// Reads an unsigned 32-bit number; traps if fewer than 4 bytes are left.
    private mutating func readCount() -> Int { Int(readInteger(4) & 0xFFFF_FFFF) }

    /// Reads a header, which has 44 bytes.
    mutating func readHeader() throws(InvalidZone) -> Header {
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
            version: version, utcFlagCount: readCount(), standardFlagCount: readCount(),
            leapSecondCount: readCount(), transitionCount: readCount(), typeCount: readCount(),
            abbreviationByteCount: readCount())
    }

    /// Reads the tables after a header, with times of 4 or 8 bytes.
    ///
    /// - Returns: the transitions in seconds since 1970; and the offset before the first transition
    ///   and after each transition, in seconds east of UTC.
    mutating func readTables(
        _ header: Header, timeSize: Int
    ) throws(InvalidZone) -> (transitions: [Int64], offsets: [Int32]) {
        try require(header.byteCount(timeSize: timeSize))
        guard (1...256).contains(header.typeCount) else { throw .badTypeCount(header.typeCount) }
        guard header.leapSecondCount == 0 else { throw .leapSeconds(header.leapSecondCount) }
        var transitions: [Int64] = []
        transitions.reserveCapacity(header.transitionCount)
        for each in 0..<header.transitionCount {
            let second = readInteger(timeSize)
            if let last = transitions.last, second <= last {
                throw .transitionsOutOfOrder(at: each)
            }
            transitions.append(second)
        }
        let types = bytes[index..<index + header.transitionCount].map(Int.init)
        index += header.transitionCount
        if let unknown = types.first(where: { $0 >= header.typeCount }) {
            throw .unknownType(unknown)
        }
        var typeOffsets: [Int32] = []
        for _ in 0..<header.typeCount {
            let offset = readInteger(4)
            guard Stretch.offsets.contains(offset) else { throw .badOffset(Int(offset)) }
            typeOffsets.append(Int32(offset))
            // The saving-time flag and the abbreviation are not needed.
            index += 2
        }
        index += header.abbreviationByteCount + header.standardFlagCount + header.utcFlagCount
        return (transitions, ([0] + types).map { typeOffsets[$0] })
    }

    /// Parses the rule for times after the last transition, between two line feeds; `nil` if empty.
    mutating func readFooter() throws(InvalidZone) -> ZoneRule? {
        try require(2)
        let rest = bytes[(index + 1)...]
        guard bytes[index] == 10 else { throw badFooter(bytes[index...]) }
        guard let end = rest.firstIndex(of: 10) else { throw .truncated(atByte: bytes.count) }
        let text = rest[..<end]
        guard !text.isEmpty else { return nil }
        guard let rule = ZoneRule(text) else { throw badFooter(text) }
        return rule
    }

    /// Returns the error for a footer that is not a rule between two line feeds.
    private func badFooter(_ text: ArraySlice<UInt8>) -> InvalidZone {
        let printable = text.prefix(60).map { (32...126).contains($0) ? $0 : UInt8(ascii: "?") }
        return .badFooter(String(decoding: printable, as: UTF8.self))
    }
}
