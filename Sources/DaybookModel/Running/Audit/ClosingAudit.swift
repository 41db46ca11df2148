import Daybook

extension Running {
    /// A finding with the tags of the run or ranking and of its runner, by which findings are
    /// filtered.
    typealias TaggedFinding = (tags: [Tag], finding: Finding)

    /// Finds final rankings that differ from those recomputed from the events that they cover.
    struct ClosingAudit {
        /// Runs from the events applied so far, from which the rankings are recomputed.
        private var standings = Standings()
        /// Final rankings still to be checked; after sorting, the earliest ones come last.
        private var uncheckedClosings: [(position: Int64, closed: RankingWeekClosed)] = []
        /// True once `uncheckedClosings` is sorted.
        private var isSorted = false

        /// Adds a final ranking to check; must be called before `findings(before:)`.
        mutating func addClosing(_ closed: RankingWeekClosed, at position: Int64) {
            uncheckedClosings.append((position, closed))
        }

        mutating func apply(_ event: Ranking.Event, _ envelope: Envelope) {
            if case .rankingWeekClosed = event { return }
            standings.apply(event, envelope)
        }

        /// Returns the findings about the final rankings that cover only events before a position.
        mutating func findings(before position: Int64) -> [TaggedFinding] {
            if !isSorted {
                uncheckedClosings.sort {
                    ($0.closed.position, $0.position) > ($1.closed.position, $1.position)
                }
                isSorted = true
            }
            var findings: [TaggedFinding] = []
            while let (at, closed) = uncheckedClosings.last, closed.position < position {
                uncheckedClosings.removeLast()
                findings += check(closed, at)
            }
            return findings
        }

        /// Checks a final ranking by rule C6 (same rows as recomputed) and rule C7 (ranks in
        /// order).
        private func check(_ closed: RankingWeekClosed, _ position: Int64) -> [TaggedFinding] {
            var findings: [TaggedFinding] = []
            func find(_ rule: String, _ expected: String, _ found: String) {
                let finding = Finding(
                    rule: rule, position: position, entity: "ranking:\(closed.week)",
                    expected: expected, found: found)
                findings.append(([rankingTag(closed.week)], finding))
            }
            let rows = Scoreboard(standings, from: closed.start, to: closed.end).rows()
            if let index = zip(rows, closed.rows).enumerated().first(where: { $1.0 != $1.1 })?
                .offset
            {
                find("C6", "line \(index + 1): \(rows[index].text)", closed.rows[index].text)
            } else if rows.count != closed.rows.count {
                find("C6", "\(rows.count) runners", "\(closed.rows.count)")
            }
            for (index, row) in closed.rows.enumerated() {
                let before = index > 0 ? closed.rows[index - 1] : nil
                let isLevel = before?.scoreM == row.scoreM
                let rank = isLevel ? before?.rank ?? 1 : Int64(index + 1)
                guard row.rank != rank || (before?.scoreM ?? .max) < row.scoreM else { continue }
                find("C7", "line \(index + 1): rank \(rank) by score", row.text)
            }
            return findings
        }
    }
}

extension Running.RankedRunner {
    /// The row as findings show it: rank, runner, score and the time when it was reached.
    fileprivate var text: String {
        "rank \(rank), \(userId), \(scoreM) m, " + Timestamp.text(achieved)
    }
}
