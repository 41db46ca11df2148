public import EventSourcing

extension BabyCare {
    /// When the next feed is to be expected.
    public struct NextFeeding: Record {
        public var lastUs: Int64?
        public var averageMin: Int64?
        /// 0 where it is due now; past that, the next one in turn.
        public var etaMin: Int64?
        /// Feeds it rests on, at most ten.
        public var n: Int64 = 0
        /// Fewer than two feeds.
        public var unstable = false

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout NextFeeding
        ) throws(Visitor.Failure) {
            try visitor.field("lastUs", &value.lastUs)
            try visitor.field("averageMin", &value.averageMin)
            try visitor.field("etaMin", &value.etaMin)
            try visitor.field("n", &value.n)
            try visitor.field("unstable", &value.unstable)
        }
    }

    /// The last of something.
    public struct Latest: Record {
        public var entryId = ""
        public var kind = Kind.formula
        public var startedUs: Int64 = 0
        public var endedUs: Int64?
        /// Whole minutes from its end, or start, until now.
        public var agoMin: Int64 = 0

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Latest
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("kind", &value.kind)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("agoMin", &value.agoMin)
        }
    }

    /// The last of what people ask for.
    public struct LatestOfAll: Record {
        public var poo: Latest?
        public var feeding: Latest?
        public var sleep: Latest?
        public var diaper: Latest?
        public var medication: Latest?

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout LatestOfAll
        ) throws(Visitor.Failure) {
            try visitor.field("poo", &value.poo)
            try visitor.field("feeding", &value.feeding)
            try visitor.field("sleep", &value.sleep)
            try visitor.field("diaper", &value.diaper)
            try visitor.field("medication", &value.medication)
        }
    }

    /// A rule of the source app, kept to compare with. It is no medical advice.
    public struct Recommendation: Record {
        public var ageDays: Int64 = 0
        public var weightG: Int64 = 0
        /// Nobody wrote one down: the usual one of that age.
        public var weightIsAssumed = false
        public var method = Household.FeedingMethod.formula
        public var intervalMin: Int64 = 0
        public var dailyMl: Int64?
        public var perFeedMl: Int64?
        public var notice: String = "A rule of the source app for comparison, no medical advice."

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Recommendation
        ) throws(Visitor.Failure) {
            try visitor.field("ageDays", &value.ageDays)
            try visitor.field("weightG", &value.weightG)
            try visitor.field("weightIsAssumed", &value.weightIsAssumed)
            try visitor.field("method", &value.method)
            try visitor.field("intervalMin", &value.intervalMin)
            try visitor.field("dailyMl", &value.dailyMl)
            try visitor.field("perFeedMl", &value.perFeedMl)
            try visitor.field("notice", &value.notice)
        }
    }

    /// The day so far, in the words of the app.
    public struct Today: Record {
        public var date = ""
        public var feedings: Int64 = 0
        public var formulaMl: Int64?
        public var sleepMin: Int64?
        public var pee: Int64?
        public var poo: Int64?
        public var lines: [String] = []

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Today
        ) throws(Visitor.Failure) {
            try visitor.field("date", &value.date)
            try visitor.field("feedings", &value.feedings)
            try visitor.field("formulaMl", &value.formulaMl)
            try visitor.field("sleepMin", &value.sleepMin)
            try visitor.field("pee", &value.pee)
            try visitor.field("poo", &value.poo)
            try visitor.field("lines", &value.lines)
        }
    }
}
