import CivilTime
public import EventSourcing

extension Running {
    /// One run, by the standard rules.
    public enum RunView: Projection {
        public static func evolve(_ state: inout Run, with event: Event, _ envelope: Envelope) {
            state.apply(event)
            state.figure()
        }
    }

    /// One run by S1's own code: pauses are bridged, and time runs on during them. Nothing is cropped
    /// there, so that the run is shown as it was.
    public enum SourceRunView: Projection {
        public static func evolve(_ state: inout Run, with event: Event, _ envelope: Envelope) {
            if case .runCropped = event { return }
            state.apply(event)
            state.figureAsSource()
        }
    }
}

extension Running.Run {
    mutating func apply(_ event: Running.Event) {
        switch event {
        case .runnerProfileChanged: break
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
            saveAttempts = event.attempt
            saveFailure = event.kind.name
        case .runDiscarded(let event):
            identify(event.runId, event.userId)
            state = .discarded
        case .runCancelled(let event):
            identify(event.runId, event.userId)
            state = .cancelled
        case .runRestored(let event):
            identify(event.runId, event.userId)
            state = .completed
        case .runCropped(let event): apply(event)
        }
    }

    private mutating func identify(_ runId: String, _ userId: String) {
        self.runId = runId
        self.userId = userId
    }

    private mutating func apply(_ event: Running.RunStarted) {
        identify(event.runId, event.userId)
        state = .running
        mode = event.mode
        rules = event.rules
        started = event.started
        autoPauseS = event.autoPauseS
        maxSpeedMmPerS = event.maxSpeedMmPerS
        maxAccuracyMm = event.maxAccuracyMm
        segments = 1
        tracking = Running.Tracking()
        tracking.lastSeen = event.started
        if event.mode != .imported { tracking.stretchStart = event.started }
    }

    private mutating func apply(_ event: Running.RunPaused) {
        if state == .running {
            tracking.elapsedUs = elapsedUs(at: event.paused)
            tracking.paused = event.paused
            see(event.paused)
        }
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
        tracking.segment = event.segment
        segments = max(segments, event.segment &+ 1)
        see(event.resumed)
    }

    private mutating func apply(_ event: Running.RunCompleted) {
        identify(event.runId, event.userId)
        if state == .running, mode != .imported, let ended = event.ended {
            tracking.elapsedUs = elapsedUs(at: ended)
        }
        if tracking.paused == nil { tracking.paused = event.ended }
        if let ended = event.ended { see(ended) }
        // Only a restoration lifts a cancellation, whichever event was recorded first.
        if state != .cancelled { state = .completed }
        pauseCause = nil
        rules = event.rules
        started = event.started
        ended = event.ended
        distanceMm = event.distanceMm
        wallMs = event.wallMs
        activeMs = event.activeMs
        movingMs = event.movingMs
        avgPaceMsPerKm = event.avgPaceMsPerKm
        kcal = event.kcal
        kcalMet = event.kcalMet
        records &+= 1
    }

    private mutating func apply(_ event: Running.RunCropped) {
        identify(event.runId, event.userId)
        cropped = event.window
        started = event.started
        ended = event.ended
        distanceMm = event.distanceMm
        wallMs = event.wallMs
        activeMs = event.activeMs
        movingMs = event.movingMs
        avgPaceMsPerKm = event.avgPaceMsPerKm
        kcal = event.kcal
        kcalMet = event.kcalMet
        segments = event.segments
        points = event.points
        splitsMs = event.splits.map(\.timeMs)
    }

    private mutating func see(_ time: Instant) {
        tracking.lastSeen = max(tracking.lastSeen ?? time, time)
    }
}

// Points.
extension Running.Run {
    private mutating func apply(_ event: Running.LocationsRecorded) {
        runId = event.runId
        tracking.batches = event.batch &+ 1
        tracking.segment = event.segment
        tracking.bridgeMm &+= event.bridgeMm
        tracking.movingUs &+= event.movingUs
        tracking.stoodSince = event.stoodSince
        segments = max(segments, event.segment &+ 1)
        points &+= Int64(event.points.count)
        rejected &+= Int64(event.rejected.count)
        for point in event.rejected { rejectedFor[point.reason.name, default: 0] &+= 1 }
        for point in event.points { apply(point, event.segment) }
        if mode == .imported { tracking.beforeUs &+= event.forwardUs }
        mark(event)
    }

    private mutating func apply(_ point: Running.RunPoint, _ segment: Int64) {
        let isFirst = tracking.lastOfSegment != segment
        let isTimed = point.time != nil && (isFirst || tracking.last?.time != nil)
        let clockUs = clockUs(at: point, isFirst)
        let walkedMm = tracking.walkedMm &+ point.stepMm
        if !isTimed {
            tracking.splitIsKnown = false
            tracking.untimedMm &+= point.stepMm
        }
        var next = (tracking.kilometres &+ 1) &* 1_000_000
        while next <= walkedMm, (1...Running.longestStepMm).contains(point.stepMm),
            tracking.kilometres < Running.mostSplits
        {
            let share = Int128(next &- tracking.walkedMm)
            let wholeUs = Int128(clockUs) - Int128(tracking.clockUs)
            let length = Int128(point.stepMm)
            let crossedUs = Int128(tracking.clockUs) + (wholeUs * share * 2 + length) / (length * 2)
            let splitUs = crossedUs - Int128(tracking.splitUs)
            splitsMs.append(tracking.splitIsKnown ? Running.milliseconds(splitUs) : nil)
            tracking.splitUs = Int64(truncatingIfNeeded: crossedUs)
            tracking.splitIsKnown = isTimed
            tracking.kilometres += 1
            next &+= 1_000_000
        }
        tracking.walkedMm = walkedMm
        tracking.clockUs = clockUs
        tracking.last = point
        tracking.lastOfSegment = segment
        if let time = point.time {
            tracking.lastTimed = time
            see(time)
        } else if isFirst {
            tracking.lastTimed = nil
        }
    }

    /// The running time at a point; that of the point before, where it has no time.
    private func clockUs(at point: Running.RunPoint, _ isFirst: Bool) -> Int64 {
        guard let time = point.time else { return tracking.clockUs }
        if mode != .imported {
            guard let stretchStart = tracking.stretchStart else { return tracking.clockUs }
            return tracking.beforeUs &+ time.microseconds(since: stretchStart)
        }
        guard !isFirst, let last = tracking.lastTimed else { return tracking.clockUs }
        return tracking.clockUs &+ max(0, time.microseconds(since: last))
    }

    /// Keeps the last ten timed points, which give the current pace.
    private mutating func mark(_ event: Running.LocationsRecorded) {
        var alongMm = tracking.walkedMm
        var marks: [Running.PaceMark] = []
        for point in event.points.reversed() {
            if let time = point.time {
                marks.append(
                    Running.PaceMark(
                        time: time, segment: event.segment, distanceMm: alongMm,
                        bridgedMm: alongMm &+ tracking.bridgeMm))
                if marks.count == 10 { break }
            }
            alongMm &-= point.stepMm
        }
        tracking.marks = (tracking.marks + marks.reversed()).suffix(10)
    }
}
