public import Daybook

extension Running {
    /// A moment, and the distance so far.
    public struct PaceMark: Record {
        public var time = Instant.epoch
        public var segment: Int64 = 0
        public var distanceMm: Int64 = 0
        /// Distance with the lines over pauses.
        public var bridgedMm: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &time, .any)
            try field("segment", &segment, "distanceMm", &distanceMm, "bridgedMm", &bridgedMm)
        }
    }

    /// A kept place, and the sums up to and with it.
    public struct TailPlace: Record {
        public var point = RunPoint()
        public var segment: Int64 = 0
        /// Begin of the stretch without a pause that it belongs to.
        public var stretchStart: Instant?
        public var lastTimed: Instant?
        public var lastSeen: Instant?
        public var walkedMm: Int64 = 0
        public var untimedMm: Int64 = 0
        public var clockUs: Int64 = 0
        public var kilometres: Int64 = 0
        public var splitUs: Int64 = 0
        public var splitIsKnown = true
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("point", &point, "segment", &segment)
            try field("stretchUs", &stretchStart, .any)
            try field("lastTimedUs", &lastTimed, .any)
            try field("lastSeenUs", &lastSeen, .any)
            try field("walkedMm", &walkedMm, "untimedMm", &untimedMm, "clockUs", &clockUs)
            try field("kilometres", &kilometres, "splitUs", &splitUs)
            try field("splitIsKnown", &splitIsKnown)
        }
    }

    /// Number of newest places that a run keeps for corrections: a withdrawn stretch, and the two
    /// places before it.
    static let tailLength = mostWrongInARow + 2

    /// The state that adding the next point depends on.
    public struct Tracking: Record {
        /// Begin of the newest stretch without a pause.
        public var stretchStart: Instant?
        /// Its end; `nil` while the run is not paused.
        public var paused: Instant?
        /// Length of the stretches before it; in an imported run, of all stretches.
        public var beforeUs: Int64 = 0
        public var movingUs: Int64 = 0
        public var walkedMm: Int64 = 0
        /// The part of `walkedMm` in steps without times.
        public var untimedMm: Int64 = 0
        public var bridgeMm: Int64 = 0
        public var segment: Int64 = 0
        public var batches: Int64 = 0
        /// The last point that was kept.
        public var last: RunPoint?
        /// The segment it belongs to.
        public var lastOfSegment: Int64?
        /// Time of the last timed point of that segment.
        public var lastTimed: Instant?
        /// The newest moment of any event.
        public var lastSeen: Instant?
        public var stoodSince: Instant?
        /// The last ten timed points.
        public var marks: [PaceMark] = []
        /// Running time at the last point.
        public var clockUs: Int64 = 0
        /// Full kilometres so far.
        public var kilometres: Int64 = 0
        /// Running time at the last full kilometre.
        public var splitUs: Int64 = 0
        /// True while every step of the current kilometre has times.
        public var splitIsKnown = true
        /// Time from the start to the last whole second of the timer, as the source counts.
        public var elapsedUs: Int64 = 0
        /// Number of places left out that the source counts.
        public var unsourced: Int64 = 0
        /// Number of automatic pauses, which the source has none of.
        public var autoPauses: Int64 = 0
        /// The newest kept places, which a later batch may withdraw.
        public var tail: [TailPlace] = []
        /// The newest places left out for their step or time since the last kept one, which a later
        /// batch may readmit.
        public var doubtful: [RunPoint] = []
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("stretchUs", &stretchStart, .any)
            try field("pausedUs", &paused, .any)
            try field("beforeUs", &beforeUs, "movingUs", &movingUs, "walkedMm", &walkedMm)
            try field("untimedMm", &untimedMm, "bridgeMm", &bridgeMm, "segment", &segment)
            try field("batches", &batches, "last", &last, "lastOfSegment", &lastOfSegment)
            try field("lastTimedUs", &lastTimed, .any)
            try field("lastSeenUs", &lastSeen, .any)
            try field("stoodSinceUs", &stoodSince, .any)
            try field("marks", &marks, "clockUs", &clockUs, "kilometres", &kilometres)
            try field("splitUs", &splitUs, "splitIsKnown", &splitIsKnown, "elapsedUs", &elapsedUs)
            try field("unsourced", &unsourced, "autoPauses", &autoPauses)
            try field("tail", &tail, "doubtful", &doubtful)
        }
    }
}
