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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId)
            try field("state", &state)
            try field("startedUs", &startedUs)
            try field("endedUs", &endedUs)
            try field("distanceMm", &distanceMm)
            try field("wallMs", &wallMs)
            try field("activeMs", &activeMs)
            try field("avgPaceMsPerKm", &avgPaceMsPerKm)
            try field("kcal", &kcal)
            try field("kcalMet", &kcalMet)
            try field("isSaved", &isSaved)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("isKnown", &isKnown)
            try field("isNamed", &isNamed)
            try field("weightG", &weightG)
            try field("zone", &zone)
            try field("activeRunId", &activeRunId)
            try field("totalRuns", &totalRuns)
            try field("totalDistanceMm", &totalDistanceMm)
            try field("totalActiveMs", &totalActiveMs)
            try field("totalKcal", &totalKcal)
            try field("runs", &runs)
        }
    }
}
