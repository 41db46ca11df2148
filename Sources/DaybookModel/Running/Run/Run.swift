package import Daybook

extension Running {
    /// The state and figures of one run, folded from its events.
    ///
    /// The durations of an active run extend to its newest event.
    package struct Run: PlainRecord {
        package var runId = ""
        package var userId = ""
        package var state = RunState.idle
        /// Way in which the run was recorded; `nil` if no event has set it.
        private var recordedMode: RunMode?
        /// Rule set under which the run was recorded; `nil` if no event has set it.
        private var recordedRules: Rules?
        /// Way in which the run was recorded; solo until an event sets it.
        package var mode: RunMode {
            get { recordedMode ?? .solo }
            set { recordedMode = newValue }
        }
        /// Rule set under which the run was recorded; standard until an event sets it.
        package var rules: Rules {
            get { recordedRules ?? .standard }
            set { recordedRules = newValue }
        }
        package var started: Instant?
        package var ended: Instant?
        package var distanceMm: Int64 = 0
        package var wallMs: Int64 = 0
        package var activeMs: Int64 = 0
        package var movingMs: Int64?
        package var avgPaceMsPerKm: Int64?
        /// Pace over the last ten points with times, in milliseconds per kilometre; `nil` with too
        /// few points or without distance.
        var currentPaceMsPerKm: Int64?
        package var kcal: Int64 = 0
        var kcalMet: Int64?
        /// Number of segments: parts of the track between pauses or breaks.
        package var segmentCount: Int64 = 0
        package var pointCount: Int64 = 0
        package var rejectedCount: Int64 = 0
        var rejectedCountsByReason: [String: Int64] = [:]
        /// Time of each full kilometre; `nil` for a kilometre with points that lack times.
        var splitsMs: [Int64?] = []
        /// Distance covered since the last full kilometre.
        var restMm: Int64 = 0
        /// True once the server stored the run.
        var isSaved = false
        /// The server's id of the saved run.
        var remoteId: String?
        var saveAttemptCount: Int64 = 0
        /// Name of the reason why the last attempt to save failed, such as `timeout`; `nil` after a
        /// success.
        var saveFailure: String?
        /// Cause of the current pause; `nil` while not paused.
        var pauseCause: PauseCause?
        /// Number of recorded completions; only under the rule set `source` can it exceed 1.
        var completionCount: Int64 = 0
        /// Seconds without movement until the automatic pause; `nil` disables it.
        var autoPauseS: Int64?
        package var maxSpeedMmPerS: Int64?
        package var maxAccuracyMm: Int64?
        /// Time span to which the newest crop limits the run; `nil` for the whole run.
        package var keptWindow: TrackWindow?
        /// Values beyond the run's figures that are needed to apply its next event.
        var tracking = Tracking()
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field.unlessBlank("runId", &runId)
            try field.unlessBlank("userId", &userId)
            try field("state", &state, "mode", &recordedMode, "rules", &recordedRules)
            try field("startedUs", &started, .any)
            try field("endedUs", &ended, .any)
            try field("distanceMm", &distanceMm, "wallMs", &wallMs, "activeMs", &activeMs)
            try field("movingMs", &movingMs, "avgPaceMsPerKm", &avgPaceMsPerKm)
            try field("currentPaceMsPerKm", &currentPaceMsPerKm, "kcal", &kcal, "kcalMet", &kcalMet)
            try field("segments", &segmentCount, "points", &pointCount, "rejected", &rejectedCount)
            try field("rejectedFor", &rejectedCountsByReason, "splitsMs", &splitsMs)
            try field("restMm", &restMm, "isSaved", &isSaved, "remoteId", &remoteId)
            try field("saveAttempts", &saveAttemptCount, "saveFailure", &saveFailure)
            try field("pauseCause", &pauseCause, "records", &completionCount)
            try field("autoPauseS", &autoPauseS, "maxSpeedMmPerS", &maxSpeedMmPerS)
            try field("maxAccuracyMm", &maxAccuracyMm, "cropped", &keptWindow)
            try field.internalField("tracking", &tracking)
        }
    }
}
