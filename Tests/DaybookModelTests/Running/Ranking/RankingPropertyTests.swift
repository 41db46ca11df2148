import Daybook
import TestSupport
import Testing

@testable import DaybookModel

// Holds: s0-rank-change, s0-ranks-sorted, s0-newcomers, s0-ties
/// Rankings of random weeks against a naive sort.
@Suite struct RankingPropertyTests {
    private static let monday: Int64 = 1_771_167_600_000_000  // 2026-02-16 00:00 in Seoul
    private static let weekUs: Int64 = 7 * 86_400_000_000

    private struct Run {
        var id: String
        var user: String
        var started: Instant
        var ended: Instant
        var distanceMm: Int64
        var counts = true
    }

    /// Many runs of few runners, with lengths that often add up to the same.
    private static func runs(_ random: inout SeededGenerator) -> [Run] {
        (0..<Int.random(in: 0...120, using: &random)).map { number in
            let start =
                monday - weekUs
                + Int64.random(in: 0..<2 * weekUs, using: &random) / 1_000_000 * 1_000_000
            return Run(
                id: "r\(number)", user: "u\(Int.random(in: 0..<25, using: &random))",
                started: Instant(microseconds: start),
                ended: Instant(
                    microseconds: start + Int64.random(in: 1...3, using: &random) * 600_000_000),
                distanceMm: [400, 999, 1_000_000, 2_000_000, 2_000_600]
                    .randomElement(using: &random) ?? 0)
        }
    }

    private static func completed(_ run: Run) -> Running.RunCompleted {
        Running.RunCompleted(
            runId: run.id, userId: run.user, started: run.started, ended: run.ended,
            wallMs: 1, activeMs: 1, distanceMm: run.distanceMm, kcal: 0)
    }

    private static func answer(
        _ payloads: [any EventPayload], top: Int? = nil
    ) throws -> Running.RankingAnswer {
        var standings = Running.Standings()
        let reader = KindReader<Running.Ranking.Event>()
        for event in AuditHistory(facts: payloads).events {
            guard let known = try reader.read(event) else { continue }
            Running.Ranking.evolve(&standings, with: known, event.envelope)
        }
        let zone = try Zones.zone("Asia/Seoul")
        let day = try #require(CivilDate.week(text: "2026-W08"))
        return Running.RankingAnswer(
            standings, Running.RankingWeek(day, in: zone), zone, top: top ?? .max,
            ReportContext(
                rules: .standard, zones: nil, position: Position(1),
                knownAt: Instant(microseconds: 0)))
    }

    /// The ranks by definition: one more than the number of greater scores.
    private static func naive(_ runs: [Run], from startUs: Int64) -> [Running.RankedRunner] {
        let week = startUs..<startUs + weekUs
        let counting = runs.filter { $0.counts && week.contains($0.started.microseconds) }
        let rows = Dictionary(grouping: counting, by: \.user).compactMap { user, runs in
            let score = runs.reduce(0) { $0 + $1.distanceMm } / 1_000
            guard score > 0 else { return Running.RankedRunner?.none }
            var sum: Int64 = 0
            let ordered = runs.sorted { ($0.ended, $0.distanceMm) < ($1.ended, $1.distanceMm) }
            let achieved = ordered.first { run in
                sum += run.distanceMm
                return sum / 1_000 >= score
            }
            return Running.RankedRunner(
                userId: user, rank: 0, scoreM: score, achieved: achieved?.ended ?? .epoch)
        }
        return rows.map { row in
            var row = row
            row.rank = Int64(rows.count { $0.scoreM > row.scoreM }) + 1
            return row
        }.sorted { ($0.rank, $0.achieved, $0.userId) < ($1.rank, $1.achieved, $1.userId) }
    }

    @Test("Ranks, order and changes are those of a naive sort, at any length", arguments: 0..<60)
    func oracle(_ round: UInt64) throws {
        let seed = 6_000 + round
        var random = SeededGenerator(seed: seed)
        var runs = Self.runs(&random)
        var payloads: [any EventPayload] = runs.map(Self.completed)
        for index in runs.indices {
            let (id, user, start) = (runs[index].id, runs[index].user, runs[index].started)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                payloads.append(Running.RunCancelled(runId: id, userId: user, started: start))
                runs[index].counts = false
            case 1:
                payloads.append(Running.RunCancelled(runId: id, userId: user, started: start))
                payloads.append(Running.RunRestored(runId: id, userId: user, started: start))
            case 2:
                payloads.append(
                    Running.RunDiscarded(runId: id, userId: user, started: start, reason: .user))
                runs[index].counts = false
            case 3:
                // Completed once more: what is said last holds.
                runs[index].distanceMm += 1_000_000
                payloads.append(Self.completed(runs[index]))
            default: break
            }
        }
        let expected = Self.naive(runs, from: Self.monday)
        let before = Self.naive(runs, from: Self.monday - Self.weekUs)
        let answer = try Self.answer(payloads)
        expect(answer.runnerCount, equals: Int64(expected.count), "seed \(seed)")
        expect(answer.rows.map(\.userId), equals: expected.map(\.userId), "seed \(seed)")
        expect(answer.rows.map(\.rank), equals: expected.map(\.rank), "seed \(seed)")
        expect(answer.rows.map(\.scoreM), equals: expected.map(\.scoreM), "seed \(seed)")
        expect(answer.rows.map(\.achieved), equals: expected.map(\.achieved), "seed \(seed)")
        for row in answer.rows {
            let previous = before.first { $0.userId == row.userId }?.rank
            expect(row.previousRank, equals: previous, "seed \(seed)")
            #expect(row.isNew == (previous == nil), "seed \(seed)")
            let change: Running.RankChange =
                previous.map { row.rank < $0 ? .up : row.rank > $0 ? .down : .none } ?? .none
            expect(row.change, equals: change, "seed \(seed)")
        }
        for top in [1, 2, 5, 24] {
            try expect(
                Self.answer(payloads, top: top).rows, equals: Array(answer.rows.prefix(top)),
                "seed \(seed), top \(top)")
        }
    }

    @Test("A run cancelled and restored leaves every ranking as it was", arguments: 0..<20)
    func undo(_ round: UInt64) throws {
        let seed = 7_000 + round
        var random = SeededGenerator(seed: seed)
        let runs = Self.runs(&random)
        let payloads: [any EventPayload] = runs.map(Self.completed)
        let before = try Self.answer(payloads)
        for run in runs {
            let undone: [any EventPayload] = [
                Running.RunCancelled(runId: run.id, userId: run.user, started: run.started),
                Running.RunRestored(runId: run.id, userId: run.user, started: run.started),
            ]
            try expect(Self.answer(payloads + undone), equals: before, "seed \(seed), \(run.id)")
        }
    }
}
