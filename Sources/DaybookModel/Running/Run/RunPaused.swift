package import Daybook

extension Running {
    /// Cause of a pause.
    package enum PauseCause: UInt8, StoredEnum {
        /// A pause that the runner chose.
        case manual
        /// An automatic pause, because the runner stood still.
        case auto
    }

    /// A run was paused: its time and distance stop growing.
    package struct RunPaused: EventPayload {
        package static let kind: EventKind = "running.run-paused.v1"
        package var runId = ""
        var cause = PauseCause.manual
        /// Start of the pause.
        var paused = Instant.epoch
        package static var blank: Self { Self() }
        package var tags: [Tag] { [tag(runId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "cause", &cause, "pausedUs", &paused)
        }
    }

    /// A run was resumed: its time and distance grow again, in a new segment.
    package struct RunResumed: EventPayload {
        package static let kind: EventKind = "running.run-resumed.v1"
        package var runId = ""
        var cause = PauseCause.manual
        /// End of the pause.
        var resumed = Instant.epoch
        /// Number of the segment that starts, from 0.
        package var segment: Int64 = 0
        package static var blank: Self { Self() }
        package var tags: [Tag] { [tag(runId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "cause", &cause, "resumedUs", &resumed)
            try field("segment", &segment, .count)
        }
    }

    /// Pauses a run.
    struct Pause: RunCommand {
        static let name = "running.pause"
        var runId = ""
        /// Start of the pause; `nil` means the time of the command.
        var paused: Instant?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "pausedUs", &paused)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            // A manual pause replaces an automatic one.
            guard lifecycle.allows(RunPaused.self, in: run.state),
                run.state == .running || run.pauseCause == .auto
            else {
                throw Refusal(
                    "runNotRunning",
                    "run '\(runId)' is \(run.state.name); only a running run can be paused")
            }
            let paused = try run.commandTime(paused, "pausedUs", now)
            return [.runPaused(RunPaused(runId: runId, cause: .manual, paused: paused))]
        }
    }

    /// Resumes a paused run.
    struct Resume: RunCommand {
        static let name = "running.resume"
        var runId = ""
        /// End of the pause; `nil` means the time of the command.
        var resumed: Instant?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "resumedUs", &resumed)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunResumed.self, in: run.state) else {
                throw Refusal(
                    "runNotPaused",
                    "run '\(runId)' is \(run.state.name); only a paused run can be resumed")
            }
            let resumed = try run.commandTime(resumed, "resumedUs", now)
            let segment = run.tracking.segment &+ 1
            return [
                .runResumed(
                    RunResumed(
                        runId: runId, cause: .manual, resumed: resumed, segment: segment))
            ]
        }
    }
}

extension Running.Run {
    /// Returns the time to record for a command: the given time, or `now` if no time is given.
    ///
    /// Throws if the given time is more than a minute after `now`, or before the newest time
    /// recorded for the run. If the newest recorded time is itself up to a minute after `now`, a
    /// given time up to a minute before it is accepted and replaced by it. Times of places more
    /// than a minute after `now` are ignored.
    ///
    /// If no time is given, the result is never before the newest time recorded for the run.
    func commandTime(
        _ given: Instant?, _ field: String, _ now: Instant
    ) throws(Refusal) -> Instant {
        let latest = Running.latestAcceptedTime(now)
        let steps = [tracking.stretchStart, tracking.paused].compactMap { $0 }.max()
        // S1's app uses its own clock and ignores the times of places.
        let newest = rules == .source ? steps : tracking.newestTime
        let seen = newest.flatMap { $0 <= latest ? $0 : steps } ?? now
        guard let given else { return max(try Running.validTime(now), seen) }
        let time = try Running.validTime(given, field, by: now)
        let ahead = seen > now
        let known = ahead ? Running.earliestAcceptedTime(seen) : seen
        guard time >= known else {
            throw Refusal(
                "timeGoesBack",
                "\(field) is \(Timestamp.text(time)), before times that the run has recorded; "
                    + "expected \(Timestamp.text(known)) or later")
        }
        return ahead ? max(time, seen) : time
    }
}

extension Running {
    /// Greatest accepted difference between the clocks of two devices: one minute, in microseconds.
    private static let toleranceUs: Int64 = 60_000_000

    /// Returns the latest accepted time in a command given at `now`: one minute after `now`.
    static func latestAcceptedTime(_ now: Instant) -> Instant {
        now.advanced(byMicroseconds: toleranceUs)
    }

    /// Returns the earliest accepted time if `seen` is the newest recorded time: a minute before
    /// `seen`.
    static func earliestAcceptedTime(_ seen: Instant) -> Instant {
        seen.advanced(byMicroseconds: -toleranceUs)
    }

    /// Returns the time; throws if it is not in the years 1900 to 2199 or over a minute after
    /// `now`.
    static func validTime(
        _ time: Instant, _ field: String, by now: Instant
    ) throws(Refusal) -> Instant {
        let time = try validTime(time)
        guard time <= latestAcceptedTime(now) else {
            throw Refusal(
                "futureTime",
                "\(field) is \(Timestamp.text(time)), over a minute after the command's time, "
                    + Timestamp.text(now))
        }
        return time
    }
}
