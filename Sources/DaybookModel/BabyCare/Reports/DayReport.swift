package import Daybook

extension BabyCare {
    /// The answer of the daily report: the totals and entries of one day of a baby.
    package struct DayReport: PublishedCareAnswer, PlainRecord {
        /// Reported day in the zone of the report, such as `2020-03-08`.
        package var date = ""
        /// Inputs from which the report was computed, such as the time zone and the rule set.
        package var basis = Basis()
        /// True if the day was not over at the last recorded event.
        package var isPartial = false
        package var isBeforeBirth = false
        package var figures = Figures()
        /// Closed and open entries of the day, in order of start.
        package var entries: [DayEntry] = []
        package var kind: ReportKind { .daily }
        package var period: String { date }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("date", &date)
            try basis.fields(&field)
            try field("partial", &isPartial, "beforeBirth", &isBeforeBirth)
            try figures.fields(&field)
            try field("entries", &entries)
        }
    }

    /// One entry in the list of a daily report.
    package struct DayEntry: PlainRecord {
        package var entryId = ""
        package var kind = Kind.formula
        /// State of the entry, either `closed` or `open`.
        package var state = EntryState.closed
        package var started = Instant.epoch
        package var ended: Instant?
        /// Start in local time, such as `2020-03-08T02:30:00`.
        package var start = ""
        /// End in local time; `nil` if the entry is open or has no duration.
        package var end: String?
        package var isEstimated = false
        package var value = Value()
        package static var elementKey: String? { "entryId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "kind", &kind, "state", &state)
            try field("startedUs", &started, "endedUs", &ended, "start", &start, "end", &end)
            try field("isEstimated", &isEstimated, "value", &value)
        }
    }

    /// The answer of the weekly and monthly reports: totals, averages and trends.
    package struct PeriodReport: PublishedCareAnswer, PlainRecord {
        package var kind = ReportKind.weekly
        /// ISO week or month, such as `2020-W10` or `2020-03`.
        package var period = ""
        /// First day of the period.
        package var from = ""
        /// Last day of the period.
        package var to = ""
        package var basis = Basis()
        /// True if the period was not over at the last recorded event.
        package var isPartial = false
        /// True if all days of the period are before the baby was born.
        package var isBeforeBirth = false
        package var figures = Figures()
        /// Averages per day of the period.
        package var average = Averages()
        /// Changes of the totals against those of the previous period.
        package var trend = Trends()
        /// Totals of each day, in order.
        package var days: [DayOfPeriod] = []
        /// Visits to a doctor, in order of time.
        package var visits: [Visit] = []
        /// Symptoms, in order of time.
        package var symptoms: [SymptomNote] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
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
    package struct Landing: PlainRecord {
        /// Length of the reported range of days: `day`, `week` or `month`.
        package var range = ""
        /// The reported day, or a day of the reported week or month.
        var anchorDate = ""
        /// First day of the range.
        package var from = ""
        /// Last day of the range.
        package var to = ""
        package var basis = Basis()
        package var sleepMin: Int64?
        var nightMin: Int64?
        var napMin: Int64?
        package var sleepCount: Int64?
        var formulaCount: Int64?
        package var formulaMl: Int64?
        /// Millilitres of formula by time of day.
        package var bandsMl: Bands?
        var breastfeedCount: Int64?
        /// Number of meals other than milk.
        var weaningCount: Int64?
        package var pee: Int64?
        package var poo: Int64?
        var medicationCount: Int64?
        package var memoCount: Int64?
        package var average = Averages()
        /// Last entry of each group, such as the last feed.
        package var latest = LatestOfAll()
        /// Point in time for which the answer was computed.
        package var now = Instant.epoch
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
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
