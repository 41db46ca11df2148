public import EventSourcing

extension BabyCare {
    /// What was drunk and eaten by feeds that started in the stretch.
    public struct FeedFigures: Record {
        public var formula: FormulaFigures?
        public var breastfeed: BreastfeedFigures?
        public var weaning: WeaningFigures?
        /// Formula by the local hour of its start.
        public var bandsMl: Bands?
        /// From the start of a formula or breast feed to the next one's.
        public var intervals: Intervals?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("formula", &formula)
            try field("breastfeed", &breastfeed)
            try field("weaning", &weaning)
            try field("bandsMl", &bandsMl)
            try field("intervals", &intervals)
        }
    }

    /// Bottles.
    public struct FormulaFigures: Record {
        public var count: Int64 = 0
        /// `nil` where no amount is known at all.
        public var ml: Int64?
        /// How many have no amount.
        public var mlMissing: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count)
            try field("ml", &ml)
            try field("mlMissing", &mlMissing)
        }
    }

    /// Feeds at the breast.
    public struct BreastfeedFigures: Record {
        public var count: Int64 = 0
        /// `nil` where nobody said how long any took.
        public var durationS: Int64?
        /// How many have no length.
        public var durationMissing: Int64 = 0
        public var left: SideFigures?
        public var right: SideFigures?
        public var both: SideFigures?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count)
            try field("durationS", &durationS)
            try field("durationMissing", &durationMissing)
            try field("left", &left)
            try field("right", &right)
            try field("both", &both)
        }
    }

    /// Feeds at one side.
    public struct SideFigures: Record {
        public var count: Int64 = 0
        /// `nil` where nobody said how long any took.
        public var durationS: Int64?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count)
            try field("durationS", &durationS)
        }
    }

    /// Food other than milk.
    public struct WeaningFigures: Record {
        public var count: Int64 = 0
        public var g: Int64?
        public var gMissing: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count)
            try field("g", &g)
            try field("gMissing", &gMissing)
        }
    }

    /// Millilitres by time of day.
    public struct Bands: Record {
        /// Before 6.
        public var night: Int64 = 0
        /// 6 to 12.
        public var morning: Int64 = 0
        /// 12 to 18.
        public var afternoon: Int64 = 0
        /// From 18.
        public var evening: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("night", &night)
            try field("morning", &morning)
            try field("afternoon", &afternoon)
            try field("evening", &evening)
        }
    }

    /// Gaps between things; two at the same moment leave none.
    public struct Intervals: Record {
        public var count: Int64 = 0
        public var meanS: Int64 = 0
        public var minS: Int64 = 0
        public var maxS: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count)
            try field("meanS", &meanS)
            try field("minS", &minS)
            try field("maxS", &maxS)
        }
    }
}
