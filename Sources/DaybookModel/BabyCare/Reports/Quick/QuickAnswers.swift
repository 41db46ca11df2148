package import Daybook

extension BabyCare {
    /// The answer of the report on the next feed: its expected time.
    package struct NextFeeding: PlainRecord {
        /// Start of the last feed; `nil` if there is none.
        package var lastStart: Instant?
        /// Mean interval between the feeds in minutes; `nil` if there is no estimate.
        package var averageMin: Int64?
        /// Minutes until the next feed; 0 if it is due now, `nil` if there is no estimate. If the
        /// feed is overdue, it is expected at the next multiple of the mean interval.
        package var etaMin: Int64?
        /// Number of feeds from which the mean interval is computed, at most ten.
        package var feedCount: Int64 = 0
        /// True if there is no estimate, for example because there are fewer than two feeds.
        var lacksEstimate = false
        package var now = Instant.epoch
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("lastUs", &lastStart, "averageMin", &averageMin, "etaMin", &etaMin)
            try field("n", &feedCount, "unstable", &lacksEstimate, "nowUs", &now)
        }
    }

    /// The last entry of a group, such as the last feed, and the time since then.
    package struct Latest: PlainRecord {
        package var entryId = ""
        package var kind = Kind.formula
        package var started = Instant.epoch
        package var ended: Instant?
        /// Whole minutes since the end of the entry; since its start if it has no end.
        package var agoMin: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "kind", &kind, "startedUs", &started)
            try field("endedUs", &ended, "agoMin", &agoMin)
        }
    }

    /// The last entry of each group: poo, feeding, sleep, diaper and medication.
    package struct LatestOfAll: PlainRecord {
        /// Last diaper with poo; `nil` if none is recorded.
        package var poo: Latest?
        /// Last formula or breast feed; `nil` if none is recorded.
        package var feeding: Latest?
        /// Last sleep; `nil` if none is recorded.
        package var sleep: Latest?
        /// Last diaper with pee or poo; `nil` if none is recorded.
        package var diaper: Latest?
        /// Last dose of medication; `nil` if none is recorded.
        package var medication: Latest?
        package var now = Instant.epoch
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("poo", &poo, "feeding", &feeding, "sleep", &sleep, "diaper", &diaper)
            try field("medication", &medication, "nowUs", &now)
        }
    }

    /// A feeding recommendation by a rule of the original app, for comparison; not medical advice.
    package struct Recommendation: PlainRecord {
        /// Age of the baby in completed days.
        package var ageDays: Int64 = 0
        package var weightG: Int64 = 0
        /// True if no weight is recorded and `weightG` is the usual weight at this age.
        var weightIsAssumed = false
        /// Milk that the baby gets: formula, breast milk or both.
        package var method = Household.FeedingMethod.formula
        /// Recommended minutes between the starts of feeds.
        package var intervalMin: Int64 = 0
        /// Recommended millilitres of formula per day; `nil` for breast milk only.
        package var dailyMl: Int64?
        /// Recommended millilitres of formula per feed; `nil` for breast milk only.
        package var perFeedMl: Int64?
        /// Sentence which says that the recommendation is no medical advice.
        var notice: String = "A rule of the source app for comparison, no medical advice."
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("ageDays", &ageDays, "weightG", &weightG, "weightIsAssumed", &weightIsAssumed)
            try field("method", &method, "intervalMin", &intervalMin, "dailyMl", &dailyMl)
            try field("perFeedMl", &perFeedMl, "notice", &notice)
        }
    }

    /// The answer of the report on the present day so far.
    package struct Today: PlainRecord {
        package var date = ""
        var feedingCount: Int64?
        package var formulaMl: Int64?
        package var sleepMin: Int64?
        package var pee: Int64?
        package var poo: Int64?
        /// Lines of text that the app shows for the day.
        package var lines: [String] = []
        package var now = Instant.epoch
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("date", &date, "feedings", &feedingCount, "formulaMl", &formulaMl)
            try field("sleepMin", &sleepMin, "pee", &pee, "poo", &poo, "lines", &lines)
            try field("nowUs", &now)
        }
    }
}
