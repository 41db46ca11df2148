public import EventSourcing

extension Running {
    /// One line of a ranking, and how it moved.
    public struct RankingRow: Record {
        /// From 1; equal scores share one, and the next is as many later.
        public var rank: Int64 = 0
        public var userId = ""
        /// Whole metres.
        public var scoreM: Int64 = 0
        /// The end of the run that reached the score.
        public var achievedUs: Int64 = 0
        /// Against the week before.
        public var change = RankChange.none
        /// Was not in it.
        public var isNew = false
        public var previousRank: Int64?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("rank", &rank)
            try field("userId", &userId)
            try field("scoreM", &scoreM)
            try field("achievedUs", &achievedUs)
            try field("change", &change)
            try field("isNew", &isNew)
            try field("previousRank", &previousRank)
        }
    }

    /// Somebody whose score changed after the week was closed.
    public struct LateChange: Record {
        public var userId = ""
        public var closedRank: Int64?
        public var closedScoreM: Int64?
        public var rank: Int64?
        public var scoreM: Int64?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("closedRank", &closedRank)
            try field("closedScoreM", &closedScoreM)
            try field("rank", &rank)
            try field("scoreM", &scoreM)
        }
    }

    /// A ranking as it was made final.
    public struct ClosedAnswer: Record {
        /// Of the event that closed it.
        public var position: Int64 = 0
        public var closedUs: Int64 = 0
        /// The last event that counted.
        public var throughPosition: Int64 = 0
        public var runners: Int64 = 0
        public var rows: [RankingRow] = []
        /// By user.
        public var late: [LateChange] = []

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position)
            try field("closedUs", &closedUs)
            try field("throughPosition", &throughPosition)
            try field("runners", &runners)
            try field("rows", &rows)
            try field("late", &late)
        }
    }

    /// The ranking of a week.
    public struct RankingAnswer: Record {
        /// ISO 8601: `2026-W08`.
        public var week = ""
        public var zone = ""
        public var tzdata = ""
        public var rules = Rules.standard
        public var position: Int64 = 0
        public var knownUs: Int64 = 0
        public var startUs: Int64 = 0
        /// The start of the next week.
        public var endUs: Int64 = 0
        /// Who has a score; rows may show fewer.
        public var runners: Int64 = 0
        /// Live: by everything known.
        public var rows: [RankingRow] = []
        public var closed: ClosedAnswer?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week)
            try field("zone", &zone)
            try field("tzdata", &tzdata)
            try field("rules", &rules)
            try field("position", &position)
            try field("knownUs", &knownUs)
            try field("startUs", &startUs)
            try field("endUs", &endUs)
            try field("runners", &runners)
            try field("rows", &rows)
            try field("closed", &closed)
        }
    }
}
