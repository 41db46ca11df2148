import Daybook
import TestSupport
import Testing

@testable import DaybookFormats
@testable import DaybookModel

// Holds: s1-no-points
/// A log takes recorded facts as they are: nothing that reads them may break on their numbers.
@Suite struct RunExtremesTests {
    private struct Source {
        var random: SeededGenerator

        mutating func number() -> Int64 {
            let extremes: [Int64] = [
                .min, .min + 1, -2_000_000_000_000_000, -90_000_000_001, -1, 0, 1, 2, 999,
                5_000_000, 90_000_000_000, 180_000_000_000, 20_015_200_000, 20_015_200_001,
                1_771_581_600_000_000, 1_771_581_660_000_000, .max - 1, .max,
            ]
            return extremes.randomElement(using: &random) ?? 0
        }

        mutating func maybe() -> Int64? { Bool.random(using: &random) ? number() : nil }

        mutating func moment() -> Instant? { maybe().map { Instant(microseconds: $0) } }

        mutating func rules() -> Rules { Bool.random(using: &random) ? .standard : .source }

        mutating func event() -> Running.Event {
            let (run, user) = ("r\(Int.random(in: 0..<2, using: &random))", "u")
            switch Int.random(in: 0..<13, using: &random) {
            case 0:
                return .runnerProfileChanged(
                    Running.RunnerProfileChanged(userId: user, weightG: maybe(), zone: "UTC"))
            case 1:
                return .runStarted(
                    Running.RunStarted(
                        runId: run, userId: user,
                        mode: [.solo, .imported, .manual].randomElement(using: &random) ?? .solo,
                        started: moment(), autoPauseS: maybe(), maxSpeedMmPerS: maybe(),
                        maxAccuracyMm: maybe(), rules: rules()))
            case 2:
                return .runPaused(
                    Running.RunPaused(
                        runId: run, cause: Bool.random(using: &random) ? .auto : .manual,
                        paused: Instant(microseconds: number())))
            case 3:
                return .runResumed(
                    Running.RunResumed(
                        runId: run, cause: .manual, resumed: Instant(microseconds: number()),
                        segment: number()))
            case 4:
                return .runCompleted(
                    Running.RunCompleted(
                        runId: run, userId: user, started: moment(), ended: moment(),
                        wallMs: number(), activeMs: number(), movingMs: maybe(),
                        distanceMm: number(), avgPaceMsPerKm: maybe(), kcal: number(),
                        rules: rules()))
            case 5:
                return .runSaveFailed(
                    Running.RunSaveFailed(
                        runId: run, userId: user, attempt: number(), kind: .network,
                        detail: SealableText("")))
            case 6:
                return .runCancelled(
                    Running.RunCancelled(runId: run, userId: user, started: moment()))
            case 7:
                return .runRestored(
                    Running.RunRestored(runId: run, userId: user, started: moment()))
            case 8:
                return .runCropped(
                    Running.RunCropped(
                        runId: run, userId: user, isPart: Bool.random(using: &random),
                        formerStarted: moment(), started: moment(), ended: moment(),
                        wallMs: number(), activeMs: number(), movingMs: maybe(),
                        distanceMm: number(), avgPaceMsPerKm: maybe(), kcal: number(),
                        keptSegmentCount: number(), keptPointCount: number(),
                        splits: [Running.Split(timeMs: maybe())], rules: rules()))
            default: return .locationsRecorded(batch(run))
            }
        }

        private mutating func batch(_ run: String) -> Running.LocationsRecorded {
            let points = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Running.RunPoint(
                    time: moment(), latE9: PersonalInteger(number()),
                    lonE9: PersonalInteger(number()),
                    eleMm: maybe().map { PersonalInteger($0) }, accMm: maybe(), stepMm: number())
            }
            return Running.LocationsRecorded(
                runId: run, segment: number(), batch: number(), points: points,
                addedMm: number(), bridgeMm: number(), forwardUs: number(), movingUs: number(),
                stoodSince: moment(),
                rejected: [
                    Running.RejectedPoint(
                        index: number(), reason: .jump, time: moment(),
                        latE9: PersonalInteger(number()), lonE9: PersonalInteger(number()))
                ], rules: rules(),
                correction: Bool.random(using: &random)
                    ? Running.TrackCorrection(
                        withdrawnCount: number(), takenBackMm: number(),
                        takenBackBridgeMm: number(),
                        takenBackForwardUs: number(), takenBackMovingUs: number(),
                        readmittedCount: number()) : nil)
        }

        mutating func command() -> any Running.RunCommand {
            let run = "r\(Int.random(in: 0..<3, using: &random))"
            switch Int.random(in: 0..<9, using: &random) {
            case 0: return Running.Start(runId: "new", userId: "u", started: moment())
            case 1: return Running.Pause(runId: run, paused: moment())
            case 2: return Running.Resume(runId: run, resumed: moment())
            case 3: return Running.Stop(runId: run, ended: moment(), rules: rules())
            case 4:
                return Running.FailSave(runId: run, kind: .timeout, detail: PersonalText(""))
            case 5: return Running.Cancel(runId: run)
            case 6: return Running.Restore(runId: run)
            default:
                let points = (0..<3).map { _ in
                    Running.LocationFix(
                        time: moment(), lat: Scalar("\(Int.random(in: -95...95, using: &random))"),
                        lon: Scalar("\(number())e-9"), eleM: Scalar("\(number())"),
                        accM: Scalar("1"))
                }
                return Running.RecordLocations(runId: run, points: points)
            }
        }
    }

    @Test(
        "Every report answers whatever the facts hold", arguments: Cases.sample(0..<12))
    func survives(_ round: UInt64) throws {
        var source = Source(random: SeededGenerator(seed: 10_000 + round))
        for _ in 0..<25 {
            var state = Running.State()
            var runner = Running.RunnerState()
            var views = (Running.Run(), Running.Run())
            var standings = Running.Standings()
            var audit = AuditRun(Running.audits, AuditContext(digest: { _ in 0 }))
            let zone = try Zones.zone("Asia/Seoul")
            let context = ReportContext(
                rules: .standard, zones: nil, position: Position(1),
                knownAt: Instant(microseconds: 0))
            let rankingReader = KindReader<Running.Ranking.Event>()
            var batches: [Running.LocationsRecorded] = []
            var track = Running.RunTrack.Model.State.blank
            var cropping = Running.Cropping.State.blank
            for index in 0..<Int.random(in: 1...12, using: &source.random) {
                let event = source.event()
                let context = CommandContext(now: Instant(microseconds: 0))
                let new = event.payload.event(in: context)
                let recorded = RecordedEvent(
                    envelope: Envelope(
                        position: Position(UInt64(index) + 1),
                        occurredAt: Instant(microseconds: 0),
                        recordedAt: Instant(microseconds: 0)),
                    kind: new.kind, tags: new.tags, zone: "", payload: new.payload)
                Running.evolve(&state, with: event, recorded.envelope)
                Running.RunView.evolve(&views.0, with: event, recorded.envelope)
                Running.SourceRunView.evolve(&views.1, with: event, recorded.envelope)
                Running.RunnerView.evolve(&runner, with: event, recorded.envelope)
                Running.RunTrack.Model.evolve(&track, with: event, recorded.envelope)
                Running.Cropping.evolve(&cropping, with: event, recorded.envelope)
                if let known = try rankingReader.read(recorded) {
                    Running.Ranking.evolve(&standings, with: known, recorded.envelope)
                }
                try audit.check(recorded)
                if case .locationsRecorded(let batch) = event { batches.append(batch) }
            }
            for run in [views.0, views.1] {
                #expect(TrackSVG.picture(run, title: nil, batches).hasSuffix("</svg>\n"))
                #expect(!JSONWriter.text(run).isEmpty)
            }
            #expect(GPXFile.text(nil, batches).hasSuffix("</gpx>\n"))
            _ = audit.finish()
            let report = try Running.RunTrack(run: "r0").answer(track, context)
            #expect(!JSONWriter.text(report).isEmpty)
            _ = Running.Home(
                of: "u", runner, zone, now: Instant(microseconds: 0), context)
            let day = try #require(CivilDate.week(text: "2026-W08"))
            _ = Running.RankingAnswer(
                standings, Running.RankingWeek(day, in: zone), zone, context)
            let now = Instant(microseconds: 1_771_581_660_000_000)
            for _ in 0..<6 {
                let (from, until, activeMs) = (source.moment(), source.moment(), source.maybe())
                let (command, distance) = (source.command(), source.number())
                survives { try command.decide(state, now: now) }
                survives {
                    try Running.Crop(runId: "r0", from: from, until: until)
                        .decide(cropping, now: now)
                }
                survives {
                    try Running.Enter(
                        runId: "new", userId: "u", started: from ?? now, ended: until,
                        activeMs: activeMs, distanceKm: Scalar("\(distance)")
                    ).decide(state, now: now)
                }
            }
        }
    }

    /// Expects a decision, or a refusal that says why.
    private func survives(_ decide: () throws -> [Running.Event]) {
        do {
            _ = try decide()
        } catch {
            let refusal = error as? Refusal
            #expect(refusal?.code.isEmpty == false && refusal?.message.isEmpty == false)
        }
    }

    @Test("Closing a week that does not exist is refused, whatever its numbers")
    func closings() {
        var source = Source(random: SeededGenerator(seed: 11_000))
        for week in ["2026-W08", "1969-W05", "0000-W01", "9999-W52", "x"] {
            for _ in 0..<200 {
                let body = Running.CloseWeek(
                    week: week, zone: "UTC", tzdata: "t",
                    start: Instant(microseconds: source.number()),
                    end: Instant(microseconds: source.number()))
                #expect(body.query.items?.isEmpty == false)
                #expect(throws: Refusal.self) {
                    try body.decide(Running.Standings(), now: Instant(microseconds: .max))
                }
            }
        }
    }
}
