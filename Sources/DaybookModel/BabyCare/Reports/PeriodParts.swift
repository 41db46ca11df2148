public import Daybook

extension BabyCare {
    /// One day of a week or month.
    public struct DayOfPeriod: Record {
        public var date = ""
        public var lengthS: Int64 = 0
        /// True if the day has any entry.
        public var isRecorded = false
        public var sleepSumS: Int64?
        public var sleepUnionS: Int64?
        public var sleepCount: Int64?
        public var feedCount: Int64?
        public var formulaMl: Int64?
        public var breastfeedS: Int64?
        public var pee: Int64?
        public var poo: Int64?
        public static var elementKey: String? { "date" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("date", &date, "lengthS", &lengthS, "isRecorded", &isRecorded)
            try field("sleepSumS", &sleepSumS, "sleepUnionS", &sleepUnionS)
            try field("sleepCount", &sleepCount, "feedCount", &feedCount, "formulaMl", &formulaMl)
            try field("breastfeedS", &breastfeedS, "pee", &pee, "poo", &poo)
        }
    }

    /// Averages per day with an entry, with one decimal; the rules of the source documents divide
    /// by all days.
    public struct Averages: Record {
        public var recordedDays: Int64 = 0
        public var sleepMin: Tenths?
        public var sleepCount: Tenths?
        public var feedCount: Tenths?
        public var formulaMl: Tenths?
        public var breastfeedMin: Tenths?
        public var weaningG: Tenths?
        public var pee: Tenths?
        public var poo: Tenths?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("recordedDays", &recordedDays, "sleepMin", &sleepMin)
            try field("sleepCount", &sleepCount, "feedCount", &feedCount, "formulaMl", &formulaMl)
            try field("breastfeedMin", &breastfeedMin, "weaningG", &weaningG, "pee", &pee)
            try field("poo", &poo)
        }
    }

    /// Changes against the previous seven days or month: `+20%`, `new`, `flat` or `0%`.
    ///
    /// `nil` if the figure has no record.
    public struct Trends: Record {
        public var sleepS: String?
        public var sleepCount: String?
        public var feedCount: String?
        public var formulaMl: String?
        public var breastfeedS: String?
        public var pee: String?
        public var poo: String?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sleepS", &sleepS, "sleepCount", &sleepCount, "feedCount", &feedCount)
            try field("formulaMl", &formulaMl, "breastfeedS", &breastfeedS, "pee", &pee)
            try field("poo", &poo)
        }
    }
}
