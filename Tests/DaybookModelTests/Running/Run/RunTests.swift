import Daybook
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s0-whole-millimetres, s1-distance-format, s1-run-states, s1-start, s1-pause, s1-resume,
// s1-reset, s1-calories, s1-met-calories, s1-no-points, s1-run-record, s1-save, s1-run-life,
// s1-final-run, s1-two-calories, s1-kilometres, s1-cancel-run
/// The commands that a run allows in each of its states.
@Suite struct RunTests {
    private typealias Sentence = CommandExample<Running>

    private static let now: Int64 = 1_771_581_600_000_000
    private static let later = now + 60_000_000

    private static let started = Running.Event.runStarted(
        Running.RunStarted(
            runId: "r", userId: "u", started: at(now), maxSpeedMmPerS: 12_500,
            maxAccuracyMm: 50_000))
    private static let paused = Running.Event.runPaused(
        Running.RunPaused(runId: "r", cause: .manual, paused: at(now + 10_000_000)))
    private static let autoPaused = Running.Event.runPaused(
        Running.RunPaused(runId: "r", cause: .auto, paused: at(now + 10_000_000)))
    private static let resumed = Running.Event.runResumed(
        Running.RunResumed(
            runId: "r", cause: .manual, resumed: at(now + 20_000_000), segment: 1))
    private static let completed = Running.Event.runCompleted(
        Running.RunCompleted(
            runId: "r", userId: "u", started: at(now), ended: at(later), wallMs: 60_000,
            activeMs: 60_000, movingMs: 0, distanceMm: 0, kcal: 0))
    private static let saved = Running.Event.runSaved(
        Running.RunSaved(runId: "r", userId: "u", remoteId: "s"))
    private static let cancelled = Running.Event.runCancelled(
        Running.RunCancelled(runId: "r", userId: "u", started: at(now)))
    private static let restored = Running.Event.runRestored(
        Running.RunRestored(runId: "r", userId: "u", started: at(now)))
    private static let discarded = Running.Event.runDiscarded(
        Running.RunDiscarded(runId: "r", userId: "u", started: at(now)))

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

    private static func started(_ runId: String, _ time: Int64) -> Running.Event {
        .runStarted(
            Running.RunStarted(
                runId: runId, userId: "u", started: at(time), maxSpeedMmPerS: 12_500,
                maxAccuracyMm: 50_000))
    }

    @Test(
        "A run goes from idle to running and paused to completed, and no other way",
        arguments: [
            Sentence(
                "A run starts", when: start, then: .events([started("r2", later)]), now: at(later)),
            Sentence(
                "A runner with a run under way starts no other", given: [started], when: start,
                then: .refused("runActive", "the runner 'u' already has the active run 'r'"),
                now: at(later)),
            Sentence(
                "A runner with a paused run starts no other", given: [started, paused], when: start,
                then: .refused("runActive", "the runner 'u' already has the active run 'r'"),
                now: at(later)),
            Sentence(
                "A runner with a completed run starts another", given: [started, completed],
                when: start,
                then: .events([started("r2", later)]), now: at(later)),
            Sentence(
                "A runner with a discarded run starts another", given: [started, discarded],
                when: start,
                then: .events([started("r2", later)]), now: at(later)),
            Sentence(
                "A run id is used once", given: [started, completed],
                when: Running.Start(runId: "r", userId: "u"),
                then: .refused("runExists", "the id 'r' already belongs to another run"),
                now: at(later)),
            Sentence(
                "A run of mode imported is not started",
                when: Running.Start(runId: "r", userId: "u", mode: .imported),
                then: .refused(
                    "importedMode",
                    "an imported run cannot be started; expected the mode solo or matching"),
                now: at(later)),
            Sentence(
                "An automatic pause of no seconds is refused",
                when: Running.Start(runId: "r", userId: "u", autoPauseS: 0),
                then: .refused("outOfRange", "the field 'autoPauseS' is 0; expected 1 to 3600"),
                now: at(later)),
            Sentence(
                "An unknown run does not pause", when: pause,
                then: .refused("runNotFound", "there is no run 'r'")),
            Sentence(
                "A running run pauses", given: [started], when: pause,
                then: .events([
                    .runPaused(Running.RunPaused(runId: "r", cause: .manual, paused: at(later)))
                ]), now: at(later)),
            Sentence(
                "A run paused by hand does not pause again", given: [started, paused], when: pause,
                then: .refused(
                    "runNotRunning", "run 'r' is paused; only a running run can be paused"),
                now: at(later)),
            Sentence(
                "An automatic pause becomes a manual one", given: [started, autoPaused],
                when: pause,
                then: .events([
                    .runPaused(Running.RunPaused(runId: "r", cause: .manual, paused: at(later)))
                ]), now: at(later)),
            Sentence(
                "A running run does not resume", given: [started], when: resume,
                then: .refused(
                    "runNotPaused", "run 'r' is running; only a paused run can be resumed"),
                now: at(later)),
            Sentence(
                "A paused run resumes in a new segment", given: [started, paused, resumed, paused],
                when: resume,
                then: .events([
                    .runResumed(
                        Running.RunResumed(
                            runId: "r", cause: .manual, resumed: at(later), segment: 2))
                ]), now: at(later)),
            Sentence(
                "A given time before the newest event is refused", given: [started, paused],
                when: Running.Resume(runId: "r", resumed: at(now + 9_999_999)),
                then: .refused(
                    "timeGoesBack",
                    "resumedUs is 2026-02-20T10:00:09.999999Z, before times that the run has "
                        + "recorded; expected 2026-02-20T10:00:10Z or later"),
                now: at(later)),
            Sentence(
                "A clock that was set back resumes a run at its newest event",
                given: [started, paused], when: resume,
                then: .events([
                    .runResumed(
                        Running.RunResumed(
                            runId: "r", cause: .manual, resumed: at(now + 10_000_000), segment: 1))
                ]), now: at(now - 3_600_000_000)),
            Sentence(
                "A clock that was set back stops a run at its newest event", given: [started],
                when: stop,
                then: .events([
                    .runCompleted(
                        Running.RunCompleted(
                            runId: "r", userId: "u", started: at(now), ended: at(now), wallMs: 0,
                            activeMs: 0, movingMs: 0, distanceMm: 0, kcal: 0))
                ]), now: at(now - 3_600_000_000)),
            Sentence(
                "A stop after the command itself is refused", given: [started],
                when: Running.Stop(runId: "r", ended: at(later + 60_000_001)),
                then: .refused(
                    "futureTime",
                    "endedUs is 2026-02-20T10:02:00.000001Z, over a minute after the command's "
                        + "time, 2026-02-20T10:01:00Z"),
                now: at(later)),
            Sentence(
                "A start after the command itself is refused",
                when: Running.Start(runId: "r", userId: "u", started: at(later + 60_000_001)),
                then: .refused("futureTime"), now: at(later)),
            Sentence(
                "An unknown run does not stop", when: stop,
                then: .refused("runNotFound", "there is no run 'r'")),
            Sentence(
                "A completed run does not stop again", given: [started, completed], when: stop,
                then: .refused(
                    "runNotActive", "run 'r' is completed; expected running or paused"),
                now: at(later)),
            Sentence(
                "Locations of a completed run are refused", given: [started, completed],
                when: Running.RecordLocations(runId: "r"),
                then: .refused(
                    "runNotActive", "run 'r' is completed; expected running or paused"),
                now: at(later)),
            Sentence(
                "A batch without points gives no events", given: [started],
                when: Running.RecordLocations(runId: "r"),
                then: .events([]), now: at(later)),
            Sentence(
                "A change of nothing in a known profile is refused",
                given: [
                    .runnerProfileChanged(Running.RunnerProfileChanged(userId: "u"))
                ], when: Running.RunnerProfileChanged(userId: "u"),
                then: .refused(
                    "nothingToUpdate",
                    "the change of the profile has no field; give name, imageUrl, weightG or zone")),
            Sentence(
                "A weight of 70 grams is refused",
                when: Running.RunnerProfileChanged(userId: "u", weightG: 70),
                then: .refused("outOfRange", "the field 'weightG' is 70; expected 20000 to 500000")),
        ] as [CommandExample<Running>])
    func state(_ example: CommandExample<Running>) { example.check() }

    @Test(
        "A completed run is saved once, or discarded before; it is cancelled and restored",
        arguments: [
            Sentence(
                "A running run is not saved", given: [started], when: save,
                then: .refused("runNotCompleted", "run 'r' is running; expected a completed run")),
            Sentence(
                "A completed run is saved", given: [started, completed], when: save,
                then: .events([saved])),
            Sentence(
                "A saved run is not saved again", given: [started, completed, saved], when: save,
                then: .events([])),
            Sentence(
                "A failed save counts the attempt", given: [started, completed], when: fail,
                then: .events([
                    .runSaveFailed(
                        Running.RunSaveFailed(
                            runId: "r", userId: "u", attempt: 1, kind: .network,
                            detail: SealableText("d")))
                ])),
            Sentence(
                "A save of a saved run does not fail", given: [started, completed, saved],
                when: fail,
                then: .refused(
                    "runSaved",
                    "run 'r' is already saved or imported; cancel the run instead")),
            Sentence(
                "A running run is discarded", given: [started], when: discard,
                then: .events([discarded])),
            Sentence(
                "A completed run is discarded", given: [started, completed], when: discard,
                then: .events([discarded])),
            Sentence(
                "A saved run is not discarded", given: [started, completed, saved], when: discard,
                then: .refused(
                    "runSaved",
                    "run 'r' is already saved or imported; cancel the run instead")),
            Sentence(
                "A discarded run is not discarded again", given: [started, discarded],
                when: discard,
                then: .refused(
                    "runNotActive", "run 'r' is discarded; expected running or paused")),
            Sentence(
                "A completed run is cancelled", given: [started, completed, saved], when: cancel,
                then: .events([cancelled])),
            Sentence(
                "A cancelled run is not cancelled again",
                given: [started, completed, cancelled], when: cancel,
                then: .refused(
                    "runNotCompleted", "run 'r' is cancelled; expected a completed run")),
            Sentence(
                "A running run is not cancelled", given: [started], when: cancel,
                then: .refused("runNotCompleted", "run 'r' is running; expected a completed run")),
            Sentence(
                "A cancelled run is restored", given: [started, completed, cancelled],
                when: restore,
                then: .events([restored])),
            Sentence(
                "A restored run is not restored again",
                given: [started, completed, cancelled, restored], when: restore,
                then: .refused(
                    "runNotCancelled",
                    "run 'r' is completed; only a cancelled run can be restored")),
        ] as [CommandExample<Running>])
    func after(_ example: CommandExample<Running>) { example.check() }

    @Test(
        "Kilometres have one decimal, rounded half away from zero",
        arguments: [
            (0, "0.0"), (49_999, "0.0"), (50_000, "0.1"), (149_999, "0.1"), (150_000, "0.2"),
            (-49_999, "0.0"), (-50_000, "-0.1"), (156_500_000, "156.5"),
            (Int64.max, "9223372036854.8"), (Int64.min, "-9223372036854.8"),
        ])
    func kilometres(_ millimetres: Int64, _ text: String) {
        #expect(Running.kilometres(millimetres).text == text)
    }

    @Test("Energy by speed and weight follows the formula, cut off")
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
            points: [Running.RunPoint(time: at(Self.now), latE9: 0, lonE9: 0, stepMm: mm)],
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
