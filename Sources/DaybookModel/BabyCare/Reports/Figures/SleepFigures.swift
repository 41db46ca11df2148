public import Daybook

extension BabyCare {
    /// Sleep in a stretch of time, in whole seconds of absolute time.
    public struct SleepFigures: Record {
        /// Total of the parts of closed sleeps in the stretch.
        public var sumS: Int64 = 0
        /// Total of the parts of closed sleeps, with overlaps counted once.
        public var unionS: Int64 = 0
        /// Number of closed sleeps that started in the stretch.
        public var count: Int64 = 0
        /// Total of the whole lengths of sleeps that started in the stretch.
        public var startedS: Int64 = 0
        /// Longest part of one sleep in the stretch.
        public var longestS: Int64 = 0
        /// Total of the parts of night sleeps, with overlaps counted once.
        public var nightS: Int64 = 0
        /// `unionS` without `nightS`, so that an overlap of night sleep and nap counts as night.
        public var napS: Int64 = 0
        /// Part of `sumS` from sleeps with an estimated end.
        public var estimatedS: Int64 = 0
        /// Open sleeps, which count in no total.
        public var open: [OpenSleep] = []
        public static var blank: Self { Self() }

        /// True if any sleep of the stretch is closed.
        public var hasClosed: Bool { count > 0 || sumS > 0 }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("sumS", &sumS, "unionS", &unionS, "count", &count, "startedS", &startedS)
            try field("longestS", &longestS, "nightS", &nightS, "napS", &napS)
            try field("estimatedS", &estimatedS, "open", &open)
        }
    }

    /// A sleep without a recorded end.
    public struct OpenSleep: Record {
        public var entryId = ""
        public var started = Instant.epoch
        /// Start in local time: `2020-03-08T02:30:00`.
        public var start = ""
        /// Seconds of its part up to the last recorded event; `nil` unless requested.
        public var soFarS: Int64?
        public static var elementKey: String? { "entryId" }
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("entryId", &entryId, "startedUs", &started, "start", &start)
            try field("soFarS", &soFarS)
        }
    }

    /// Waking times, from the end of one sleep to the start of the next, both in the stretch.
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
