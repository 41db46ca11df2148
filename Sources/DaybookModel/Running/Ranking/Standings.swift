package import Daybook

extension Running {
    /// The runs, their later changes (revisions) and the final rankings (closings) from which
    /// rankings are computed.
    ///
    /// Folding a completion only appends to a list, so that folding a million runs is fast. Rare
    /// events (cancellations, restorations, discards, repeated completions, crops) are stored
    /// separately.
    package struct Standings: PlainRecord {
        /// Figures recorded by completions and crops, in log order.
        package var runs: [ScoredRun] = []
        /// Last cancellation, restoration or discard of a run, by run id.
        var revisions: [String: Revision] = [:]
        /// Log position of the last completion or crop, by run id; only for runs that may have more
        /// than one of them.
        var lastCompletionPositions: [String: Int64] = [:]
        /// Log position of the newest crop, by run id; figures recorded before it do not count.
        var cropPositions: [String: Int64] = [:]
        /// Events that made a ranking final, in log order.
        var closings: [Closing] = []
        /// Log position of the newest event.
        package var position: Int64 = 0
        /// Fingerprints of the run ids in `runs`, to detect repeated completions.
        private var runIdFingerprints: Set<UInt64> = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field(
                "runs", &runs, "revisions", &revisions, "lastCompletions", &lastCompletionPositions)
            try field("crops", &cropPositions, "closings", &closings, "position", &position)
        }

        /// Returns the event that last made a week's ranking final in a time zone; `nil` for none.
        func closing(of week: String, _ zone: String) -> Closing? {
            closings.last { $0.closed.week == week && $0.closed.zone == zone }
        }

        /// True if rankings include the figures: no crop replaced them, and the run is neither
        /// cancelled nor discarded.
        func counts(_ run: borrowing ScoredRun) -> Bool {
            if !cropPositions.isEmpty, let crop = cropPositions[run.runId], run.position < crop {
                return false
            }
            guard !revisions.isEmpty, let revision = revisions[run.runId] else { return true }
            if revision.counts || revision.outlastsCompletions { return revision.counts }
            return revision.position < run.position
        }

        mutating func apply(_ event: Ranking.Event, _ envelope: Envelope) {
            position = Int64(envelope.position.rawValue)
            switch event {
            case .runCompleted(let event): complete(event)
            case .runDiscarded(let event): revise(event.runId, false)
            case .runCancelled(let event):
                revise(event.runId, false, outlastsCompletions: true)
            case .runRestored(let event): revise(event.runId, true)
            case .runCropped(let event): crop(event)
            case .rankingWeekClosed(let closed):
                closings.append(Closing(closed, envelope))
            }
        }

        /// Adds the figures of a completed run to `runs`.
        private mutating func complete(_ event: RunCompleted) {
            if !runIdFingerprints.insert(event.runId.fingerprint).inserted {
                lastCompletionPositions[event.runId] = position
            }
            runs.append(
                ScoredRun(
                    runId: event.runId, userId: event.userId, started: event.started,
                    ended: event.ended, distanceMm: event.distanceMm, position: position))
        }

        /// Adds the figures of a cropped run to `runs`; they replace those of its completion.
        private mutating func crop(_ event: RunCropped) {
            cropPositions[event.runId] = position
            lastCompletionPositions[event.runId] = position
            runs.append(
                ScoredRun(
                    runId: event.runId, userId: event.userId, started: event.started,
                    ended: event.ended, distanceMm: event.distanceMm, position: position))
            // A crop must not make a cancelled or discarded run count again.
            if revisions[event.runId]?.counts == false {
                revisions[event.runId]?.position = position
            }
        }

        /// Records that rankings include a run again, or no longer include the run.
        private mutating func revise(
            _ runId: String, _ counts: Bool, outlastsCompletions: Bool = false
        ) {
            revisions[runId] = Revision(
                position: position, counts: counts, outlastsCompletions: outlastsCompletions)
        }
    }
}

extension String {
    /// FNV-1a hash of the UTF-8 bytes.
    fileprivate var fingerprint: UInt64 { utf8.reduce(into: FNV1a()) { $0.add($1) }.value }
}
