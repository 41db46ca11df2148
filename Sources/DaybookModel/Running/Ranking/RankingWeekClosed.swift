package import Daybook

extension Running {
    /// One runner's row in a final ranking.
    package struct RankedRunner: PlainRecord {
        package var userId = ""
        package var rank: Int64 = 0
        package var scoreM: Int64 = 0
        var achieved = Instant.epoch
        package static var elementKey: String? { "userId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("rank", &rank, .count)
            try field("scoreM", &scoreM, .values(distancesMm))
            try field("achievedUs", &achieved, .moment)
        }
    }

    /// The ranking of a week was made final.
    package struct RankingWeekClosed: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.ranking-week-closed.v1"
        /// ISO 8601 week: `2026-W08`.
        package var week = ""
        /// IANA name of the time zone in which the week starts.
        package var zone = ""
        /// Release of the tz database that determined `start` and `end`.
        package var tzdata = ""
        /// Monday 00:00 of the week.
        package var start = Instant.epoch
        /// Start of the next week.
        package var end = Instant.epoch
        /// Log position of the last event that the ranking covers.
        package var position: Int64 = 0
        /// Rows of the ranking, best first.
        package var rows: [RankedRunner] = []
        package var rules = Rules.standard
        package var tags: [Tag] { [rankingTag(week)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("zone", &zone, .zone)
            try field("tzdata", &tzdata)
            try field("startUs", &start, .moment)
            try field("endUs", &end, .moment)
            try field("position", &position, .position)
            try field("rows", &rows, "rules", &rules)
        }

        package func sentence(_ wording: Wording) -> String {
            "ranking of \(week) closed: \(rows.count.counted("runner"))"
        }
    }

    /// Makes the ranking of a week final.
    package struct CloseWeek: Command, PlainRecord {
        package typealias Model = Ranking
        package static let name = "running.close-week"
        package var week = ""
        package var zone = ""
        package var tzdata = ""
        /// Monday 00:00 of the week in the zone.
        package var start = Instant.epoch
        /// Monday 00:00 of the next week in the zone.
        package var end = Instant.epoch
        package var again: Bool?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("zone", &zone, .zone)
            try field("tzdata", &tzdata)
            try field("startUs", &start, .moment)
            try field("endUs", &end, .moment)
            try field("again", &again)
        }

        package var query: Query { Ranking.query(of: week, from: start, to: end) }

        package func decide(
            _ standings: Standings, now: Instant
        ) throws(Refusal) -> [Ranking.Event] {
            guard let monday = CivilDate.week(text: week) else {
                throw Refusal("unreadableWeek", "week is '\(week)'; expected a week like 2026-W08")
            }
            guard isWeek(of: monday) else {
                throw Refusal(
                    "notAWeek",
                    "startUs and endUs are not the Mondays at the start and the end of \(week) in "
                        + "any time zone")
            }
            guard now >= end else {
                throw Refusal(
                    "weekNotOver",
                    "the ranking of \(week) cannot be closed before the week's end at "
                        + Timestamp.text(end))
            }
            if let closing = standings.closing(of: week, zone), again != true {
                throw Refusal(
                    "alreadyClosed",
                    "the ranking of \(week) in the zone '\(zone)' was already closed, at position "
                        + "\(closing.position); set 'again' to close it again")
            }
            let board = Scoreboard(standings, from: start, to: end)
            let closed = RankingWeekClosed(
                week: week, zone: zone, tzdata: tzdata, start: start, end: end,
                position: standings.position, rows: board.rows())
            return [.rankingWeekClosed(closed)]
        }

        /// True if `start` and `end` can be the start and the end of the week in some time zone.
        /// Time zones differ from UTC by at most 15 hours, and clock changes lengthen or shorten a
        /// week by at most a day.
        private func isWeek(of monday: CivilDate) -> Bool {
            let day = Instant.dayUs
            return (-day...day).contains(start.microseconds(since: monday.utcStart))
                && end.isPossible
                && (6 * day...8 * day).contains(end.microseconds(since: start))
        }
    }
}
