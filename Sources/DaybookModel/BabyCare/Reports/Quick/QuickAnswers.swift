public import Daybook

extension BabyCare {
    /// The expected time of the next feed.
    public struct NextFeeding: Record {
        public var last: Instant?
        public var averageMin: Int64?
        /// 0 where it is due now; past that, the next one in turn.
        public var etaMin: Int64?
        /// Feeds it rests on, at most ten.
        public var n: Int64 = 0
        /// Fewer than two feeds.
        public var unstable = false
        /// The moment it is answered for.
        public var now = Instant.epoch
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lastUs", &last, "averageMin", &averageMin, "etaMin", &etaMin, "n", &n)
            try field("unstable", &unstable, "nowUs", &now)
        }
    }

    /// The last entry of a sort.
    public struct Latest: Record {
        public var entryId = ""
        public var kind = Kind.formula
        public var started = Instant.epoch
        public var ended: Instant?
        /// Whole minutes from its end, or start, until now.
        public var agoMin: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "kind", &kind, "startedUs", &started)
            try field("endedUs", &ended, "agoMin", &agoMin)
        }
    }

    /// The last entries of the sorts that people ask for.
    public struct LatestOfAll: Record {
        public var poo: Latest?
        public var feeding: Latest?
        public var sleep: Latest?
        public var diaper: Latest?
        public var medication: Latest?
        /// The moment it is answered for.
        public var now = Instant.epoch
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("poo", &poo, "feeding", &feeding, "sleep", &sleep, "diaper", &diaper)
            try field("medication", &medication, "nowUs", &now)
        }
    }

    /// A rule of the source app, kept to compare with. It is no medical advice.
    public struct Recommendation: Record {
        public var ageDays: Int64 = 0
        public var weightG: Int64 = 0
        /// True where no weight is recorded: the usual one of that age.
        public var weightIsAssumed = false
        public var method = Household.FeedingMethod.formula
        public var intervalMin: Int64 = 0
        public var dailyMl: Int64?
        public var perFeedMl: Int64?
        public var notice: String = "A rule of the source app for comparison, no medical advice."
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("ageDays", &ageDays, "weightG", &weightG, "weightIsAssumed", &weightIsAssumed)
            try field("method", &method, "intervalMin", &intervalMin, "dailyMl", &dailyMl)
            try field("perFeedMl", &perFeedMl, "notice", &notice)
        }
    }

    /// The day so far, in the words of the app.
    public struct Today: Record {
        public var date = ""
        public var feedings: Int64?
        public var formulaMl: Int64?
        public var sleepMin: Int64?
        public var pee: Int64?
        public var poo: Int64?
        public var lines: [String] = []
        /// The moment it is answered for.
        public var now = Instant.epoch
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("date", &date, "feedings", &feedings, "formulaMl", &formulaMl)
            try field("sleepMin", &sleepMin, "pee", &pee, "poo", &poo, "lines", &lines)
            try field("nowUs", &now)
        }
    }
}
