package import Daybook

extension Running {
    /// The direction in which a runner's rank changed since the previous week.
    package enum RankChange: UInt8, StoredEnum {
        /// The rank is unchanged, or the runner had no rank in the previous week.
        case none
        /// The rank is better than in the previous week.
        case up
        /// The rank is worse than in the previous week.
        case down

        /// Names of the cases in answers of the source API (S0).
        package static let names = ["NONE", "UP", "DOWN"]
    }

    /// One runner's row in a ranking, with the change since the previous week.
    package struct RankingRow: PlainRecord {
        /// Rank from 1; equal scores share a rank, and the following ranks are skipped: 1, 2, 2, 4.
        package var rank: Int64 = 0
        package var userId = ""
        /// Total distance of the week in whole metres.
        package var scoreM: Int64 = 0
        /// End of the run with which the runner reached the score.
        var achieved = Instant.epoch
        /// Direction in which the rank changed since the previous week.
        package var change = RankChange.none
        /// True if the runner had no rank in the previous week.
        package var isNew = false
        /// Rank in the previous week; `nil` if the runner had none.
        package var previousRank: Int64?
        package static var elementKey: String? { "userId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("rank", &rank, "userId", &userId, "scoreM", &scoreM)
            try field("achievedUs", &achieved, .any)
            try field("change", &change, "isNew", &isNew, "previousRank", &previousRank)
        }
    }

    /// A runner whose score changed after the week's ranking was made final.
    package struct LateChange: PlainRecord {
        package var userId = ""
        /// Rank in the final ranking; `nil` if the runner had no score then.
        package var closedRank: Int64?
        /// Score in the final ranking; `nil` if the runner had no score then.
        package var closedScoreM: Int64?
        /// Current rank; `nil` if the runner has no score any more.
        package var rank: Int64?
        /// Current score in whole metres; `nil` if the runner has no score any more.
        package var scoreM: Int64?
        package static var elementKey: String? { "userId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "closedRank", &closedRank, "closedScoreM", &closedScoreM)
            try field("rank", &rank, "scoreM", &scoreM)
        }
    }

    /// The ranking of a week as it was made final.
    package struct ClosedAnswer: PlainRecord {
        /// Log position of the event that made the ranking final.
        package var position: Int64 = 0
        /// Time at which the ranking was made final.
        package var closed = Instant.epoch
        /// Log position of the last event that the final ranking covers.
        var throughPosition: Int64 = 0
        /// Number of runners with a score in the final ranking.
        package var runnerCount: Int64 = 0
        /// Rows of the final ranking, best first.
        package var rows: [RankingRow] = []
        /// Runners whose score changed afterwards, sorted by user id.
        package var late: [LateChange] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position)
            try field("closedUs", &closed, .any)
            try field("throughPosition", &throughPosition, "runners", &runnerCount, "rows", &rows)
            try field("late", &late)
        }
    }

    /// The ranking of a week: live, and as it was made final.
    package struct RankingAnswer: PlainRecord {
        package var week = ""
        package var zone = ""
        package var tzdata = ""
        var zoneDigest: Digest?
        package var rules = Rules.standard
        package var position: Int64 = 0
        package var known = Instant.epoch
        package var start = Instant.epoch
        package var end = Instant.epoch
        /// Number of runners with a score, which may exceed the number of `rows`.
        package var runnerCount: Int64 = 0
        /// Rows of the live ranking, from all runs in the log so far.
        package var rows: [RankingRow] = []
        /// The final ranking; `nil` if the week is not closed.
        package var closed: ClosedAnswer?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("week", &week, "zone", &zone, "tzdata", &tzdata)
            try field("zoneDigest", &zoneDigest, "rules", &rules, "position", &position)
            try field("knownUs", &known, .any)
            try field("startUs", &start, .any)
            try field("endUs", &end, .any)
            try field("runners", &runnerCount, "rows", &rows, "closed", &closed)
        }
    }
}
