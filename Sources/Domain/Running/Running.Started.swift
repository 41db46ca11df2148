public import EventSourcing

extension Running {
    /// A run began.
    public struct RunStarted: EventPayload {
        public static let kind: EventKind = "running.run-started.v1"

        public var runId = ""
        public var userId = ""
        public var mode = RunMode.solo
        /// `nil` for a track without times.
        public var startedUs: Int64?
        /// After how much standing still the run pauses by itself; `nil` for never.
        public var autoPauseS: Int64?
        /// A faster step is no running; `nil` for no limit.
        public var maxSpeedMmPerS: Int64?
        /// A place known less well is left out; `nil` for no limit.
        public var maxAccuracyMm: Int64?
        /// What a file calls it.
        public var title: PersonalText?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            runId: String, userId: String, mode: RunMode = RunMode.solo, startedUs: Int64? = nil,
            autoPauseS: Int64? = nil, maxSpeedMmPerS: Int64? = nil, maxAccuracyMm: Int64? = nil,
            title: PersonalText? = nil, rules: RuleSet = RuleSet.standard
        ) {
            self.runId = runId
            self.userId = userId
            self.mode = mode
            self.startedUs = startedUs
            self.autoPauseS = autoPauseS
            self.maxSpeedMmPerS = maxSpeedMmPerS
            self.maxAccuracyMm = maxAccuracyMm
            self.title = title
            self.rules = rules
        }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId), Running.slotTag(userId)]
        }

        public static let limits: [String: Limit] = [
            "startedUs": .moment, "autoPauseS": .values(Running.autoPausesS),
            "maxSpeedMmPerS": .values(Running.speedsMmPerS),
            "maxAccuracyMm": .values(Running.accuraciesMm),
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunStarted
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("mode", &value.mode)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("autoPauseS", &value.autoPauseS)
            try visitor.field("maxSpeedMmPerS", &value.maxSpeedMmPerS)
            try visitor.field("maxAccuracyMm", &value.maxAccuracyMm)
            try visitor.field("title", &value.title)
            try visitor.field("rules", &value.rules)
        }
    }

    /// Time and distance stopped counting.
    public struct RunPaused: EventPayload {
        public static let kind: EventKind = "running.run-paused.v1"

        public var runId = ""
        public var cause = PauseCause.manual
        public var pausedUs: Int64 = 0

        public init() {}

        public init(
            runId: String, cause: PauseCause, pausedUs: Int64
        ) {
            self.runId = runId
            self.cause = cause
            self.pausedUs = pausedUs
        }

        public var tags: [Tag] {
            [Running.tag(runId)]
        }

        public static let limits: [String: Limit] = ["pausedUs": .moment]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunPaused
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("cause", &value.cause)
            try visitor.field("pausedUs", &value.pausedUs)
        }
    }

    /// Time and distance count again, in a new segment.
    public struct RunResumed: EventPayload {
        public static let kind: EventKind = "running.run-resumed.v1"

        public var runId = ""
        public var cause = PauseCause.manual
        public var resumedUs: Int64 = 0
        public var segment: Int64 = 0

        public init() {}

        public init(
            runId: String, cause: PauseCause, resumedUs: Int64, segment: Int64
        ) {
            self.runId = runId
            self.cause = cause
            self.resumedUs = resumedUs
            self.segment = segment
        }

        public var tags: [Tag] {
            [Running.tag(runId)]
        }

        public static let limits: [String: Limit] = ["resumedUs": .moment, "segment": .count]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunResumed
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("cause", &value.cause)
            try visitor.field("resumedUs", &value.resumedUs)
            try visitor.field("segment", &value.segment)
        }
    }

    /// The run is over.
    public struct RunCompleted: EventPayload {
        public static let kind: EventKind = "running.run-completed.v1"

        public var runId = ""
        public var userId = ""
        public var startedUs: Int64?
        public var endedUs: Int64?
        /// From start to end.
        public var wallMs: Int64 = 0
        /// Without pauses.
        public var activeMs: Int64 = 0
        /// Without standing still; the source does not count it.
        public var movingMs: Int64?
        public var distanceMm: Int64 = 0
        /// `nil` without distance, or where not all of it has times.
        public var avgPaceMsPerKm: Int64?
        /// 60 kcal a kilometre.
        public var kcal: Int64 = 0
        /// By speed and body weight; `nil` where the weight is not known.
        public var kcalMet: Int64?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            runId: String, userId: String, startedUs: Int64? = nil, endedUs: Int64? = nil,
            wallMs: Int64, activeMs: Int64, movingMs: Int64? = nil, distanceMm: Int64,
            avgPaceMsPerKm: Int64? = nil, kcal: Int64, kcalMet: Int64? = nil,
            rules: RuleSet = RuleSet.standard
        ) {
            self.runId = runId
            self.userId = userId
            self.startedUs = startedUs
            self.endedUs = endedUs
            self.wallMs = wallMs
            self.activeMs = activeMs
            self.movingMs = movingMs
            self.distanceMm = distanceMm
            self.avgPaceMsPerKm = avgPaceMsPerKm
            self.kcal = kcal
            self.kcalMet = kcalMet
            self.rules = rules
        }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId), Running.slotTag(userId)]
                + Running.weekTags(startedUs)
        }

        public static let limits: [String: Limit] = [
            "startedUs": .moment, "endedUs": .moment,
            "wallMs": .values(-10_000_000_000_000...10_000_000_000_000),
            "activeMs": .values(-10_000_000_000_000...10_000_000_000_000),
            "movingMs": .values(0...10_000_000_000_000),
            "distanceMm": .values(Running.distancesMm), "avgPaceMsPerKm": .values(0 ... .max),
            "kcal": .count, "kcalMet": .values(0 ... .max),
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunCompleted
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("userId", &value.userId)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("wallMs", &value.wallMs)
            try visitor.field("activeMs", &value.activeMs)
            try visitor.field("movingMs", &value.movingMs)
            try visitor.field("distanceMm", &value.distanceMm)
            try visitor.field("avgPaceMsPerKm", &value.avgPaceMsPerKm)
            try visitor.field("kcal", &value.kcal)
            try visitor.field("kcalMet", &value.kcalMet)
            try visitor.field("rules", &value.rules)
        }
    }
}
