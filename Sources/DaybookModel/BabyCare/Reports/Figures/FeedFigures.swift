package import Daybook

extension BabyCare {
    /// Totals of the feeds and meals that started in the reported period.
    package struct FeedFigures: PlainRecord {
        package var formula: FormulaFigures?
        package var breastfeed: BreastfeedFigures?
        /// Totals of meals other than milk; `nil` if none is recorded.
        package var weaning: WeaningFigures?
        /// Millilitres of formula by time of day; `nil` if no formula feed has an amount.
        package var bandsMl: Bands?
        /// Intervals between the starts of consecutive milk feeds; `nil` if there is none.
        package var intervals: Intervals?

        /// Number of formula and breast feeds; `nil` if neither is recorded.
        var count: Int64? {
            guard formula != nil || breastfeed != nil else { return nil }
            return (formula?.count ?? 0) + (breastfeed?.count ?? 0)
        }

        /// Copy of these figures with 0 in place of `nil`, as the original app reports them.
        var replacingNilByZero: Self {
            var figures = self
            var formula = formula ?? FormulaFigures()
            formula.ml = formula.ml ?? 0
            var breastfeed = breastfeed ?? BreastfeedFigures()
            breastfeed.durationS = breastfeed.durationS ?? 0
            var weaning = weaning ?? WeaningFigures()
            weaning.massG = weaning.massG ?? 0
            (figures.formula, figures.breastfeed) = (formula, breastfeed)
            (figures.weaning, figures.bandsMl) = (weaning, bandsMl ?? Bands())
            return figures
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("formula", &formula, "breastfeed", &breastfeed, "weaning", &weaning)
            try field("bandsMl", &bandsMl, "intervals", &intervals)
        }
    }

    /// Totals of formula feeds.
    package struct FormulaFigures: PlainRecord {
        package var count: Int64 = 0
        /// Millilitres of all feeds together; `nil` if no feed has an amount.
        package var ml: Int64?
        /// Number of feeds without an amount.
        package var missingAmountCount: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "ml", &ml, "mlMissing", &missingAmountCount)
        }
    }

    /// Totals of breast feeds.
    package struct BreastfeedFigures: PlainRecord {
        package var count: Int64 = 0
        /// Seconds of all feeds together; `nil` if no feed has a duration.
        package var durationS: Int64?
        /// Number of feeds without a duration.
        package var missingDurationCount: Int64 = 0
        package var left: SideFigures?
        package var right: SideFigures?
        package var both: SideFigures?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field(
                "count", &count, "durationS", &durationS, "durationMissing", &missingDurationCount)
            try field("left", &left, "right", &right, "both", &both)
        }
    }

    /// Totals of breast feeds at one side.
    package struct SideFigures: PlainRecord {
        package var count: Int64 = 0
        package var durationS: Int64?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "durationS", &durationS)
        }
    }

    /// Totals of meals other than milk.
    package struct WeaningFigures: PlainRecord {
        package var count: Int64 = 0
        /// Grams of all meals together; `nil` if no meal has a mass.
        package var massG: Int64?
        /// Number of meals without a mass.
        var missingMassCount: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "g", &massG, "gMissing", &missingMassCount)
        }
    }

    /// Millilitres of formula by the local time of day at which the feed started.
    package struct Bands: PlainRecord {
        /// Millilitres from 0:00 to 6:00.
        package var night: Int64 = 0
        /// Millilitres from 6:00 to 12:00.
        package var morning: Int64 = 0
        /// Millilitres from 12:00 to 18:00.
        package var afternoon: Int64 = 0
        /// Millilitres from 18:00 to 24:00.
        package var evening: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("night", &night, "morning", &morning, "afternoon", &afternoon)
            try field("evening", &evening)
        }
    }

    /// Statistics of the intervals between the starts of feeds; intervals of 0 are left out.
    package struct Intervals: PlainRecord {
        package var count: Int64 = 0
        /// Mean interval in seconds, rounded.
        package var meanS: Int64 = 0
        package var minS: Int64 = 0
        package var maxS: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "meanS", &meanS, "minS", &minS, "maxS", &maxS)
        }
    }
}
