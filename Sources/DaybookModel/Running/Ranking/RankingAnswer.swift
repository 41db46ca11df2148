public import Daybook

extension Running {
    /// The direction in which a runner's rank changed since the previous week.
    public enum RankChange: UInt8, StoredEnum {
        /// The rank is unchanged, or the runner had no rank in the previous week.
        case none
        /// The rank is better than in the previous week.
        case up
        /// The rank is worse than in the previous week.
        case down

        /// Names of the cases in answers of the source API (S0).
        public static let names = ["NONE", "UP", "DOWN"]
    }

    /// One runner's row in a ranking, with the change since the previous week.
    public struct RankingRow: Record {
        /// Rank from 1; equal scores share a rank, and the following ranks are skipped: 1, 2, 2, 4.
        public var rank: Int64 = 0
        public var userId = ""
        /// Total distance of the week in whole metres.
        public var scoreM: Int64 = 0
        /// End of the run with which the runner reached the score.
        public var achieved = Instant.epoch
        /// Direction in which the rank changed since the previous week.
        public var change = RankChange.none
        /// True if the runner had no rank in the previous week.
        public var isNew = false
        /// Rank in the previous week; `nil` if the runner had none.
        public var previousRank: Int64?

        public static var elementKey: String? { "userId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("rank", &rank, "userId", &userId, "scoreM", &scoreM)
            try field("achievedUs", &achieved, .any)
            try field("change", &change, "isNew", &isNew, "previousRank", &previousRank)
        }
    }

    /// A runner whose score changed after the week's ranking was made final.
    public struct LateChange: Record {
        public var userId = ""
        /// Rank in the final ranking; `nil` if the runner had no score then.
        public var closedRank: Int64?
        /// Score in the final ranking; `nil` if the runner had no score then.
        public var closedScoreM: Int64?
        /// Current rank; `nil` if the runner has no score any more.
        public var rank: Int64?
        /// Current score in whole metres; `nil` if the runner has no score any more.
        public var scoreM: Int64?

        public static var elementKey: String? { "userId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "closedRank", &closedRank, "closedScoreM", &closedScoreM)
            try field("rank", &rank, "scoreM", &scoreM)
        }
    }

    /// The ranking of a week as it was made final.
    public struct ClosedAnswer: Record {
        /// Log position of the event that made the ranking final.
        public var position: Int64 = 0
        /// Time at which the ranking was made final.
        public var closed = Instant.epoch
        /// Log position of the last event that the final ranking covers.
        public var throughPosition: Int64 = 0
        /// Number of runners with a score in the final ranking.
        public var runnerCount: Int64 = 0
        /// Rows of the final ranking, best first.
        public var rows: [RankingRow] = []
        /// Runners whose score changed afterwards, sorted by user id.
        public var late: [LateChange] = []

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position)
            try field("closedUs", &closed, .any)
            try field("throughPosition", &throughPosition, "runners", &runnerCount, "rows", &rows)
            try field("late", &late)
        }
    }

    /// The ranking of a week: live, and as it was made final.
    public struct RankingAnswer: Record {
        /// ISO 8601 week: `2026-W08`.
        public var week = ""
        /// IANA name of the time zone in which the week starts.
        public var zone = ""
        /// Release of the tz database used.
        public var tzdata = ""
        /// Digest of the zone's transitions; `nil` if no tz database is available.
        public var zoneDigest: Digest?
        /// Rule set by which the answer was computed.
        public var rules = Rules.standard
        /// Log position of the last event that was read.
        public var position: Int64 = 0
        /// Time, by the log's clock, up to which the log was read.
        public var known = Instant.epoch
        /// Monday 00:00 of the week.
        public var start = Instant.epoch
        /// Start of the next week.
        public var end = Instant.epoch
        /// Number of runners with a score, which may exceed the number of `rows`.
        public var runnerCount: Int64 = 0
        /// Rows of the live ranking, from all runs in the log so far.
        public var rows: [RankingRow] = []
        /// The final ranking; `nil` if the week is not closed.
        public var closed: ClosedAnswer?

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week, "zone", &zone, "tzdata", &tzdata)
            try field("zoneDigest", &zoneDigest, "rules", &rules, "position", &position)
            try field("knownUs", &known, .any)
            try field("startUs", &start, .any)
            try field("endUs", &end, .any)
            try field("runners", &runnerCount, "rows", &rows, "closed", &closed)
        }
    }
}
