import Daybook
import DaybookGeodesy
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s1-wrong-place
/// Steps that nobody runs: which place is wrong, or whether the track breaks there.
@Suite struct WrongPlaceTests {
    /// Places at a second, so many metres east of the start, and the stretches that are kept.
    struct Track: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let places: [(second: Int64, metres: Int64)]
        /// Indices of the kept places, stretch by stretch.
        let kept: [[Int]]

        init(
            _ sentence: String, _ places: [(second: Int64, metres: Int64)], keeps kept: [[Int]]
        ) {
            testDescription = sentence
            self.places = places
            self.kept = kept
        }
    }

    private static let start: Int64 = 1_771_581_600_000_000
    private static let long = (0..<100).map { (second: 10 + Int64($0) * 2, metres: Int64($0) * 6) }

    private static let tracks = [
        Track("A track without a jump is kept", [(0, 0), (10, 30), (20, 60)], keeps: [[0, 1, 2]]),
        Track(
            "A wrong first place is left out, though the place after a long gap could be reached",
            [(0, 5_004), (10, 0), (420, 111), (430, 122)], keeps: [[1, 2, 3]]),
        Track(
            "A wrong first place costs none of a hundred good ones",
            [(0, 5_000)] + long, keeps: [Array(1...100)]),
        Track(
            "A wrong place in the middle is left out",
            [(0, 0), (10, 30), (20, 4_000), (30, 60), (40, 90)], keeps: [[0, 1, 3, 4]]),
        Track(
            "A wrong place is left out, though the place after a long gap could be reached",
            [(0, 0), (10, 30), (20, 5_000), (430, 60), (440, 90)], keeps: [[0, 1, 3, 4]]),
        Track(
            "A wrong place is left out, though it could be reached in a long gap",
            [(0, 0), (10, 30), (420, 5_000), (430, 60), (440, 90)], keeps: [[0, 1, 3, 4]]),
        Track(
            "A wrong last place is left out", [(0, 0), (10, 30), (20, 60), (30, 5_000)],
            keeps: [[0, 1, 2]]),
        Track(
            "Two wrong places far apart are left out",
            [(0, 0), (10, 30), (20, 5_000), (30, -5_000), (40, 60), (50, 90)],
            keeps: [[0, 1, 4, 5]]),
        Track(
            "Two wrong places beside each other are left out",
            [(0, 0), (10, 30), (20, 5_000), (30, 5_010), (40, 60), (50, 90)],
            keeps: [[0, 1, 4, 5]]),
        Track(
            "Three wrong places beside each other are left out",
            [(0, 0), (10, 30), (20, 5_000), (30, 5_010), (40, 5_020), (50, 60), (60, 90)],
            keeps: [[0, 1, 5, 6]]),
        Track(
            "Two wrong first places far apart are left out",
            [(0, 9_000), (10, -9_000), (20, 0), (30, 30), (40, 60)], keeps: [[2, 3, 4]]),
        Track(
            "Two wrong last places far apart are left out",
            [(0, 0), (10, 30), (20, 5_000), (30, -5_000)], keeps: [[0, 1]]),
        Track(
            "Wrong places between good ones are left out, each for itself",
            [(0, 0), (10, 30), (20, 5_000), (30, 60), (40, -5_000), (50, 90), (60, 120)],
            keeps: [[0, 1, 3, 5, 6]]),
        Track(
            "A tunnel at a runner's speed counts", [(0, 0), (10, 30), (130, 430), (140, 460)],
            keeps: [[0, 1, 2, 3]]),
        Track(
            "A tram breaks the track",
            [(0, 0), (10, 30), (130, 4_030), (140, 4_060), (150, 4_090)],
            keeps: [[0, 1], [2, 3, 4]]),
        Track(
            "A tram there and back breaks the track twice",
            [
                (0, 0), (10, 30), (130, 4_030), (140, 4_060), (150, 4_090), (160, 4_120),
                (280, 60), (290, 90),
            ], keeps: [[0, 1], [2, 3, 4, 5], [6, 7]]),
        Track(
            "Two trams on end break the track twice, where a run of two places lies between",
            [(0, 0), (10, 30), (130, 4_030), (140, 4_060), (260, 8_060), (270, 8_090)],
            keeps: [[0, 1], [2, 3], [4, 5]]),
        Track(
            "A wrong place behind a tram is left out",
            [(0, 0), (10, 30), (130, 4_030), (140, -9_000), (150, 4_090), (160, 4_120)],
            keeps: [[0, 1], [2, 4, 5]]),
        Track(
            "A clock that was set back in a gap breaks the track",
            [(300, 0), (310, 30), (360, 1_030), (370, 1_060)], keeps: [[0, 1], [2, 3]]),
        Track(
            "A wrong place with a time far ahead costs none of the good ones after it",
            [(0, 0), (10, 30), (600, 60), (20, 60), (30, 90), (40, 120)],
            keeps: [[0, 1, 3, 4, 5]]),
        Track(
            "A wrong first time costs none of the good places after it",
            [(600, 0), (10, 30), (20, 60), (30, 90)], keeps: [[1, 2, 3]]),
        Track(
            "A place that comes late is left out",
            [(0, 0), (10, 30), (30, 90), (20, 60), (40, 120)], keeps: [[0, 1, 2, 4]]),
        Track("A single place stays", [(0, 0)], keeps: [[0]]),
        Track("Of two places that disagree the first stays", [(0, 0), (10, 5_000)], keeps: [[0]]),
    ]

    /// A run under way with the events of its commands.
    private struct Recording {
        var state = Running.State()
        var events: [Running.Event] = []

        mutating func give(_ command: some Running.RunCommand, at now: Instant) throws {
            for event in try command.decide(state, now: now) {
                events.append(event)
                let envelope = Envelope(
                    position: Position(UInt64(events.count)), occurredAt: now, recordedAt: now)
                Running.evolve(&state, with: event, envelope)
            }
        }

        var batches: [Running.LocationsRecorded] {
            var batches: [Running.LocationsRecorded] = []
            for case .locationsRecorded(let batch) in events { batches.record(batch) }
            return batches
        }
    }

    private static func fix(_ place: (second: Int64, metres: Int64)) -> Running.LocationFix {
        // A metre on the equator is 8,993 billionths of a degree.
        let lonE9 = place.metres * 8_993
        return Running.LocationFix(
            time: Instant(microseconds: start + place.second * 1_000_000), lat: Scalar("0"),
            lon: Scalar(lonE9.decimalText(places: 9)))
    }

    /// The run whose places come in batches that end behind the places of these numbers.
    private func record(_ track: Track, _ borders: [Int]) throws -> Recording {
        var recording = Recording()
        let start = Instant(microseconds: Self.start)
        try recording.give(Running.Start(runId: "r", userId: "u"), at: start)
        let later = start.advanced(byMicroseconds: 900_000_000)
        var rest = track.places[...]
        for border in borders + [track.places.count] {
            let points = rest.prefix(border - rest.startIndex)
            rest = rest.dropFirst(points.count)
            try recording.give(
                Running.RecordLocations(runId: "r", points: points.map { Self.fix($0) }),
                at: later)
        }
        try recording.give(Running.Stop(runId: "r"), at: later)
        return recording
    }

    private func expect(
        _ recording: Recording, _ track: Track, _ comment: String
    ) throws {
        var stretches: [[Instant?]] = []
        var segment: Int64?
        for batch in recording.batches where !batch.points.isEmpty {
            if batch.segment != segment { stretches.append([]) }
            segment = batch.segment
            stretches[stretches.count - 1] += batch.points.map(\.time)
        }
        let places = track.places.map { Self.fix($0) }
        #expect(stretches == track.kept.map { $0.map { places[$0].time } }, "\(comment)")
        let byHandMm = track.kept.reduce(Int64(0)) { sum, stretch in
            zip(stretch, stretch.dropFirst()).reduce(sum) { sum, step in
                let metres = track.places[step.1].metres * 8_993
                return sum
                    + Coordinate(latE9: 0, lonE9: track.places[step.0].metres * 8_993)
                    .distanceMm(to: Coordinate(latE9: 0, lonE9: metres))
            }
        }
        let run = try #require(recording.state.runs["r"])
        #expect(run.distanceMm == byHandMm, "\(comment)")
        #expect(run.pointCount == Int64(track.kept.joined().count), "\(comment)")
        #expect(run.pointCount + run.rejectedCount == Int64(track.places.count), "\(comment)")
        #expect(run.rejectedCountsByReason.values.reduce(0, +) == run.rejectedCount, "\(comment)")
        #expect(run.segmentCount == Int64(track.kept.count), "\(comment)")
        let steps = recording.batches.flatMap(\.points)
            .reduce(Int64(0)) { $0 + $1.stepMm }
        #expect(steps == byHandMm, "\(comment)")
        let report = try Self.report(recording)
        #expect(report.leftOut.count == Int(run.rejectedCount), "\(comment)")
        #expect(report.segments.count == track.kept.count, "\(comment)")
        let found = try AuditHistory(facts: recording.events.map(\.payload)).found()
        #expect(found == [], "\(comment)")
    }

    private static func report(_ recording: Recording) throws -> Running.TrackReport {
        var state = Running.RunTrack.Model.State.blank
        for (index, event) in recording.events.enumerated() {
            let time = Instant(microseconds: start + Int64(index))
            Running.RunTrack.Model.evolve(
                &state, with: event,
                Envelope(
                    position: Position(UInt64(index) + 1), occurredAt: time, recordedAt: time))
        }
        return try Running.RunTrack(run: "r").answer(
            state,
            ReportContext(
                rules: .standard, zones: nil, position: Position(9),
                knownAt: Instant(microseconds: 0)))
    }

    @Test("The place that neither side agrees with is left out", arguments: tracks)
    func judges(_ track: Track) throws {
        try expect(try record(track, []), track, "in one batch")
    }

    @Test("The borders of batches change nothing", arguments: Cases.sample(tracks))
    func borders(_ track: Track) throws {
        let count = track.places.count
        guard count <= 8 else {
            for border in 1..<count { try expect(try record(track, [border]), track, "\(border)") }
            return try expect(try record(track, Array(1..<count)), track, "one by one")
        }
        for choice in 0..<(1 << (count - 1)) {
            let borders = (1..<count).filter { choice >> ($0 - 1) & 1 == 1 }
            try expect(try record(track, borders), track, "\(borders)")
        }
    }
}
