public import Daybook

extension Running {
    /// The completed runs of rankings, their revisions, and the closings.
    ///
    /// A week of a million runs is folded in a moment because a completion only adds to a list:
    /// what is rare, that a run is cancelled, restored, discarded or completed again, is kept
    /// beside it.
    public struct Standings: Record {
        /// In the order of the log.
        public var runs: [ScoredRun] = []
        /// The newest revision of a run, by its id.
        public var revisions: [String: Revision] = [:]
        /// The last completion of runs that may have several.
        public var lastCompletions: [String: Int64] = [:]
        /// The newest crop of a run, which replaces what was completed before.
        public var crops: [String: Int64] = [:]
        public var closings: [Closing] = []
        /// Position of the newest event.
        public var position: Int64 = 0
        /// Fingerprints of the ids in `runs`, to notice a repetition.
        private var seen: Set<UInt64> = []

        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runs", &runs, "revisions", &revisions, "lastCompletions", &lastCompletions)
            try field("crops", &crops, "closings", &closings, "position", &position)
        }

        /// The last closing of a week in a zone.
        public func closing(of week: String, _ zone: String) -> Closing? {
            closings.last { $0.closed.week == week && $0.closed.zone == zone }
        }

        /// True unless the run is cancelled or a later event revokes the completion.
        func counts(_ run: borrowing ScoredRun) -> Bool {
            if !crops.isEmpty, let crop = crops[run.runId], run.position < crop { return false }
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

        private mutating func complete(_ event: RunCompleted) {
            if !seen.insert(event.runId.fingerprint).inserted {
                lastCompletions[event.runId] = position
            }
            runs.append(
                ScoredRun(
                    runId: event.runId, userId: event.userId, started: event.started,
                    ended: event.ended, distanceMm: event.distanceMm, position: position))
        }

        private mutating func crop(_ event: RunCropped) {
            crops[event.runId] = position
            lastCompletions[event.runId] = position
            runs.append(
                ScoredRun(
                    runId: event.runId, userId: event.userId, started: event.started,
                    ended: event.ended, distanceMm: event.distanceMm, position: position))
            // A crop is no reason to count what is cancelled.
            if revisions[event.runId]?.counts == false {
                revisions[event.runId]?.position = position
            }
        }

        private mutating func revise(
            _ runId: String, _ counts: Bool, outlastsCompletions: Bool = false
        ) {
            revisions[runId] = Revision(
                position: position, counts: counts, outlastsCompletions: outlastsCompletions)
        }
    }
}

extension String {
    fileprivate var fingerprint: UInt64 {
        utf8.reduce(into: FNV1a()) { $0.add($1) }.value
    }
}
