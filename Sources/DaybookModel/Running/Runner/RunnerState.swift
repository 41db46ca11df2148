package import Daybook

extension Running {
    /// The fields of a run that a list of runs shows.
    package struct RunSummary: PlainRecord {
        package var runId = ""
        package var state = RunState.idle
        package var started: Instant?
        package var ended: Instant?
        package var distanceMm: Int64 = 0
        package var wallMs: Int64 = 0
        package var activeMs: Int64 = 0
        package var avgPaceMsPerKm: Int64?
        package var kcal: Int64 = 0
        var kcalMet: Int64?
        var isSaved = false
        package static var elementKey: String? { "runId" }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "state", &state)
            try field("startedUs", &started, .any)
            try field("endedUs", &ended, .any)
            try field("distanceMm", &distanceMm, "wallMs", &wallMs, "activeMs", &activeMs)
            try field("avgPaceMsPerKm", &avgPaceMsPerKm, "kcal", &kcal, "kcalMet", &kcalMet)
            try field("isSaved", &isSaved)
        }
    }

    /// A runner's profile, totals and runs.
    package struct RunnerState: PlainRecord {
        /// True once a profile was recorded.
        package var isKnown = false
        package var isNamed = false
        /// Body weight in grams; `nil` if unknown.
        package var weightG: Int64?
        /// IANA name of the runner's time zone; `nil` if unknown.
        package var zone: String?
        var activeRunId: String?
        /// Number of completed runs that are not cancelled.
        package var totalRuns: Int64 = 0
        /// Total distance of the runs that `totalRuns` counts.
        package var totalDistanceMm: Int64 = 0
        /// Total time of the runs that `totalRuns` counts, without pauses.
        var totalActiveMs: Int64 = 0
        /// Total energy of the runs that `totalRuns` counts, in kilocalories.
        var totalKcal: Int64 = 0
        /// All runs by id, including active, cancelled and discarded runs.
        package var runs: Keyed<RunSummary> = [:]
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("isKnown", &isKnown, "isNamed", &isNamed, "weightG", &weightG, "zone", &zone)
            try field("activeRunId", &activeRunId, "totalRuns", &totalRuns)
            try field("totalDistanceMm", &totalDistanceMm, "totalActiveMs", &totalActiveMs)
            try field("totalKcal", &totalKcal, "runs", &runs)
        }
    }

    /// The fold of a runner's profile, totals and runs, without personal texts.
    package enum RunnerView: Projection {
        package typealias Event = Running.Event

        package static func evolve(
            _ state: inout RunnerState, with event: Event, _ envelope: Envelope
        ) { state.apply(event) }
    }
}

extension Running.RunnerState {
    mutating func apply(_ event: Running.Event) {
        switch event {
        case .runnerProfileChanged(let event):
            isKnown = true
            isNamed = isNamed || event.name != nil
            weightG = event.weightG ?? weightG
            zone = event.zone ?? zone
        case .runStarted(let event):
            change(event.runId) {
                $0.state = .running
                $0.started = event.started
            }
            activeRunId = event.runId
        case .runCompleted(let event):
            change(event.runId) { $0.apply(event) }
        case .runCropped(let event): change(event.runId) { $0.applyFigures(event.completion) }
        case .runSaved(let event): change(event.runId) { $0.isSaved = true }
        case .runDiscarded(let event): change(event.runId) { $0.state = .discarded }
        case .runCancelled(let event): change(event.runId) { $0.state = .cancelled }
        case .runRestored(let event): change(event.runId) { $0.state = .completed }
        case .locationsRecorded, .runPaused, .runResumed, .runSaveFailed, .copyRecorded: break
        }
    }

    /// Changes a run's summary, and updates the totals and the active run accordingly.
    private mutating func change(_ runId: String, _ body: (inout Running.RunSummary) -> Void) {
        var run = runs[runId] ?? Running.RunSummary()
        addToTotals(run, -1)
        run.runId = runId
        body(&run)
        addToTotals(run, 1)
        runs[runId] = run
        if activeRunId == runId, !run.state.isActive { activeRunId = nil }
    }

    /// Adds a completed run to the totals; a `sign` of -1 subtracts it.
    private mutating func addToTotals(_ run: Running.RunSummary, _ sign: Int64) {
        guard run.state == .completed else { return }
        totalRuns &+= sign
        totalDistanceMm &+= sign &* run.distanceMm
        totalActiveMs &+= sign &* run.activeMs
        totalKcal &+= sign &* run.kcal
    }
}

extension Running.RunSummary {
    /// Completes the run with its figures; a cancelled run stays cancelled.
    fileprivate mutating func apply(_ event: Running.RunCompleted) {
        if state != .cancelled { state = .completed }
        applyFigures(event)
    }

    /// Copies start, end, distance, times, pace and energy from a completion.
    fileprivate mutating func applyFigures(_ event: Running.RunCompleted) {
        started = event.started
        ended = event.ended
        distanceMm = event.distanceMm
        wallMs = event.wallMs
        activeMs = event.activeMs
        avgPaceMsPerKm = event.avgPaceMsPerKm
        kcal = event.kcal
        kcalMet = event.kcalMet
    }
}
