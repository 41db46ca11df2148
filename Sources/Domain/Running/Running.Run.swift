public import EventSourcing

extension Running {
    /// A moment and how far the run had come.
    public struct PaceMark: Record {
        public var tUs: Int64 = 0
        public var segment: Int64 = 0
        public var distanceMm: Int64 = 0
        /// The same with the lines over pauses.
        public var bridgedMm: Int64 = 0

        public init() {}

        public init(
            tUs: Int64, segment: Int64, distanceMm: Int64, bridgedMm: Int64
        ) {
            self.tUs = tUs
            self.segment = segment
            self.distanceMm = distanceMm
            self.bridgedMm = bridgedMm
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout PaceMark
        ) throws(Visitor.Failure) {
            try visitor.field("tUs", &value.tUs)
            try visitor.field("segment", &value.segment)
            try visitor.field("distanceMm", &value.distanceMm)
            try visitor.field("bridgedMm", &value.bridgedMm)
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

        public init() {}

        public init(
            stretchUs: Int64? = nil, pausedUs: Int64? = nil, beforeUs: Int64, movingUs: Int64,
            walkedMm: Int64, untimedMm: Int64, bridgeMm: Int64, segment: Int64, batches: Int64,
            last: RunPoint? = nil, lastOfSegment: Int64? = nil, lastTimedUs: Int64? = nil,
            lastSeenUs: Int64? = nil, stoodSinceUs: Int64? = nil, marks: [PaceMark] = [],
            clockUs: Int64, kilometres: Int64, splitUs: Int64, splitIsKnown: Bool, elapsedUs: Int64
        ) {
            self.stretchUs = stretchUs
            self.pausedUs = pausedUs
            self.beforeUs = beforeUs
            self.movingUs = movingUs
            self.walkedMm = walkedMm
            self.untimedMm = untimedMm
            self.bridgeMm = bridgeMm
            self.segment = segment
            self.batches = batches
            self.last = last
            self.lastOfSegment = lastOfSegment
            self.lastTimedUs = lastTimedUs
            self.lastSeenUs = lastSeenUs
            self.stoodSinceUs = stoodSinceUs
            self.marks = marks
            self.clockUs = clockUs
            self.kilometres = kilometres
            self.splitUs = splitUs
            self.splitIsKnown = splitIsKnown
            self.elapsedUs = elapsedUs
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Tracking
        ) throws(Visitor.Failure) {
            try visitor.field("stretchUs", &value.stretchUs)
            try visitor.field("pausedUs", &value.pausedUs)
            try visitor.field("beforeUs", &value.beforeUs)
            try visitor.field("movingUs", &value.movingUs)
            try visitor.field("walkedMm", &value.walkedMm)
            try visitor.field("untimedMm", &value.untimedMm)
            try visitor.field("bridgeMm", &value.bridgeMm)
            try visitor.field("segment", &value.segment)
            try visitor.field("batches", &value.batches)
            try visitor.field("last", &value.last)
            try visitor.field("lastOfSegment", &value.lastOfSegment)
            try visitor.field("lastTimedUs", &value.lastTimedUs)
            try visitor.field("lastSeenUs", &value.lastSeenUs)
            try visitor.field("stoodSinceUs", &value.stoodSinceUs)
            try visitor.field("marks", &value.marks)
            try visitor.field("clockUs", &value.clockUs)
            try visitor.field("kilometres", &value.kilometres)
            try visitor.field("splitUs", &value.splitUs)
            try visitor.field("splitIsKnown", &value.splitIsKnown)
            try visitor.field("elapsedUs", &value.elapsedUs)
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
        public var rules = RuleSet.standard
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

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout Run
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("state", &value.state)
            try visitor.field("mode", &value.mode)
            try visitor.field("rules", &value.rules)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("distanceMm", &value.distanceMm)
            try visitor.field("wallMs", &value.wallMs)
            try visitor.field("activeMs", &value.activeMs)
            try visitor.field("movingMs", &value.movingMs)
            try visitor.field("avgPaceMsPerKm", &value.avgPaceMsPerKm)
            try visitor.field("currentPaceMsPerKm", &value.currentPaceMsPerKm)
            try visitor.field("kcal", &value.kcal)
            try visitor.field("kcalMet", &value.kcalMet)
            try visitor.field("segments", &value.segments)
            try visitor.field("points", &value.points)
            try visitor.field("rejected", &value.rejected)
            try visitor.field("rejectedFor", &value.rejectedFor)
            try visitor.field("splitsMs", &value.splitsMs)
            try visitor.field("restMm", &value.restMm)
            try visitor.field("isSaved", &value.isSaved)
            try visitor.field("remoteId", &value.remoteId)
            try visitor.field("saveAttempts", &value.saveAttempts)
            try visitor.field("saveFailure", &value.saveFailure)
            try visitor.field("pauseCause", &value.pauseCause)
            try visitor.field("records", &value.records)
            try visitor.field("autoPauseS", &value.autoPauseS)
            try visitor.field("maxSpeedMmPerS", &value.maxSpeedMmPerS)
            try visitor.field("maxAccuracyMm", &value.maxAccuracyMm)
            try visitor.working("tracking", &value.tracking)
        }
    }
}
