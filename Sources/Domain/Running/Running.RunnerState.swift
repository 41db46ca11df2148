public import EventSourcing

extension Running {
    /// A run, as a history lists it.
    public struct RunSummary: Record {
        public var runId = ""
        public var state = RunState.idle
        /// `nil` for a track without times.
        public var startedUs: Int64?
        public var endedUs: Int64?
        public var distanceMm: Int64 = 0
        public var wallMs: Int64 = 0
        public var activeMs: Int64 = 0
        public var avgPaceMsPerKm: Int64?
        public var kcal: Int64 = 0
        public var kcalMet: Int64?
        public var isSaved = false

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunSummary
        ) throws(Visitor.Failure) {
            try visitor.field("runId", &value.runId)
            try visitor.field("state", &value.state)
            try visitor.field("startedUs", &value.startedUs)
            try visitor.field("endedUs", &value.endedUs)
            try visitor.field("distanceMm", &value.distanceMm)
            try visitor.field("wallMs", &value.wallMs)
            try visitor.field("activeMs", &value.activeMs)
            try visitor.field("avgPaceMsPerKm", &value.avgPaceMsPerKm)
            try visitor.field("kcal", &value.kcal)
            try visitor.field("kcalMet", &value.kcalMet)
            try visitor.field("isSaved", &value.isSaved)
        }
    }

    /// What is known of a runner.
    public struct RunnerState: Record {
        /// Whether a profile was ever recorded.
        public var isKnown = false
        /// Whether a name was ever told.
        public var isNamed = false
        public var weightG: Int64?
        public var zone: String?
        /// The run that is under way.
        public var activeRunId: String?
        /// Completed and not cancelled.
        public var totalRuns: Int64 = 0
        public var totalDistanceMm: Int64 = 0
        public var totalActiveMs: Int64 = 0
        public var totalKcal: Int64 = 0
        /// By id, also those that do not count.
        public var runs: [String: RunSummary] = [:]

        public init() {}

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RunnerState
        ) throws(Visitor.Failure) {
            try visitor.field("isKnown", &value.isKnown)
            try visitor.field("isNamed", &value.isNamed)
            try visitor.field("weightG", &value.weightG)
            try visitor.field("zone", &value.zone)
            try visitor.field("activeRunId", &value.activeRunId)
            try visitor.field("totalRuns", &value.totalRuns)
            try visitor.field("totalDistanceMm", &value.totalDistanceMm)
            try visitor.field("totalActiveMs", &value.totalActiveMs)
            try visitor.field("totalKcal", &value.totalKcal)
            try visitor.field("runs", &value.runs)
        }
    }
}
