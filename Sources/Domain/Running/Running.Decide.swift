public import CivilTime
import EventSourcing
import Geodesy

extension Running {
    public static func decide(
        _ command: Command, in state: State, now: Instant
    ) throws(Refusal) -> [Event] {
        switch command {
        case .changeProfile(let body): try changeProfile(body, state)
        case .start(let body): try start(body, state, now)
        case .recordLocations(let body): try recordLocations(body, state)
        case .pause(let body): try pause(body, state, now)
        case .resume(let body): try resume(body, state, now)
        case .stop(let body): try stop(body, state, now)
        case .save(let body): try save(body, state)
        case .failSave(let body): try failSave(body, state)
        case .discard(let body): try discard(body, state)
        case .cancel(let body): try cancel(body, state)
        case .restore(let body): try restore(body, state)
        case .importTrack(let body): try importTrack(body, state)
        }
    }

    private static func changeProfile(
        _ body: ChangeProfile, _ state: State
    ) throws(Refusal) -> [Event] {
        let isNothing =
            body.name == nil && body.imageUrl == nil && body.weightG == nil && body.zone == nil
        if isNothing, state.runners[body.userId]?.isKnown == true { throw .nothingToUpdate }
        try check(body.weightG, "weightG", weightsG)
        try checkZone(body.zone)
        return [
            .runnerProfileChanged(
                RunnerProfileChanged(
                    userId: body.userId, name: body.name, imageUrl: body.imageUrl,
                    weightG: body.weightG, zone: body.zone))
        ]
    }

    private static func start(
        _ body: Start, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        guard state.runs[body.runId] == nil else { throw .runExists(body.runId) }
        if let active = state.activeRun(of: body.userId) {
            throw .runActive(active.runId, userId: body.userId)
        }
        guard body.mode != .imported else { throw .importedMode }
        try check(body.autoPauseS, "autoPauseS", autoPausesS)
        try check(body.maxSpeedMmPerS, "maxSpeedMmPerS", speedsMmPerS)
        try check(body.maxAccuracyMm, "maxAccuracyMm", accuraciesMm)
        let startedUs = try time(body.startedUs ?? now.microseconds)
        // S1 has no filters and no pause of its own.
        let isStandard = body.rules == .standard
        return [
            .runStarted(
                RunStarted(
                    runId: body.runId, userId: body.userId, mode: body.mode,
                    startedUs: startedUs, autoPauseS: isStandard ? body.autoPauseS : nil,
                    maxSpeedMmPerS: isStandard ? body.maxSpeedMmPerS ?? fastestMmPerS : nil,
                    maxAccuracyMm: isStandard ? body.maxAccuracyMm ?? worstAccuracyMm : nil,
                    rules: body.rules))
        ]
    }

    private static func recordLocations(
        _ body: RecordLocations, _ state: State
    ) throws(Refusal) -> [Event] {
        let run = try run(body.runId, state)
        guard run.state.isActive else { throw .runNotActive(run.runId, run.state) }
        var recorder = Recorder(run)
        for fix in body.points { recorder.take(TrackPoint(fix)) }
        recorder.finish()
        return recorder.events
    }

    private static func pause(
        _ body: Pause, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        let run = try run(body.runId, state)
        // Who presses pause while the run paused by itself means it.
        let isHeld = run.state == .paused && run.pauseCause == .auto
        guard run.state == .running || isHeld else {
            throw .runNotRunning(run.runId, run.state)
        }
        let pausedUs = try time(body.pausedUs ?? now.microseconds, "pausedUs", behind: run)
        return [.runPaused(RunPaused(runId: run.runId, cause: .manual, pausedUs: pausedUs))]
    }

    private static func resume(
        _ body: Resume, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        let run = try run(body.runId, state)
        guard run.state == .paused else { throw .runNotPaused(run.runId, run.state) }
        let resumedUs = try time(body.resumedUs ?? now.microseconds, "resumedUs", behind: run)
        return [
            .runResumed(
                RunResumed(
                    runId: run.runId, cause: .manual, resumedUs: resumedUs,
                    segment: run.tracking.segment &+ 1))
        ]
    }

    private static func stop(
        _ body: Stop, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        guard let run = state.runs[body.runId] else {
            // S1 shows a run that never began as completed, and saves nothing.
            guard body.rules == .source else { throw .runNotFound(body.runId) }
            return []
        }
        // S1 guards nothing: a second stop saves a second record.
        let isAgain = run.rules == .source && run.state == .completed
        guard run.state.isActive || isAgain else { throw .runNotActive(run.runId, run.state) }
        let endedUs = try time(body.endedUs ?? now.microseconds, "endedUs", behind: run)
        return [.runCompleted(completed(run, endedUs, state))]
    }

    private static func completed(_ run: Run, _ endedUs: Int64?, _ state: State) -> RunCompleted {
        let totals =
            run.rules == .source
            ? run.sourceTotals(endedUs: endedUs)
            : run.totals(endedUs: endedUs, weightG: state.runners[run.userId]?.weightG)
        return RunCompleted(
            runId: run.runId, userId: run.userId, startedUs: run.startedUs, endedUs: endedUs,
            wallMs: totals.wallMs, activeMs: totals.activeMs, movingMs: totals.movingMs,
            distanceMm: totals.distanceMm, avgPaceMsPerKm: totals.avgPaceMsPerKm,
            kcal: totals.kcal, kcalMet: totals.kcalMet, rules: run.rules)
    }

    private static func importTrack(
        _ body: ImportTrack, _ state: State
    ) throws(Refusal) -> [Event] {
        guard state.runs[body.runId] == nil else { throw .runExists(body.runId) }
        try checkZone(body.zone)
        try check(body.maxSpeedMmPerS, "maxSpeedMmPerS", speedsMmPerS)
        try check(body.maxAccuracyMm, "maxAccuracyMm", accuraciesMm)
        guard body.segments.reduce(0, { $0 + $1.points.count }) <= mostPointsOfTrack else {
            throw .tooManyPoints(mostPointsOfTrack)
        }
        let times = body.segments.lazy.flatMap(\.points).filter { $0.place?.isPossible == true }
            .compactMap(\.tUs).filter(Instant.possibleUs.contains)
        let started = RunStarted(
            runId: body.runId, userId: body.userId, mode: .imported, startedUs: times.min(),
            maxSpeedMmPerS: body.maxSpeedMmPerS, maxAccuracyMm: body.maxAccuracyMm,
            title: body.title)
        var run = Run()
        run.take(.runStarted(started))
        guard body.segments.count <= mostSegmentsOfTrack else {
            throw .tooManySegments(mostSegmentsOfTrack)
        }
        var recorder = Recorder(run)
        for (index, segment) in body.segments.enumerated() {
            if index > 0 { recorder.startSegment() }
            for point in segment.points { recorder.take(point) }
        }
        recorder.finish()
        for event in recorder.events { run.take(event) }
        guard run.points > 0 else { throw .emptyTrack }
        guard run.segments <= mostSegmentsOfTrack else {
            throw .tooManySegments(mostSegmentsOfTrack)
        }
        var events: [Event] = []
        if state.runners[body.userId]?.isKnown != true {
            events.append(
                .runnerProfileChanged(RunnerProfileChanged(userId: body.userId, zone: body.zone)))
        }
        events.append(.runStarted(started))
        events += recorder.events
        return events + [.runCompleted(completed(run, times.max(), state))]
    }
}

// What becomes of a run that is over.
extension Running {
    private static func save(_ body: Save, _ state: State) throws(Refusal) -> [Event] {
        let run = try run(body.runId, state)
        guard run.state == .completed else { throw .runNotCompleted(run.runId, run.state) }
        // What S1 saves twice, the server has twice.
        guard !run.isSaved || (run.rules == .source && run.records > 1) else { return [] }
        return [
            .runSaved(RunSaved(runId: run.runId, userId: run.userId, remoteId: body.remoteId))
        ]
    }

    private static func failSave(_ body: FailSave, _ state: State) throws(Refusal) -> [Event] {
        let run = try run(body.runId, state)
        guard run.state == .completed else { throw .runNotCompleted(run.runId, run.state) }
        guard !run.isSaved else { throw .runSaved(run.runId) }
        return [
            .runSaveFailed(
                RunSaveFailed(
                    runId: run.runId, userId: run.userId, attempt: run.saveAttempts &+ 1,
                    kind: body.kind, detail: body.detail.text ?? ""))
        ]
    }

    private static func discard(_ body: Discard, _ state: State) throws(Refusal) -> [Event] {
        let run = try run(body.runId, state)
        guard run.state.isActive || run.state == .completed else {
            throw .runNotActive(run.runId, run.state)
        }
        // S1's reset of a saved run clears the screen and nothing else.
        if run.isSaved, run.rules == .source { return [] }
        guard !run.isSaved, run.mode != .imported else { throw .runSaved(run.runId) }
        return [
            .runDiscarded(
                RunDiscarded(
                    runId: run.runId, userId: run.userId, startedUs: run.startedUs,
                    reason: body.reason))
        ]
    }

    private static func cancel(_ body: Cancel, _ state: State) throws(Refusal) -> [Event] {
        let run = try run(body.runId, state)
        guard run.state == .completed else { throw .runNotCompleted(run.runId, run.state) }
        return [
            .runCancelled(
                RunCancelled(
                    runId: run.runId, userId: run.userId, startedUs: run.startedUs,
                    reason: body.reason?.text))
        ]
    }

    private static func restore(_ body: Restore, _ state: State) throws(Refusal) -> [Event] {
        let run = try run(body.runId, state)
        guard run.state == .cancelled else { throw .runNotCancelled(run.runId, run.state) }
        return [
            .runRestored(
                RunRestored(
                    runId: run.runId, userId: run.userId, startedUs: run.startedUs,
                    reason: body.reason?.text))
        ]
    }
}

// What every command asks.
extension Running {
    private static func run(_ runId: String, _ state: State) throws(Refusal) -> Run {
        guard let run = state.runs[runId], !run.runId.isEmpty else { throw .runNotFound(runId) }
        return run
    }

    private static func check(
        _ value: Int64?, _ field: String, _ range: ClosedRange<Int64>
    ) throws(Refusal) {
        guard let value, !range.contains(value) else { return }
        throw .outOfRange(
            field: field, value: value, range: "\(range.lowerBound) to \(range.upperBound)")
    }

    private static func checkZone(_ zone: String?) throws(Refusal) {
        guard let zone, Zone(fixedOffset: zone) == nil, !ZoneSource.isName(zone) else { return }
        throw .noZone(zone)
    }

    private static func time(_ time: Int64) throws(Refusal) -> Int64 {
        guard Instant.possibleUs.contains(time) else { throw .impossibleTime(time) }
        return time
    }

    /// A time that nothing known of the run lies behind.
    private static func time(
        _ time: Int64, _ field: String, behind run: Run
    ) throws(Refusal) -> Int64 {
        let time = try self.time(time)
        if let last = run.tracking.lastSeenUs, time < last {
            throw .timeGoesBack(field, time, before: last)
        }
        return time
    }
}

extension Running.TrackPoint {
    /// A place as a phone gives it, in whole small units.
    public init(_ fix: Running.LocationFix) {
        self.init(
            tUs: fix.tUs, latE9: fix.lat.scaled(toPowerOfTen: 9),
            lonE9: fix.lon.scaled(toPowerOfTen: 9),
            eleMm: fix.eleM.flatMap { $0.scaled(toPowerOfTen: 3) },
            accMm: fix.accM.flatMap { $0.scaled(toPowerOfTen: 3) })
    }
}
