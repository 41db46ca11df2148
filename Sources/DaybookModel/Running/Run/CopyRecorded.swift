package import Daybook
import DaybookGeodesy

extension Running {
    /// A track was found to be a copy of a run, and was left out or kept beside it.
    ///
    /// The import decides which of them counts: a copy that was left out has no run.
    package struct CopyRecorded: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.copy-recorded.v1"
        /// Id of the run that was in the log first.
        package var runId = ""
        package var userId = ""
        /// Id of the run as which the copy is kept; `nil` if the copy is left out.
        package var copyId: String?
        /// Log position of the completion of the first run.
        package var firstPosition: Int64 = 0
        /// Time from the first run to the copy by their clocks, in milliseconds.
        package var shiftMs: Int64 = 0
        package var pointCount: Int64 = 0
        /// Digest of the copy's runner and points, keyed with the log's secret.
        package var track = Digest.blank
        package var tags: [Tag] {
            [tag(runId), userTag(userId)] + (copyId.map { [tag($0)] } ?? [])
        }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "copyId", &copyId)
            try field("firstPosition", &firstPosition, .count)
            try field("shiftMs", &shiftMs, .values(shiftsMs))
            try field("points", &pointCount, .count)
            try field("track", &track)
        }

        package func sentence(_ wording: Wording) -> String {
            let shift = FieldUnit.milliseconds.text(Int64(clamping: shiftMs.magnitude))
            return wording.list(
                after: copyId == nil ? "copy of a run left out" : "copy of a run kept beside it",
                pointCount.counted("place"),
                shiftMs == 0 ? nil : "\(shift) \(shiftMs > 0 ? "later" : "earlier")")
        }
    }

    /// Records that a track is a copy of a run, and whether the copy is kept beside it.
    package struct RecordCopy: RunCommand, PlainRecord {
        package static let name = "running.record-copy"
        package var runId = ""
        package var copyId: String?
        package var firstPosition: Int64 = 0
        package var shiftMs: Int64 = 0
        package var pointCount: Int64 = 0
        package var track = Digest.blank
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "copyId", &copyId)
            try field("firstPosition", &firstPosition, .count)
            try field("shiftMs", &shiftMs, .values(shiftsMs))
            try field("points", &pointCount, .count)
            try field("track", &track)
        }

        package var query: Query {
            guard let copyId else { return Query(runItem(runId)) }
            return Query(runItem(runId), runItem(copyId))
        }

        package func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard run.state == .completed else { throw .runNotCompleted(run) }
            if let copyId {
                let copy = try state.run(copyId)
                guard copyId != runId, copy.userId == run.userId else {
                    throw Refusal(
                        "otherRunner",
                        "run '\(copyId)' is no other run of the runner '\(run.userId)'")
                }
            }
            try check(shiftMs, "shiftMs", shiftsMs)
            let recorded = CopyRecorded(
                runId: runId, userId: run.userId, copyId: copyId, firstPosition: firstPosition,
                shiftMs: shiftMs, pointCount: pointCount, track: track)
            return [.copyRecorded(recorded)]
        }
    }

    /// Accepted differences of two clocks, in milliseconds: up to 14 hours and a second.
    private static let shiftsMs: ClosedRange<Int64> = -50_401_000...50_401_000

    /// Returns a query for the runs of a runner that a track at these times may be a copy of. By
    /// the tags of weeks it reads only the runs that start up to two weeks before the track.
    package static func possibleCopies(
        of userId: String, from start: Instant, to end: Instant
    ) -> Query {
        let kinds: Set<EventKind> = [
            RunCompleted.kind, RunDiscarded.kind, RunCancelled.kind, RunRestored.kind,
            RunCropped.kind,
        ]
        let weekUs = 7 * Instant.dayUs
        var first = start.advanced(byMicroseconds: -TrackCopy.mostShiftUs - 2 * weekUs)
        let last = end.advanced(byMicroseconds: TrackCopy.mostShiftUs)
        let whole = Query(Query.Item(kinds: kinds, tags: [userTag(userId)]))
        guard last.microseconds(since: first) < 20 * weekUs else { return whole }
        var weeks = Set(weekTags(last))
        while first < last {
            weeks.formUnion(weekTags(first))
            first = first.advanced(byMicroseconds: weekUs)
        }
        return Query(
            items: weeks.sorted().map { Query.Item(kinds: kinds, tags: [userTag(userId), $0]) })
            ?? whole
    }
}

extension Running.Standings {
    /// The newest figures of each run that counts, by start.
    package var countedRuns: [Running.ScoredRun] {
        var newest: [String: Running.ScoredRun] = [:]
        for run in runs where counts(run) { newest[run.runId] = run }
        return newest.values.sorted {
            ($0.started ?? .epoch, $0.runId) < ($1.started ?? .epoch, $1.runId)
        }
    }
}
