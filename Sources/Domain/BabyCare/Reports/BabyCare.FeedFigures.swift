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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout FeedFigures
        ) throws(Visitor.Failure) {
            try visitor.field("formula", &value.formula)
            try visitor.field("breastfeed", &value.breastfeed)
            try visitor.field("weaning", &value.weaning)
            try visitor.field("bandsMl", &value.bandsMl)
            try visitor.field("intervals", &value.intervals)
        }
    }

    /// Bottles.
    public struct FormulaFigures: Record {
        public var count: Int64 = 0
        /// `nil` where no amount is known at all.
        public var ml: Int64?
        /// How many have no amount.
        public var mlMissing: Int64 = 0

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout FormulaFigures
        ) throws(Visitor.Failure) {
            try visitor.field("count", &value.count)
            try visitor.field("ml", &value.ml)
            try visitor.field("mlMissing", &value.mlMissing)
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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout BreastfeedFigures
        ) throws(Visitor.Failure) {
            try visitor.field("count", &value.count)
            try visitor.field("durationS", &value.durationS)
            try visitor.field("durationMissing", &value.durationMissing)
            try visitor.field("left", &value.left)
            try visitor.field("right", &value.right)
            try visitor.field("both", &value.both)
        }
    }

    /// Feeds at one side.
    public struct SideFigures: Record {
        public var count: Int64 = 0
        /// `nil` where nobody said how long any took.
        public var durationS: Int64?

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SideFigures
        ) throws(Visitor.Failure) {
            try visitor.field("count", &value.count)
            try visitor.field("durationS", &value.durationS)
        }
    }

    /// Food other than milk.
    public struct WeaningFigures: Record {
        public var count: Int64 = 0
        public var g: Int64?
        public var gMissing: Int64 = 0

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout WeaningFigures
        ) throws(Visitor.Failure) {
            try visitor.field("count", &value.count)
            try visitor.field("g", &value.g)
            try visitor.field("gMissing", &value.gMissing)
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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Bands
        ) throws(Visitor.Failure) {
            try visitor.field("night", &value.night)
            try visitor.field("morning", &value.morning)
            try visitor.field("afternoon", &value.afternoon)
            try visitor.field("evening", &value.evening)
        }
    }

    /// Gaps between things; two at the same moment leave none.
    public struct Intervals: Record {
        public var count: Int64 = 0
        public var meanS: Int64 = 0
        public var minS: Int64 = 0
        public var maxS: Int64 = 0

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Intervals
        ) throws(Visitor.Failure) {
            try visitor.field("count", &value.count)
            try visitor.field("meanS", &value.meanS)
            try visitor.field("minS", &value.minS)
            try visitor.field("maxS", &value.maxS)
        }
    }
}
