import CivilTime
import EventSourcing

extension Running {
    /// Rankings that were made final, runner by runner.
    static let issuedRankings = IssuingDescription(RankingWeekClosed.self) { closed, _ in
        let query = Ranking.query(closed.week, from: closed.startUs, to: closed.endUs)
        let runs = (query.items ?? []).filter { !$0.kinds.contains(RankingWeekClosed.kind) }
        return IssuedAnswer(
            "ranking of \(closed.week) in \(closed.zone)", rules: closed.rules,
            position: Position(UInt64(max(0, closed.position))),
            from: Query(items: runs) ?? query, withEntities: "run"
        ) { (events, context) throws(ReportError) in
            var standings = Standings()
            let reader = KindReader<Ranking.Event>()
            do throws(FoldError) {
                for event in events {
                    guard let known = try reader.read(event) else { continue }
                    Ranking.evolve(&standings, with: known, event.envelope)
                }
            } catch {
                throw .fold(error)
            }
            let board = Scoreboard(standings, from: closed.startUs, to: closed.endUs)
            return board.rows(first: .max).flatMap { row in
                [
                    FlatFields.Leaf(path: "\(row.userId).rank", value: "\(row.rank)"),
                    FlatFields.Leaf(path: "\(row.userId).scoreM", value: "\(row.scoreM)"),
                ]
            }
        }
    }
}
