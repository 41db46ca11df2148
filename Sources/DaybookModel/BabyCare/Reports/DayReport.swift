public import Daybook

extension BabyCare {
    /// A report on one day of a baby.
    public struct DayReport: PublishedCareAnswer {
        /// Civil date in the zone of the report: `2020-03-08`.
        public var date = ""
        public var basis = Basis()
        /// True if the day was not over at the last recorded event.
        public var partial = false
        /// True for a day before the baby was born.
        public var beforeBirth = false
        public var figures = Figures()
        /// Closed and open entries of the day, by start.
        public var entries: [DayEntry] = []
        public static var blank: Self { Self() }
        public var kind: ReportKind { .daily }
        public var period: String { date }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("date", &date)
            try basis.fields(&field)
            try field("partial", &partial, "beforeBirth", &beforeBirth)
            try figures.fields(&field)
            try field("entries", &entries)
        }
    }

    /// One entry of a day.
    public struct DayEntry: Record {
        public var entryId = ""
        public var kind = Kind.formula
        /// State of the entry, either `closed` or `open`.
        public var state = EntryState.closed
        public var started = Instant.epoch
        public var ended: Instant?
        /// Start in local time.
        public var start = ""
        public var end: String?
        public var isEstimated = false
        public var value = Value()
        public static var elementKey: String? { "entryId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "kind", &kind, "state", &state)
            try field("startedUs", &started, "endedUs", &ended, "start", &start, "end", &end)
            try field("isEstimated", &isEstimated, "value", &value)
        }
    }

    /// A report on one week or month of a baby.
    public struct PeriodReport: PublishedCareAnswer {
        public var kind = ReportKind.weekly
        /// ISO week or month: `2020-W10` or `2020-03`.
        public var period = ""
        /// The first day.
        public var from = ""
        /// The last day.
        public var to = ""
        public var basis = Basis()
        public var partial = false
        /// True if all days of the period are before the baby was born.
        public var beforeBirth = false
        public var figures = Figures()
        public var average = Averages()
        public var trend = Trends()
        public var days: [DayOfPeriod] = []
        /// Visits to a doctor, in order of time.
        public var visits: [Visit] = []
        /// Symptoms, in order of time.
        public var symptoms: [SymptomNote] = []
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            // The name of the field distinguishes a week from a month; a day has `date`.
            switch kind {
            case .monthly: try field("month", &period)
            default: try field("week", &period)
            }
            try field("from", &from, "to", &to)
            try basis.fields(&field)
            try field("partial", &partial, "beforeBirth", &beforeBirth)
            try figures.fields(&field)
            try field("average", &average, "trend", &trend, "days", &days)
            guard figures.layout != .withoutHealth else { return }
            try field("visits", &visits, "symptoms", &symptoms)
        }
    }

    /// The answer to S4's quick landing page.
    public struct Landing: Record {
        /// Range of the page: `day`, `week` or `month`.
        public var range = ""
        /// The reported day, or a day of the reported week or month.
        public var anchorDate = ""
        public var from = ""
        public var to = ""
        public var basis = Basis()
        public var sleepMin: Int64?
        public var nightMin: Int64?
        public var napMin: Int64?
        public var sleepCount: Int64?
        public var formulaCount: Int64?
        public var formulaMl: Int64?
        public var bandsMl: Bands?
        public var breastfeedCount: Int64?
        public var weaningCount: Int64?
        public var pee: Int64?
        public var poo: Int64?
        public var medicationCount: Int64?
        public var memoCount: Int64?
        public var average = Averages()
        public var latest = LatestOfAll()
        /// Moment that the answer is valid for.
        public var now = Instant.epoch
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("range", &range, "anchorDate", &anchorDate, "from", &from, "to", &to)
            try basis.fields(&field)
            try field("sleepMin", &sleepMin, "nightMin", &nightMin, "napMin", &napMin)
            try field("sleepCount", &sleepCount, "formulaCount", &formulaCount)
            try field("formulaMl", &formulaMl, "bandsMl", &bandsMl)
            try field("breastfeedCount", &breastfeedCount, "weaningCount", &weaningCount)
            try field("pee", &pee, "poo", &poo, "medicationCount", &medicationCount)
            try field("memoCount", &memoCount, "average", &average, "latest", &latest)
            try field("nowUs", &now)
        }
    }
}
