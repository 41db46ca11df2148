import Daybook
import DaybookTesting
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s1-two-calories, s1-entered-run
/// Runs that are typed in.
@Suite struct EnterTests {
    private typealias Sentence = CommandExample<Running>

    private static let start: Int64 = 1_771_581_600_000_000
    private static let now = at(start + 7_200_000_000)

    private static func enter(
        _ km: String = "5.25", ended: Int64? = start + 1_800_000_000, activeMs: Int64? = nil
    ) -> Running.Enter {
        Running.Enter(
            runId: "m", userId: "u", started: at(start), ended: ended.map(at), activeMs: activeMs,
            distanceKm: Scalar(km))
    }

    private static func entered(
        distanceMm: Int64, wallMs: Int64, activeMs: Int64, pace: Int64?, kcal: Int64,
        kcalMet: Int64? = nil
    ) -> [Running.Event] {
        [
            .runStarted(
                Running.RunStarted(
                    runId: "m", userId: "u", mode: .manual, started: at(start))),
            .runCompleted(
                Running.RunCompleted(
                    runId: "m", userId: "u", started: at(start),
                    ended: at(start + wallMs * 1_000), wallMs: wallMs, activeMs: activeMs,
                    distanceMm: distanceMm, avgPaceMsPerKm: pace, kcal: kcal, kcalMet: kcalMet)),
        ]
    }

    private static func run(_ from: Int64, _ to: Int64?) -> [Running.Event] {
        let started = Running.Event.runStarted(
            Running.RunStarted(runId: "r", userId: "u", started: at(start + from * 1_000_000)))
        guard let to else { return [started] }
        return [
            started,
            .runCompleted(
                Running.RunCompleted(
                    runId: "r", userId: "u", started: at(start + from * 1_000_000),
                    ended: at(start + to * 1_000_000))),
        ]
    }

    @Test(
        "A run that is typed in is a completed one",
        arguments: [
            Sentence(
                "The whole time counts without an active one", when: enter(),
                then: .events(
                    entered(
                        distanceMm: 5_250_000, wallMs: 1_800_000, activeMs: 1_800_000,
                        pace: 342_857, kcal: 315)), now: now),
            Sentence(
                "An active time leaves pauses out", when: enter(activeMs: 1_500_000),
                then: .events(
                    entered(
                        distanceMm: 5_250_000, wallMs: 1_800_000, activeMs: 1_500_000,
                        pace: 285_714, kcal: 315)), now: now),
            Sentence(
                "A length without an end gives the end",
                when: enter(ended: nil, activeMs: 1_500_000),
                then: .events(
                    entered(
                        distanceMm: 5_250_000, wallMs: 1_500_000, activeMs: 1_500_000,
                        pace: 285_714, kcal: 315)), now: now),
            Sentence(
                "Energy by weight is told where the weight is known",
                given: [
                    .runnerProfileChanged(
                        Running.RunnerProfileChanged(userId: "u", weightG: 70_000))
                ], when: enter(),
                then: .events(
                    entered(
                        distanceMm: 5_250_000, wallMs: 1_800_000, activeMs: 1_800_000,
                        pace: 342_857, kcal: 315,
                        kcalMet: Running.Formula.kcalMet(5_250_000, 1_800_000, weightG: 70_000))),
                now: now),
            Sentence(
                "A run of no known end is refused", when: enter(ended: nil),
                then: .refused("noEnd"), now: now),
            Sentence(
                "A text that is no distance is refused", when: enter("five"),
                then: .refused(
                    "unreadableDistance", "distanceKm is 'five'; expected kilometres like 5.25"),
                now: now),
            Sentence(
                "Metres in place of kilometres are refused", when: enter("5250"),
                then: .refused(
                    "tooFast", "5250 km in 1800000 ms is faster than the limit of 12500 mm a second"
                ),
                now: now),
            Sentence(
                "An active time beyond the end is refused", when: enter(activeMs: 1_800_001),
                then: .refused("longerThanTheRun"), now: now),
            Sentence(
                "An end before the start is refused", when: enter(ended: start - 1),
                then: .refused("notAStretch"), now: now),
            Sentence(
                "A run that is still to come is refused", when: enter(),
                then: .refused("futureTime"), now: at(start)),
            Sentence(
                "A run beside another one is refused", given: run(1_799, 2_000), when: enter(),
                then: .refused(
                    "runsOverlap", "the run 'm' overlaps the run 'r' of the runner 'u'"),
                now: now),
            Sentence(
                "A run beside one that is under way is refused", given: run(100, nil),
                when: enter(), then: .refused("runsOverlap"), now: now),
            Sentence(
                "A run that ends when another begins is taken", given: run(1_800, 2_000),
                when: enter("0"),
                then: .events(
                    entered(
                        distanceMm: 0, wallMs: 1_800_000, activeMs: 1_800_000, pace: nil, kcal: 0)),
                now: now),
            Sentence(
                "A run of mode manual is not started",
                when: Running.Start(runId: "m", userId: "u", mode: .manual),
                then: .refused(
                    "manualMode",
                    "a manual run cannot be started; expected the mode solo or matching"),
                now: now),
        ])
    func decides(_ sentence: CommandExample<Running>) {
        sentence.check()
    }
}

private func at(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }
