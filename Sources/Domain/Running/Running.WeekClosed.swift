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

        public init() {}

        public init(
            userId: String, rank: Int64, scoreM: Int64, achievedUs: Int64
        ) {
            self.userId = userId
            self.rank = rank
            self.scoreM = scoreM
            self.achievedUs = achievedUs
        }

        public static let limits: [String: Limit] = [
            "rank": .count, "scoreM": .values(Running.distancesMm), "achievedUs": .moment,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RankedRunner
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("rank", &value.rank)
            try visitor.field("scoreM", &value.scoreM)
            try visitor.field("achievedUs", &value.achievedUs)
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
        public var rules = RuleSet.standard

        public init() {}

        public init(
            week: String, zone: String, tzdata: String, startUs: Int64, endUs: Int64,
            position: Int64, rows: [RankedRunner] = [], rules: RuleSet = RuleSet.standard
        ) {
            self.week = week
            self.zone = zone
            self.tzdata = tzdata
            self.startUs = startUs
            self.endUs = endUs
            self.position = position
            self.rows = rows
            self.rules = rules
        }

        public var tags: [Tag] {
            [Running.rankingTag(week)]
        }

        public static let limits: [String: Limit] = [
            "startUs": .moment, "endUs": .moment, "position": .position,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RankingWeekClosed
        ) throws(Visitor.Failure) {
            try visitor.field("week", &value.week)
            try visitor.field("zone", &value.zone)
            try visitor.field("tzdata", &value.tzdata)
            try visitor.field("startUs", &value.startUs)
            try visitor.field("endUs", &value.endUs)
            try visitor.field("position", &value.position)
            try visitor.field("rows", &value.rows)
            try visitor.field("rules", &value.rules)
        }
    }
}
