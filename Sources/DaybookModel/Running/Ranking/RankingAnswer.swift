public import Daybook

extension Running {
    /// The change of a rank against the previous week.
    public enum RankChange: UInt8, StoredEnum {
        /// The rank is unchanged, or the runner had no rank in the previous week.
        case none
        case up
        case down

        /// Names of the cases in S0.
        public static let names = ["NONE", "UP", "DOWN"]
    }

    /// One row of a ranking, with the change against the previous week.
    public struct RankingRow: Record {
        /// Rank from 1; equal scores share a rank, and the following ranks are skipped: 1, 2, 2, 4.
        public var rank: Int64 = 0
        public var userId = ""
        /// Distance of the week in whole metres.
        public var scoreM: Int64 = 0
        /// End of the run that reached the score.
        public var achieved = Instant.epoch
        /// Change of the rank against the previous week.
        public var change = RankChange.none
        /// True if the runner had no rank in the previous week.
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
        /// Rank at the closing; `nil` if the runner had no score then.
        public var closedRank: Int64?
        /// Score at the closing; `nil` if the runner had no score then.
        public var closedScoreM: Int64?
        /// Rank now; `nil` if the runner has no score any more.
        public var rank: Int64?
        /// Score now; `nil` if the runner has no score any more.
        public var scoreM: Int64?

        public static var elementKey: String? { "userId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "closedRank", &closedRank, "closedScoreM", &closedScoreM)
            try field("rank", &rank, "scoreM", &scoreM)
        }
    }

    /// A ranking as it was closed.
    public struct ClosedAnswer: Record {
        /// Position of the event that closed the week.
        public var position: Int64 = 0
        public var closed = Instant.epoch
        /// Position of the last event that the closing covers.
        public var throughPosition: Int64 = 0
        /// Number of runners with a score at the closing.
        public var runners: Int64 = 0
        public var rows: [RankingRow] = []
        /// Runners whose score changed since the closing, sorted by user id.
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
        /// ISO 8601 week: `2026-W08`.
        public var week = ""
        public var zone = ""
        public var tzdata = ""
        public var rules = Rules.standard
        public var position: Int64 = 0
        public var known = Instant.epoch
        public var start = Instant.epoch
        /// Start of the next week.
        public var end = Instant.epoch
        /// Number of runners with a score; rows may show fewer.
        public var runners: Int64 = 0
        /// Rows of the live ranking, from all known runs.
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
