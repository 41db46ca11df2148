package import Daybook

extension Running {
    /// Published reports: final rankings, which an audit recomputes and compares runner by runner.
    package static let publications = [
        PublicationDescription(RankingWeekClosed.self) { closed, _ in
            let query = Ranking.query(of: closed.week, from: closed.start, to: closed.end)
            let runs = (query.items ?? []).filter { !$0.kinds.contains(RankingWeekClosed.kind) }
            return Publication(
                "ranking of \(closed.week) in \(closed.zone)", rules: closed.rules.ruleSet,
                position: Position(UInt64(max(0, closed.position))),
                from: Query(items: runs) ?? query, withEntities: "run",
                variants: [
                    Publication.Variant { (events, _) throws(ReportError) in
                        try closed.ranking(of: events)
                    }
                ])
        }
    ]
}

extension Running.RankingWeekClosed {
    /// Recomputes the ranking of the week from the given events.
    fileprivate func ranking(
        of events: [RecordedEvent]
    ) throws(ReportError) -> Publication.Reconstruction {
        let standings = try Running.Ranking.state(after: events)
        let board = Running.Scoreboard(standings, from: start, to: end)
        return Publication.Reconstruction(
            leaves: board.rows(first: .max).flatMap { row in
                [
                    FlatFields.Leaf(path: "\(row.userId).rank", value: "\(row.rank)"),
                    FlatFields.Leaf(path: "\(row.userId).scoreM", value: "\(row.scoreM)"),
                ]
            })
    }
}
