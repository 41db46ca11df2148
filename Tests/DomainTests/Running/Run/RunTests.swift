import CivilTime
import EventSourcing
import TestSupport
import Testing

@testable import Domain

/// What a run allows in which state.
@Suite struct RunTests {
    private typealias Sentence = CommandExample<Running>

    private static let now: Int64 = 1_771_581_600_000_000
    private static let later = now + 60_000_000

    private static let started = Running.Event.runStarted(
        Running.RunStarted(
            runId: "r", userId: "u", startedUs: now, maxSpeedMmPerS: 12_500,
            maxAccuracyMm: 50_000))
    private static let paused = Running.Event.runPaused(
        Running.RunPaused(runId: "r", cause: .manual, pausedUs: now + 10_000_000))
    private static let autoPaused = Running.Event.runPaused(
        Running.RunPaused(runId: "r", cause: .auto, pausedUs: now + 10_000_000))
    private static let resumed = Running.Event.runResumed(
        Running.RunResumed(
            runId: "r", cause: .manual, resumedUs: now + 20_000_000, segment: 1))
    private static let completed = Running.Event.runCompleted(
        Running.RunCompleted(
            runId: "r", userId: "u", startedUs: now, endedUs: later, wallMs: 60_000,
            activeMs: 60_000, movingMs: 0, distanceMm: 0, kcal: 0))
    private static let saved = Running.Event.runSaved(
        Running.RunSaved(runId: "r", userId: "u", remoteId: "s"))
    private static let cancelled = Running.Event.runCancelled(
        Running.RunCancelled(runId: "r", userId: "u", startedUs: now))
    private static let restored = Running.Event.runRestored(
        Running.RunRestored(runId: "r", userId: "u", startedUs: now))
    private static let discarded = Running.Event.runDiscarded(
        Running.RunDiscarded(runId: "r", userId: "u", startedUs: now))

    private static let start = Running.Start(runId: "r2", userId: "u")
    private static let pause = Running.Pause(runId: "r")
    private static let resume = Running.Resume(runId: "r")
    private static let stop = Running.Stop(runId: "r")
    private static let save = Running.Save(runId: "r", remoteId: "s")
    private static let fail = Running.FailSave(
        runId: "r", kind: .network, detail: PersonalText("d"))
    private static let discard = Running.Discard(runId: "r")
    private static let cancel = Running.Cancel(runId: "r")
    private static let restore = Running.Restore(runId: "r")

    private static func started(_ runId: String, _ at: Int64) -> Running.Event {
        .runStarted(
            Running.RunStarted(
                runId: runId, userId: "u", startedUs: at, maxSpeedMmPerS: 12_500,
                maxAccuracyMm: 50_000))
    }

    @Test(
        "a run goes idle, running and paused, completed, and no other way",
        arguments: [
            Sentence(
                "a run starts", when: start, then: .events([started("r2", later)]), now: at(later)),
            Sentence(
                "one run at a time", given: [started], when: start,
                then: .refused(
                    "runActive", "'u' has the run 'r' under way, and runs one at a time"),
                now: at(later)),
            Sentence(
                "a paused run is under way", given: [started, paused], when: start,
                then: .refused(
                    "runActive", "'u' has the run 'r' under way, and runs one at a time"),
                now: at(later)),
            Sentence(
                "a completed one is not", given: [started, completed], when: start,
                then: .events([started("r2", later)]), now: at(later)),
            Sentence(
                "nor is a discarded one", given: [started, discarded], when: start,
                then: .events([started("r2", later)]), now: at(later)),
            Sentence(
                "an id is used once", given: [started, completed],
                when: Running.Start(runId: "r", userId: "u"),
                then: .refused("runExists", "there is a run 'r' already"), now: at(later)),
            Sentence(
                "an import is no start",
                when: Running.Start(runId: "r", userId: "u", mode: .imported),
                then: .refused("importedMode", "a run is imported as a whole, and not started"),
                now: at(later)),
            Sentence(
                "limits are limits",
                when: Running.Start(runId: "r", userId: "u", autoPauseS: 0),
                then: .refused("outOfRange", "autoPauseS is 0; expected 1 to 3600"),
                now: at(later)),
            Sentence(
                "nothing pauses", when: pause, then: .refused("runNotFound", "there is no run 'r'")),
            Sentence(
                "a running one pauses", given: [started], when: pause,
                then: .events([
                    .runPaused(Running.RunPaused(runId: "r", cause: .manual, pausedUs: later))
                ]), now: at(later)),
            Sentence(
                "a paused one does not again", given: [started, paused], when: pause,
                then: .refused("runNotRunning", "run 'r' is paused, not running"), now: at(later)),
            Sentence(
                "one that paused by itself is held", given: [started, autoPaused], when: pause,
                then: .events([
                    .runPaused(Running.RunPaused(runId: "r", cause: .manual, pausedUs: later))
                ]), now: at(later)),
            Sentence(
                "a running one does not resume", given: [started], when: resume,
                then: .refused("runNotPaused", "run 'r' is running, not paused"), now: at(later)),
            Sentence(
                "a paused one resumes in a new segment", given: [started, paused, resumed, paused],
                when: resume,
                then: .events([
                    .runResumed(
                        Running.RunResumed(
                            runId: "r", cause: .manual, resumedUs: later, segment: 2))
                ]), now: at(later)),
            Sentence(
                "a clock that goes back is refused", given: [started, paused], when: resume,
                then: .refused(
                    "timeGoesBack",
                    "resumedUs is 2026-02-20T10:00:09.999999Z, before 2026-02-20T10:00:10Z, "
                        + "which is known of the run"),
                now: at(now + 9_999_999)),
            Sentence(
                "nothing stops", when: stop, then: .refused("runNotFound", "there is no run 'r'")),
            Sentence(
                "a completed one does not stop again", given: [started, completed], when: stop,
                then: .refused(
                    "runNotActive", "run 'r' is completed, and neither running nor paused"),
                now: at(later)),
            Sentence(
                "locations of a completed run are refused", given: [started, completed],
                when: Running.RecordLocations(runId: "r"),
                then: .refused(
                    "runNotActive", "run 'r' is completed, and neither running nor paused"),
                now: at(later)),
            Sentence(
                "a batch without points is nothing", given: [started],
                when: Running.RecordLocations(runId: "r"),
                then: .events([]), now: at(later)),
            Sentence(
                "a profile asks for something",
                given: [
                    .runnerProfileChanged(Running.RunnerProfileChanged(userId: "u"))
                ], when: Running.RunnerProfileChanged(userId: "u"),
                then: .refused("nothingToUpdate", "at least one field must be provided for update")),
            Sentence(
                "a weight is a weight",
                when: Running.RunnerProfileChanged(userId: "u", weightG: 70),
                then: .refused("outOfRange", "weightG is 70; expected 20000 to 500000")),
        ] as [CommandExample<Running>])
    func state(_ example: CommandExample<Running>) { example.check() }

    @Test(
        "what is over is saved once, discarded before that, and cancelled and restored after",
        arguments: [
            Sentence(
                "a running one is not saved", given: [started], when: save,
                then: .refused("runNotCompleted", "run 'r' is running, not completed")),
            Sentence(
                "it is saved", given: [started, completed], when: save, then: .events([saved])),
            Sentence(
                "and once", given: [started, completed, saved], when: save, then: .events([])),
            Sentence(
                "a failure has its number", given: [started, completed], when: fail,
                then: .events([
                    .runSaveFailed(
                        Running.RunSaveFailed(
                            runId: "r", userId: "u", attempt: 1, kind: .network,
                            detail: SealableText("d")))
                ])),
            Sentence(
                "what is saved fails no more", given: [started, completed, saved], when: fail,
                then: .refused("runSaved", "run 'r' is saved; it can be cancelled")),
            Sentence(
                "a running one is discarded", given: [started], when: discard,
                then: .events([discarded])),
            Sentence(
                "so is one that is over", given: [started, completed], when: discard,
                then: .events([discarded])),
            Sentence(
                "a saved one is not", given: [started, completed, saved], when: discard,
                then: .refused("runSaved", "run 'r' is saved; it can be cancelled")),
            Sentence(
                "nor one that is gone", given: [started, discarded], when: discard,
                then: .refused(
                    "runNotActive", "run 'r' is discarded, and neither running nor paused")),
            Sentence(
                "a completed one is cancelled", given: [started, completed, saved], when: cancel,
                then: .events([cancelled])),
            Sentence(
                "once", given: [started, completed, cancelled], when: cancel,
                then: .refused("runNotCompleted", "run 'r' is cancelled, not completed")),
            Sentence(
                "a running one is not cancelled", given: [started], when: cancel,
                then: .refused("runNotCompleted", "run 'r' is running, not completed")),
            Sentence(
                "it is restored", given: [started, completed, cancelled], when: restore,
                then: .events([restored])),
            Sentence(
                "once", given: [started, completed, cancelled, restored], when: restore,
                then: .refused("runNotCancelled", "run 'r' is completed, not cancelled")),
        ] as [CommandExample<Running>])
    func after(_ example: CommandExample<Running>) { example.check() }

    @Test(
        "kilometres have one decimal, rounded half away from zero",
        arguments: [
            (0, "0.0"), (49_999, "0.0"), (50_000, "0.1"), (149_999, "0.1"), (150_000, "0.2"),
            (-49_999, "0.0"), (-50_000, "-0.1"), (156_500_000, "156.5"),
            (Int64.max, "9223372036854.8"), (Int64.min, "-9223372036854.8"),
        ])
    func kilometres(_ millimetres: Int64, _ text: String) {
        #expect(Running.kilometres(millimetres).text == text)
    }

    @Test("calories by speed and weight are those of the formula, cut off")
    func calories() throws {
        // 10 km in an hour, 70 kg: MET = 1.117 · 10 − 2.1906 = 8.9794; · 3.5 · 70 / 200 · 60 min.
        #expect(try kcal(10_000_000, seconds: 3_600, weightG: 70_000) == [600, 659])
        // Standing: MET is never below 1.5.
        #expect(try kcal(0, seconds: 3_600, weightG: 70_000) == [0, 110])
        #expect(try kcal(10_000_000, seconds: 3_600, weightG: nil) == [600, nil])
    }

    private func kcal(_ mm: Int64, seconds: Int64, weightG: Int64?) throws -> [Int64?] {
        var state = Running.State()
        let batch = Running.LocationsRecorded(
            runId: "r", segment: 0, batch: 0,
            points: [Running.RunPoint(tUs: Self.now, latE9: 0, lonE9: 0, stepMm: mm)],
            addedMm: mm, bridgeMm: 0, forwardUs: 0, movingUs: 0)
        let history: [Running.Event] = [
            .runnerProfileChanged(Running.RunnerProfileChanged(userId: "u", weightG: weightG)),
            Self.started, .locationsRecorded(batch),
        ]
        for event in history {
            Running.evolve(
                &state, with: event,
                Envelope(
                    position: Position(1), occurredAt: at(0), recordedAt: at(0)))
        }
        let events = try Self.stop.decide(state, now: at(Self.now + seconds * 1_000_000))
        guard case .runCompleted(let completed) = events.first else { return [] }
        return [completed.kcal, completed.kcalMet]
    }
}

private func at(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }
