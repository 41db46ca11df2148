public import Daybook

extension Running {
    /// A timed point and the distance up to it, from which the current pace is computed.
    public struct PaceMark: Record {
        public var time = Instant.epoch
        public var segment: Int64 = 0
        /// Distance so far, without pauses.
        public var distanceMm: Int64 = 0
        /// Distance so far, including the straight lines over pauses.
        public var bridgedMm: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &time, .any)
            try field("segment", &segment, "distanceMm", &distanceMm, "bridgedMm", &bridgedMm)
        }
    }

    /// A recently kept place, with the run's sums up to and including the step to it.
    public struct TailPlace: Record {
        public var point = RunPoint()
        public var segment: Int64 = 0
        /// Start of the uninterrupted time of running that contains the place.
        public var stretchStart: Instant?
        /// Time of the last timed point in the place's segment.
        public var lastTimed: Instant?
        /// Newest time in any event of the run.
        public var lastSeen: Instant?
        /// Sum of all steps, without the straight lines over pauses.
        public var walkedMm: Int64 = 0
        /// Part of `walkedMm` in steps without times.
        public var untimedMm: Int64 = 0
        /// Running time at the place.
        public var clockUs: Int64 = 0
        /// Full kilometres so far.
        public var kilometreCount: Int64 = 0
        /// Running time at the last full kilometre.
        public var splitUs: Int64 = 0
        /// True while every step of the current kilometre has times.
        public var splitIsKnown = true
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("point", &point, "segment", &segment)
            try field("stretchUs", &stretchStart, .any)
            try field("lastTimedUs", &lastTimed, .any)
            try field("lastSeenUs", &lastSeen, .any)
            try field("walkedMm", &walkedMm, "untimedMm", &untimedMm, "clockUs", &clockUs)
            try field("kilometres", &kilometreCount, "splitUs", &splitUs)
            try field("splitIsKnown", &splitIsKnown)
        }
    }

    /// Number of newest places kept for corrections by later batches.
    ///
    /// Enough for the longest row of places that can be withdrawn, and two places before it.
    static let tailLength = mostWrongInARow + 2

    /// Values beyond a run's figures that are needed to apply the run's next event.
    public struct Tracking: Record {
        /// Start of the newest time of running without a pause; `nil` for an imported run.
        public var stretchStart: Instant?
        /// End of the time of running that began at `stretchStart`; `nil` while the run is running.
        public var paused: Instant?
        /// Running time before `stretchStart`; in an imported run, the whole running time.
        public var beforeUs: Int64 = 0
        /// Time in motion.
        public var movingUs: Int64 = 0
        /// Sum of all steps, without the straight lines over pauses.
        public var walkedMm: Int64 = 0
        /// Part of `walkedMm` in steps without times.
        public var untimedMm: Int64 = 0
        /// Total length of the straight lines over pauses.
        public var bridgeMm: Int64 = 0
        /// Number of the current segment, from 0.
        public var segment: Int64 = 0
        /// Number of batches of places so far.
        public var batchCount: Int64 = 0
        /// Last kept point.
        public var last: RunPoint?
        /// Segment of the last kept point.
        public var lastSegment: Int64?
        /// Time of the last timed point in the segment of the last kept point.
        public var lastTimed: Instant?
        /// Newest time in any event of the run.
        public var lastSeen: Instant?
        /// Time since which the runner has stood still; `nil` if the runner moves.
        public var stoodSince: Instant?
        /// Last ten timed points, from which the current pace is computed.
        public var marks: [PaceMark] = []
        /// Running time at the last point.
        public var clockUs: Int64 = 0
        /// Full kilometres so far.
        public var kilometreCount: Int64 = 0
        /// Running time at the last full kilometre.
        public var splitUs: Int64 = 0
        /// True while every step of the current kilometre has times.
        public var splitIsKnown = true
        /// Time from the start to the last tick of the source app's one-second timer, for the
        /// source rules.
        public var elapsedUs: Int64 = 0
        /// Number of rejected places that the source documents' rules would count.
        public var sourceCountedPlaces: Int64 = 0
        /// Number of automatic pauses, which the source documents' rules do not have.
        public var autoPauseCount: Int64 = 0
        /// Newest kept places, which a later batch may withdraw.
        public var tail: [TailPlace] = []
        /// Places that were rejected, since the last kept place, as too fast or not later; a later
        /// batch may keep them after all.
        public var doubtful: [RunPoint] = []
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("stretchUs", &stretchStart, .any)
            try field("pausedUs", &paused, .any)
            try field("beforeUs", &beforeUs, "movingUs", &movingUs, "walkedMm", &walkedMm)
            try field("untimedMm", &untimedMm, "bridgeMm", &bridgeMm, "segment", &segment)
            try field("batches", &batchCount, "last", &last, "lastOfSegment", &lastSegment)
            try field("lastTimedUs", &lastTimed, .any)
            try field("lastSeenUs", &lastSeen, .any)
            try field("stoodSinceUs", &stoodSince, .any)
            try field("marks", &marks, "clockUs", &clockUs, "kilometres", &kilometreCount)
            try field("splitUs", &splitUs, "splitIsKnown", &splitIsKnown, "elapsedUs", &elapsedUs)
            try field("unsourced", &sourceCountedPlaces, "autoPauses", &autoPauseCount)
            try field("tail", &tail, "doubtful", &doubtful)
        }
    }
}
