public import Daybook

extension BabyCare {
    /// Totals of the feeds that started in the stretch.
    public struct FeedFigures: Record {
        public var formula: FormulaFigures?
        public var breastfeed: BreastfeedFigures?
        public var weaning: WeaningFigures?
        /// Formula by the local hour of its start.
        public var bandsMl: Bands?
        /// Times from the start of a formula or breast feed to the next one's.
        public var intervals: Intervals?
        public static var blank: Self { Self() }

        /// The number of bottles and breast feeds.
        var count: Int64? {
            guard formula != nil || breastfeed != nil else { return nil }
            return (formula?.count ?? 0) + (breastfeed?.count ?? 0)
        }

        /// The same with 0 for what is not recorded.
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

    /// Bottles.
    public struct FormulaFigures: Record {
        public var count: Int64 = 0
        /// `nil` where no amount is known at all.
        public var ml: Int64?
        /// The number of feeds without an amount.
        public var mlMissing: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "ml", &ml, "mlMissing", &mlMissing)
        }
    }

    /// Feeds at the breast.
    public struct BreastfeedFigures: Record {
        public var count: Int64 = 0
        /// `nil` where no length is known at all.
        public var durationS: Int64?
        /// The number of feeds without a length.
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

    /// Feeds at one side.
    public struct SideFigures: Record {
        public var count: Int64 = 0
        /// `nil` where no length is known at all.
        public var durationS: Int64?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "durationS", &durationS)
        }
    }

    /// Food other than milk.
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

    /// Gaps between events; two at the same moment leave none.
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
