import Daybook
import DaybookGeodesy

extension Running {
    /// The audit of runs and rankings, with its rules C1 to C17.
    static let auditDescription = AuditDescription(
        "running",
        [
            AuditRule(
                "C1", "A place was kept outside the running time or with impossible coordinates"),
            AuditRule("C2", "A distance differs from that between the places by over 1 mm a step"),
            AuditRule("C3", "A run was completed twice"),
            AuditRule("C4", "Places are not in the order of time"),
            AuditRule("C5", "A run was active for longer than it took"),
            AuditRule(
                "C6", "A closed ranking differs from the ranking of the runs up to its position"),
            AuditRule("C7", "Ranks have a gap, a repetition or the wrong order"),
            AuditRule("C8", "An event is not allowed in the state of its run"),
            AuditRule(
                "C9", "A run's energy, pace or time does not match its distance, start and end"),
            AuditRule("C10", "A run ends before it starts"),
            AuditRule("C11", "Runs of one runner overlap"),
            AuditRule("C12", "A runner has two active runs"),
            AuditRule("C13", "A track was recorded twice"),
            AuditRule("C14", "An event of a run names another runner"),
            AuditRule("C15", "A step is too fast for a runner, and its distance counts"),
            AuditRule("C16", "Segments of an imported track overlap in time, and both count"),
            AuditRule("C17", "An imported run consists of several outings, hours apart"),
        ],
        kindsReadAhead: [RankingWeekClosed.kind]
    ) { RunAudit($0) }

    /// Finds mistakes in the recorded histories of runs and rankings.
    ///
    /// It remembers active runs in full, and of completed runs only what a ranking needs.
    struct RunAudit: Audit {
        private let context: AuditContext
        private var activeRuns: [String: Run] = [:]
        private var states: [String: RunState] = [:]
        /// Log position of each run's completion and id of its runner, by run id.
        private var completions: [String: (position: Int64, userId: String)] = [:]
        /// Checks the final rankings.
        private var closingAudit = ClosingAudit()
        /// Compares the runs of each runner with each other.
        private var runnersAudit = RunnersAudit()
        /// Checks whether each track can come from a single run on foot.
        private var tracksAudit = TracksAudit()
        private var findings: [TaggedFinding] = []
        private let reader = KindReader<Event>()
        private let rankingReader = KindReader<Ranking.Event>()
        init(_ context: AuditContext) { self.context = context }

        /// Collects the final rankings before any event is checked.
        mutating func readAhead(_ event: RecordedEvent) throws(FoldError) {
            guard case .rankingWeekClosed(let closed) = try rankingReader.read(event) else {
                return
            }
            closingAudit.addClosing(closed, at: Int64(event.position.rawValue))
        }

        func ignores(_ kind: EventKind) -> Bool {
            reader.ignores(kind) && rankingReader.ignores(kind)
        }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            findings += closingAudit.findings(before: Int64(event.position.rawValue))
            if let known = try rankingReader.read(event) {
                closingAudit.apply(known, event.envelope)
            }
            guard let known = try reader.read(event) else { return }
            findings += runnersAudit.findings(at: known, event.envelope.position)
            findings += tracksAudit.findings(at: known, event.envelope.position)
            guard let runId = known.runId else { return }
            check(known, runId, event.envelope)
            checkState(known, runId, event.envelope.position)
            var run = activeRuns[runId] ?? Run()
            run.apply(known)
            activeRuns[runId] = run.state.isActive ? run : nil
        }

        mutating func finish() -> AuditResult {
            findings += closingAudit.findings(before: .max)
            findings += runnersAudit.findings()
            var result = AuditResult()
            let only = context.only
            result.findings = findings.filter { only.map($0.tags.contains) ?? true }.map(\.finding)
            return result
        }

        private mutating func addFinding(
            _ rule: String, _ runId: String, _ position: Position, expected: String, found: String
        ) {
            let userId = activeRuns[runId]?.userId ?? completions[runId]?.userId ?? ""
            findings.append(
                (
                    [tag(runId), userTag(userId)],
                    Finding(
                        rule: rule, position: Int64(position.rawValue), entity: "run:\(runId)",
                        expected: expected, found: found)
                ))
        }

        /// Checks the rules that concern a single event of a run.
        private mutating func check(_ event: Event, _ runId: String, _ envelope: Envelope) {
            switch event {
            case .locationsRecorded(let batch):
                checkTimes(batch, envelope.position)
                checkDistances(batch, envelope.position)
            case .runCompleted(let completed): check(completed, envelope.position)
            case .runDiscarded: completions[runId] = nil
            default: break
            }
        }

        /// Checks rule C8, that each event is legal in the state of its run. Places without a run
        /// and second completions are left to rules C1 and C3.
        private mutating func checkState(_ event: Event, _ runId: String, _ position: Position) {
            let state = states[runId]
            func allows(_ payload: (some EventPayload).Type) -> Bool {
                lifecycle.allows(payload, in: state)
            }
            let (isAllowed, expected, next): (Bool, String, RunState?) =
                switch event {
                case .runStarted: (allows(RunStarted.self), "a new run", .running)
                case .runPaused: (allows(RunPaused.self), "a run under way", .paused)
                case .runResumed: (allows(RunResumed.self), "a paused run", .running)
                case .runCompleted:
                    (
                        allows(RunCompleted.self) || state == nil || state == .completed,
                        "a run", .completed
                    )
                case .runSaved, .runSaveFailed:
                    (allows(RunSaved.self), "a completed run", state)
                case .runCropped: (allows(RunCropped.self), "a completed run", state)
                case .copyRecorded: (allows(CopyRecorded.self), "a completed run", state)
                case .runDiscarded:
                    (allows(RunDiscarded.self), "a run that is not saved", .discarded)
                case .runCancelled: (allows(RunCancelled.self), "a completed run", .cancelled)
                case .runRestored: (allows(RunRestored.self), "a cancelled run", .completed)
                case .locationsRecorded, .runnerProfileChanged: (true, "", state)
                }
            if !isAllowed {
                addFinding("C8", runId, position, expected: expected, found: (state ?? .idle).name)
            }
            states[runId] = next
        }

        /// Checks the times and coordinates of a batch by rules C1 and C4.
        private mutating func checkTimes(_ batch: LocationsRecorded, _ position: Position) {
            guard let run = run(before: batch) else {
                if !batch.points.isEmpty {
                    addFinding(
                        "C1", batch.runId, position, expected: "a run under way",
                        found: "\(batch.points.count) places without an active run")
                }
                return
            }
            let tracking = run.tracking
            let isContinued = tracking.lastSegment == batch.segment
            var last = isContinued ? tracking.lastTimed : nil
            var (outside, disordered) = (0, 0)
            for time in batch.points.compactMap(\.time) {
                if let last, time <= last { disordered += 1 }
                last = time
                guard run.mode != .imported, run.rules == .standard else { continue }
                let isBefore = tracking.stretchStart.map { time < $0 } ?? true
                let isAfter = tracking.paused.map { time > $0 } ?? false
                if isBefore || isAfter { outside += 1 }
            }
            let impossible = batch.points.count { !($0.place?.isPossible ?? true) }
            if impossible > 0 {
                addFinding(
                    "C1", batch.runId, position, expected: "possible coordinates",
                    found: "\(impossible) of \(batch.points.count) impossible")
            }
            if outside > 0 {
                addFinding(
                    "C1", batch.runId, position, expected: "places reached while running",
                    found: "\(outside) of \(batch.points.count) outside")
            }
            if disordered > 0 {
                addFinding(
                    "C4", batch.runId, position, expected: "each place later than the one before",
                    found: "\(disordered) of \(batch.points.count) not later")
            }
        }

        /// Returns the active run as it was before a batch, without the places that the batch
        /// withdraws; `nil` if the run is not active.
        private func run(before batch: LocationsRecorded) -> Run? {
            var run = activeRuns[batch.runId]
            if let correction = batch.correction { run?.withdraw(correction) }
            return run
        }

        /// Checks by rule C2 that a correction subtracts the exact distance of the withdrawn
        /// places.
        private mutating func check(
            _ correction: TrackCorrection, _ runId: String, _ position: Position
        ) {
            guard let tail = activeRuns[runId]?.tracking.tail else { return }
            let withdrawn = tail.suffix(Int(clamping: max(0, correction.withdrawnCount)))
            let stepsMm = withdrawn.reduce(0) { $0 &+ $1.point.stepMm }
            guard withdrawn.count != correction.withdrawnCount || stepsMm != correction.takenBackMm
            else { return }
            addFinding(
                "C2", runId, position,
                expected: "\(stepsMm) mm taken back with \(withdrawn.count.counted("place"))",
                found: "\(correction.takenBackMm) mm with \(correction.withdrawnCount)")
        }

        /// Checks by rule C2 that the distances of a batch match its places. The distance to or
        /// from an erased place is checked only as part of the sum.
        private mutating func checkDistances(_ batch: LocationsRecorded, _ position: Position) {
            if let correction = batch.correction { check(correction, batch.runId, position) }
            let run = run(before: batch)
            var last = run?.tracking.last
            var startsSegment = run?.tracking.lastSegment != batch.segment
            var sumMm: Int64 = 0
            for (index, point) in batch.points.enumerated() {
                sumMm &+= point.stepMm
                let wayMm = last.map { lengthMm($0, point) } ?? 0
                let stepMm = startsSegment ? 0 : wayMm
                if let stepMm, differs(point.stepMm, stepMm) {
                    addFinding(
                        "C2", batch.runId, position, expected: "point \(index): \(stepMm) mm",
                        found: "\(point.stepMm) mm")
                }
                if startsSegment, let wayMm, differs(batch.bridgeMm, wayMm) {
                    addFinding(
                        "C2", batch.runId, position, expected: "a bridge of \(wayMm) mm",
                        found: "\(batch.bridgeMm) mm")
                }
                last = point
                startsSegment = false
            }
            guard sumMm != batch.addedMm else { return }
            addFinding(
                "C2", batch.runId, position, expected: "steps of \(sumMm) mm in all",
                found: "\(batch.addedMm) mm")
        }

        /// Returns the distance between two points; `nil` if a place is erased.
        private func lengthMm(_ from: RunPoint, _ to: RunPoint) -> Int64? {
            guard let start = from.place, let end = to.place else { return nil }
            return start.distanceMm(to: end)
        }

        /// True if two distances differ by more than a millimetre. Mathematical libraries differ in
        /// the last bit of a sine: up to a millimetre of distance.
        private func differs(_ a: Int64, _ b: Int64) -> Bool { (a &- b).magnitude > 1 }

        /// Checks a completed run by rule C2 (distance), C3 (completed twice) and C5 (active time).
        private mutating func check(_ completed: RunCompleted, _ position: Position) {
            let runId = completed.runId
            if let earlier = completions[runId] {
                addFinding(
                    "C3", runId, position, expected: "one completion, at \(earlier.position)",
                    found: "another")
            }
            completions[runId] = (Int64(position.rawValue), completed.userId)
            if completed.activeMs > completed.wallMs {
                addFinding(
                    "C5", runId, position, expected: "at most \(completed.wallMs) ms",
                    found: "\(completed.activeMs) ms")
            }
            guard let tracking = activeRuns[runId]?.tracking, tracking.batchCount > 0 else {
                return
            }
            let expectedMm =
                completed.rules == .source
                ? tracking.walkedMm &+ tracking.bridgeMm : tracking.walkedMm
            guard expectedMm != completed.distanceMm else { return }
            addFinding(
                "C2", runId, position, expected: "\(expectedMm) mm, as its places add up",
                found: "\(completed.distanceMm) mm")
        }
    }
}
