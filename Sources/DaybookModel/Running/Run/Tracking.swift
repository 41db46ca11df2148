package import Daybook

extension Running {
    /// A timed point, with the distance up to it, from which the current pace is computed.
    package struct PaceMark: PlainRecord {
        package var time = Instant.epoch
        package var segment: Int64 = 0
        /// Distance from the start of the run, without the straight lines over pauses.
        package var distanceMm: Int64 = 0
        /// Distance from the start of the run, including the straight lines over pauses.
        var bridgedMm: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &time, .any)
            try field("segment", &segment, "distanceMm", &distanceMm, "bridgedMm", &bridgedMm)
        }
    }

    /// One of the newest kept places, with the run's sums up to this place.
    package struct TailPlace: PlainRecord {
        package var point = RunPoint()
        package var segment: Int64 = 0
        /// Start of the stretch without pauses that contains the place; `nil` for an imported run.
        var stretchStart: Instant?
        /// Time of the last point with a time in the place's segment.
        var lastTimed: Instant?
        /// Newest time recorded in any event of the run so far.
        var newestTime: Instant?
        /// Distance so far, without the straight lines over pauses.
        var walkedMm: Int64 = 0
        /// Part of `walkedMm` that begins or ends at points without times.
        var untimedMm: Int64 = 0
        /// Time without pauses from the start of the run to the place.
        var clockUs: Int64 = 0
        /// Number of full kilometres so far.
        var kilometreCount: Int64 = 0
        /// Time without pauses from the start of the run to the end of the last full kilometre.
        var splitUs: Int64 = 0
        /// True if all points of the current kilometre, so far, have times.
        var splitIsKnown = true
        /// Value of `Tracking.judgedStepCount` up to this place.
        var judgedStepCount: Int64 = 0
        /// Value of `Tracking.longMovingUs` up to this place.
        var longMovingUs: Int64 = 0
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("point", &point, "segment", &segment)
            try field("stretchUs", &stretchStart, .any)
            try field("lastTimedUs", &lastTimed, .any)
            try field("lastSeenUs", &newestTime, .any)
            try field("walkedMm", &walkedMm, "untimedMm", &untimedMm, "clockUs", &clockUs)
            try field("kilometres", &kilometreCount, "splitUs", &splitUs)
            try field("splitIsKnown", &splitIsKnown, "judgedSteps", &judgedStepCount)
            try field("longMovingUs", &longMovingUs)
        }
    }

    /// Maximum number of kept points in one event.
    static let mostPointsOfBatch = 4_096

    /// Distance from the last kept place that ends an automatic pause: 10 m.
    static let resumeDistanceMm: Int64 = 10_000

    /// Number of the newest kept places that are remembered, because a later batch may withdraw
    /// them. It allows for the most places that can be withdrawn, and two places before them.
    static let tailLength = mostWrongInARow + 2

    /// Values beyond a run's figures that are needed to apply the run's next event.
    package struct Tracking: PlainRecord {
        /// Start of the latest stretch without pauses; `nil` for an imported run.
        var stretchStart: Instant?
        /// End of the stretch that began at `stretchStart`; `nil` while the run is running.
        var paused: Instant?
        /// Time without pauses before `stretchStart`; for an imported run, in the whole run.
        var beforeUs: Int64 = 0
        /// Time in motion.
        var movingUs: Int64 = 0
        /// Number of steps short enough in time to tell whether the runner moved throughout.
        var judgedStepCount: Int64 = 0
        /// Time of the longer steps over which the runner moved on average.
        var longMovingUs: Int64 = 0
        var walkedMm: Int64 = 0
        var untimedMm: Int64 = 0
        /// Total length of the straight lines over pauses.
        package var bridgeMm: Int64 = 0
        /// Number of the current segment, from 0.
        package var segment: Int64 = 0
        /// Number of batches of places so far.
        var batchCount: Int64 = 0
        /// Last kept point; `nil` if there is none.
        package var last: RunPoint?
        /// Segment of the last kept point.
        var lastSegment: Int64?
        /// Time of the last timed point in the segment of the last kept point; `nil` for none.
        var lastTimed: Instant?
        var newestTime: Instant?
        /// Time since which the runner has stood still; `nil` if the runner moves.
        var stoodSince: Instant?
        /// Last ten points with times, from which the current pace is computed.
        package var marks: [PaceMark] = []
        /// Time without pauses from the start of the run to the last point.
        var clockUs: Int64 = 0
        var kilometreCount: Int64 = 0
        var splitUs: Int64 = 0
        var splitIsKnown = true
        /// Time from the start of the run to the last tick of the original app's one-second timer;
        /// used under the rule set `source`.
        package var elapsedUs: Int64 = 0
        /// Number of rejected places that the rule set `source` would count.
        var sourceCountedPlaceCount: Int64 = 0
        /// Number of automatic pauses, which the rule set `source` does not have.
        var autoPauseCount: Int64 = 0
        /// Newest kept places, which a later batch may withdraw.
        var tail: [TailPlace] = []
        /// Places that were rejected, since the last kept place, as too fast or not later; a later
        /// batch may keep them after all.
        var doubtful: [RunPoint] = []
        /// Digests of all places with times that were reported for a live run, to recognise a batch
        /// that is sent twice.
        var reported: [Int64] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("stretchUs", &stretchStart, .any)
            try field("pausedUs", &paused, .any)
            try field("beforeUs", &beforeUs, "movingUs", &movingUs, "walkedMm", &walkedMm)
            try field("untimedMm", &untimedMm, "bridgeMm", &bridgeMm, "segment", &segment)
            try field("batches", &batchCount, "last", &last, "lastOfSegment", &lastSegment)
            try field("lastTimedUs", &lastTimed, .any)
            try field("lastSeenUs", &newestTime, .any)
            try field("stoodSinceUs", &stoodSince, .any)
            try field("marks", &marks, "clockUs", &clockUs, "kilometres", &kilometreCount)
            try field("splitUs", &splitUs, "splitIsKnown", &splitIsKnown, "elapsedUs", &elapsedUs)
            try field("unsourced", &sourceCountedPlaceCount, "autoPauses", &autoPauseCount)
            try field("tail", &tail, "doubtful", &doubtful, "reported", &reported)
            try field("judgedSteps", &judgedStepCount, "longMovingUs", &longMovingUs)
        }
    }
}
