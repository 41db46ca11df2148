package import Daybook

extension Running {
    /// The time of one full kilometre of a run.
    package struct Split: PlainRecord {
        /// Time for the kilometre, without pauses; `nil` if points lack times.
        package var timeMs: Int64?
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("timeMs", &timeMs, .values(-10_000_000_000_000...10_000_000_000_000))
        }
    }

    /// A completed run was cropped to a part of its time, or a crop was undone.
    ///
    /// Earlier events stay unchanged; the figures in this event are those of the part that is kept.
    package struct RunCropped: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.run-cropped.v1"
        package var runId = ""
        package var userId = ""
        /// True for a crop; false if a crop was undone.
        var isPart = false
        /// Start of the run before this event; it determines the week to whose ranking the run
        /// belonged before.
        var formerStarted: Instant?
        package var started: Instant?
        package var ended: Instant?
        /// Time from the new start to the new end.
        package var wallMs: Int64 = 0
        package var activeMs: Int64 = 0
        /// Time in motion.
        package var movingMs: Int64?
        package var distanceMm: Int64 = 0
        /// Average pace in milliseconds per kilometre; `nil` without distance.
        package var avgPaceMsPerKm: Int64?
        /// Energy in kilocalories, at 60 per kilometre.
        package var kcal: Int64 = 0
        /// Energy by speed and body weight, in kilocalories; `nil` if the weight is unknown.
        var kcalMet: Int64?
        /// Number of segments in the part of the track that the crop keeps.
        var keptSegmentCount: Int64 = 0
        /// Number of points in the part of the track that the crop keeps.
        var keptPointCount: Int64 = 0
        /// Times of the full kilometres in the part that the crop keeps.
        var splits: [Split] = []
        package var rules = Rules.standard
        package var tags: [Tag] {
            [tag(runId), userTag(userId)]
                + Set(weekTags(formerStarted) + weekTags(started)).sorted()
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "isPart", &isPart)
            try field("formerStartedUs", &formerStarted, "startedUs", &started, "endedUs", &ended)
            try field("wallMs", &wallMs, .values(-10_000_000_000_000...10_000_000_000_000))
            try field("activeMs", &activeMs, .values(-10_000_000_000_000...10_000_000_000_000))
            try field("movingMs", &movingMs, .values(0...10_000_000_000_000))
            try field("distanceMm", &distanceMm, .values(distancesMm))
            try field("avgPaceMsPerKm", &avgPaceMsPerKm, .values(0 ... .max))
            try field("kcal", &kcal, .count)
            try field("kcalMet", &kcalMet, .values(0 ... .max))
            try field("segments", &keptSegmentCount, .count)
            try field("points", &keptPointCount, .count)
            try field("splits", &splits, "rules", &rules)
        }

        package func sentence(_ wording: Wording) -> String {
            (isPart ? "run cropped to " : "crop undone: ") + completion.figures(wording)
        }

        /// These figures in the form of a `RunCompleted` payload.
        var completion: RunCompleted {
            RunCompleted(
                runId: runId, userId: userId, started: started, ended: ended, wallMs: wallMs,
                activeMs: activeMs, movingMs: movingMs, distanceMm: distanceMm,
                avgPaceMsPerKm: avgPaceMsPerKm, kcal: kcal, kcalMet: kcalMet, rules: rules)
        }

        /// Time span that the crop keeps; `nil` for the whole run.
        package var window: TrackWindow? {
            guard isPart, let started, let ended else { return nil }
            return TrackWindow(started: started, ended: ended)
        }
    }

    /// Crops a completed run to the time from `from` until `until`; without both, undoes the crop.
    ///
    /// Each crop applies to the whole recorded run, so that a later crop may keep more.
    struct Crop: Command, PlainRecord {
        typealias Model = Cropping
        static let name = "running.crop"
        var runId = ""
        /// Start of the part to keep; `nil` means the start of the run.
        var from: Instant?
        /// End of the part to keep; `nil` means the end of the run.
        var until: Instant?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "fromUs", &from, "untilUs", &until)
        }

        var query: Query { Query(runItem(runId)) }

        /// Returns a query for the run and, once its runner is known, for the runner's profile.
        func query(knowing state: Cropping.State) -> Query {
            guard !state.run.userId.isEmpty else { return query }
            return Query(runItem(runId), profileItem(state.run.userId))
        }

        func decide(_ state: Cropping.State, now: Instant) throws(Refusal) -> [Event] {
            let run = state.run
            guard !run.runId.isEmpty else { throw .runNotFound(runId) }
            guard lifecycle.allows(RunCropped.self, in: run.state) else {
                throw .runNotCompleted(run)
            }
            guard run.rules == .standard else {
                throw Refusal(
                    "sourceRules",
                    "run '\(runId)' was recorded under the rule set 'source' (the rules of the "
                        + "original app), which does not allow cropping")
            }
            guard run.pointCount > 0, run.tracking.untimedMm == 0, let started = run.started,
                let ended = run.ended
            else {
                throw Refusal(
                    "noTimedTrack", "run '\(runId)' cannot be cropped: it has no track with times")
            }
            let window = TrackWindow(
                started: max(try AcceptedTimes.checked(from ?? started), started),
                ended: min(try AcceptedTimes.checked(until ?? ended), ended))
            let isPart = started < window.started || window.ended < ended
            let cropped = isPart ? state.cut(to: window) : run
            guard let cropped, cropped.pointCount > 0 else {
                throw Refusal(
                    "nothingLeft",
                    "run '\(runId)' has no location point from \(Timestamp.text(window.started)) "
                        + "to \(Timestamp.text(window.ended)) at a time when it was running")
            }
            let event = state.event(of: cropped, isPart: isPart)
            guard event.window != state.cropped?.window else { return [] }
            return [.runCropped(event)]
        }
    }

    /// The fold of a run together with those of its events that a crop applies again.
    enum Cropping: Projection {
        typealias Event = Running.Event

        /// One event of a run that a crop applies again; exactly one field is set.
        struct ReplayedEvent: PlainRecord {
            var batch: LocationsRecorded?
            var paused: RunPaused?
            /// End of a pause.
            var resumed: RunResumed?
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field("batch", &batch, "paused", &paused, "resumed", &resumed)
            }
        }

        struct State: PlainRecord {
            /// The whole run, as if it had never been cropped.
            var run = Run()
            /// Batches of places, pauses and resumptions, in log order.
            var replayedEvents: [ReplayedEvent] = []
            var runner = Runner()
            /// Newest crop, or its undoing; `nil` if the run was never cropped.
            var cropped: RunCropped?
            mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
                try field(
                    "run", &run, "steps", &replayedEvents, "runner", &runner, "cropped", &cropped)
            }
        }

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            switch event {
            case .runnerProfileChanged(let changed): state.runner.apply(changed)
            case .runCropped(let cropped): state.cropped = cropped
            case .locationsRecorded(let batch): state.record(batch)
            case .runPaused(let paused): state.replayedEvents.append(ReplayedEvent(paused: paused))
            case .runResumed(let resumed):
                state.replayedEvents.append(ReplayedEvent(resumed: resumed))
            default: break
            }
            if event.runId != nil, !event.isCrop { state.run.apply(event) }
        }
    }
}

extension Running.Cropping.State {
    /// Appends a batch, after removing the places of earlier batches that the batch withdraws.
    fileprivate mutating func record(_ batch: Running.LocationsRecorded) {
        defer { replayedEvents.append(Running.Cropping.ReplayedEvent(batch: batch)) }
        guard let correction = batch.correction, correction.withdrawnCount > 0 else { return }
        var (indices, places): ([Int], Int64) = ([], 0)
        for index in replayedEvents.indices.reversed() where places <= correction.withdrawnCount {
            guard let earlier = replayedEvents[index].batch else { continue }
            indices.insert(index, at: 0)
            places &+= Int64(earlier.points.count)
        }
        var batches = indices.compactMap { replayedEvents[$0].batch }
        batches.record(batch)
        for (index, earlier) in zip(indices, batches) { replayedEvents[index].batch = earlier }
    }

    /// Returns the run as if only the window had been recorded; `nil` if the run was paused
    /// throughout the window.
    func cut(to window: Running.TrackWindow) -> Running.Run? {
        guard let window = runningWindow(within: window) else { return nil }
        var cut = Running.Run()
        cut.apply(
            .runStarted(
                Running.RunStarted(
                    runId: run.runId, userId: run.userId, mode: run.mode,
                    started: window.started, rules: run.rules)))
        var track = Running.TrackCut(window: window)
        var taken = 0
        for event in replayedEvents {
            if let batch = event.batch { track.add(batch) }
            for batch in track.batches.dropFirst(taken) { cut.apply(.locationsRecorded(batch)) }
            taken = track.batches.count
            if let paused = event.paused, paused.paused > window.started,
                paused.paused < window.ended
            {
                cut.apply(.runPaused(paused))
            }
            if var resumed = event.resumed, resumed.resumed > window.started,
                resumed.resumed < window.ended
            {
                resumed.segment = cut.tracking.segment &+ 1
                cut.apply(.runResumed(resumed))
            }
        }
        cut.segmentCount = (track.batches.last?.segment ?? -1) &+ 1
        cut.started = window.started
        cut.ended = window.ended
        return cut
    }

    /// Returns the window without pauses at its start and end; `nil` if the run was paused
    /// throughout the window.
    private func runningWindow(within window: Running.TrackWindow) -> Running.TrackWindow? {
        var stretches: [Running.TrackWindow] = []
        if run.mode == .imported {
            let times = replayedEvents.compactMap(\.batch).flatMap(\.points).compactMap(\.time)
                .filter { window.contains($0) }
            guard let first = times.min(), let last = times.max() else { return nil }
            return Running.TrackWindow(started: first, ended: last)
        }
        var begin = run.started
        for event in replayedEvents {
            if let paused = event.paused, let started = begin {
                stretches.append(Running.TrackWindow(started: started, ended: paused.paused))
                begin = nil
            }
            if let resumed = event.resumed { begin = resumed.resumed }
        }
        if let begin, let ended = run.ended {
            stretches.append(Running.TrackWindow(started: begin, ended: ended))
        }
        let parts = stretches.compactMap { stretch -> Running.TrackWindow? in
            let started = max(stretch.started, window.started)
            let ended = min(stretch.ended, window.ended)
            return started < ended ? Running.TrackWindow(started: started, ended: ended) : nil
        }
        guard let first = parts.first, let last = parts.last else { return nil }
        return Running.TrackWindow(started: first.started, ended: last.ended)
    }

    /// Returns the event that records the figures of `cut`, the cropped version of the run.
    func event(of cut: Running.Run, isPart: Bool) -> Running.RunCropped {
        let totals = cut.totals(ended: cut.ended, weightG: runner.weightG)
        return Running.RunCropped(
            runId: run.runId, userId: run.userId, isPart: isPart,
            formerStarted: cropped?.started ?? run.started, started: cut.started,
            ended: cut.ended, wallMs: totals.wallMs, activeMs: totals.activeMs,
            movingMs: totals.movingMs, distanceMm: totals.distanceMm,
            avgPaceMsPerKm: totals.avgPaceMsPerKm, kcal: totals.kcal, kcalMet: totals.kcalMet,
            keptSegmentCount: cut.segmentCount, keptPointCount: cut.pointCount,
            splits: cut.splitsMs.map { Running.Split(timeMs: $0) }, rules: run.rules)
    }
}
