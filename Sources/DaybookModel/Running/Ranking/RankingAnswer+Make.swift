package import Daybook

extension Running {
    /// A report on the ranking of a week; publishing the report makes the ranking final.
    package struct RankingReport: PublishedReport, PlainRecord {
        package typealias Answer = RankingAnswer
        package typealias Model = Ranking
        package static let name = "ranking"
        package static let summary = "A week's ranking, live and as closed"
        package static let period: ReportPeriod? = .week("week")
        package static let basisFields = Running.basisFields
        package static let isFinal = true
        package var week = ""
        /// IANA name of the time zone in which the week starts; `nil` means `Asia/Seoul`.
        package var zone: String?
        /// Maximum number of rows, 1 or more; `nil` for all rows.
        package var top: Int64?
        /// True to make the ranking of an already closed week final again, including late runs.
        package var again: Bool?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week, "zone", &zone)
            try field("top", &top, .values(1 ... .max))
            try field("again", &again)
        }

        /// Returns a query for the events that made the rankings of the requested weeks, and of the
        /// weeks before them, final. If the ranking of the week before is final, the runs of that
        /// week are not needed.
        package static func firstQuery(
            of reports: [Self], _ context: ReportContext
        ) -> ReportQuery { ReportQuery.union(of: reports.map { $0.query(knowing: nil, context) }) }

        package func query(knowing state: Standings, _ context: ReportContext) -> ReportQuery {
            query(knowing: .some(state), context)
        }

        /// Returns the query for the report; `state` is `nil` before final rankings were read.
        private func query(knowing state: Standings?, _ context: ReportContext) -> ReportQuery {
            do throws(ReportError) {
                let (week, zone) = try requestedWeek(context)
                let before = week.previous(in: zone)
                let closings = Ranking.closings(of: [week.name, before.name])
                guard let state else { return ReportQuery(closings) }
                let isClosed = state.closing(of: before.name, zone.name) != nil
                return ReportQuery(
                    closings.union(Ranking.runs(of: isClosed ? [week] : [before, week])))
            } catch {
                return ReportQuery(Ranking.closings(of: [week]))
            }
        }

        package func answer(
            _ standings: Standings, _ context: ReportContext
        ) throws(ReportError) -> RankingAnswer {
            try context.requireStandardRuns()
            let (week, zone) = try requestedWeek(context)
            return RankingAnswer(
                standings, week, zone, top: top.map { Int(clamping: max(0, $0)) } ?? .max, context)
        }

        /// Returns the requested week and time zone; throws if either is invalid.
        private func requestedWeek(
            _ context: ReportContext
        ) throws(ReportError) -> (week: RankingWeek, zone: Zone) {
            guard let day = CivilDate.week(text: week) else {
                throw .invalid(argument: "week", "expected a week like 2026-W08, found '\(week)'")
            }
            let zone = try context.zone(zone ?? rankingZone)
            return (RankingWeek(day, in: zone), zone)
        }

        package static func zone(of answer: RankingAnswer) -> String { answer.zone }

        /// Returns the command that makes the ranking in the answer final.
        package func note(
            of answer: RankingAnswer, _ copy: PublishedCopy, _ context: ReportContext
        ) -> CloseWeek {
            CloseWeek(
                week: answer.week, zone: answer.zone, tzdata: answer.tzdata, start: answer.start,
                end: answer.end, again: again ?? false)
        }
    }
}

extension Running.RankingAnswer {
    /// Computes the ranking of a week, live and as it was closed.
    package init(
        _ standings: Running.Standings, _ week: Running.RankingWeek, _ zone: Zone,
        top: Int = .max, _ context: ReportContext
    ) {
        self.init(
            week: week.name, zone: zone.name, tzdata: context.tzdata,
            zoneDigest: context.digest(of: zone), rules: Rules(context.rules),
            position: Int64(context.position.rawValue), known: context.knownAt,
            start: week.start, end: week.end)
        let board = Running.Scoreboard(standings, from: week.start, to: week.end)
        let previous = PreviousRanks(standings, week.previous(in: zone), zone)
        let live = board.rows(first: top)
        runnerCount = Int64(board.count)
        rows = previous.rowsWithChanges(of: live)
        guard let closing = standings.closing(of: week.name, zone.name) else { return }
        closed = Running.ClosedAnswer(
            position: closing.position, closed: closing.recorded,
            throughPosition: closing.closed.position, runnerCount: Int64(closing.closed.rows.count),
            rows: previous.rowsWithChanges(of: Array(closing.closed.rows.prefix(top))),
            late: Self.late(board, closing.closed))
    }

    /// Returns the runners whose score changed after the ranking was made final, sorted by user id.
    private static func late(
        _ board: Running.Scoreboard, _ closed: Running.RankingWeekClosed
    ) -> [Running.LateChange] {
        var changed: [String: Running.LateChange] = [:]
        var isClosed: Set<String> = []
        for row in closed.rows {
            isClosed.insert(row.userId)
            guard board.score(of: row.userId) != row.scoreM else { continue }
            changed[row.userId] = Running.LateChange(
                userId: row.userId, closedRank: row.rank, closedScoreM: row.scoreM)
        }
        for userId in board.runners where !isClosed.contains(userId) {
            changed[userId] = Running.LateChange(userId: userId)
        }
        var late = changed.values.sorted { $0.userId.precedesByBytes($1.userId) }
        for (index, rank) in board.ranks(of: late.map(\.userId)).enumerated() {
            late[index].rank = rank
            late[index].scoreM = board.score(of: late[index].userId)
        }
        return late
    }

    /// The ranks of the previous week, from its final ranking or else from the runs.
    private struct PreviousRanks {
        /// Ranks in the final ranking of the previous week, by user id; `nil` if that week is not
        /// closed.
        private var closed: [String: Int64]?
        /// Scores of the previous week, for the ranks if the week has no final ranking.
        private let board: Running.Scoreboard

        /// Reads the final ranking of the given week, and prepares its live ranks.
        init(_ standings: Running.Standings, _ week: Running.RankingWeek, _ zone: Zone) {
            board = Running.Scoreboard(standings, from: week.start, to: week.end)
            closed = standings.closing(of: week.name, zone.name).map { closing in
                Dictionary(
                    closing.closed.rows.map { ($0.userId, $0.rank) },
                    uniquingKeysWith: { first, _ in first })
            }
        }

        /// Returns the rows with the changes of their ranks since the previous week.
        func rowsWithChanges(of rows: [Running.RankedRunner]) -> [Running.RankingRow] {
            let userIds = rows.map(\.userId)
            let ranks =
                closed.map { ranks in userIds.map { ranks[$0] } } ?? board.ranks(of: userIds)
            return zip(rows, ranks).map { row, previous in
                let change: Running.RankChange =
                    previous.map { row.rank < $0 ? .up : row.rank > $0 ? .down : .none } ?? .none
                return Running.RankingRow(
                    rank: row.rank, userId: row.userId, scoreM: row.scoreM, achieved: row.achieved,
                    change: change, isNew: previous == nil, previousRank: previous)
            }
        }
    }
}
