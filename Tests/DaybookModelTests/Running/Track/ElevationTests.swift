import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s1-climb-and-splits
/// Climbs, raw and smoothed.
@Suite struct ElevationTests {
    private func elevation(_ segments: [[Int64?]]) -> Running.Elevation? {
        Running.Elevation(
            of: segments.map { segment in
                segment.map { metres in
                    Running.RunPoint(eleMm: metres.map { PersonalInteger($0 * 1_000) })
                }
            })
    }

    @Test("The raw climb is the sum of the steps, up and down")
    func raw() throws {
        let climb = try #require(elevation([[10, 12, 11, 15]]))
        expect(climb.rawGainMm, equals: 6_000)
        expect(climb.rawLossMm, equals: 1_000)
        expect(climb.lowestMm, equals: 10_000)
        expect(climb.highestMm, equals: 15_000)
    }

    @Test("Nothing is climbed over a pause")
    func segments() throws {
        let climb = try #require(elevation([[10, 11], [500, 502]]))
        expect(climb.rawGainMm, equals: 3_000)
        expect(climb.gainMm, equals: 3_000)
        expect(climb.highestMm, equals: 502_000)
    }

    @Test("A point without an elevation is passed over")
    func gaps() throws {
        try expect(#require(elevation([[10, nil, 14]])).rawGainMm, equals: 4_000)
    }

    @Test("A track without two elevations in a segment has no climb")
    func none() {
        #expect(elevation([]) == nil)
        #expect(elevation([[nil, nil]]) == nil)
        #expect(elevation([[10], [20]]) == nil)
    }

    @Test("Noise on flat ground is climbed raw, and hardly at all smoothed")
    func noise() throws {
        let flat = (0..<101).map { Int64($0 % 2 == 0 ? 100 : 103) }
        let climb = try #require(elevation([flat]))
        expect(climb.rawGainMm, equals: 150_000)
        #expect(climb.gainMm < 15_000)
    }

    @Test("A steady climb is the same smoothed")
    func steady() throws {
        let climb = try #require(elevation([(0..<50).map { Int64($0) }]))
        expect(climb.gainMm, equals: 49_000)
        expect(climb.lossMm, equals: 0)
        expect(climb.rawGainMm, equals: 49_000)
    }

    @Test("A mean is rounded half away from zero, below the sea too")
    func rounding() throws {
        // The middle one of each is ±1/3 mm and ±2/3 mm.
        func gain(_ elevations: [Int64]) throws -> [Int64] {
            let points = elevations.map { Running.RunPoint(eleMm: PersonalInteger($0)) }
            let climb = try #require(Running.Elevation(of: [points]))
            return [climb.gainMm, climb.lossMm]
        }
        try expect(gain([0, 1, 0]), equals: [0, 0])
        try expect(gain([0, 2, 0]), equals: [1, 1])
        try expect(gain([0, -1, 0]), equals: [0, 0])
        try expect(gain([0, -2, 0]), equals: [1, 1])
    }
}
