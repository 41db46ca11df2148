import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s1-illegal-step, s1-met-calories, s1-pace-times-distance
/// Mistakes that were planted in histories of runs.
@Suite struct RunAuditTests {
    struct Planted: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var facts: [any EventPayload]
        var found: [String]

        init(_ sentence: String, _ facts: [any EventPayload], finds found: String...) {
            testDescription = sentence
            self.facts = facts
            self.found = found
        }
    }

    private static let start: Int64 = 1_771_581_600_000_000
    private static let started = Running.RunStarted(
        runId: "r", userId: "u", mode: .solo, started: Instant(microseconds: start),
        maxSpeedMmPerS: 12_500,
        maxAccuracyMm: 50_000)

    private static let imported = Running.RunStarted(
        runId: "r", userId: "u", mode: .imported, started: Instant(microseconds: start))

    /// Points at seconds after the start, a thousandth of a degree of the equator apart.
    private static func batch(
        _ seconds: [Int64], from first: Int64 = 0, segment: Int64 = 0,
        _ change: (inout Running.LocationsRecorded) -> Void = { _ in }
    ) -> Running.LocationsRecorded {
        var batch = Running.LocationsRecorded()
        batch.runId = "r"
        batch.segment = segment
        for (index, second) in seconds.enumerated() {
            batch.points.append(
                Running.RunPoint(
                    time: Instant(microseconds: start + second * 1_000_000), latE9: 0,
                    lonE9: PersonalInteger((first + Int64(index)) * 1_000_000),
                    stepMm: index == 0 ? 0 : 111_195))
        }
        batch.addedMm = Int64(max(0, seconds.count - 1)) * 111_195
        change(&batch)
        return batch
    }

    private static func at(_ second: Int64) -> Instant {
        Instant(microseconds: start + second * 1_000_000)
    }

    /// A track, and one of the same runner at other seconds and without one of its points.
    private static func copied(
        _ seconds: [Int64], without left: Int? = nil
    ) -> [any EventPayload] {
        var copy = batch(seconds) { $0.runId = "s" }
        if let left {
            copy.points.remove(at: left)
            copy.points[left].stepMm = 222_390
        }
        let started = { (runId: String, second: Int64) in
            Running.RunStarted(runId: runId, userId: "u", mode: .imported, started: at(second))
        }
        return [
            started("r", 0), batch([0, 10, 20, 30]), completed(333_585, wallMs: 60_000),
            started("s", seconds[0]), copy,
            completed(333_585) {
                $0.runId = "s"
                $0.started = at(seconds[0])
                $0.ended = at(seconds[0] + 60)
            },
        ]
    }

    private static func completed(
        _ distanceMm: Int64, wallMs: Int64 = 60_000, activeMs: Int64 = 60_000,
        _ change: (inout Running.RunCompleted) -> Void = { _ in }
    ) -> Running.RunCompleted {
        var completed = Running.RunCompleted(
            runId: "r", userId: "u", started: Instant(microseconds: start),
            ended: Instant(microseconds: start + 60_000_000),
            wallMs: wallMs, activeMs: activeMs, distanceMm: distanceMm,
            kcal: distanceMm * 60 / 1_000_000)
        change(&completed)
        return completed
    }

    private static func closed(
        _ rows: [(String, Int64, Int64)], position: Int64 = 1
    ) -> Running.RankingWeekClosed {
        Running.RankingWeekClosed(
            week: "2026-W08", zone: "Asia/Seoul", tzdata: "t",
            start: Instant(microseconds: 1_771_167_600_000_000),
            end: Instant(microseconds: 1_771_772_400_000_000), position: position,
            rows: rows.map {
                Running.RankedRunner(
                    userId: $0.0, rank: $0.1, scoreM: $0.2,
                    achieved: Instant(microseconds: start + 60_000_000))
            })
    }

    private static func other(_ user: String, _ distanceMm: Int64) -> Running.RunCompleted {
        var other = completed(distanceMm)
        other.runId = "of-\(user)"
        other.userId = user
        return other
    }

    @Test(
        "Each planted mistake is found by its rule alone, with its event",
        arguments: [
            Planted(
                "A correct run has no finding",
                [
                    started, batch([0, 10, 20]),
                    Running.RunPaused(
                        runId: "r", cause: .manual,
                        paused: Instant(microseconds: start + 30_000_000)),
                    Running.RunResumed(
                        runId: "r", cause: .manual,
                        resumed: Instant(microseconds: start + 40_000_000), segment: 1),
                    batch([40, 50], from: 5, segment: 1) { $0.bridgeMm = 333_585 },
                    completed(333_585, activeMs: 50_000),
                ]),
            Planted(
                "A place before the start is found", [started, batch([-1, 10])],
                finds: "C1 2 run:r"),
            Planted(
                "A place in a pause is found",
                [
                    started, batch([0, 10]),
                    Running.RunPaused(
                        runId: "r", cause: .manual,
                        paused: Instant(microseconds: start + 20_000_000)),
                    batch([21], from: 2) {
                        $0.points[0].stepMm = 111_195
                        $0.addedMm = 111_195
                    },
                ], finds: "C1 4 run:r"),
            Planted(
                "A place beyond the pole is found",
                [started, batch([0]) { $0.points[0].latE9 = 90_000_000_001 }],
                finds: "F1 2 run:r", "C1 2 run:r"),
            Planted("Places of an unknown run are found", [batch([0])], finds: "C1 1 run:r"),
            Planted(
                "A step that is two millimetres too long is found",
                [
                    started,
                    batch([0, 10]) {
                        $0.points[1].stepMm += 2
                        $0.addedMm += 2
                    },
                ], finds: "C2 2 run:r"),
            Planted(
                "A step that is one millimetre too long has no finding",
                [
                    started,
                    batch([0, 10]) {
                        $0.points[1].stepMm += 1
                        $0.addedMm += 1
                    },
                ]),
            Planted(
                "A wrong sum of steps is found", [started, batch([0, 10]) { $0.addedMm += 1 }],
                finds: "C2 2 run:r"),
            Planted(
                "A wrong bridge over a pause is found",
                [
                    started, batch([0, 10]),
                    Running.RunPaused(
                        runId: "r", cause: .manual,
                        paused: Instant(microseconds: start + 20_000_000)),
                    Running.RunResumed(
                        runId: "r", cause: .manual,
                        resumed: Instant(microseconds: start + 30_000_000), segment: 1),
                    batch([31], from: 5, segment: 1),
                ], finds: "C2 5 run:r"),
            Planted(
                "A run longer than its places is found",
                [started, batch([0, 10]), completed(111_196)], finds: "C2 3 run:r"),
            Planted(
                "A second completion is found", [started, completed(0), completed(0)],
                finds: "C3 3 run:r"),
            Planted(
                "Two places at one time are found", [started, batch([0, 10, 10])],
                finds: "C4 2 run:r"),
            Planted(
                "An active time longer than the run is found",
                [started, completed(0, activeMs: 60_001)],
                finds: "C5 2 run:r"),
            Planted(
                "A save of a running run is found",
                [started, Running.RunSaved(runId: "r", userId: "u")], finds: "C8 2 run:r"),
            Planted(
                "A pause of an unknown run is found",
                [
                    Running.RunPaused(
                        runId: "r", cause: .manual, paused: Instant(microseconds: start))
                ],
                finds: "C8 1 run:r"),
            Planted(
                "A resumption of a running run is found",
                [
                    started,
                    Running.RunResumed(
                        runId: "r", cause: .manual, resumed: Instant(microseconds: start),
                        segment: 1),
                ], finds: "C8 2 run:r"),
            Planted(
                "A restoration without a cancellation is found",
                [
                    started, completed(0),
                    Running.RunRestored(
                        runId: "r", userId: "u", started: Instant(microseconds: start)),
                ], finds: "C8 3 run:r"),
            Planted(
                "A pace that is not time by distance is found",
                [
                    started, batch([0, 10]),
                    completed(111_195) { $0.avgPaceMsPerKm = 539_592 },
                ], finds: "C9 3 run:r"),
            Planted(
                "A pace that is time by distance has no finding",
                [
                    started, batch([0, 10]),
                    completed(111_195) { $0.avgPaceMsPerKm = 539_593 },
                ]),
            Planted(
                "Energy that is not sixty kilocalories a kilometre is found",
                [completed(5_000_000) { $0.kcal = 301 }], finds: "C9 1 run:r"),
            Planted(
                "Energy by another weight than the runner's is found",
                [
                    Running.RunnerProfileChanged(userId: "u", weightG: 70_000),
                    completed(5_000_000, activeMs: 60_000) { $0.kcalMet = 1 },
                ], finds: "C9 2 run:r"),
            Planted(
                "Energy by a weight that nobody recorded has no finding",
                [completed(5_000_000) { $0.kcalMet = 1 }]),
            Planted(
                "A wall time that is not from start to end is found",
                [completed(0, wallMs: 60_001)], finds: "C9 1 run:r"),
            Planted(
                "A source's wall time shorter than the run has no finding",
                [completed(0, wallMs: 59_000, activeMs: 59_000) { $0.rules = .source }]),
            Planted(
                "A source's wall time longer than the run is found",
                [completed(0, wallMs: 60_001) { $0.rules = .source }], finds: "C9 1 run:r"),
            Planted(
                "An end before the start is found",
                [completed(0, wallMs: 0, activeMs: 0) { $0.ended = at(-1) }],
                finds: "C10 1 run:r"),
            Planted(
                "Runs of one runner that overlap are found at the one recorded later",
                [
                    completed(0),
                    completed(0) {
                        $0.runId = "s"
                        $0.started = at(-30)
                        $0.ended = at(30)
                    },
                ], finds: "C11 2 run:s"),
            Planted(
                "Runs of two runners at a time have no finding",
                [completed(0), other("v", 0)]),
            Planted(
                "A run that begins when another ends has no finding",
                [
                    completed(0),
                    completed(0) {
                        $0.runId = "s"
                        $0.started = at(60)
                        $0.ended = at(120)
                    },
                ]),
            Planted(
                "A cancelled run overlaps with none",
                [
                    completed(0),
                    completed(0) {
                        $0.runId = "s"
                        $0.started = at(-30)
                        $0.ended = at(30)
                    },
                    Running.RunCancelled(runId: "r", userId: "u"),
                ]),
            Planted(
                "Two runs of one runner under way are found",
                [
                    started,
                    Running.RunStarted(runId: "s", userId: "u", started: at(10)),
                ], finds: "C12 2 run:s"),
            Planted(
                "A start after the end of the other run has no finding",
                [
                    started, completed(0),
                    Running.RunStarted(runId: "s", userId: "u", started: at(70)),
                ]),
            Planted(
                "A track that is imported again less a point is found once",
                copied([0, 10, 20, 30], without: 2), finds: "C13 6 run:s"),
            Planted(
                "A track of the same places at other times is another run",
                copied([100, 110, 120, 130])),
            Planted(
                "A run that another runner cancels is found",
                [completed(0), Running.RunCancelled(runId: "r", userId: "v")],
                finds: "C14 2 run:r"),
            Planted(
                "A step that nobody runs is found in an imported track",
                [imported, batch([0, 1, 2]), completed(222_390)], finds: "C15 3 run:r"),
            Planted(
                "A step within a limit of its own has no finding",
                [
                    Running.RunStarted(
                        runId: "r", userId: "u", mode: .imported, started: at(0),
                        maxSpeedMmPerS: 200_000),
                    batch([0, 1, 2]), completed(222_390),
                ]),
            Planted(
                "Segments that overlap in time are found",
                [
                    imported, batch([0, 30]),
                    batch([20, 50], from: 9, segment: 1) {
                        $0.bridgeMm = 889_560
                    },
                    completed(222_390),
                ], finds: "C16 4 run:r"),
            Planted(
                "Outings hours apart in one run are found",
                [
                    imported, batch([0, 30]), batch([20_000, 20_030], from: 1, segment: 1),
                    completed(222_390, wallMs: 60_000),
                ], finds: "C17 4 run:r"),
            Planted(
                "A correction that takes back another distance than the place had is found",
                [
                    started, batch([0, 10]),
                    batch([20], from: 0) {
                        $0.points[0].stepMm = 0
                        $0.correction = Running.TrackCorrection(withdrawnCount: 1, takenBackMm: 1)
                    },
                ], finds: "C2 3 run:r"),
            Planted(
                "A correct closing has no finding, whatever comes later",
                [other("a", 5_000_000), closed([("a", 1, 5_000)]), other("b", 9_000_000)]),
            Planted(
                "A closed score without runs is found",
                [other("a", 5_000_000), closed([("a", 1, 5_001)])],
                finds: "C6 2 ranking:2026-W08"),
            Planted(
                "A runner missing from a closing is found",
                [
                    other("a", 5_000_000), other("b", 4_000_000),
                    closed([("a", 1, 5_000)], position: 2),
                ],
                finds: "C6 3 ranking:2026-W08"),
            Planted(
                "Dense ranks in place of competition ranks are found",
                [
                    other("a", 5_000_000), other("b", 5_000_000), other("c", 4_000_000),
                    closed([("a", 1, 5_000), ("b", 1, 5_000), ("c", 2, 4_000)], position: 3),
                ], finds: "C6 4 ranking:2026-W08", "C7 4 ranking:2026-W08"),
        ])
    func isFound(_ planted: Planted) throws {
        #expect(try AuditHistory(facts: planted.facts).found() == planted.found)
    }

    @Test("An audit of one run shows no findings of others")
    func onlyWhatIsAskedForIsShown() throws {
        let history = AuditHistory(facts: [Self.started, Self.completed(0, activeMs: 60_001)])
        let only = { (tag: String) in
            try history.found(AuditHistory.context(only: Daybook.Tag(stored: tag)))
        }
        #expect(try only("run:r") == ["C5 2 run:r"])
        #expect(try only("user:u") == ["C5 2 run:r"])
        #expect(try only("user:other") == [])
        #expect(try only("baby:b") == [])
    }
}
