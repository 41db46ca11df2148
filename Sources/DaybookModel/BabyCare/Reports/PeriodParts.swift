public import Daybook

extension BabyCare {
    /// The totals of one day in a weekly or monthly report.
    ///
    /// A total is `nil` if nothing is recorded for it.
    public struct DayOfPeriod: Record {
        /// Date of the day, such as `2020-03-08`.
        public var date = ""
        /// Length of the day in seconds; a day with a clock change is shorter or longer.
        public var lengthS: Int64 = 0
        /// True if the day has any entry; always true under the rules of the original app.
        public var isRecorded = false
        /// Seconds of sleep; every overlapping sleep counts in full.
        public var sleepSumS: Int64?
        /// Seconds of sleep; overlapping sleeps count once.
        public var sleepUnionS: Int64?
        /// Number of sleeps that started on the day.
        public var sleepCount: Int64?
        /// Number of formula and breast feeds.
        public var feedCount: Int64?
        /// Millilitres of formula.
        public var formulaMl: Int64?
        /// Seconds of breast feeding.
        public var breastfeedS: Int64?
        /// Number of diapers with pee.
        public var pee: Int64?
        /// Number of diapers with poo.
        public var poo: Int64?
        /// Name of the field that identifies an element when two lists are compared.
        public static var elementKey: String? { "date" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("date", &date, "lengthS", &lengthS, "isRecorded", &isRecorded)
            try field("sleepSumS", &sleepSumS, "sleepUnionS", &sleepUnionS)
            try field("sleepCount", &sleepCount, "feedCount", &feedCount, "formulaMl", &formulaMl)
            try field("breastfeedS", &breastfeedS, "pee", &pee, "poo", &poo)
        }
    }

    /// The averages per day of a period, with one decimal; `nil` if nothing is recorded.
    ///
    /// Totals are divided by the number of days with an entry; under the rules of the original app,
    /// by the number of all days.
    public struct Averages: Record {
        /// Number of days that the totals are divided by.
        public var dayCount: Int64 = 0
        /// Minutes of sleep per day.
        public var sleepMin: Tenths?
        /// Sleeps per day.
        public var sleepCount: Tenths?
        /// Formula and breast feeds per day.
        public var feedCount: Tenths?
        /// Millilitres of formula per day.
        public var formulaMl: Tenths?
        /// Minutes of breast feeding per day.
        public var breastfeedMin: Tenths?
        /// Grams of food other than milk per day.
        public var weaningG: Tenths?
        /// Diapers with pee per day.
        public var pee: Tenths?
        /// Diapers with poo per day.
        public var poo: Tenths?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("recordedDays", &dayCount, "sleepMin", &sleepMin)
            try field("sleepCount", &sleepCount, "feedCount", &feedCount, "formulaMl", &formulaMl)
            try field("breastfeedMin", &breastfeedMin, "weaningG", &weaningG, "pee", &pee)
            try field("poo", &poo)
        }
    }

    /// The changes against the previous week or month, such as `+20%`, `new`, `flat` or `0%`.
    ///
    /// A change is `nil` if nothing is recorded in the present period.
    public struct Trends: Record {
        /// Change in the seconds of sleep.
        public var sleepS: String?
        /// Change in the number of sleeps.
        public var sleepCount: String?
        /// Change in the number of formula and breast feeds.
        public var feedCount: String?
        /// Change in the amount of formula.
        public var formulaMl: String?
        /// Change in the seconds of breast feeding.
        public var breastfeedS: String?
        /// Change in the number of diapers with pee.
        public var pee: String?
        /// Change in the number of diapers with poo.
        public var poo: String?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sleepS", &sleepS, "sleepCount", &sleepCount, "feedCount", &feedCount)
            try field("formulaMl", &formulaMl, "breastfeedS", &breastfeedS, "pee", &pee)
            try field("poo", &poo)
        }
    }
}
