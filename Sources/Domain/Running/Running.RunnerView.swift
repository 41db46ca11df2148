public import EventSourcing

extension Running {
    /// A runner's profile, totals and runs.
    public enum RunnerView: Projection {
        public typealias Event = Running.Event

        public static func evolve(
            _ state: inout RunnerState, with event: Event, _ envelope: Envelope
        ) {
            state.take(event)
        }
    }
}

extension Running.RunnerState {
    mutating func take(_ event: Running.Event) {
        switch event {
        case .runnerProfileChanged(let event):
            isKnown = true
            isNamed = isNamed || event.name != nil
            weightG = event.weightG ?? weightG
            zone = event.zone ?? zone
        case .runStarted(let event):
            change(event.runId) {
                $0.state = .running
                $0.startedUs = event.startedUs
            }
            activeRunId = event.runId
        case .runCompleted(let event):
            change(event.runId) { $0.take(event) }
        case .runSaved(let event): change(event.runId) { $0.isSaved = true }
        case .runDiscarded(let event): change(event.runId) { $0.state = .discarded }
        case .runCancelled(let event): change(event.runId) { $0.state = .cancelled }
        case .runRestored(let event): change(event.runId) { $0.state = .completed }
        case .locationsRecorded, .runPaused, .runResumed, .runSaveFailed: break
        }
    }

    private mutating func change(
        _ runId: String, _ body: (inout Running.RunSummary) -> Void
    ) {
        var run = runs[runId] ?? Running.RunSummary()
        count(run, -1)
        run.runId = runId
        body(&run)
        count(run, 1)
        runs[runId] = run
        if activeRunId == runId, !run.state.isActive { activeRunId = nil }
    }

    private mutating func count(_ run: Running.RunSummary, _ sign: Int64) {
        guard run.state == .completed else { return }
        totalRuns &+= sign
        totalDistanceMm &+= sign &* run.distanceMm
        totalActiveMs &+= sign &* run.activeMs
        totalKcal &+= sign &* run.kcal
    }
}

extension Running.RunSummary {
    fileprivate mutating func take(_ event: Running.RunCompleted) {
        state = .completed
        startedUs = event.startedUs
        endedUs = event.endedUs
        distanceMm = event.distanceMm
        wallMs = event.wallMs
        activeMs = event.activeMs
        avgPaceMsPerKm = event.avgPaceMsPerKm
        kcal = event.kcal
        kcalMet = event.kcalMet
    }
}
