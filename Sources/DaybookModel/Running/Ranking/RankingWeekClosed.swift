public import Daybook

extension Running {
    /// One line of a ranking.
    public struct RankedRunner: Record {
        public var userId = ""
        /// Rank from 1; equal scores share one, and the next rank is as many later.
        public var rank: Int64 = 0
        /// Whole metres.
        public var scoreM: Int64 = 0
        /// The end of the run that reached the score.
        public var achieved = Instant.epoch

        public static var elementKey: String? { "userId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("rank", &rank, .count)
            try field("scoreM", &scoreM, .values(distancesMm))
            try field("achievedUs", &achieved, .moment)
        }
    }

    /// The ranking of a week was made final.
    public struct RankingWeekClosed: EventPayload {
        public static let kind: EventKind = "running.ranking-week-closed.v1"

        /// ISO 8601: `2026-W08`.
        public var week = ""
        /// IANA name of the zone whose Monday begins it.
        public var zone = ""
        /// The release of the tz database that gave the bounds.
        public var tzdata = ""
        public var start = Instant.epoch
        /// The start of the next week.
        public var end = Instant.epoch
        /// Position of the last event that counted.
        public var position: Int64 = 0
        public var rows: [RankedRunner] = []
        public var rules = Rules.standard

        public static var blank: Self { Self() }
        public var tags: [Tag] { [rankingTag(week)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("zone", &zone, .zone)
            try field("tzdata", &tzdata)
            try field("startUs", &start, .moment)
            try field("endUs", &end, .moment)
            try field("position", &position, .position)
            try field("rows", &rows, "rules", &rules)
        }
    }

    /// Makes the ranking of a week final.
    public struct CloseWeek: Command {
        public typealias Model = Ranking
        public static let name = "running.close-week"

        /// ISO 8601: `2026-W08`.
        public var week = ""
        /// IANA name of the zone whose Monday begins it.
        public var zone = ""
        public var tzdata = ""
        /// Monday 00:00 there.
        public var start = Instant.epoch
        /// The Monday after.
        public var end = Instant.epoch
        /// True to close it once more, with runs that came late.
        public var again: Bool?

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("zone", &zone, .zone)
            try field("tzdata", &tzdata)
            try field("startUs", &start, .moment)
            try field("endUs", &end, .moment)
            try field("again", &again)
        }

        public var query: Query { Ranking.query(of: week, from: start, to: end) }

        public func decide(
            _ standings: Standings, now: Instant
        ) throws(Refusal) -> [Ranking.Event] {
            guard let monday = CivilDate.week(text: week) else {
                throw Refusal("unreadableWeek", "expected a week like 2026-W08, found '\(week)'")
            }
            guard isWeek(of: monday) else {
                throw Refusal(
                    "notAWeek",
                    "startUs and endUs are not the Mondays around \(week) in any zone")
            }
            guard now >= end else {
                throw Refusal("weekNotOver", "\(week) goes on until \(Timestamp.text(end))")
            }
            if let closing = standings.closing(of: week, zone), again != true {
                throw Refusal(
                    "alreadyClosed",
                    "\(week) was closed in \(zone) at position \(closing.position)")
            }
            let board = Scoreboard(standings, from: start, to: end)
            return [
                .rankingWeekClosed(
                    RankingWeekClosed(
                        week: week, zone: zone, tzdata: tzdata, start: start, end: end,
                        position: standings.position, rows: board.rows()))
            ]
        }

        /// True where the bounds can be the Monday and the one after in some zone.
        ///
        /// Clocks are at most 15 hours from UTC, and a change of clocks makes a week longer or
        /// shorter by at most a day.
        private func isWeek(of monday: CivilDate) -> Bool {
            let day = Instant.dayUs
            return (-day...day).contains(start.microseconds(since: monday.utcStart))
                && end.isPossible
                && (6 * day...8 * day).contains(end.microseconds(since: start))
        }
    }
}
