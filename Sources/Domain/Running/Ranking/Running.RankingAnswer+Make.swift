public import CivilTime
public import EventSourcing

extension Running {
    /// Which week's ranking.
    struct RankingArguments: Record {
        var week = ""
        var zone: String?
        var top: Int64?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("zone", &zone)
            try field("top", &top)
        }
    }

    static let rankingReport = ReportDescription(
        "ranking", "A week's ranking, live and as it was closed", RankingAnswer.self
    ) { (arguments: RankingArguments, events, context) throws(ReportError) in
        guard let day = CivilDate.week(text: arguments.week) else {
            throw .unanswerable("expected a week like 2026-W08, found '\(arguments.week)'")
        }
        guard let zones = context.zones else {
            throw .unanswerable("no tz database is at hand")
        }
        var standings = Standings()
        let reader = KindReader<Ranking.Event>()
        for event in events {
            do throws(FoldError) {
                guard let known = try reader.read(event) else { continue }
                Ranking.evolve(&standings, with: known, event.envelope)
            } catch {
                throw .fold(error)
            }
        }
        do throws(UnknownZone) {
            let zone = try zones.zone(arguments.zone ?? rankingZone)
            return RankingAnswer(
                standings, RankingWeek(day, in: zone), zone, tzdata: zones.version,
                top: arguments.top.map { Int(clamping: max(0, $0)) } ?? .max, context)
        } catch {
            throw .zone(error)
        }
    }
}

extension Running.RankingAnswer {
    /// - Parameters:
    ///   - standings: everything known of the week and the one before.
    ///   - top: how many rows at most.
    public init(
        _ standings: Running.Standings, _ week: Running.RankingWeek, _ zone: Zone, tzdata: String,
        top: Int = .max, _ context: ReportContext
    ) {
        self.init()
        self.week = week.name
        self.zone = zone.name
        self.tzdata = tzdata
        rules = Rules(context.rules)
        position = Int64(context.position.rawValue)
        knownUs = context.knownAt.microseconds
        startUs = week.startUs
        endUs = week.endUs
        let board = Running.Scoreboard(standings, from: week.startUs, to: week.endUs)
        let before = Before(standings, week.previous(in: zone), zone)
        let live = board.rows(first: top)
        runners = Int64(board.count)
        rows = before.moves(of: live)
        guard let closing = standings.closing(of: week.name, zone.name) else { return }
        var answer = Running.ClosedAnswer()
        answer.position = closing.position
        answer.closedUs = closing.recordedUs
        answer.throughPosition = closing.closed.position
        answer.runners = Int64(closing.closed.rows.count)
        answer.rows = before.moves(of: Array(closing.closed.rows.prefix(top)))
        answer.late = Self.late(board, closing.closed)
        closed = answer
    }

    /// Whose score is another than when the week was closed.
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
        let ranks = board.ranks(of: Array(changed.keys))
        return changed.sortedByUser.map { change in
            var change = change
            change.rank = ranks[change.userId]
            change.scoreM = board.score(of: change.userId)
            return change
        }
    }

    /// The week before, which ranks are compared with: as it was closed, else live.
    private struct Before {
        private var closed: [String: Int64]?
        private let board: Running.Scoreboard

        init(_ standings: Running.Standings, _ week: Running.RankingWeek, _ zone: Zone) {
            board = Running.Scoreboard(standings, from: week.startUs, to: week.endUs)
            closed = standings.closing(of: week.name, zone.name).map { closing in
                Dictionary(
                    closing.closed.rows.map { ($0.userId, $0.rank) },
                    uniquingKeysWith: { first, _ in first })
            }
        }

        func moves(of rows: [Running.RankedRunner]) -> [Running.RankingRow] {
            let ranks = closed ?? board.ranks(of: rows.map(\.userId))
            return rows.map { row in
                let previous = ranks[row.userId]
                let change: Running.RankChange =
                    previous.map { row.rank < $0 ? .up : row.rank > $0 ? .down : .none } ?? .none
                return Running.RankingRow(
                    rank: row.rank, userId: row.userId, scoreM: row.scoreM,
                    achievedUs: row.achievedUs, change: change, isNew: previous == nil,
                    previousRank: previous)
            }
        }
    }
}

extension [String: Running.LateChange] {
    fileprivate var sortedByUser: [Running.LateChange] {
        values.sorted { $0.userId.utf8.lexicographicallyPrecedes($1.userId.utf8) }
    }
}
