import Daybook
import DaybookInput
import Foundation
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

/// The real tracks beside the repository, which are not part of it.
private let data = Checkout.sharedData.appending(path: "gpx")

private let isPresent = FileManager.default.fileExists(atPath: data.path)

private func load<Value: Decodable>(_ name: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(contentsOf: data.appending(path: name)))
}

// Holds: s1-average-pace, s1-current-pace-trap, s1-calories, s1-pace-times-distance, s1-friday-run,
// s1-lake-run, s1-unbroken-run, s1-impossible-places, s1-track-without-times
@Suite(.enabled(if: isPresent)) struct GPXDataTests {
    /// Computed with gpxpy and a haversine of its own.
    struct Track: Decodable {
        var file: String
        var points, segments, invalid_points: Int64
        var dist_hav_m, ele_gain_raw_m, ele_loss_raw_m: Double
        var moving_s_rule: Double?
        var nonincreasing_steps: Int?
    }

    struct Run: Decodable {
        var file: String
        var segments, calories: Int64
        var dist_segmented_m, dist_naive_concat_m, elapsed_wall_s, active_s, rest_m: Double
        var avgPace_active, avgPace_wall: Double?
        var currentPace_last10: Double
        var splits_1km_s: [Double]
    }

    private struct Imported {
        var run = Running.Run()
        var source = Running.Run()
        var events: [Running.Event] = []
    }

    private func imported(_ file: String) throws -> Imported {
        let reader = GPXReader(rules: .standard)
        try reader.feed(Array(Data(contentsOf: data.appending(path: file))))
        let track = try reader.finish()
        var imported = Imported()
        let command = Running.ImportTrack(runId: "r", userId: "u", segments: track.segments)
        imported.events = try command.decide(Running.State(), now: .epoch)
        for (index, event) in imported.events.enumerated() {
            let envelope = Envelope(
                position: Position(UInt64(index) + 1), occurredAt: Instant(microseconds: 0),
                recordedAt: Instant(microseconds: 0))
            Running.RunView.evolve(&imported.run, with: event, envelope)
            Running.SourceRunView.evolve(&imported.source, with: event, envelope)
        }
        return imported
    }

    private func near(_ a: Int64, _ b: Double, _ tolerance: Double) -> Bool {
        abs(Double(a) - b) <= tolerance
    }

    @Test("Every track has the length, the points and the moving time computed elsewhere")
    func tracks() throws {
        let tracks: [Track] = try load("expected.json")
        #expect(tracks.count > 10)
        for track in tracks where track.points > 0 {
            let run = try imported(track.file).run
            let comment = Comment(rawValue: track.file)
            let tolerance = max(10, Double(track.points))
            #expect(near(run.distanceMm, track.dist_hav_m * 1_000, tolerance), comment)
            #expect(run.pointCount == track.points - track.invalid_points, comment)
            #expect(run.rejectedCount == track.invalid_points, comment)
            if let moving = track.moving_s_rule, track.invalid_points == 0 {
                #expect(near(run.movingMs ?? 0, moving * 1_000, 1), comment)
            }
        }
    }

    @Test("Every track has the raw climb computed elsewhere, and a smoothed one that is no greater")
    func climbs() throws {
        let tracks: [Track] = try load("expected.json")
        #expect(tracks.contains { $0.ele_gain_raw_m > 100 })
        for track in tracks where track.points > 0 {
            let comment = Comment(rawValue: track.file)
            let report = try report(of: imported(track.file).events)
            // Elevations are rounded once, to whole millimetres, before they are subtracted.
            #expect(
                near(report.elevation?.rawGainMm ?? 0, track.ele_gain_raw_m * 1_000, 1.01), comment)
            #expect(
                near(report.elevation?.rawLossMm ?? 0, track.ele_loss_raw_m * 1_000, 1.01), comment)
            if let elevation = report.elevation {
                #expect(elevation.gainMm <= elevation.rawGainMm + track.points, comment)
                #expect(elevation.method == "moving-average-15", comment)
                // Smoothing moves no segment's first or last point.
                let (raw, smooth) = (
                    elevation.rawGainMm - elevation.rawLossMm,
                    elevation.gainMm - elevation.lossMm
                )
                #expect(raw == smooth, comment)
            }
        }
    }

    private func report(of events: [Running.Event]) throws -> Running.TrackReport {
        var state = Running.RunTrack.Model.State.blank
        for (index, event) in events.enumerated() {
            let envelope = Envelope(
                position: Position(UInt64(index) + 1), occurredAt: .epoch, recordedAt: .epoch)
            Running.RunTrack.Model.evolve(&state, with: event, envelope)
        }
        return try Running.RunTrack(run: "r").answer(
            state,
            ReportContext(rules: .standard, zones: nil, position: Position(1), knownAt: .epoch))
    }

    @Test("Every run has the times, pace, calories, splits and segments computed elsewhere")
    func runs() throws {
        let runs: [Run] = try load("expected_run.json")
        #expect(runs.count > 10)
        for expected in runs {
            let (run, comment) = (try imported(expected.file).run, Comment(rawValue: expected.file))
            #expect(run.segmentCount == expected.segments, comment)
            #expect(near(run.wallMs, expected.elapsed_wall_s * 1_000, 1), comment)
            #expect(near(run.activeMs, expected.active_s * 1_000, 1), comment)
            #expect(run.kcal == expected.calories, comment)
            #expect(run.splitsMs.count == expected.splits_1km_s.count, comment)
            for (split, seconds) in zip(run.splitsMs, expected.splits_1km_s) {
                // A step's rounding to whole millimetres moves the kilometre by as much.
                #expect(near(try #require(split), seconds * 1_000, 20), comment)
            }
            #expect(
                near(run.restMm, expected.rest_m * 1_000, max(10, Double(run.pointCount))), comment)
            guard let pace = expected.avgPace_active, expected.active_s > 0 else { continue }
            // Rounded steps move the pace by as much of it as they move the distance.
            let share = Double(run.pointCount) / Double(run.distanceMm)
            #expect(
                near(run.avgPaceMsPerKm ?? 0, pace * 60_000, 40 + pace * 60_000 * share), comment)
        }
    }

    @Test("Every run has the source's own numbers under the source's formulas")
    func source() throws {
        for expected in try load("expected_run.json") as [Run] {
            let imported = try imported(expected.file)
            let (run, comment) = (imported.source, Comment(rawValue: expected.file))
            guard imported.run.rejectedCount == 0 else { continue }
            let metres = expected.dist_naive_concat_m
            #expect(near(run.distanceMm, metres * 1_000, max(10, Double(run.pointCount))), comment)
            #expect(near(run.activeMs, expected.elapsed_wall_s * 1_000, 1), comment)
            #expect(run.kcal == Int64(metres * 60 / 1_000), comment)
            if expected.currentPace_last10 > 0 {
                let pace = expected.currentPace_last10 * 60_000
                #expect(near(run.currentPaceMsPerKm ?? 0, pace, pace / 1_000 + 1), comment)
            } else {
                #expect(run.currentPaceMsPerKm == nil, comment)
            }
        }
    }

    @Test("Points that go back in time are kept and found by the audit")
    func backwards() throws {
        for track in try load("expected.json") as [Track] where track.points > 1 {
            let events = try imported(track.file).events
            var run = AuditRun(
                Running.audits, AuditContext(digest: { _ in 0 }))
            for (index, event) in events.enumerated() {
                let context = CommandContext(now: Instant(microseconds: 0))
                let new = event.payload.event(in: context)
                try run.check(
                    RecordedEvent(
                        envelope: Envelope(
                            position: Position(UInt64(index) + 1),
                            occurredAt: Instant(microseconds: 0),
                            recordedAt: Instant(microseconds: 0)),
                        kind: new.kind, tags: new.tags, zone: "", payload: new.payload))
            }
            let findings = run.finish().findings
            let steps = track.nonincreasing_steps ?? 0
            // Public tracks have steps that nobody runs, and outings apart, too.
            let doubts: Set = ["C15", "C16", "C17"]
            let rules = findings.map(\.rule).filter { !doubts.contains($0) }
            #expect(rules == (steps > 0 ? ["C4"] : []), "\(track.file)")
            #expect(steps == 0 || findings[0].found.hasPrefix("\(steps) of "), "\(track.file)")
        }
    }
}
