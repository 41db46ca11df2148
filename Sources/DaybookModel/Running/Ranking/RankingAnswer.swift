public import Daybook

extension Running {
    /// The move of a rank against the week before.
    public enum RankChange: UInt8, StoredEnum {
        /// The same rank, or none before.
        case none
        case up
        case down

        /// The names that S0 uses.
        public static let names = ["NONE", "UP", "DOWN"]
    }

    /// One line of a ranking, and how it moved.
    public struct RankingRow: Record {
        /// Rank from 1; equal scores share one, and the next rank is as many later.
        public var rank: Int64 = 0
        public var userId = ""
        /// Whole metres.
        public var scoreM: Int64 = 0
        /// The end of the run that reached the score.
        public var achieved = Instant.epoch
        /// Move against the week before.
        public var change = RankChange.none
        /// True for a runner without a rank in the week before.
        public var isNew = false
        public var previousRank: Int64?

        public static var elementKey: String? { "userId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("rank", &rank, "userId", &userId, "scoreM", &scoreM)
            try field("achievedUs", &achieved, .any)
            try field("change", &change, "isNew", &isNew)
            try field("previousRank", &previousRank)
        }
    }

    /// A runner whose score changed after the week was closed.
    public struct LateChange: Record {
        public var userId = ""
        public var closedRank: Int64?
        public var closedScoreM: Int64?
        public var rank: Int64?
        public var scoreM: Int64?

        public static var elementKey: String? { "userId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "closedRank", &closedRank, "closedScoreM", &closedScoreM)
            try field("rank", &rank, "scoreM", &scoreM)
        }
    }

    /// A ranking as it was made final.
    public struct ClosedAnswer: Record {
        /// Position of the event that closed it.
        public var position: Int64 = 0
        public var closed = Instant.epoch
        /// The last event that counted.
        public var throughPosition: Int64 = 0
        public var runners: Int64 = 0
        public var rows: [RankingRow] = []
        /// Sorted by user.
        public var late: [LateChange] = []

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position)
            try field("closedUs", &closed, .any)
            try field("throughPosition", &throughPosition, "runners", &runners, "rows", &rows)
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
        public var known = Instant.epoch
        public var start = Instant.epoch
        /// The start of the next week.
        public var end = Instant.epoch
        /// Number of runners with a score; rows may show fewer.
        public var runners: Int64 = 0
        /// The live ranking, by all known runs.
        public var rows: [RankingRow] = []
        public var closed: ClosedAnswer?

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week, "zone", &zone, "tzdata", &tzdata, "rules", &rules)
            try field("position", &position)
            try field("knownUs", &known, .any)
            try field("startUs", &start, .any)
            try field("endUs", &end, .any)
            try field("runners", &runners, "rows", &rows, "closed", &closed)
        }
    }
}
