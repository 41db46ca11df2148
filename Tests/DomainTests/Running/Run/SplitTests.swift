import CivilTime
import EventSourcing
import Testing

@testable import Domain

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
        "each kilometre takes what its parts took",
        arguments: [
            Track("no way", [[(0, 0)]], splits: [], restM: 0, pace: nil),
            Track(
                "a kilometre to the metre", [[(0, 0), (300, 1_000)]], splits: [300_000], restM: 0,
                pace: 300_000),
            Track(
                "one step over two kilometres", [[(0, 0), (700, 2_500)]],
                splits: [280_000, 280_000], restM: 500, pace: 280_000),
            Track(
                "a kilometre that ends between two points",
                [[(0, 0), (200, 800), (400, 400)]], splits: [300_000], restM: 200, pace: 333_333),
            Track(
                "the pause is not in it",
                [[(0, 0), (200, 500)], [(900, 0), (1_100, 500), (1_200, 100)]],
                splits: [400_000], restM: 100, pace: 454_545),
            Track(
                "time goes back and counts for nothing",
                [[(0, 0), (100, 500), (90, 250), (190, 250)]], splits: [200_000], restM: 0,
                pace: 200_000),
            Track(
                "no time goes by", [[(0, 0), (0, 1_500)]], splits: [0], restM: 500, pace: nil),
            Track(
                "without times nothing is known", [[(nil, 0), (nil, 2_500)]], splits: [nil, nil],
                restM: 500, pace: nil),
            Track(
                "the kilometre with a gap is not known, the one behind it is",
                [[(0, 0), (100, 400), (nil, 400), (300, 400), (400, 800), (500, 1_000)]],
                splits: [nil, nil, 100_000], restM: 0, pace: nil),
            Track(
                "a segment that starts without a time",
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
                        tUs: second.map { $0 * 1_000_000 }, latE9: 0, lonE9: 0,
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
