import Daybook
import Foundation
import TestSupport
import Testing

/// The compiled zones of the machine, where it has them.
enum TestZones {
    private static let folder = URL(fileURLWithPath: "/usr/share/zoneinfo")

    static let areThere = FileManager.default.fileExists(
        atPath: folder.appendingPathComponent("Asia/Seoul").path)

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    static func zone(_ name: String) throws -> Zone {
        if let fixed = Zone(fixedOffset: name) { return fixed }
        return try Zone(name: name, tzif: bytes(name))
    }

    /// Zones of every kind: half hours, gaps at midnight, skipped days, negative saving time.
    static let all = [
        "Africa/Casablanca", "Africa/Monrovia", "America/Havana", "America/Juneau",
        "America/New_York", "America/Sao_Paulo", "America/St_Johns", "Antarctica/Troll",
        "Asia/Beirut", "Asia/Gaza", "Asia/Kathmandu", "Asia/Manila", "Asia/Seoul",
        "Australia/Lord_Howe", "Europe/Berlin", "Europe/Dublin", "Pacific/Apia",
        "Pacific/Chatham", "Pacific/Kwajalein", "+05:45",
    ]
}

extension Trait where Self == ConditionTrait {
    /// For tests that read `TestZones`.
    static var needsZones: Self {
        .enabled(if: TestZones.areThere, "needs /usr/share/zoneinfo")
    }
}

/// A moment written as RFC 3339.
func moment(_ text: String) throws -> Instant { try #require(Timestamp.parse(text)?.instant) }

func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text: text)) }

/// A reading like `2020-03-08T02:30`.
func reading(_ text: String) throws -> LocalTime {
    let asUTC = try moment(text + (text.count == 16 ? ":00Z" : "Z"))
    return Zone.utc.local(at: asUTC)
}

/// Whole seconds, of a stretch of time that has nothing less.
func seconds(from start: Instant, to end: Instant) -> Int64 {
    let (quotient, rest) = (end.microseconds - start.microseconds)
        .quotientAndRemainder(dividingBy: 1_000_000)
    precondition(rest == 0)
    return quotient
}

/// The civil days that an interval touches, with the seconds that it has in each.
///
/// Days without length are among them.
func pieces(
    of zone: Zone, from start: Instant, to end: Instant, startMin: Int = 0
) -> [(date: CivilDate, seconds: Int64)] {
    var pieces: [(date: CivilDate, seconds: Int64)] = []
    var date = zone.day(at: start, startMin: startMin)
    while true {
        let from = max(start, zone.start(of: date, startMin: startMin))
        guard from < end || from == start else { return pieces }
        let to = min(end, zone.start(of: date.adding(days: 1), startMin: startMin))
        pieces.append((date, seconds(from: from, to: to)))
        date = date.adding(days: 1)
    }
}

/// A compiled zone made by hand, of version 2 or later, without transitions in its first half.
func tzif(
    version: Character = "2", transitions: [(at: Int64, type: UInt8)] = [], types: [Int32] = [0],
    leapSeconds: [UInt8] = [], footer: String = ""
) -> [UInt8] {
    func big(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: value.bitWidth - 8, through: 0, by: -8).map { shift in
            UInt8(truncatingIfNeeded: value >> shift)
        }
    }
    func header(_ transitions: Int, _ types: Int, _ leapSeconds: Int) -> [UInt8] {
        let counts = [0, 0, leapSeconds, transitions, types, 4]
        return Array("TZif\(version)".utf8) + Array(repeating: 0, count: 15)
            + counts.flatMap { big(UInt32($0)) }
    }
    let names: [UInt8] = [76, 77, 84, 0]
    var bytes = header(0, 1, 0) + [0, 0, 0, 0, 0, 0] + names
    bytes += header(transitions.count, types.count, leapSeconds.count / 12)
    bytes += transitions.flatMap { big($0.at) } + transitions.map(\.type)
    bytes += types.flatMap { big($0) + [0, 0] } + names + leapSeconds
    return bytes + [10] + Array(footer.utf8) + [10]
}
