public import EventSourcing

extension BabyCare {
    /// A baby's day.
    public struct DayReport: Record {
        /// Of the civil calendar, in the zone: `2020-03-08`.
        public var date = ""
        public var basis = Basis()
        /// Whether the day was not over at what was known.
        public var partial = false
        public var figures = Figures()

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout DayReport
        ) throws(Visitor.Failure) {
            try visitor.field("date", &value.date)
            try Basis.fields(&visitor, &value.basis)
            try visitor.field("partial", &value.partial)
            try Figures.fields(&visitor, &value.figures)
        }
    }

    /// A baby's week or month.
    public struct PeriodReport: Record {
        public var kind = ReportKind.weekly
        /// `2020-W10` or `2020-03`.
        public var period = ""
        /// The first day.
        public var from = ""
        /// The last day.
        public var to = ""
        public var basis = Basis()
        public var partial = false
        public var figures = Figures()
        public var average = Averages()
        public var trend = Trends()
        public var days: [DayOfPeriod] = []

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout PeriodReport
        ) throws(Visitor.Failure) {
            // A week and a month are told apart by the name of the field, as a day is by `date`.
            switch value.kind {
            case .monthly: try visitor.field("month", &value.period)
            default: try visitor.field("week", &value.period)
            }
            try visitor.field("from", &value.from)
            try visitor.field("to", &value.to)
            try Basis.fields(&visitor, &value.basis)
            try visitor.field("partial", &value.partial)
            try Figures.fields(&visitor, &value.figures)
            try visitor.field("average", &value.average)
            try visitor.field("trend", &value.trend)
            try visitor.field("days", &value.days)
        }
    }

    /// The answer to S4's quick landing page.
    public struct Landing: Record {
        /// `day`, `week` or `month`.
        public var range = ""
        /// The day it is about, or that lies in its week or month.
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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Landing
        ) throws(Visitor.Failure) {
            try visitor.field("range", &value.range)
            try visitor.field("anchorDate", &value.anchorDate)
            try visitor.field("from", &value.from)
            try visitor.field("to", &value.to)
            try Basis.fields(&visitor, &value.basis)
            try visitor.field("sleepMin", &value.sleepMin)
            try visitor.field("nightMin", &value.nightMin)
            try visitor.field("napMin", &value.napMin)
            try visitor.field("sleepCount", &value.sleepCount)
            try visitor.field("formulaCount", &value.formulaCount)
            try visitor.field("formulaMl", &value.formulaMl)
            try visitor.field("bandsMl", &value.bandsMl)
            try visitor.field("breastfeedCount", &value.breastfeedCount)
            try visitor.field("weaningCount", &value.weaningCount)
            try visitor.field("pee", &value.pee)
            try visitor.field("poo", &value.poo)
            try visitor.field("medicationCount", &value.medicationCount)
            try visitor.field("memoCount", &value.memoCount)
            try visitor.field("average", &value.average)
            try visitor.field("latest", &value.latest)
        }
    }
}
