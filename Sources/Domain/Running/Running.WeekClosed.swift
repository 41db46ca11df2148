public import EventSourcing

extension Running {
    /// One line of a ranking.
    public struct RankedRunner: Record {
        public var userId = ""
        /// From 1; equal scores share one, and the next is as many later.
        public var rank: Int64 = 0
        /// Whole metres.
        public var scoreM: Int64 = 0
        /// The end of the run that reached the score.
        public var achievedUs: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("rank", &rank, .count)
            try field("scoreM", &scoreM, .values(Running.distancesMm))
            try field("achievedUs", &achievedUs, .moment)
        }
    }

    /// The ranking of a week was made final.
    public struct RankingWeekClosed: EventPayload {
        public static let kind: EventKind = "running.ranking-week-closed.v1"

        /// ISO 8601: `2026-W08`.
        public var week = ""
        /// IANA name of the zone whose Monday begins it.
        public var zone = ""
        /// The release of the tz database that says when that was.
        public var tzdata = ""
        public var startUs: Int64 = 0
        /// The start of the next week.
        public var endUs: Int64 = 0
        /// The last event that counted.
        public var position: Int64 = 0
        public var rows: [RankedRunner] = []
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Running.rankingTag(week)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("zone", &zone)
            try field("tzdata", &tzdata)
            try field("startUs", &startUs, .moment)
            try field("endUs", &endUs, .moment)
            try field("position", &position, .position)
            try field("rows", &rows)
            try field("rules", &rules)
        }
    }
}
