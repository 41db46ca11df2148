import Daybook
import Testing

@testable import DaybookModel

// Holds: s1-climb-and-splits
/// Kilometres and what they took, by interpolation inside a segment.
@Suite struct SplitTests {
    struct Track: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Segments of (second, metres from the point before); no second where there is no time.
        var segments: [[(Int64?, Int64)]]
        var splitsMs: [Int64?]
        var restMm: Int64
        var paceMs: Int64?

        init(
            _ sentence: String, _ segments: [[(Int64?, Int64)]], splits splitsMs: [Int64?],
            restM: Int64, pace paceMs: Int64?
        ) {
            testDescription = sentence
            self.segments = segments
            self.splitsMs = splitsMs
            restMm = restM * 1_000
            self.paceMs = paceMs
        }
    }

    @Test(
        "Each kilometre takes the time of its parts",
        arguments: [
            Track(
                "A track without distance has no splits", [[(0, 0)]], splits: [], restM: 0,
                pace: nil),
            Track(
                "A kilometre to the metre is a full one", [[(0, 0), (300, 1_000)]],
                splits: [300_000], restM: 0,
                pace: 300_000),
            Track(
                "One step may cover two kilometres", [[(0, 0), (700, 2_500)]],
                splits: [280_000, 280_000], restM: 500, pace: 280_000),
            Track(
                "A kilometre may end between two points",
                [[(0, 0), (200, 800), (400, 400)]], splits: [300_000], restM: 200, pace: 333_333),
            Track(
                "A pause does not count",
                [[(0, 0), (200, 500)], [(900, 0), (1_100, 500), (1_200, 100)]],
                splits: [400_000], restM: 100, pace: 454_545),
            Track(
                "A step back in time counts no time",
                [[(0, 0), (100, 500), (90, 250), (190, 250)]], splits: [200_000], restM: 0,
                pace: 200_000),
            Track(
                "A step without duration takes no time", [[(0, 0), (0, 1_500)]], splits: [0],
                restM: 500, pace: nil),
            Track(
                "A track without times has no split times", [[(nil, 0), (nil, 2_500)]],
                splits: [nil, nil],
                restM: 500, pace: nil),
            Track(
                "A kilometre with a gap has no time, and the next one has",
                [[(0, 0), (100, 400), (nil, 400), (300, 400), (400, 800), (500, 1_000)]],
                splits: [nil, nil, 100_000], restM: 0, pace: nil),
            Track(
                "A segment may start without a time",
                [[(0, 0), (300, 1_000)], [(nil, 0), (900, 100), (1_200, 1_900)]],
                splits: [300_000, nil, 157_895], restM: 0, pace: nil),
        ])
    func splits(_ track: Track) {
        var run = Running.Run()
        let envelope = Envelope(
            position: Position(1), occurredAt: Instant(microseconds: 0),
            recordedAt: Instant(microseconds: 0))
        var started = Running.RunStarted()
        started.mode = .imported
        Running.RunView.evolve(&run, with: .runStarted(started), envelope)
        for (number, segment) in track.segments.enumerated() {
            var batch = Running.LocationsRecorded()
            batch.segment = Int64(number)
            var last: Int64?
            for (second, metres) in segment {
                batch.points.append(
                    Running.RunPoint(
                        time: second.map { Instant(microseconds: $0 * 1_000_000) }, latE9: 0,
                        lonE9: 0,
                        stepMm: metres * 1_000))
                batch.addedMm += metres * 1_000
                if let second, let last { batch.forwardUs += max(0, second - last) * 1_000_000 }
                last = second ?? last
            }
            Running.RunView.evolve(&run, with: .locationsRecorded(batch), envelope)
        }
        #expect(run.splitsMs == track.splitsMs)
        #expect(run.restMm == track.restMm)
        #expect(run.avgPaceMsPerKm == track.paceMs)
    }
}
