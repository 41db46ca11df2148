/// Why bytes are no time zone.
public enum InvalidZone: Error, Hashable, Sendable, CustomStringConvertible {
    case noMagic
    case unknownVersion(UInt8)
    case truncated(atByte: Int)
    case badCount(String)
    case transitionsOutOfOrder
    case badRule(String)

    public var description: String {
        switch self {
        case .noMagic: "it does not begin with 'TZif'"
        case .unknownVersion(let version): "it is of the unknown version \(version)"
        case .truncated(let byte): "it ends at byte \(byte), before its content does"
        case .badCount(let what): "its count of \(what) cannot be"
        case .transitionsOutOfOrder: "its transitions are out of order"
        case .badRule(let text): "'\(text)' is no rule for the times to come"
        }
    }
}

extension Zone {
    /// A zone from the bytes of a compiled file, as they lie under `/usr/share/zoneinfo`.
    ///
    /// Source: RFC 8536, versions 1 to 4.
    public init(name: String, tzif bytes: [UInt8]) throws(InvalidZone) {
        var reader = TZifReader(bytes: bytes)
        let first = try reader.header()
        guard first.version >= 2 else {
            let (transitions, offsets) = try reader.body(first, timeSize: 4)
            self.init(name: name, transitions: transitions, offsets: offsets, rule: nil)
            return
        }
        try reader.skip(first.bodySize(timeSize: 4))
        let second = try reader.header()
        let (transitions, offsets) = try reader.body(second, timeSize: 8)
        self.init(
            name: name, transitions: transitions, offsets: offsets, rule: try reader.footer())
    }
}

/// Reads the parts of a compiled zone.
private struct TZifReader {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    struct Header {
        var version: Int
        var isUTC: Int
        var isStandard: Int
        var leaps: Int
        var times: Int
        var types: Int
        var characters: Int

        func bodySize(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + characters + leaps * (timeSize + 4)
                + isStandard + isUTC
        }
    }

    private func require(_ count: Int) throws(InvalidZone) {
        guard count >= 0, count <= bytes.count - index else {
            throw .truncated(atByte: bytes.count)
        }
    }

    mutating func skip(_ count: Int) throws(InvalidZone) {
        try require(count)
        index += count
    }

    /// A number of big-endian bytes, with its sign.
    private mutating func integer(_ size: Int) throws(InvalidZone) -> Int64 {
        try require(size)
        var value: UInt64 = bytes[index] >= 0x80 ? .max : 0
        for byte in bytes[index..<index + size] { value = value << 8 | UInt64(byte) }
        index += size
        return Int64(bitPattern: value)
    }

    private mutating func count(_ what: String) throws(InvalidZone) -> Int {
        let value = try integer(4)
        guard (0...100_000).contains(value) else { throw .badCount(what) }
        return Int(value)
    }

    mutating func header() throws(InvalidZone) -> Header {
        try require(20)
        guard bytes[index..<index + 4].elementsEqual("TZif".utf8) else { throw .noMagic }
        let version = bytes[index + 4]
        guard version == 0 || (UInt8(ascii: "2")...UInt8(ascii: "4")).contains(version) else {
            throw .unknownVersion(version)
        }
        index += 20
        let header = Header(
            version: version == 0 ? 1 : Int(version) - 48, isUTC: try count("UTC flags"),
            isStandard: try count("standard flags"), leaps: try count("leap seconds"),
            times: try count("transitions"), types: try count("local time types"),
            characters: try count("designations"))
        guard (1...256).contains(header.types) else { throw .badCount("local time types") }
        return header
    }

    mutating func body(
        _ header: Header, timeSize: Int
    ) throws(InvalidZone) -> (transitions: [Int64], offsets: [Int32]) {
        try require(header.bodySize(timeSize: timeSize))
        var transitions: [Int64] = []
        for _ in 0..<header.times { transitions.append(try integer(timeSize)) }
        guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw .transitionsOutOfOrder
        }
        var types: [Int] = []
        for _ in 0..<header.times {
            let type = Int(bytes[index])
            guard type < header.types else { throw .badCount("local time types") }
            types.append(type)
            index += 1
        }
        var typeOffsets: [Int32] = []
        for _ in 0..<header.types {
            let offset = try integer(4)
            guard (-90_000...94_000).contains(offset) else { throw .badCount("offsets") }
            typeOffsets.append(Int32(offset))
            index += 2
        }
        index += header.characters + header.leaps * (timeSize + 4) + header.isStandard
            + header.isUTC
        return (transitions, ([0] + types).map { typeOffsets[$0] })
    }

    /// The rule between two line feeds; `nil` where there is none.
    mutating func footer() throws(InvalidZone) -> ZoneRule? {
        try require(2)
        guard bytes[index] == 10, let end = bytes[(index + 1)...].firstIndex(of: 10) else {
            throw .truncated(atByte: bytes.count)
        }
        let text = bytes[(index + 1)..<end]
        guard !text.isEmpty else { return nil }
        guard let rule = ZoneRule(text) else {
            throw .badRule(String(decoding: text.prefix(60), as: UTF8.self))
        }
        return rule
    }
}
