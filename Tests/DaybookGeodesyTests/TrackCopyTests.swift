import Foundation
import Testing

@testable import DaybookGeodesy

/// Numbers that look random and are the same on each machine.
private struct Scatter: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    }
}

// Holds: s1-import-once
/// Tracks that are copies of each other, and runs that only look like it.
@Suite struct TrackCopyTests {
    /// A place at seconds after the start, in metres to the east and the north.
    private struct Place {
        var s: Double
        var x: Double
        var y: Double
    }

    /// A loop of 754 m, run at a pace that a function of the elapsed seconds gives.
    private static func loop(
        _ seconds: Int = 1_200, speed: Double = 3, pace: (Double) -> Double = { _ in 1 }
    ) -> [Place] {
        var places: [Place] = []
        var way = 0.0
        for second in 0..<seconds {
            let angle = way / 120
            places.append(Place(s: Double(second), x: 120 * cos(angle), y: 120 * sin(angle)))
            way += speed * pace(Double(second))
        }
        return places
    }

    private static func path(_ places: [Place], limit: Int = 4_096) -> TimedPath {
        var path = TimedPath(limit: limit)
        for place in places {
            path.add(
                1_771_581_600_000_000 + Int64(place.s * 1e6),
                Coordinate(
                    latE9: 50_000_000_000 + Int64(place.y * 8_993.2),
                    lonE9: 8_000_000_000 + Int64(place.x * 13_991)))
        }
        path.finish()
        return path
    }

    private static func shifted(_ places: [Place], _ seconds: Double) -> [Place] {
        places.map { Place(s: $0.s + seconds, x: $0.x, y: $0.y) }
    }

    private static func every(_ step: Int, _ places: [Place]) -> [Place] {
        stride(from: 0, to: places.count, by: step).map { places[$0] }
    }

    /// Places that scatter by some metres, as those of another device do.
    private static func scattered(_ places: [Place], _ metres: Double, seed: UInt64) -> [Place] {
        var random = Scatter(state: seed)
        var (x, y) = (0.0, 0.0)
        return places.map { place in
            x = 0.9 * x + Double.random(in: -metres...metres, using: &random) * 0.7
            y = 0.9 * y + Double.random(in: -metres...metres, using: &random) * 0.7
            return Place(s: place.s, x: place.x + x, y: place.y + y)
        }
    }

    private static func rounded(_ places: [Place]) -> [Place] {
        places.map { Place(s: $0.s, x: $0.x.rounded(), y: $0.y.rounded()) }
    }

    @Test("A copy is found after one shift of the clock of at most 14 hours, either way round")
    func copies() throws {
        let run = Self.loop()
        let copies: [(String, [Place], Double)] = [
            ("fewer decimals", Self.rounded(run), 0), ("first places cut", Array(run[60...]), 0),
            ("last places cut", Array(run[..<1_000]), 0),
            ("a second later", Self.shifted(run, 1), 1),
            ("every second place", Self.every(2, run), 0),
            ("every tenth place", Self.every(10, run), 0),
            ("another device", Self.scattered(Self.shifted(run, 0.4), 3, seed: 1), 0.4),
            (
                "every third place of another device, cut and with another clock",
                Self.every(3, Self.scattered(Array(Self.shifted(run, -2)[9..<1_150]), 3, seed: 2)),
                -2
            ), ("an hour later", Self.shifted(run, 3_600), 3_600),
            ("an hour earlier", Self.shifted(run, -3_600), -3_600),
            ("a zone of half an hour", Self.shifted(Self.rounded(run), 5.5 * 3_600), 5.5 * 3_600),
            ("14 hours later", Self.shifted(run, 50_400), 50_400),
            ("14 hours earlier", Self.shifted(run, -50_400), -50_400),
            ("a clock 2,237 s late", Self.shifted(Self.rounded(run), 2_237), 2_237),
        ]
        for (name, copy, seconds) in copies {
            // A thinned path is not the very same, which an odd shift needs.
            for limit in seconds == 2_237 ? [4_096] : [4_096, 192] {
                let forth = TrackCopy.shiftUs(
                    from: Self.path(run, limit: limit), to: Self.path(copy, limit: limit))
                let back = TrackCopy.shiftUs(
                    from: Self.path(copy, limit: limit), to: Self.path(run, limit: limit))
                for (found, sign) in [(forth, 1.0), (back, -1.0)] {
                    let shift = try #require(found, "\(name), \(limit)")
                    #expect(abs(Double(shift) / 1e6 - sign * seconds) < 2, "\(name), \(limit)")
                }
            }
        }
    }

    @Test("Runs of the same way at other times, or of other ways, are no copies")
    func runs() {
        let run = Self.loop()
        let others: [(String, [Place])] = [
            ("the next day at the same time", Self.shifted(run, 86_400)),
            ("15 hours later", Self.shifted(run, 54_000)),
            ("in the evening, 1 % slower", Self.shifted(Self.loop(pace: { _ in 0.99 }), 36_000)),
            (
                "in the evening, now faster and now slower",
                Self.shifted(Self.loop(pace: { 1 + 0.05 * sin($0 / 100) }), 36_000)
            ),
            (
                "five minutes later, at the same pace, on the same track",
                Self.shifted(Self.scattered(Self.loop(250), 3, seed: 3), 300)
            ), ("the second half, and as much again", Array(Self.loop(1_800)[600...])),
            ("at the same time 300 m away", run.map { Place(s: $0.s, x: $0.x + 300, y: $0.y) }),
            ("the other way round", run.map { Place(s: $0.s, x: $0.x, y: -$0.y) }),
        ]
        for (name, other) in others {
            let first = name.hasPrefix("five") ? Self.scattered(Self.loop(250), 3, seed: 4) : run
            for (a, b) in [(first, other), (other, first)] {
                #expect(
                    TrackCopy.shiftUs(from: Self.path(a), to: Self.path(b)) == nil,
                    "\(name)")
            }
        }
    }

    @Test("A thinned path keeps its ends and lies within metres of the whole")
    func thinned() throws {
        let run = Self.loop(5_000)
        let thin = Self.path(run, limit: 192)
        #expect(thin.places.count <= 192)
        #expect(thin.bounds?.start == Self.path(run, limit: 9_999).bounds?.start)
        #expect(thin.bounds?.end == Self.path(run, limit: 9_999).bounds?.end)
        #expect(TrackCopy.shiftUs(from: Self.path(run), to: thin) != nil)
    }
}
