public import Daybook

extension BabyCare {
    /// Totals of the feeds that started in the stretch.
    public struct FeedFigures: Record {
        public var formula: FormulaFigures?
        public var breastfeed: BreastfeedFigures?
        public var weaning: WeaningFigures?
        /// Formula by the local hour of the feed's start; `nil` without amounts.
        public var bandsMl: Bands?
        /// Intervals between starts of consecutive formula and breast feeds.
        public var intervals: Intervals?
        public static var blank: Self { Self() }

        /// Number of formula and breast feeds; `nil` if neither is recorded.
        var count: Int64? {
            guard formula != nil || breastfeed != nil else { return nil }
            return (formula?.count ?? 0) + (breastfeed?.count ?? 0)
        }

        /// These figures with 0 instead of `nil`.
        var withoutGaps: Self {
            var figures = self
            var formula = formula ?? FormulaFigures()
            formula.ml = formula.ml ?? 0
            var breastfeed = breastfeed ?? BreastfeedFigures()
            breastfeed.durationS = breastfeed.durationS ?? 0
            var weaning = weaning ?? WeaningFigures()
            weaning.g = weaning.g ?? 0
            (figures.formula, figures.breastfeed) = (formula, breastfeed)
            (figures.weaning, figures.bandsMl) = (weaning, bandsMl ?? Bands())
            return figures
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("formula", &formula, "breastfeed", &breastfeed, "weaning", &weaning)
            try field("bandsMl", &bandsMl, "intervals", &intervals)
        }
    }

    /// Totals of formula feeds.
    public struct FormulaFigures: Record {
        public var count: Int64 = 0
        /// Total in millilitres; `nil` if no feed has an amount.
        public var ml: Int64?
        /// Number of feeds without an amount.
        public var mlMissing: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "ml", &ml, "mlMissing", &mlMissing)
        }
    }

    /// Totals of breast feeds.
    public struct BreastfeedFigures: Record {
        public var count: Int64 = 0
        /// Total in seconds; `nil` if no feed has a duration.
        public var durationS: Int64?
        /// Number of feeds without a duration.
        public var durationMissing: Int64 = 0
        public var left: SideFigures?
        public var right: SideFigures?
        public var both: SideFigures?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "durationS", &durationS, "durationMissing", &durationMissing)
            try field("left", &left, "right", &right, "both", &both)
        }
    }

    /// Totals of breast feeds at one side.
    public struct SideFigures: Record {
        public var count: Int64 = 0
        /// Total in seconds; `nil` if no feed has a duration.
        public var durationS: Int64?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "durationS", &durationS)
        }
    }

    /// Totals of meals other than milk.
    public struct WeaningFigures: Record {
        public var count: Int64 = 0
        public var g: Int64?
        public var gMissing: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "g", &g, "gMissing", &gMissing)
        }
    }

    /// Millilitres by time of day.
    public struct Bands: Record {
        /// 0:00–6:00.
        public var night: Int64 = 0
        /// 6:00–12:00.
        public var morning: Int64 = 0
        /// 12:00–18:00.
        public var afternoon: Int64 = 0
        /// 18:00–24:00.
        public var evening: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("night", &night, "morning", &morning, "afternoon", &afternoon)
            try field("evening", &evening)
        }
    }

    /// Lengths of the intervals between starts; intervals of 0 are left out.
    public struct Intervals: Record {
        public var count: Int64 = 0
        public var meanS: Int64 = 0
        public var minS: Int64 = 0
        public var maxS: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "meanS", &meanS, "minS", &minS, "maxS", &maxS)
        }
    }
}
