import CivilTime
import EventSourcing

extension Running {
    /// Rankings that were made final, runner by runner.
    static let issuedRankings = IssuingDescription(RankingWeekClosed.self) { closed, _ in
        let query = Ranking.query(closed.week, from: closed.startUs, to: closed.endUs)
        let runs = (query.items ?? []).filter { !$0.kinds.contains(RankingWeekClosed.kind) }
        return IssuedAnswer(
            "ranking of \(closed.week) in \(closed.zone)", rules: closed.rules.ruleSet,
            position: Position(UInt64(max(0, closed.position))),
            from: Query(items: runs) ?? query, withEntities: "run",
            variants: [
                IssuedAnswer.Variant { (events, _) throws(ReportError) in
                    try closed.ranking(of: events)
                }
            ])
    }
}

extension Running.RankingWeekClosed {
    /// The ranking of the week that other runs make.
    fileprivate func ranking(
        of events: [RecordedEvent]
    ) throws(ReportError) -> IssuedAnswer.Made {
        var standings = Running.Standings()
        let reader = KindReader<Running.Ranking.Event>()
        do throws(FoldError) {
            for event in events {
                guard let known = try reader.read(event) else { continue }
                Running.Ranking.evolve(&standings, with: known, event.envelope)
            }
        } catch {
            throw .fold(error)
        }
        let board = Running.Scoreboard(standings, from: startUs, to: endUs)
        return IssuedAnswer.Made(
            leaves: board.rows(first: .max).flatMap { row in
                [
                    FlatFields.Leaf(path: "\(row.userId).rank", value: "\(row.rank)"),
                    FlatFields.Leaf(path: "\(row.userId).scoreM", value: "\(row.scoreM)"),
                ]
            })
    }
}
