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

        public init() {}

        public init(
            rank: Int64, userId: String, scoreM: Int64, achievedUs: Int64, change: RankChange,
            isNew: Bool, previousRank: Int64? = nil
        ) {
            self.rank = rank
            self.userId = userId
            self.scoreM = scoreM
            self.achievedUs = achievedUs
            self.change = change
            self.isNew = isNew
            self.previousRank = previousRank
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RankingRow
        ) throws(Visitor.Failure) {
            try visitor.field("rank", &value.rank)
            try visitor.field("userId", &value.userId)
            try visitor.field("scoreM", &value.scoreM)
            try visitor.field("achievedUs", &value.achievedUs)
            try visitor.field("change", &value.change)
            try visitor.field("isNew", &value.isNew)
            try visitor.field("previousRank", &value.previousRank)
        }
    }

    /// Somebody whose score changed after the week was closed.
    public struct LateChange: Record {
        public var userId = ""
        public var closedRank: Int64?
        public var closedScoreM: Int64?
        public var rank: Int64?
        public var scoreM: Int64?

        public init() {}

        public init(
            userId: String, closedRank: Int64? = nil, closedScoreM: Int64? = nil,
            rank: Int64? = nil, scoreM: Int64? = nil
        ) {
            self.userId = userId
            self.closedRank = closedRank
            self.closedScoreM = closedScoreM
            self.rank = rank
            self.scoreM = scoreM
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout LateChange
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("closedRank", &value.closedRank)
            try visitor.field("closedScoreM", &value.closedScoreM)
            try visitor.field("rank", &value.rank)
            try visitor.field("scoreM", &value.scoreM)
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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ClosedAnswer
        ) throws(Visitor.Failure) {
            try visitor.field("position", &value.position)
            try visitor.field("closedUs", &value.closedUs)
            try visitor.field("throughPosition", &value.throughPosition)
            try visitor.field("runners", &value.runners)
            try visitor.field("rows", &value.rows)
            try visitor.field("late", &value.late)
        }
    }

    /// The ranking of a week.
    public struct RankingAnswer: Record {
        /// ISO 8601: `2026-W08`.
        public var week = ""
        public var zone = ""
        public var tzdata = ""
        public var rules = RuleSet.standard
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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RankingAnswer
        ) throws(Visitor.Failure) {
            try visitor.field("week", &value.week)
            try visitor.field("zone", &value.zone)
            try visitor.field("tzdata", &value.tzdata)
            try visitor.field("rules", &value.rules)
            try visitor.field("position", &value.position)
            try visitor.field("knownUs", &value.knownUs)
            try visitor.field("startUs", &value.startUs)
            try visitor.field("endUs", &value.endUs)
            try visitor.field("runners", &value.runners)
            try visitor.field("rows", &value.rows)
            try visitor.field("closed", &value.closed)
        }
    }
}
