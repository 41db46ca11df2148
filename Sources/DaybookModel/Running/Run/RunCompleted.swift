package import Daybook

extension Running {
    /// A run was completed, with these final figures.
    package struct RunCompleted: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.run-completed.v1"
        package var runId = ""
        package var userId = ""
        package var started: Instant?
        package var ended: Instant?
        /// Time from start to end.
        package var wallMs: Int64 = 0
        /// Time without pauses.
        package var activeMs: Int64 = 0
        /// Time in motion; `nil` under the rule set `source`, for a run entered by hand, and if the
        /// places are too far apart in time to tell.
        package var movingMs: Int64?
        package var distanceMm: Int64 = 0
        /// Average pace in milliseconds per kilometre; `nil` without distance or if times are
        /// missing.
        package var avgPaceMsPerKm: Int64?
        /// Energy at 60 kcal per kilometre.
        package var kcal: Int64 = 0
        /// Energy by speed and body weight, in kilocalories; `nil` if weight or times are unknown.
        var kcalMet: Int64?
        package var rules = Rules.standard
        package var tags: [Tag] {
            [tag(runId), userTag(userId), slotTag(userId)] + weekTags(started)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "startedUs", &started, "endedUs", &ended)
            try field("wallMs", &wallMs, .values(-10_000_000_000_000...10_000_000_000_000))
            try field("activeMs", &activeMs, .values(-10_000_000_000_000...10_000_000_000_000))
            try field("movingMs", &movingMs, .values(0...10_000_000_000_000))
            try field("distanceMm", &distanceMm, .values(distancesMm))
            try field("avgPaceMsPerKm", &avgPaceMsPerKm, .values(0 ... .max))
            try field("kcal", &kcal, .count)
            try field("kcalMet", &kcalMet, .values(0 ... .max))
            try field("rules", &rules)
        }

        package func sentence(_ wording: Wording) -> String {
            "run " + figures(wording)
        }
    }

    /// Completes an active run.
    struct Stop: RunCommand, PlainRecord {
        static let name = "running.stop"
        var runId = ""
        /// User id of the runner, for a run that never started; the rule set `source` allows
        /// stopping such a run.
        var userId: String?
        /// End of the run; `nil` means the time of the command.
        var ended: Instant?
        /// Rule set for a run that never started; a started run uses its own rule set.
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "endedUs", &ended, "rules", &rules)
        }

        /// Returns a query for the run and, once its runner is known, for the runner's profile.
        func query(knowing state: State) -> Query {
            guard let run = state.runs[runId], !run.userId.isEmpty else { return query }
            return Query(runItem(runId), profileItem(run.userId))
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard let run = state.runs[runId] else {
                // S1 shows a run that never started as completed and saves nothing.
                guard rules == .source else { throw .runNotFound(runId) }
                return []
            }
            // S1 does not check the state: a second stop saves a second record.
            let isAgain = run.rules == .source && run.state == .completed
            guard isAgain || lifecycle.allows(RunCompleted.self, in: run.state) else {
                throw .runNotActive(run)
            }
            let ended = try run.commandTime(ended, "endedUs", now)
            return [.runCompleted(RunCompleted(run, ended: ended, state))]
        }
    }

    /// Accepted distances of a run, up to ten billion kilometres.
    static let distancesMm: ClosedRange<Int64> = 0...10_000_000_000_000_000
}

extension Running.RunCompleted {
    /// Creates the event that completes `run` at `ended`, with the resulting totals.
    init(_ run: Running.Run, ended: Instant?, _ state: Running.State) {
        let totals =
            run.rules == .source
            ? run.sourceTotals(ended: ended)
            : run.totals(ended: ended, weightG: state.runners[run.userId]?.weightG)
        self.init(
            runId: run.runId, userId: run.userId, started: run.started, ended: ended,
            wallMs: totals.wallMs, activeMs: totals.activeMs, movingMs: totals.movingMs,
            distanceMm: totals.distanceMm, avgPaceMsPerKm: totals.avgPaceMsPerKm,
            kcal: totals.kcal, kcalMet: totals.kcalMet, rules: run.rules)
    }
}
