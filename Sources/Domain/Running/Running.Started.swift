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
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId), Running.slotTag(userId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("mode", &mode)
            try field("startedUs", &startedUs, .moment)
            try field("autoPauseS", &autoPauseS, .values(Running.autoPausesS))
            try field("maxSpeedMmPerS", &maxSpeedMmPerS, .values(Running.speedsMmPerS))
            try field("maxAccuracyMm", &maxAccuracyMm, .values(Running.accuraciesMm))
            try field("title", &title)
            try field("rules", &rules)
        }
    }

    /// Time and distance stopped counting.
    public struct RunPaused: EventPayload {
        public static let kind: EventKind = "running.run-paused.v1"

        public var runId = ""
        public var cause = PauseCause.manual
        public var pausedUs: Int64 = 0

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Running.tag(runId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("cause", &cause)
            try field("pausedUs", &pausedUs, .moment)
        }
    }

    /// Time and distance count again, in a new segment.
    public struct RunResumed: EventPayload {
        public static let kind: EventKind = "running.run-resumed.v1"

        public var runId = ""
        public var cause = PauseCause.manual
        public var resumedUs: Int64 = 0
        public var segment: Int64 = 0

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Running.tag(runId)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("cause", &cause)
            try field("resumedUs", &resumedUs, .moment)
            try field("segment", &segment, .count)
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
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Running.tag(runId), Running.userTag(userId), Running.slotTag(userId)]
                + Running.weekTags(startedUs)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("userId", &userId)
            try field("startedUs", &startedUs, .moment)
            try field("endedUs", &endedUs, .moment)
            try field("wallMs", &wallMs, .values(-10_000_000_000_000...10_000_000_000_000))
            try field("activeMs", &activeMs, .values(-10_000_000_000_000...10_000_000_000_000))
            try field("movingMs", &movingMs, .values(0...10_000_000_000_000))
            try field("distanceMm", &distanceMm, .values(Running.distancesMm))
            try field("avgPaceMsPerKm", &avgPaceMsPerKm, .values(0 ... .max))
            try field("kcal", &kcal, .count)
            try field("kcalMet", &kcalMet, .values(0 ... .max))
            try field("rules", &rules)
        }
    }
}
