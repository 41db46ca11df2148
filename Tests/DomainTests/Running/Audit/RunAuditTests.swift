import CivilTime
import EventSourcing
import TestSupport
import Testing

@testable import Domain

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
        runId: "r", userId: "u", mode: .solo, startedUs: start, maxSpeedMmPerS: 12_500,
        maxAccuracyMm: 50_000)

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
                    tUs: start + second * 1_000_000, latE9: 0,
                    lonE9: PersonalInteger((first + Int64(index)) * 1_000_000),
                    stepMm: index == 0 ? 0 : 111_195))
        }
        batch.addedMm = Int64(max(0, seconds.count - 1)) * 111_195
        change(&batch)
        return batch
    }

    private static func completed(
        _ distanceMm: Int64, wallMs: Int64 = 60_000, activeMs: Int64 = 60_000
    ) -> Running.RunCompleted {
        Running.RunCompleted(
            runId: "r", userId: "u", startedUs: start, endedUs: start + 60_000_000,
            wallMs: wallMs, activeMs: activeMs, distanceMm: distanceMm, kcal: 0)
    }

    private static func closed(
        _ rows: [(String, Int64, Int64)], position: Int64 = 1
    ) -> Running.RankingWeekClosed {
        Running.RankingWeekClosed(
            week: "2026-W08", zone: "Asia/Seoul", tzdata: "t", startUs: 1_771_167_600_000_000,
            endUs: 1_771_772_400_000_000, position: position,
            rows: rows.map {
                Running.RankedRunner(
                    userId: $0.0, rank: $0.1, scoreM: $0.2, achievedUs: start + 60_000_000)
            })
    }

    private static func other(_ user: String, _ distanceMm: Int64) -> Running.RunCompleted {
        var other = completed(distanceMm)
        other.runId = "of-\(user)"
        other.userId = user
        return other
    }

    @Test(
        "each planted mistake is found by its rule alone, with its event",
        arguments: [
            Planted(
                "nothing is wrong",
                [
                    started, batch([0, 10, 20]),
                    Running.RunPaused(runId: "r", cause: .manual, pausedUs: start + 30_000_000),
                    Running.RunResumed(
                        runId: "r", cause: .manual, resumedUs: start + 40_000_000, segment: 1),
                    batch([40, 50], from: 5, segment: 1) { $0.bridgeMm = 333_585 },
                    completed(333_585, activeMs: 50_000),
                ]),
            Planted(
                "a place before the start", [started, batch([-1, 10])],
                finds: "C1 2 run:r"),
            Planted(
                "a place in the pause",
                [
                    started, batch([0, 10]),
                    Running.RunPaused(runId: "r", cause: .manual, pausedUs: start + 20_000_000),
                    batch([21], from: 2) {
                        $0.points[0].stepMm = 111_195
                        $0.addedMm = 111_195
                    },
                ], finds: "C1 4 run:r"),
            Planted(
                "a place beyond the pole",
                [started, batch([0]) { $0.points[0].latE9 = 90_000_000_001 }],
                finds: "F1 2 run:r", "C1 2 run:r"),
            Planted("places of no run", [batch([0])], finds: "C1 1 run:r"),
            Planted(
                "a step of two millimetres too many",
                [
                    started,
                    batch([0, 10]) {
                        $0.points[1].stepMm += 2
                        $0.addedMm += 2
                    },
                ], finds: "C2 2 run:r"),
            Planted(
                "a millimetre is another library's",
                [
                    started,
                    batch([0, 10]) {
                        $0.points[1].stepMm += 1
                        $0.addedMm += 1
                    },
                ]),
            Planted(
                "a sum that is none", [started, batch([0, 10]) { $0.addedMm += 1 }],
                finds: "C2 2 run:r"),
            Planted(
                "a bridge that is none",
                [
                    started, batch([0, 10]),
                    Running.RunPaused(runId: "r", cause: .manual, pausedUs: start + 20_000_000),
                    Running.RunResumed(
                        runId: "r", cause: .manual, resumedUs: start + 30_000_000, segment: 1),
                    batch([31], from: 5, segment: 1),
                ], finds: "C2 5 run:r"),
            Planted(
                "a run that is longer than its places",
                [started, batch([0, 10]), completed(111_196)], finds: "C2 3 run:r"),
            Planted(
                "completed twice", [started, completed(0), completed(0)], finds: "C3 3 run:r"),
            Planted(
                "two places at once", [started, batch([0, 10, 10])], finds: "C4 2 run:r"),
            Planted(
                "longer active than it took", [started, completed(0, activeMs: 60_001)],
                finds: "C5 2 run:r"),
            Planted(
                "saved before it is over",
                [started, Running.RunSaved(runId: "r", userId: "u")], finds: "C8 2 run:r"),
            Planted(
                "paused while it is not under way",
                [Running.RunPaused(runId: "r", cause: .manual, pausedUs: start)],
                finds: "C8 1 run:r"),
            Planted(
                "resumed while it runs",
                [
                    started,
                    Running.RunResumed(runId: "r", cause: .manual, resumedUs: start, segment: 1),
                ], finds: "C8 2 run:r"),
            Planted(
                "restored without a cancellation",
                [
                    started, completed(0),
                    Running.RunRestored(runId: "r", userId: "u", startedUs: start),
                ], finds: "C8 3 run:r"),
            Planted(
                "a closed ranking that holds, whatever comes later",
                [other("a", 5_000_000), closed([("a", 1, 5_000)]), other("b", 9_000_000)]),
            Planted(
                "a closed score that nobody ran",
                [other("a", 5_000_000), closed([("a", 1, 5_001)])],
                finds: "C6 2 ranking:2026-W08"),
            Planted(
                "somebody who is not in the closed ranking",
                [
                    other("a", 5_000_000), other("b", 4_000_000),
                    closed([("a", 1, 5_000)], position: 2),
                ],
                finds: "C6 3 ranking:2026-W08"),
            Planted(
                "dense ranks in place of competition ranks",
                [
                    other("a", 5_000_000), other("b", 5_000_000), other("c", 4_000_000),
                    closed([("a", 1, 5_000), ("b", 1, 5_000), ("c", 2, 4_000)], position: 3),
                ], finds: "C6 4 ranking:2026-W08", "C7 4 ranking:2026-W08"),
        ])
    func isFound(_ planted: Planted) throws {
        #expect(try AuditHistory(facts: planted.facts).found() == planted.found)
    }

    @Test func onlyWhatIsAskedForIsShown() throws {
        let history = AuditHistory(facts: [Self.started, Self.completed(0, activeMs: 60_001)])
        let only = { (tag: String) in
            try history.found(AuditHistory.context(only: EventSourcing.Tag(stored: tag)))
        }
        #expect(try only("run:r") == ["C5 2 run:r"])
        #expect(try only("user:u") == ["C5 2 run:r"])
        #expect(try only("user:other") == [])
        #expect(try only("baby:b") == [])
    }
}
