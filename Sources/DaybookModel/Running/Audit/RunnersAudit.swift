import Daybook
import DaybookGeodesy

extension Running {
    /// Finds contradictions among the runs of each runner, such as overlaps and duplicates.
    struct RunnersAudit {
        /// A completed run with its times and its position in the log.
        private struct CompletedRun {
            var runId: String
            var started: Instant?
            var ended: Instant?
            var position: Int64
            /// True if the run was cancelled or discarded.
            var isRevoked = false
        }

        /// Completed runs by runner id, in log order.
        private var completedRuns: [String: [CompletedRun]] = [:]
        /// User ids of the runners, by run id.
        private var owners: [String: String] = [:]
        /// Log positions of the events that started the active runs, by runner id and run id.
        private var activeStarts: [String: [String: Int64]] = [:]
        /// Body weights in grams, by runner id.
        private var weightsG: [String: Int64] = [:]
        /// Tracks by run id, with which copies are found.
        private var tracks: [String: AuditedTrack] = [:]
        /// Ids of runs that an import kept beside the run that they are copies of, by that run's id.
        private var keptCopies: [String: Set<String>] = [:]

        /// Applies an event and returns findings about it.
        mutating func findings(at event: Event, _ position: Position) -> [TaggedFinding] {
            let position = Int64(position.rawValue)
            switch event {
            case .runnerProfileChanged(let changed):
                weightsG[changed.userId] = changed.weightG ?? weightsG[changed.userId]
                return []
            case .runStarted(let started): return start(started, position)
            case .locationsRecorded(let batch):
                tracks[batch.runId, default: AuditedTrack()].add(batch)
                return []
            case .copyRecorded(let copy):
                if let copyId = copy.copyId { keptCopies[copy.runId, default: []].insert(copyId) }
                return []
            case .runPaused, .runResumed: return []
            case .runCompleted(let completed):
                return checkRunner(completed.runId, completed.userId, position)
                    + complete(completed, position)
            case .runSaved(let saved): return checkRunner(saved.runId, saved.userId, position)
            case .runSaveFailed(let failed):
                return checkRunner(failed.runId, failed.userId, position)
            case .runDiscarded(let discarded):
                end(discarded.runId)
                revise(discarded.runId, isRevoked: true)
                return checkRunner(discarded.runId, discarded.userId, position)
            case .runCancelled(let cancelled):
                revise(cancelled.runId, isRevoked: true)
                return checkRunner(cancelled.runId, cancelled.userId, position)
            case .runRestored(let restored):
                revise(restored.runId, isRevoked: false)
                return checkRunner(restored.runId, restored.userId, position)
            case .runCropped(let cropped):
                crop(cropped)
                return checkRunner(cropped.runId, cropped.userId, position)
                    + contradictions(of: cropped.completion, position)
            }
        }

        /// Records the start of a run, and checks rule C12: at most one active run per runner.
        private mutating func start(_ started: RunStarted, _ position: Int64) -> [TaggedFinding] {
            let found = checkRunner(started.runId, started.userId, position)
            // An imported or entered run is never active.
            guard started.mode == .solo || started.mode == .matching else { return found }
            let other = activeStarts[started.userId]?.filter { $0.key != started.runId }
                .min { $0.key < $1.key }
            activeStarts[started.userId, default: [:]][started.runId] = position
            guard let other else { return found }
            return found + [
                finding(
                    "C12", started.runId, started.userId, position,
                    expected: "the end of run '\(other.key)' first",
                    found: "it is under way since position \(other.value)")
            ]
        }

        /// Records that a run is no longer active.
        private mutating func end(_ runId: String) {
            guard let userId = owners[runId] else { return }
            activeStarts[userId]?[runId] = nil
        }

        /// Records that a run was cancelled or discarded (`isRevoked`), or that it was restored.
        private mutating func revise(_ runId: String, isRevoked: Bool) {
            guard let userId = owners[runId],
                let index = completedRuns[userId]?.lastIndex(where: { $0.runId == runId })
            else { return }
            completedRuns[userId]?[index].isRevoked = isRevoked
        }

        /// Records the new start and end of a cropped run.
        private mutating func crop(_ cropped: RunCropped) {
            let owner = owners[cropped.runId] ?? cropped.userId
            guard let index = completedRuns[owner]?.lastIndex(where: { $0.runId == cropped.runId })
            else { return }
            completedRuns[owner]?[index].started = cropped.started
            completedRuns[owner]?[index].ended = cropped.ended
        }

        /// Checks rule C14: all events of a run that name a runner name the same one.
        private mutating func checkRunner(
            _ runId: String, _ userId: String, _ position: Int64
        ) -> [TaggedFinding] {
            guard let owner = owners[runId] else {
                owners[runId] = userId
                return []
            }
            guard owner != userId else { return [] }
            return [
                finding(
                    "C14", runId, owner, position, expected: "runner '\(owner)'",
                    found: "'\(userId)'")
            ]
        }

        /// Records that a run was completed, and checks its figures by rules C9 and C10.
        private mutating func complete(
            _ completed: RunCompleted, _ position: Int64
        ) -> [TaggedFinding] {
            end(completed.runId)
            let owner = owners[completed.runId] ?? completed.userId
            completedRuns[owner, default: []].removeAll { $0.runId == completed.runId }
            completedRuns[owner, default: []].append(
                CompletedRun(
                    runId: completed.runId, started: completed.started, ended: completed.ended,
                    position: position))
            return contradictions(of: completed, position)
        }

        /// Checks the figures of a completed run by rule C9 (energy, pace, time) and C10 (end after
        /// start).
        private func contradictions(
            of completed: RunCompleted, _ position: Int64
        ) -> [TaggedFinding] {
            var findings: [TaggedFinding] = []
            func find(_ rule: String, _ expected: String, _ found: String) {
                findings.append(
                    finding(
                        rule, completed.runId, completed.userId, position, expected: expected,
                        found: found))
            }
            if let started = completed.started, let ended = completed.ended {
                let wallMs = Formula.milliseconds(Int128(ended.microseconds(since: started)))
                if ended < started {
                    find("C10", "an end after \(Timestamp.text(started))", Timestamp.text(ended))
                } else if completed.rules == .source
                    ? completed.wallMs > wallMs : completed.wallMs != wallMs
                {
                    // Under the source rules the timer is stopped if the run ends during a pause.
                    let bound = completed.rules == .source ? "at most " : ""
                    find("C9", "\(bound)\(wallMs) ms from start to end", "\(completed.wallMs) ms")
                }
            }
            let pace = Formula.pace(completed.activeMs, completed.distanceMm)
            if let found = completed.avgPaceMsPerKm, found != pace {
                find("C9", pace.map { "\($0) ms a kilometre" } ?? "no pace", "\(found) ms")
            }
            let kcal = Formula.kcal(completed.distanceMm)
            if completed.kcal != kcal { find("C9", "\(kcal) kcal", "\(completed.kcal) kcal") }
            if let found = completed.kcalMet, let weightG = weightsG[completed.userId] {
                let kcal = Formula.kcalMet(
                    completed.distanceMm, completed.activeMs, weightG: weightG)
                if found != kcal { find("C9", "\(kcal) kcal by weight", "\(found) kcal") }
            }
            return findings
        }

        private func finding(
            _ rule: String, _ runId: String, _ userId: String, _ position: Int64,
            expected: String, found: String
        ) -> TaggedFinding {
            (
                [tag(runId), userTag(userId)],
                Finding(
                    rule: rule, position: position, entity: "run:\(runId)", expected: expected,
                    found: found)
            )
        }
    }
}

// Rules that compare all runs of a runner, checked after the last event.
extension Running.RunnersAudit {
    /// Checks all runs that are not cancelled or discarded, after the last event, by rules C11
    /// (overlaps) and C13 (duplicates).
    func findings() -> [Running.TaggedFinding] {
        var findings: [Running.TaggedFinding] = []
        for (userId, runs) in completedRuns.sorted(by: { $0.key < $1.key }) {
            let runs = runs.filter { !$0.isRevoked }
            let (copies, kept) = copies(among: runs)
            for (index, original) in copies.sorted(by: { $0.key < $1.key }) {
                findings.append(
                    finding(
                        "C13", runs[index].runId, userId, runs[index].position,
                        expected: "another track than that of run '\(runs[original.index].runId)', "
                            + "completed at position \(runs[original.index].position)",
                        found: "the same places at the same times" + original.shiftText))
            }
            let others = runs.indices.filter { copies[$0] == nil && !kept.contains($0) }
            findings += overlaps(of: userId, others.map { runs[$0] })
        }
        return findings
    }

    /// The run that another one is a copy of, and the difference of their clocks.
    private struct Original {
        var index: Int
        var shiftUs: Int64

        /// The difference of the clocks after a comma; empty for less than a second.
        var shiftText: String {
            guard shiftUs.magnitude >= 1_000_000 else { return "" }
            let word = shiftUs > 0 ? "later" : "earlier"
            return ", by a clock \(lengthText(Int64(clamping: shiftUs.magnitude))) \(word)"
        }
    }

    /// Returns the runs that are copies of earlier ones, with the first of these, by index. Also
    /// returns the indices of copies that an import kept on request.
    private func copies(among runs: [CompletedRun]) -> (copies: [Int: Original], kept: Set<Int>) {
        let tracks = runs.map { self.tracks[$0.runId]?.finished() }
        let longestUs = tracks.map { $0?.lengthUs ?? 0 }.max() ?? 0
        let marginUs = longestUs + TrackCopy.mostShiftUs
        // Runs with times by start; the others, by a hash value of their places.
        let byStart = runs.indices.compactMap { index in
            tracks[index]?.path.bounds.map { (start: $0.start, index: index) }
        }.sorted { ($0.start, $0.index) < ($1.start, $1.index) }
        var holders: [UInt64: [Int]] = [:]
        var copies: [Int: Original] = [:]
        var kept: Set<Int> = []
        for index in runs.indices {
            guard let track = tracks[index] else { continue }
            var others: Set<Int> = []
            if let start = track.path.bounds?.start {
                let near = byStart[Self.firstIndex(byStart, notBefore: start - marginUs)...]
                    .prefix { $0.start <= start + marginUs }
                others = Set(near.lazy.map(\.index).filter { $0 < index })
            }
            for digest in track.sketch.digests { others.formUnion(holders[digest] ?? []) }
            let originals = others.filter { copies[$0] == nil }.sorted()
            let original = originals.lazy.compactMap { other in
                tracks[other]?.shiftUs(to: track).map { Original(index: other, shiftUs: $0) }
            }.first
            if let original {
                if keptCopies[runs[original.index].runId]?.contains(runs[index].runId) == true {
                    kept.insert(index)
                } else {
                    copies[index] = original
                }
            } else {
                for digest in track.sketch.digests { holders[digest, default: []].append(index) }
            }
        }
        return (copies, kept)
    }

    /// Returns the index of the first of the runs, sorted by start, that starts at a time or later.
    private static func firstIndex(
        _ runs: [(start: Int64, index: Int)], notBefore start: Int64
    ) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start < start { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Checks rule C11: no two runs of one runner overlap in time.
    private func overlaps(of userId: String, _ runs: [CompletedRun]) -> [Running.TaggedFinding] {
        var findings: [Running.TaggedFinding] = []
        var stretches: [(started: Instant, ended: Instant, run: CompletedRun)] = []
        for run in runs {
            guard let started = run.started, let ended = run.ended, started < ended else {
                continue
            }
            stretches.append((started, ended, run))
        }
        stretches.sort { ($0.started, $0.run.position) < ($1.started, $1.run.position) }
        guard var before = stretches.first else { return [] }
        for stretch in stretches.dropFirst() {
            if stretch.started < before.ended {
                let isLater = stretch.run.position > before.run.position
                let (run, other) = isLater ? (stretch, before) : (before, stretch)
                let end = min(stretch.ended, before.ended)
                let length = lengthText(end.microseconds &- stretch.started.microseconds)
                findings.append(
                    finding(
                        "C11", run.run.runId, userId, run.run.position,
                        expected: "no other run from \(Timestamp.text(run.started)) to "
                            + Timestamp.text(run.ended),
                        found: "'\(other.run.runId)' (position \(other.run.position)) from "
                            + "\(Timestamp.text(other.started)), overlapping for \(length)"))
            }
            if stretch.ended > before.ended { before = stretch }
        }
        return findings
    }
}
