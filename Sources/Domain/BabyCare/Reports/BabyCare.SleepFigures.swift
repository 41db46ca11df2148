public import EventSourcing

extension BabyCare {
    /// Sleep in a stretch of time, in whole seconds by absolute time.
    public struct SleepFigures: Record {
        /// Parts of all closed sleeps that lie in the stretch.
        public var sumS: Int64 = 0
        /// The same with overlaps counted once.
        public var unionS: Int64 = 0
        /// Closed sleeps that started in the stretch.
        public var count: Int64 = 0
        /// Whole lengths of those, wherever they ended.
        public var startedS: Int64 = 0
        /// The longest part of one sleep.
        public var longestS: Int64 = 0
        /// Parts of sleeps that started at night.
        public var nightS: Int64 = 0
        /// Parts of the others.
        public var napS: Int64 = 0
        /// Parts whose end is an estimate.
        public var estimatedS: Int64 = 0
        /// Still going on as far as is known; in no sum.
        public var open: [OpenSleep] = []

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SleepFigures
        ) throws(Visitor.Failure) {
            try visitor.field("sumS", &value.sumS)
            try visitor.field("unionS", &value.unionS)
            try visitor.field("count", &value.count)
            try visitor.field("startedS", &value.startedS)
            try visitor.field("longestS", &value.longestS)
            try visitor.field("nightS", &value.nightS)
            try visitor.field("napS", &value.napS)
            try visitor.field("estimatedS", &value.estimatedS)
            try visitor.field("open", &value.open)
        }
    }

    /// A sleep without an end.
    public struct OpenSleep: Record {
        public var entryId = ""
        public var startedUs: Int64 = 0
        /// Local: `2020-03-08T02:30:00`.
        public var start = ""
        /// Its part up to what is known, where that was asked for.
        public var soFarS: Int64?

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout OpenSleep
        ) throws(Visitor.Failure) {
            try visitor.field("entryId", &value.entryId)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("start", &value.start)
            try visitor.field("soFarS", &value.soFarS)
        }
    }

    /// Times awake, from the end of one sleep to the start of the next, both in the stretch.
    public struct WakeFigures: Record {
        public var count: Int64 = 0
        public var meanS: Int64 = 0
        public var maxS: Int64 = 0

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout WakeFigures
        ) throws(Visitor.Failure) {
            try visitor.field("count", &value.count)
            try visitor.field("meanS", &value.meanS)
            try visitor.field("maxS", &value.maxS)
        }
    }
}
