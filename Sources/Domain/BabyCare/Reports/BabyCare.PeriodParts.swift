public import EventSourcing

extension BabyCare {
    /// One day of a week or month.
    public struct DayOfPeriod: Record {
        public var date = ""
        public var lengthS: Int64 = 0
        /// Whether there is any entry.
        public var isRecorded = false
        public var sleepSumS: Int64?
        public var sleepUnionS: Int64?
        public var sleepCount: Int64?
        public var feedCount: Int64?
        public var formulaMl: Int64?
        public var breastfeedS: Int64?
        public var pee: Int64?
        public var poo: Int64?

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout DayOfPeriod
        ) throws(Visitor.Failure) {
            try visitor.field("date", &value.date)
            try visitor.field("lengthS", &value.lengthS)
            try visitor.field("isRecorded", &value.isRecorded)
            try visitor.field("sleepSumS", &value.sleepSumS)
            try visitor.field("sleepUnionS", &value.sleepUnionS)
            try visitor.field("sleepCount", &value.sleepCount)
            try visitor.field("feedCount", &value.feedCount)
            try visitor.field("formulaMl", &value.formulaMl)
            try visitor.field("breastfeedS", &value.breastfeedS)
            try visitor.field("pee", &value.pee)
            try visitor.field("poo", &value.poo)
        }
    }

    /// Totals by the days that have any entry, with one decimal.
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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Averages
        ) throws(Visitor.Failure) {
            try visitor.field("recordedDays", &value.recordedDays)
            try visitor.field("sleepMin", &value.sleepMin)
            try visitor.field("sleepCount", &value.sleepCount)
            try visitor.field("feedCount", &value.feedCount)
            try visitor.field("formulaMl", &value.formulaMl)
            try visitor.field("breastfeedMin", &value.breastfeedMin)
            try visitor.field("weaningG", &value.weaningG)
            try visitor.field("pee", &value.pee)
            try visitor.field("poo", &value.poo)
        }
    }

    /// Against the seven days or the month before: `+20%`, `new`, `flat`, `0%`.
    public struct Trends: Record {
        public var sleepS = ""
        public var sleepCount = ""
        public var feedCount = ""
        public var formulaMl = ""
        public var breastfeedS = ""
        public var pee = ""
        public var poo = ""

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Trends
        ) throws(Visitor.Failure) {
            try visitor.field("sleepS", &value.sleepS)
            try visitor.field("sleepCount", &value.sleepCount)
            try visitor.field("feedCount", &value.feedCount)
            try visitor.field("formulaMl", &value.formulaMl)
            try visitor.field("breastfeedS", &value.breastfeedS)
            try visitor.field("pee", &value.pee)
            try visitor.field("poo", &value.poo)
        }
    }
}
