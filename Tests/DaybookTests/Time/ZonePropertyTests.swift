import Daybook
import Foundation
import TestSupport
import Testing

/// Properties of every zone at every moment. A failure names its seed.
@Suite(.needsZones) struct ZonePropertyTests {
    private static let years1850To2200 = Int64(-3_786_825_600)...7_258_118_399

    /// A moment that is often near a change of the clocks.
    private static func instant(_ zone: Zone, _ random: inout SeededGenerator) -> Instant {
        var low = Int64.random(in: years1850To2200, using: &random)
        var high = min(low + 20_000_000, years1850To2200.upperBound)
        let offset = zone.offsetS(at: Instant(microseconds: low * 1_000_000))
        let ends = zone.offsetS(at: Instant(microseconds: high * 1_000_000))
        if offset != ends {
            while high - low > 1 {
                let middle = low + (high - low) / 2
                let isSame = zone.offsetS(at: Instant(microseconds: middle * 1_000_000)) == offset
                if isSame { low = middle } else { high = middle }
            }
            low = high + Int64.random(in: -7_300...7_300, using: &random)
            if Bool.random(using: &random) { low = high + Int64.random(in: -2...2, using: &random) }
        }
        return Instant(microseconds: low * 1_000_000)
    }

    @Test("A reading of the clock means the moment it was taken at", arguments: TestZones.all)
    func readings(_ name: String) throws {
        let seed: UInt64 = 21
        var random = SeededGenerator(seed: seed)
        let zone = try TestZones.zone(name)
        for _ in 0..<1_500 {
            let instant = Self.instant(zone, &random)
            let micros = Int64.random(in: 0..<1_000_000, using: &random)
            let local = zone.local(at: instant.advanced(byMicroseconds: micros))
            let comment: Comment = "seed \(seed), \(Timestamp.text(instant)), \(local.text)"
            switch zone.resolve(local) {
            case .unique(let only): #expect(only == instant, comment)
            case .ambiguous(let earlier, let later):
                #expect(earlier < later, comment)
                #expect(earlier == instant || later == instant, comment)
                #expect(zone.local(at: earlier) == local, comment)
                #expect(zone.local(at: later) == local, comment)
            case .nonexistent: Issue.record(comment)
            }
        }
    }

    @Test("A day begins and ends at its reported instants", arguments: TestZones.all)
    func days(_ name: String) throws {
        let seed: UInt64 = 22
        var random = SeededGenerator(seed: seed)
        let zone = try TestZones.zone(name)
        for _ in 0..<800 {
            let startMin = max(0, Int.random(in: -1_440..<1_440, using: &random))
            let instant = Self.instant(zone, &random)
                .advanced(byMicroseconds: Int64.random(in: 0..<1_000_000, using: &random))
            let date = zone.day(at: instant, startMin: startMin)
            let starts = (-2...2).map {
                zone.start(of: date.adding(days: $0), startMin: startMin)
            }
            let comment: Comment = "seed \(seed), \(Timestamp.text(instant)), \(startMin), \(date)"
            #expect(starts[2] <= instant && instant < starts[3], comment)
            #expect(starts == starts.sorted(), comment)
            #expect(zone.day(at: starts[2], startMin: startMin) == date, comment)
            let wall = LocalTime(date: date, secondOfDay: startMin * 60)
            switch zone.resolve(wall) {
            case .unique(let start), .ambiguous(let start, _): #expect(starts[2] == start, comment)
            case .nonexistent(let after, let before):
                #expect(before < starts[2] && starts[2] <= after, comment)
                let last = Instant(microseconds: starts[2].microseconds - 1)
                #expect(zone.local(at: last) < wall && wall < zone.local(at: starts[2]), comment)
            }
        }
    }

    @Test("The pieces of an interval add up", arguments: TestZones.all)
    func pieces(_ name: String) throws {
        let seed: UInt64 = 23
        var random = SeededGenerator(seed: seed)
        let zone = try TestZones.zone(name)
        for _ in 0..<400 {
            let start = Self.instant(zone, &random)
            let length = Int64.random(in: 0...700_000, using: &random)
            let end = start.advanced(byMicroseconds: length * 1_000_000)
            let startMin = Int.random(in: 0..<1_440, using: &random)
            let parts = DaybookTests.pieces(of: zone, from: start, to: end, startMin: startMin)
            let comment: Comment = "seed \(seed), \(Timestamp.text(start)), \(length), \(startMin)"
            #expect(parts.map(\.seconds).reduce(0, +) == length, comment)
            #expect(parts.allSatisfy { $0.seconds >= 0 }, comment)
        }
    }

    @Test(
        "The first and last possible instants have local times",
        arguments: ["Asia/Seoul", "Europe/Dublin", "-14:00"])
    func extremes(_ name: String) throws {
        let zone = try TestZones.zone(name)
        for instant in [Instant(microseconds: .min), Instant(microseconds: .max)] {
            let date = zone.day(at: instant)
            #expect(zone.local(at: instant).date == date)
            #expect(zone.start(of: date) <= instant)
            #expect(zone.start(of: date.adding(days: 1)) >= zone.start(of: date))
            _ = zone.resolve(zone.local(at: instant))
        }
    }

    /// Zones whose law has long been the same, so that releases of the database agree.
    @Test(
        "Offsets equal those of another reader",
        arguments: [
            "America/Denver", "America/New_York", "America/St_Johns", "Asia/Kathmandu",
            "Asia/Kolkata", "Asia/Seoul", "Asia/Tokyo", "Australia/Lord_Howe",
            "Australia/Sydney", "Europe/Berlin", "Europe/Dublin", "Europe/London", "Pacific/Apia",
            "Pacific/Auckland",
        ])
    func anotherReader(_ name: String) throws {
        let seed: UInt64 = 24
        var random = SeededGenerator(seed: seed)
        let zone = try TestZones.zone(name)
        let other = try #require(TimeZone(identifier: name))
        for _ in 0..<1_000 {
            let second = Int64.random(in: 0..<2_114_380_800, using: &random)
            let offset = other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
            let instant = Instant(microseconds: second * 1_000_000)
            #expect(zone.offsetS(at: instant) == offset, "seed \(seed), \(Timestamp.text(instant))")
        }
    }
}
