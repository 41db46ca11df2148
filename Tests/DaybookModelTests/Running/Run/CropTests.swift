import Daybook
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

/// Completed runs that are cut to a part.
@Suite struct CropTests {
    private typealias Sentence = CommandExample<Running.Cropping>

    private static func at(_ second: Int64) -> Instant {
        Instant(microseconds: 1_771_581_600_000_000 + second * 1_000_000)
    }

    /// Points a hundred metres apart, every twenty seconds.
    private static func batch(
        _ seconds: [Int64], segment: Int64, batch number: Int64
    ) -> Running.Event {
        var batch = Running.LocationsRecorded(runId: "r", segment: segment, batch: number)
        for (index, second) in seconds.enumerated() {
            batch.points.append(
                Running.RunPoint(
                    time: at(second), latE9: PersonalInteger(0), lonE9: PersonalInteger(second),
                    stepMm: index == 0 ? 0 : 100_000))
            if index > 0 {
                batch.addedMm += 100_000
                batch.forwardUs += 20_000_000
                batch.movingUs += 20_000_000
            } else if segment > 0 {
                batch.bridgeMm = 7_000
            }
        }
        return .locationsRecorded(batch)
    }

    /// 1,000 m in 200 s, a pause of 100 s, and 500 m in 100 s.
    private static let run: [Running.Event] = [
        .runStarted(Running.RunStarted(runId: "r", userId: "u", started: at(0))),
        batch(Array(stride(from: 0, through: 200, by: 20)), segment: 0, batch: 0),
        .runPaused(Running.RunPaused(runId: "r", paused: at(200))),
        .runResumed(Running.RunResumed(runId: "r", resumed: at(300), segment: 1)),
        batch(Array(stride(from: 300, through: 400, by: 20)), segment: 1, batch: 1),
        .runCompleted(
            Running.RunCompleted(
                runId: "r", userId: "u", started: at(0), ended: at(400), wallMs: 400_000,
                activeMs: 300_000, movingMs: 300_000, distanceMm: 1_500_000,
                avgPaceMsPerKm: 200_000, kcal: 90)),
    ]

    private static func cropped(
        _ from: Int64, _ until: Int64, former: Int64 = 0, metres: Int64, activeS: Int64,
        segments: Int64, points: Int64, movingS: Int64? = nil, splits: [Int64] = [],
        isPart: Bool = true
    ) -> Running.Event {
        .runCropped(
            Running.RunCropped(
                runId: "r", userId: "u", isPart: isPart, formerStarted: at(former),
                started: at(from), ended: at(until), wallMs: (until - from) * 1_000,
                activeMs: activeS * 1_000, movingMs: (movingS ?? activeS) * 1_000,
                distanceMm: metres * 1_000,
                avgPaceMsPerKm: Running.Formula.pace(activeS * 1_000, metres * 1_000),
                kcal: metres * 60 / 1_000, keptSegmentCount: segments, keptPointCount: points,
                splits: splits.map { Running.Split(timeMs: $0 * 1_000) }))
    }

    private static func crop(_ from: Int64?, _ until: Int64?) -> Running.Crop {
        Running.Crop(runId: "r", from: from.map(at), until: until.map(at))
    }

    private static let whole = cropped(
        0, 400, former: 20, metres: 1_500, activeS: 300, segments: 2, points: 17, splits: [200],
        isPart: false)
    private static let tail = cropped(
        20, 400, metres: 1_400, activeS: 280, segments: 2, points: 16, splits: [200])

    @Test(
        "A crop keeps what lies between two moments",
        arguments: [
            Sentence(
                "The begin is cut off", given: run, when: crop(20, nil), then: .events([tail])),
            Sentence(
                "The end is cut off", given: run, when: crop(nil, 360),
                then: .events([
                    cropped(
                        0, 360, metres: 1_300, activeS: 260, segments: 2, points: 15, splits: [200])
                ])),
            Sentence(
                "Time between two points is kept, and its way is not", given: run,
                when: crop(30, 90),
                then: .events([
                    cropped(
                        30, 90, metres: 200, activeS: 60, segments: 1, points: 3, movingS: 40)
                ])),
            Sentence(
                "A part ends before a pause and begins after one", given: run, when: crop(150, 250),
                then: .events([
                    cropped(
                        150, 200, metres: 200, activeS: 50, segments: 1, points: 3, movingS: 40)
                ])),
            Sentence(
                "A part may be the end alone", given: run, when: crop(250, 1_000),
                then: .events([
                    cropped(300, 400, metres: 500, activeS: 100, segments: 1, points: 6)
                ])),
            Sentence(
                "A pause alone is no part", given: run, when: crop(210, 290),
                then: .refused("nothingLeft")),
            Sentence(
                "A stretch between two points is no part", given: run, when: crop(21, 39),
                then: .refused("nothingLeft")),
            Sentence(
                "An end before the begin is no part", given: run, when: crop(100, 50),
                then: .refused("nothingLeft")),
            Sentence(
                "A crop that keeps all has nothing to do", given: run, when: crop(-50, 500),
                then: .events([])),
            Sentence(
                "The same crop twice has nothing to do", given: run + [tail], when: crop(20, nil),
                then: .events([])),
            Sentence(
                "A later crop may keep more", given: run + [tail], when: crop(nil, 360),
                then: .events([
                    cropped(
                        0, 360, former: 20, metres: 1_300, activeS: 260, segments: 2, points: 15,
                        splits: [200])
                ])),
            Sentence(
                "A crop without moments gives the whole run back", given: run + [tail],
                when: crop(nil, nil), then: .events([whole])),
            Sentence(
                "A run under way is not cropped", given: Array(run.dropLast()), when: crop(20, nil),
                then: .refused("runNotCompleted")),
            Sentence(
                "A cancelled run is not cropped",
                given: run + [.runCancelled(Running.RunCancelled(runId: "r", userId: "u"))],
                when: crop(20, nil), then: .refused("runNotCompleted")),
            Sentence(
                "An unknown run is not cropped", when: crop(20, nil),
                then: .refused("runNotFound", "there is no run 'r'")),
            Sentence(
                "A run without places is not cropped", given: [run[0], run[5]], when: crop(20, nil),
                then: .refused("noTimedTrack")),
            Sentence(
                "A run under the source's rules is not cropped",
                given: [
                    .runStarted(
                        Running.RunStarted(
                            runId: "r", userId: "u", started: at(0), rules: .source)),
                    run[1],
                    .runCompleted(
                        Running.RunCompleted(
                            runId: "r", userId: "u", started: at(0), ended: at(200),
                            rules: .source)),
                ], when: crop(20, nil), then: .refused("sourceRules")),
        ])
    func decides(_ sentence: CommandExample<Running.Cropping>) {
        sentence.check()
    }

    private func view(_ events: [Running.Event]) -> Running.Run {
        var run = Running.Run()
        for (index, event) in events.enumerated() {
            let envelope = Envelope(
                position: Position(UInt64(index) + 1), occurredAt: .epoch, recordedAt: .epoch)
            Running.RunView.evolve(&run, with: event, envelope)
        }
        return run
    }

    @Test("A cropped run shows the figures of its part, and a whole one those it had")
    func figures() {
        let cropped = view(Self.run + [Self.tail])
        expect(cropped.distanceMm, equals: 1_400_000)
        expect(cropped.splitsMs, equals: [200_000])
        expect(cropped.restMm, equals: 400_000)
        expect(cropped.pointCount, equals: 16)
        expect(cropped.state, equals: .completed)
        let window = Running.TrackWindow(started: Self.at(20), ended: Self.at(400))
        expect(cropped.keptWindow, equals: window)
        expect(view(Self.run + [Self.tail, Self.whole]), equals: view(Self.run))
    }

    @Test("The parts of a track add up to what its crop records")
    func track() throws {
        var state = Running.RunTrack.Model.State.blank
        for (index, event) in (Self.run + [Self.tail]).enumerated() {
            let envelope = Envelope(
                position: Position(UInt64(index) + 1), occurredAt: .epoch, recordedAt: .epoch)
            Running.RunTrack.Model.evolve(&state, with: event, envelope)
        }
        let report = try Running.RunTrack(run: "r").answer(
            state,
            ReportContext(rules: .standard, zones: nil, position: Position(1), knownAt: .epoch))
        expect(report.distanceMm, equals: 1_400_000)
        expect(report.segments.map(\.distanceMm), equals: [900_000, 500_000])
        expect(report.segments.map(\.started), equals: [Self.at(20), Self.at(300)])
        expect(report.sourceMm, equals: 1_407_000)
        #expect(report.bestEfforts.isEmpty)
        expect(view(Self.run).splitsMs, equals: [200_000])
    }

    @Test("An audit finds nothing in a crop that was decided, and what contradicts its ends")
    func audit() throws {
        let facts = (Self.run + [Self.tail]).map(\.payload)
        // The places of these tests are not as far apart as their steps say.
        let found = try AuditHistory(facts: facts).found().filter { !$0.hasPrefix("C2") }
        expect(found, equals: [])
        guard case .runCropped(var wrong) = Self.tail else { return }
        wrong.wallMs += 1
        let planted = (Self.run + [.runCropped(wrong)]).map(\.payload)
        try expect(
            AuditHistory(facts: planted).found().filter { !$0.hasPrefix("C2") },
            equals: [
                "C9 7 run:r"
            ])
    }
}
