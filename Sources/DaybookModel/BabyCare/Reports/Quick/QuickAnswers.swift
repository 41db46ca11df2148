public import Daybook

extension BabyCare {
    /// The expected time of the next feed.
    public struct NextFeeding: Record {
        public var last: Instant?
        public var averageMin: Int64?
        /// Minutes until the next feed; 0 if due now.
        ///
        /// If the feed is overdue, the time counts to the next multiple of the average interval.
        public var etaMin: Int64?
        /// Number of feeds used, at most ten.
        public var n: Int64 = 0
        /// True if the feeds allow no estimate, such as fewer than two feeds.
        public var unstable = false
        /// Moment that the answer is valid for.
        public var now = Instant.epoch
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lastUs", &last, "averageMin", &averageMin, "etaMin", &etaMin, "n", &n)
            try field("unstable", &unstable, "nowUs", &now)
        }
    }

    /// The last entry of a group of kinds.
    public struct Latest: Record {
        public var entryId = ""
        public var kind = Kind.formula
        public var started = Instant.epoch
        public var ended: Instant?
        /// Whole minutes since its end, or since its start if it has no end.
        public var agoMin: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "kind", &kind, "startedUs", &started)
            try field("endedUs", &ended, "agoMin", &agoMin)
        }
    }

    /// The last entry of each group: poo, feeding, sleep, diaper and medication.
    public struct LatestOfAll: Record {
        public var poo: Latest?
        public var feeding: Latest?
        public var sleep: Latest?
        public var diaper: Latest?
        public var medication: Latest?
        /// Moment that the answer is valid for.
        public var now = Instant.epoch
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("poo", &poo, "feeding", &feeding, "sleep", &sleep, "diaper", &diaper)
            try field("medication", &medication, "nowUs", &now)
        }
    }

    /// A feeding recommendation by a rule of the source app, for comparison; not medical advice.
    public struct Recommendation: Record {
        public var ageDays: Int64 = 0
        public var weightG: Int64 = 0
        /// True if no weight is recorded, so that the usual weight of the age is used.
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

    /// The figures of the day so far, with the lines of text that the app shows.
    public struct Today: Record {
        public var date = ""
        public var feedings: Int64?
        public var formulaMl: Int64?
        public var sleepMin: Int64?
        public var pee: Int64?
        public var poo: Int64?
        public var lines: [String] = []
        /// Moment that the answer is valid for.
        public var now = Instant.epoch
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("date", &date, "feedings", &feedings, "formulaMl", &formulaMl)
            try field("sleepMin", &sleepMin, "pee", &pee, "poo", &poo, "lines", &lines)
            try field("nowUs", &now)
        }
    }
}
