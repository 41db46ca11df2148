import Daybook

extension Running {
    /// Records a run entered by hand, such as one on a treadmill or without a phone.
    struct Enter: Command, PlainRecord {
        typealias Model = Running
        static let name = "running.enter"
        var runId = ""
        var userId = ""
        var started = Instant.epoch
        /// End of the run; `nil` means the start plus `activeMs`.
        var ended: Instant?
        /// Time without pauses; `nil` means the time from start to end.
        var activeMs: Int64?
        /// Distance in kilometres, as a decimal number: 5.25.
        var distanceKm = Scalar("")
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "startedUs", &started, "endedUs", &ended)
            try field("activeMs", &activeMs, .values(acceptedDurationsMs))
            try field("distanceKm", &distanceKm)
        }

        var query: Query {
            Query(Query.Item(kinds: historyKinds, tags: [userTag(userId)]), runItem(runId))
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            guard state.runs[runId] == nil else { throw .runExists(runId) }
            try check(activeMs, "activeMs", acceptedDurationsMs)
            let started = try AcceptedTimes.checked(started, "startedUs", by: now)
            let ended = try AcceptedTimes.checked(try endOfRun(), "endedUs", by: now)
            let wallMs = Formula.milliseconds(Int128(ended.microseconds(since: started)))
            guard acceptedDurationsMs.contains(wallMs) else {
                throw Refusal(
                    "notAStretch",
                    "the run from \(Timestamp.text(started)) to \(Timestamp.text(ended)) takes "
                        + "\(wallMs) ms; expected \(acceptedDurationsMs.lowerBound) to "
                        + "\(acceptedDurationsMs.upperBound)")
            }
            var totals = Totals()
            totals.distanceMm = try distanceMm()
            totals.wallMs = wallMs
            totals.activeMs = activeMs ?? wallMs
            guard totals.activeMs <= wallMs else {
                throw Refusal(
                    "longerThanTheRun",
                    "activeMs is \(totals.activeMs), but the run took only \(wallMs) ms")
            }
            guard
                Int128(totals.distanceMm) * 1_000
                    <= Int128(totals.activeMs) * Int128(fastestMmPerS)
            else {
                throw Refusal(
                    "tooFast",
                    "\(distanceKm.text) km in \(totals.activeMs) ms is faster than the limit "
                        + "of \(fastestMmPerS) mm a second")
            }
            if let other = state.overlappingRun(of: userId, from: started, to: ended) {
                throw Refusal(
                    "runsOverlap",
                    "the run '\(runId)' overlaps the run '\(other.runId)' of the runner '\(userId)'"
                )
            }
            totals.derivePaceAndEnergy(weightG: state.runners[userId]?.weightG)
            return [
                .runStarted(
                    RunStarted(runId: runId, userId: userId, mode: .manual, started: started)),
                .runCompleted(
                    RunCompleted(
                        runId: runId, userId: userId, started: started, ended: ended,
                        wallMs: totals.wallMs, activeMs: totals.activeMs, movingMs: nil,
                        distanceMm: totals.distanceMm, avgPaceMsPerKm: totals.avgPaceMsPerKm,
                        kcal: totals.kcal, kcalMet: totals.kcalMet)),
            ]
        }

        /// Returns `ended`, or the start plus `activeMs`; throws if both are missing.
        private func endOfRun() throws(Refusal) -> Instant {
            if let ended { return ended }
            guard let activeMs else {
                throw Refusal(
                    "noEnd", "the run '\(runId)' needs its end (endedUs) or duration (activeMs)")
            }
            return started.advanced(byMicroseconds: activeMs &* 1_000)
        }

        /// Returns the distance in millimetres; throws if `distanceKm` is no accepted number.
        private func distanceMm() throws(Refusal) -> Int64 {
            guard let distanceMm = distanceKm.scaled(toPowerOfTen: 6),
                distancesMm.contains(distanceMm)
            else {
                throw Refusal(
                    "unreadableDistance",
                    "distanceKm is '\(distanceKm.text.prefix(40))'; expected kilometres like 5.25")
            }
            return distanceMm
        }
    }

    /// Accepted durations of a run entered by hand, in milliseconds: one second to ten days.
    private static let acceptedDurationsMs: ClosedRange<Int64> = 1_000...864_000_000
}

extension Running.State {
    /// Returns an active or completed run of the user that overlaps the given time; `nil` for none.
    fileprivate func overlappingRun(
        of userId: String, from started: Instant, to ended: Instant
    ) -> Running.Run? {
        runs.values.filter { run in
            guard run.userId == userId, run.state.isActive || run.state == .completed,
                let begin = run.started
            else { return false }
            guard !run.state.isActive else { return begin < ended }
            return begin < ended && started < run.ended ?? begin
        }
        .min { $0.runId < $1.runId }
    }
}
