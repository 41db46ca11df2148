package import Daybook

extension Running {
    /// The fold that computes one run's figures by the rule set of the run.
    package enum RunView: Projection {
        package static func evolve(_ state: inout Run, with event: Event, _ envelope: Envelope) {
            state.apply(event)
            state.updateTotals(known: envelope.occurredAt)
        }
    }

    /// The fold that computes one run's figures by the formulas of the original app (S1).
    ///
    /// They include the distance and time of pauses. Crops, which this app does not have, are
    /// ignored.
    enum SourceRunView: Projection {
        static func evolve(_ state: inout Run, with event: Event, _ envelope: Envelope) {
            switch event {
            case .runCropped: return
            case .runCompleted(var completed) where state.mode != .imported:
                // S1 ends a run by its own clock, even if the time of a place is slightly later.
                completed.ended = completed.ended.map { min($0, envelope.occurredAt) }
                state.apply(.runCompleted(completed))
            default: state.apply(event)
            }
            state.updateTotalsAsSource(known: envelope.occurredAt)
        }
    }
}

extension Running.Run {
    mutating func apply(_ event: Running.Event) {
        switch event {
        case .runnerProfileChanged, .copyRecorded: break
        case .runStarted(let event): apply(event)
        case .locationsRecorded(let event): apply(event)
        case .runPaused(let event): apply(event)
        case .runResumed(let event): apply(event)
        case .runCompleted(let event): apply(event)
        case .runSaved(let event):
            isSaved = true
            remoteId = event.remoteId
            saveFailure = nil
        case .runSaveFailed(let event):
            saveAttemptCount = event.attempt
            saveFailure = event.kind.name
        case .runDiscarded(let event):
            setIds(event.runId, event.userId)
            state = .discarded
        case .runCancelled(let event):
            setIds(event.runId, event.userId)
            state = .cancelled
        case .runRestored(let event):
            setIds(event.runId, event.userId)
            state = .completed
        case .runCropped(let event): apply(event)
        }
    }

    private mutating func setIds(_ runId: String, _ userId: String) {
        self.runId = runId
        self.userId = userId
    }

    private mutating func apply(_ event: Running.RunStarted) {
        setIds(event.runId, event.userId)
        state = .running
        mode = event.mode
        rules = event.rules
        started = event.started
        autoPauseS = event.autoPauseS
        maxSpeedMmPerS = event.maxSpeedMmPerS
        maxAccuracyMm = event.maxAccuracyMm
        segmentCount = 1
        tracking = Running.Tracking()
        tracking.newestTime = event.started
        if event.mode != .imported { tracking.stretchStart = event.started }
    }

    private mutating func apply(_ event: Running.RunPaused) {
        if state == .running {
            tracking.elapsedUs = tracking.elapsedUs(at: event.paused, since: started)
            tracking.paused = event.paused
            tracking.extendNewestTime(event.paused)
        }
        if event.cause == .auto { tracking.autoPauseCount &+= 1 }
        state = .paused
        pauseCause = event.cause
    }

    private mutating func apply(_ event: Running.RunResumed) {
        if let stretchStart = tracking.stretchStart, let paused = tracking.paused {
            tracking.beforeUs &+= paused.microseconds(since: stretchStart)
        }
        state = .running
        tracking.stretchStart = event.resumed
        tracking.paused = nil
        pauseCause = nil
        tracking.stoodSince = nil
        tracking.doubtful = []
        tracking.segment = event.segment
        segmentCount = max(segmentCount, event.segment &+ 1)
        tracking.extendNewestTime(event.resumed)
    }

    private mutating func apply(_ event: Running.RunCompleted) {
        setIds(event.runId, event.userId)
        if state == .running, mode != .imported, let ended = event.ended {
            tracking.elapsedUs = tracking.elapsedUs(at: ended, since: started)
        }
        if tracking.paused == nil { tracking.paused = event.ended }
        if let ended = event.ended { tracking.extendNewestTime(ended) }
        // Only a restoration reverts a cancellation, even if the completion is recorded later.
        if state != .cancelled { state = .completed }
        pauseCause = nil
        rules = event.rules
        take(event)
        completionCount &+= 1
    }

    /// Takes over the times and figures of a completed run.
    private mutating func take(_ event: Running.RunCompleted) {
        started = event.started
        ended = event.ended
        distanceMm = event.distanceMm
        wallMs = event.wallMs
        activeMs = event.activeMs
        movingMs = event.movingMs
        avgPaceMsPerKm = event.avgPaceMsPerKm
        kcal = event.kcal
        kcalMet = event.kcalMet
    }

    private mutating func apply(_ event: Running.RunCropped) {
        setIds(event.runId, event.userId)
        keptWindow = event.window
        take(event.completion)
        segmentCount = event.keptSegmentCount
        pointCount = event.keptPointCount
        splitsMs = event.splits.map(\.timeMs)
    }
}
