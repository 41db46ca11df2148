import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s1-best-kilometre
/// The fastest kilometre and the fastest mile.
@Suite struct BestEffortTests {
    /// Points at a second, so many metres from the one before; no second where there is no time.
    private func efforts(_ segments: [[(Int64?, Int64)]]) -> [Running.BestEffort] {
        Running.bestEfforts(
            segments.enumerated().map { number, points in
                (
                    Int64(number),
                    points.map { second, metres in
                        Running.RunPoint(
                            time: second.map { Instant(microseconds: $0 * 1_000_000) },
                            stepMm: metres * 1_000)
                    }
                )
            })
    }

    @Test("A run shorter than a kilometre has no best effort")
    func short() {
        #expect(efforts([[(0, 0), (300, 999)]]).isEmpty)
    }

    @Test("The fastest kilometre may begin and end between points")
    func between() throws {
        // 500 m slowly, 1,000 m in 200 s, 500 m slowly: the fast part is the best kilometre.
        let best = try #require(efforts([[(0, 0), (200, 500), (400, 1_000), (600, 500)]]).first)
        expect(best.name, equals: "1 km")
        expect(best.timeMs, equals: 200_000)
        expect(best.paceMsPerKm, equals: 200_000)
        expect(best.fromMm, equals: 500_000)
        expect(best.started, equals: Instant(microseconds: 200_000_000))
    }

    @Test("An effort that ends at a point begins where its length says")
    func ending() throws {
        // The last 800 m are fast, so that the best kilometre begins 200 m before them.
        let best = try #require(efforts([[(0, 0), (400, 1_000), (560, 800)]]).first)
        expect(best.timeMs, equals: 240_000)
        expect(best.fromMm, equals: 800_000)
        expect(best.started, equals: Instant(microseconds: 320_000_000))
    }

    @Test("A mile is 1,609.344 metres")
    func mile() throws {
        let best = efforts([[(0, 0), (1_000, 2_000)]])
        expect(best.map(\.name), equals: ["1 km", "1 mi"])
        expect(best.map(\.timeMs), equals: [500_000, 804_672])
        expect(best.map(\.lengthMm), equals: [1_000_000, 1_609_344])
    }

    @Test("An effort has no pause in it")
    func pauses() {
        #expect(efforts([[(0, 0), (100, 600)], [(500, 0), (600, 600)]]).isEmpty)
        let best = efforts([[(0, 0), (300, 1_000)], [(500, 0), (760, 1_000)]])
        expect(best.map(\.timeMs), equals: [260_000])
        expect(best.map(\.segment), equals: [1])
        expect(best.map(\.fromMm), equals: [1_000_000])
    }

    @Test("Steps without a time are part of no effort")
    func untimed() {
        #expect(efforts([[(0, 0), (nil, 600), (300, 600)]]).isEmpty)
        #expect(efforts([[(nil, 0), (nil, 1_600)]]).isEmpty)
        expect(efforts([[(nil, 0), (0, 10), (300, 1_000)]]).map(\.timeMs), equals: [300_000])
    }

    @Test("A track that shows no time has no best effort")
    func timeless() {
        #expect(efforts([[(0, 0), (0, 5_000)]]).isEmpty)
    }

    @Test("No stretch of a random run is faster than the best effort", arguments: 0..<20)
    func property(_ round: UInt64) throws {
        var random = SeededGenerator(seed: 7_000 + round)
        var points: [(Int64?, Int64)] = [(0, 0)]
        var second: Int64 = 0
        for _ in 0..<80 {
            second += .random(in: 1...30, using: &random)
            points.append((second, .random(in: 0...90, using: &random)))
        }
        // The clock at each whole metre, by hand.
        var seconds: [Double] = [0]
        for (before, after) in zip(points, points.dropFirst()) where after.1 > 0 {
            let from = Double(before.0 ?? 0)
            let length = Double(after.0 ?? 0) - from
            for metre in 1...after.1 {
                seconds.append(from + length * Double(metre) / Double(after.1))
            }
        }
        // A stretch that begins later at the same metre is faster; the first clock is the last one here.
        var latest = seconds
        var metre = 0
        for point in points.dropFirst() {
            metre += Int(point.1)
            latest[metre] = Double(point.0 ?? 0)
        }
        guard let best = efforts([points]).first else {
            #expect(seconds.count <= 1_000)
            return
        }
        let byHand = (0..<(seconds.count - 1_000)).map { seconds[$0 + 1_000] - latest[$0] }
        let fastest = try #require(byHand.min())
        #expect(abs(Double(best.timeMs) / 1_000 - fastest) < 0.002, "round \(round)")
    }
}
