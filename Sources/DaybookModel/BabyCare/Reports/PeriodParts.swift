package import Daybook

extension BabyCare {
    /// The totals of one day in a weekly or monthly report.
    ///
    /// A total is `nil` if nothing is recorded for it.
    package struct DayOfPeriod: PlainRecord {
        /// Date of the day, such as `2020-03-08`.
        package var date = ""
        /// Length of the day in seconds; a day with a clock change is shorter or longer.
        package var lengthS: Int64 = 0
        /// True if the day has any entry; always true under the rules of the original app.
        package var isRecorded = false
        /// Seconds of sleep; every overlapping sleep counts in full.
        var sleepSumS: Int64?
        /// Seconds of sleep; overlapping sleeps count once.
        package var sleepUnionS: Int64?
        package var sleepCount: Int64?
        package var feedCount: Int64?
        package var formulaMl: Int64?
        package var breastfeedS: Int64?
        package var pee: Int64?
        package var poo: Int64?
        package static var elementKey: String? { "date" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
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
    package struct Averages: PlainRecord {
        /// Number of days that the totals are divided by.
        package var dayCount: Int64 = 0
        /// Minutes of sleep per day.
        package var sleepMin: Tenths?
        /// Sleeps per day.
        package var sleepCount: Tenths?
        /// Formula and breast feeds per day.
        package var feedCount: Tenths?
        /// Millilitres of formula per day.
        package var formulaMl: Tenths?
        /// Minutes of breast feeding per day.
        package var breastfeedMin: Tenths?
        /// Grams of food other than milk per day.
        package var weaningG: Tenths?
        /// Diapers with pee per day.
        package var pee: Tenths?
        /// Diapers with poo per day.
        package var poo: Tenths?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("recordedDays", &dayCount, "sleepMin", &sleepMin)
            try field("sleepCount", &sleepCount, "feedCount", &feedCount, "formulaMl", &formulaMl)
            try field("breastfeedMin", &breastfeedMin, "weaningG", &weaningG, "pee", &pee)
            try field("poo", &poo)
        }
    }

    /// The changes against the previous week or month, such as `+20%`, `new`, `flat` or `0%`.
    ///
    /// A change is `nil` if nothing is recorded in the present period.
    package struct Trends: PlainRecord {
        package var sleepS: String?
        package var sleepCount: String?
        /// Change in the number of formula and breast feeds.
        package var feedCount: String?
        /// Change in the amount of formula.
        package var formulaMl: String?
        /// Change in the seconds of breast feeding.
        package var breastfeedS: String?
        /// Change in the number of diapers with pee.
        package var pee: String?
        /// Change in the number of diapers with poo.
        package var poo: String?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sleepS", &sleepS, "sleepCount", &sleepCount, "feedCount", &feedCount)
            try field("formulaMl", &formulaMl, "breastfeedS", &breastfeedS, "pee", &pee)
            try field("poo", &poo)
        }
    }
}
