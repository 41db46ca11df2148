public import EventSourcing

extension Running {
    /// A moment and how far the run had come.
    public struct PaceMark: Record {
        public var tUs: Int64 = 0
        public var segment: Int64 = 0
        public var distanceMm: Int64 = 0
        /// The same with the lines over pauses.
        public var bridgedMm: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tUs", &tUs)
            try field("segment", &segment)
            try field("distanceMm", &distanceMm)
            try field("bridgedMm", &bridgedMm)
        }
    }

    /// What adding the next point depends on.
    public struct Tracking: Record {
        /// When the newest stretch without a pause began.
        public var stretchUs: Int64?
        /// When it ended; `nil` while it goes on.
        public var pausedUs: Int64?
        /// The length of the stretches before it; of an imported run, of all.
        public var beforeUs: Int64 = 0
        public var movingUs: Int64 = 0
        public var walkedMm: Int64 = 0
        /// Of that, steps whose time is not known.
        public var untimedMm: Int64 = 0
        public var bridgeMm: Int64 = 0
        public var segment: Int64 = 0
        public var batches: Int64 = 0
        /// The last point that was kept.
        public var last: RunPoint?
        /// The segment it belongs to.
        public var lastOfSegment: Int64?
        /// When the last timed point of that segment was reached.
        public var lastTimedUs: Int64?
        /// The newest moment that anything was told of.
        public var lastSeenUs: Int64?
        public var stoodSinceUs: Int64?
        /// The last ten timed points.
        public var marks: [PaceMark] = []
        /// Time spent when the last point was reached.
        public var clockUs: Int64 = 0
        /// How many are full.
        public var kilometres: Int64 = 0
        /// Time spent when the last full kilometre was reached.
        public var splitUs: Int64 = 0
        /// Whether all of the kilometre under way has times.
        public var splitIsKnown = true
        /// From the start to the last whole second of the timer, as the source counts.
        public var elapsedUs: Int64 = 0

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("stretchUs", &stretchUs)
            try field("pausedUs", &pausedUs)
            try field("beforeUs", &beforeUs)
            try field("movingUs", &movingUs)
            try field("walkedMm", &walkedMm)
            try field("untimedMm", &untimedMm)
            try field("bridgeMm", &bridgeMm)
            try field("segment", &segment)
            try field("batches", &batches)
            try field("last", &last)
            try field("lastOfSegment", &lastOfSegment)
            try field("lastTimedUs", &lastTimedUs)
            try field("lastSeenUs", &lastSeenUs)
            try field("stoodSinceUs", &stoodSinceUs)
            try field("marks", &marks)
            try field("clockUs", &clockUs)
            try field("kilometres", &kilometres)
            try field("splitUs", &splitUs)
            try field("splitIsKnown", &splitIsKnown)
            try field("elapsedUs", &elapsedUs)
        }
    }

    /// One run: what the phone showed, and what came of it.
    ///
    /// Of a run that is under way, times reach to the last thing that was told of it.
    public struct Run: Record {
        public var runId = ""
        public var userId = ""
        public var state = RunState.idle
        public var mode = RunMode.solo
        public var rules = Rules.standard
        /// `nil` for a track without times.
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var distanceMm: Int64 = 0
        public var wallMs: Int64 = 0
        public var activeMs: Int64 = 0
        /// Without standing still; the source does not count it.
        public var movingMs: Int64?
        /// `nil` without distance, or where not all of it has times.
        public var avgPaceMsPerKm: Int64?
        /// Of the last ten points.
        public var currentPaceMsPerKm: Int64?
        public var kcal: Int64 = 0
        public var kcalMet: Int64?
        public var segments: Int64 = 0
        public var points: Int64 = 0
        public var rejected: Int64 = 0
        /// By reason.
        public var rejectedFor: [String: Int64] = [:]
        /// Of each full kilometre; `nil` where points of it have no time.
        public var splitsMs: [Int64?] = []
        /// Behind the last full kilometre.
        public var restMm: Int64 = 0
        public var isSaved = false
        public var remoteId: String?
        public var saveAttempts: Int64 = 0
        /// Why the last attempt failed.
        public var saveFailure: String?
        /// Of a run that is paused.
        public var pauseCause: PauseCause?
        /// How often it was completed.
        public var records: Int64 = 0
        public var autoPauseS: Int64?
        public var maxSpeedMmPerS: Int64?
        public var maxAccuracyMm: Int64?
        public var tracking = Tracking()

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("state", &state)
            try field("mode", &mode)
            try field("rules", &rules)
            try field("startedUs", &startedUs)
            try field("endedUs", &endedUs)
            try field("distanceMm", &distanceMm)
            try field("wallMs", &wallMs)
            try field("activeMs", &activeMs)
            try field("movingMs", &movingMs)
            try field("avgPaceMsPerKm", &avgPaceMsPerKm)
            try field("currentPaceMsPerKm", &currentPaceMsPerKm)
            try field("kcal", &kcal)
            try field("kcalMet", &kcalMet)
            try field("segments", &segments)
            try field("points", &points)
            try field("rejected", &rejected)
            try field("rejectedFor", &rejectedFor)
            try field("splitsMs", &splitsMs)
            try field("restMm", &restMm)
            try field("isSaved", &isSaved)
            try field("remoteId", &remoteId)
            try field("saveAttempts", &saveAttempts)
            try field("saveFailure", &saveFailure)
            try field("pauseCause", &pauseCause)
            try field("records", &records)
            try field("autoPauseS", &autoPauseS)
            try field("maxSpeedMmPerS", &maxSpeedMmPerS)
            try field("maxAccuracyMm", &maxAccuracyMm)
            try field.internalField("tracking", &tracking)
        }
    }
}
