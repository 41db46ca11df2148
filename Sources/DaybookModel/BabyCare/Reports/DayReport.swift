public import Daybook

extension BabyCare {
    /// The answer of the daily report: the totals and entries of one day of a baby.
    public struct DayReport: PublishedCareAnswer {
        /// Reported day in the zone of the report, such as `2020-03-08`.
        public var date = ""
        /// Inputs from which the report was computed, such as the time zone and the rule set.
        public var basis = Basis()
        /// True if the day was not over at the last recorded event.
        public var isPartial = false
        /// True for a day before the baby was born.
        public var isBeforeBirth = false
        /// Totals of the day.
        public var figures = Figures()
        /// Closed and open entries of the day, in order of start.
        public var entries: [DayEntry] = []
        public static var blank: Self { Self() }
        public var kind: ReportKind { .daily }
        public var period: String { date }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("date", &date)
            try basis.fields(&field)
            try field("partial", &isPartial, "beforeBirth", &isBeforeBirth)
            try figures.fields(&field)
            try field("entries", &entries)
        }
    }

    /// One entry in the list of a daily report.
    public struct DayEntry: Record {
        public var entryId = ""
        /// Kind of the entry, such as a sleep or a bottle of formula.
        public var kind = Kind.formula
        /// State of the entry, either `closed` or `open`.
        public var state = EntryState.closed
        public var started = Instant.epoch
        /// End of the entry; `nil` if the entry is open or has no duration.
        public var ended: Instant?
        /// Start in local time, such as `2020-03-08T02:30:00`.
        public var start = ""
        /// End in local time; `nil` if the entry is open or has no duration.
        public var end: String?
        /// True if the end is an estimate.
        public var isEstimated = false
        /// Amounts and other details of the entry, in fixed units.
        public var value = Value()
        /// Name of the field that identifies an element when two lists are compared.
        public static var elementKey: String? { "entryId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "kind", &kind, "state", &state)
            try field("startedUs", &started, "endedUs", &ended, "start", &start, "end", &end)
            try field("isEstimated", &isEstimated, "value", &value)
        }
    }

    /// The answer of the weekly and monthly reports: totals, averages and trends.
    public struct PeriodReport: PublishedCareAnswer {
        /// Kind of the period, `weekly` or `monthly`.
        public var kind = ReportKind.weekly
        /// ISO week or month, such as `2020-W10` or `2020-03`.
        public var period = ""
        /// First day of the period.
        public var from = ""
        /// Last day of the period.
        public var to = ""
        /// Inputs from which the report was computed, such as the time zone and the rule set.
        public var basis = Basis()
        /// True if the period was not over at the last recorded event.
        public var isPartial = false
        /// True if all days of the period are before the baby was born.
        public var isBeforeBirth = false
        /// Totals of the period.
        public var figures = Figures()
        /// Averages per day of the period.
        public var average = Averages()
        /// Changes of the totals against those of the previous period.
        public var trend = Trends()
        /// Totals of each day, in order.
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
            try field("partial", &isPartial, "beforeBirth", &isBeforeBirth)
            try figures.fields(&field)
            try field("average", &average, "trend", &trend, "days", &days)
            guard figures.layout != .withoutHealth else { return }
            try field("visits", &visits, "symptoms", &symptoms)
        }
    }

    /// The answer of the landing report: the numbers on the first page of the app.
    ///
    /// A number is `nil` if nothing is recorded for it; under the rules of the original app, 0.
    public struct Landing: Record {
        /// Length of the reported range of days: `day`, `week` or `month`.
        public var range = ""
        /// The reported day, or a day of the reported week or month.
        public var anchorDate = ""
        /// First day of the range.
        public var from = ""
        /// Last day of the range.
        public var to = ""
        /// Inputs from which the report was computed, such as the time zone and the rule set.
        public var basis = Basis()
        /// Minutes of sleep.
        public var sleepMin: Int64?
        /// Minutes of night sleep.
        public var nightMin: Int64?
        /// Minutes of naps.
        public var napMin: Int64?
        /// Number of sleeps.
        public var sleepCount: Int64?
        /// Number of formula feeds.
        public var formulaCount: Int64?
        /// Millilitres of formula.
        public var formulaMl: Int64?
        /// Millilitres of formula by time of day.
        public var bandsMl: Bands?
        /// Number of breast feeds.
        public var breastfeedCount: Int64?
        /// Number of meals other than milk.
        public var weaningCount: Int64?
        /// Number of diapers with pee.
        public var pee: Int64?
        /// Number of diapers with poo.
        public var poo: Int64?
        /// Number of doses of medication.
        public var medicationCount: Int64?
        /// Number of memos.
        public var memoCount: Int64?
        /// Averages per day of the period.
        public var average = Averages()
        /// Last entry of each group, such as the last feed.
        public var latest = LatestOfAll()
        /// Point in time for which the answer was computed.
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
