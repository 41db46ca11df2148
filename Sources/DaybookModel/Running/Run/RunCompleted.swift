public import Daybook

extension Running {
    /// The run is over.
    public struct RunCompleted: EventPayload {
        public static let kind: EventKind = "running.run-completed.v1"
        public var runId = ""
        public var userId = ""
        public var started: Instant?
        public var ended: Instant?
        /// Time from start to end.
        public var wallMs: Int64 = 0
        /// Time without pauses.
        public var activeMs: Int64 = 0
        /// Time without standing still; the source does not count it.
        public var movingMs: Int64?
        public var distanceMm: Int64 = 0
        /// `nil` without distance, or where not all of it has times.
        public var avgPaceMsPerKm: Int64?
        /// 60 kcal a kilometre.
        public var kcal: Int64 = 0
        /// Energy by speed and body weight; `nil` where the weight is not known.
        public var kcalMet: Int64?
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [tag(runId), userTag(userId), slotTag(userId)] + weekTags(started)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
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
    }

    /// Ends the run.
    public struct Stop: RunCommand {
        public static let name = "running.stop"
        public var runId = ""
        /// The runner of a run that never began, which the source's rules let stop.
        public var userId: String?
        /// Now by default.
        public var ended: Instant?
        /// The rules for a run that never began; else the run's own hold.
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "endedUs", &ended, "rules", &rules)
        }

        /// The start of a run tells its runner, whose weight counts.
        public func query(knowing state: State) -> Query {
            guard let run = state.runs[runId], !run.userId.isEmpty else { return query }
            return Query(runItem(runId), profileItem(run.userId))
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard let run = state.runs[runId] else {
                // S1 shows a run that never began as completed, and saves nothing.
                guard rules == .source else { throw .runNotFound(runId) }
                return []
            }
            // S1 guards nothing: a second stop saves a second record.
            let isAgain = run.rules == .source && run.state == .completed
            guard isAgain || lifecycle.allows(RunCompleted.self, in: run.state) else {
                throw .runNotActive(run)
            }
            let ended = try run.moment(ended, "endedUs", now)
            return [.runCompleted(RunCompleted(run, ended: ended, state))]
        }
    }

    /// Distances of a run, up to ten billion kilometres.
    static let distancesMm: ClosedRange<Int64> = 0...10_000_000_000_000_000
}

extension Running.RunCompleted {
    /// The completion of a run that ends at a time, with what it then amounts to.
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
