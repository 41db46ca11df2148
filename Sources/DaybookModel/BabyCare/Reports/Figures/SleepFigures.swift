public import Daybook

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
        /// Parts of sleeps that started at night, overlaps counted once.
        public var nightS: Int64 = 0
        /// The rest of the united sleep: an overlap of night and nap is of the night.
        public var napS: Int64 = 0
        /// Parts whose end is an estimate.
        public var estimatedS: Int64 = 0
        /// Sleeps without a recorded end; in no sum.
        public var open: [OpenSleep] = []
        public static var blank: Self { Self() }

        /// False where all sleep of the stretch is still open, so that it has no length yet.
        public var hasClosed: Bool { count > 0 || sumS > 0 }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sumS", &sumS, "unionS", &unionS, "count", &count, "startedS", &startedS)
            try field("longestS", &longestS, "nightS", &nightS, "napS", &napS)
            try field("estimatedS", &estimatedS, "open", &open)
        }
    }

    /// A sleep without an end.
    public struct OpenSleep: Record {
        public var entryId = ""
        public var started = Instant.epoch
        /// Local: `2020-03-08T02:30:00`.
        public var start = ""
        /// Its part up to the last recorded event, if requested.
        public var soFarS: Int64?
        public static var elementKey: String? { "entryId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "startedUs", &started, "start", &start)
            try field("soFarS", &soFarS)
        }
    }

    /// Times awake, from the end of one sleep to the start of the next, both in the stretch.
    public struct WakeFigures: Record {
        public var count: Int64 = 0
        public var meanS: Int64 = 0
        public var maxS: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("count", &count, "meanS", &meanS, "maxS", &maxS)
        }
    }
}
