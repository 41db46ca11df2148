public import Daybook

extension Running {
    public enum PauseCause: UInt8, StoredEnum {
        case manual
        /// The runner stood still.
        case auto
    }

    /// Time and distance stopped counting.
    public struct RunPaused: EventPayload {
        public static let kind: EventKind = "running.run-paused.v1"
        public var runId = ""
        public var cause = PauseCause.manual
        public var paused = Instant.epoch
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(runId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "cause", &cause, "pausedUs", &paused)
        }
    }

    /// Time and distance count again, in a new segment.
    public struct RunResumed: EventPayload {
        public static let kind: EventKind = "running.run-resumed.v1"
        public var runId = ""
        public var cause = PauseCause.manual
        public var resumed = Instant.epoch
        public var segment: Int64 = 0
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(runId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "cause", &cause, "resumedUs", &resumed)
            try field("segment", &segment, .count)
        }
    }

    /// Stops counting time and distance.
    public struct Pause: RunCommand {
        public static let name = "running.pause"
        public var runId = ""
        /// Now by default.
        public var paused: Instant?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "pausedUs", &paused)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            // A manual pause replaces an automatic one.
            guard lifecycle.allows(RunPaused.self, in: run.state),
                run.state == .running || run.pauseCause == .auto
            else {
                throw Refusal(
                    "runNotRunning", "run '\(runId)' is \(run.state.name), not running")
            }
            let paused = try run.moment(paused, "pausedUs", now)
            return [.runPaused(RunPaused(runId: runId, cause: .manual, paused: paused))]
        }
    }

    /// Counts time and distance again.
    public struct Resume: RunCommand {
        public static let name = "running.resume"
        public var runId = ""
        /// Now by default.
        public var resumed: Instant?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "resumedUs", &resumed)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunResumed.self, in: run.state) else {
                throw Refusal("runNotPaused", "run '\(runId)' is \(run.state.name), not paused")
            }
            let resumed = try run.moment(resumed, "resumedUs", now)
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
    /// The moment of a command: the given one, unless it is impossible, or now.
    ///
    /// A given one is refused before what is known of the run, and after the command itself. A
    /// place that is a little ahead of the clock refuses nothing: the moment is that of the place.
    /// Without one there always is a moment, whatever the device's clock says: at least that of the
    /// newest step of the run, or of a place that is not from the future.
    func moment(_ given: Instant?, _ field: String, _ now: Instant) throws(Refusal) -> Instant {
        let latest = Running.latest(now)
        let steps = [tracking.stretchStart, tracking.paused].compactMap { $0 }.max()
        // S1's app goes by its own clock, whatever time its places have.
        let newest = rules == .source ? steps : tracking.lastSeen
        let seen = newest.flatMap { $0 <= latest ? $0 : steps } ?? now
        guard let given else { return max(try Running.possible(now), seen) }
        let time = try Running.possible(given, field, by: now)
        let ahead = seen > now
        let known = ahead ? Running.earliest(seen) : seen
        guard time >= known else {
            throw Refusal(
                "timeGoesBack",
                "\(field) is \(Timestamp.text(time)), before \(Timestamp.text(known)), "
                    + "which is known of the run")
        }
        return ahead ? max(time, seen) : time
    }
}

extension Running {
    /// The most by which clocks differ.
    private static let toleranceUs: Int64 = 60_000_000

    /// The latest time that something can have that is told now.
    static func latest(_ now: Instant) -> Instant { now.advanced(byMicroseconds: toleranceUs) }

    /// The earliest time that something can have that came after a place of this time.
    static func earliest(_ seen: Instant) -> Instant { seen.advanced(byMicroseconds: -toleranceUs) }

    /// The time itself, unless it was mistyped, or lies after the command that gives it.
    static func possible(
        _ time: Instant, _ field: String, by now: Instant
    ) throws(Refusal) -> Instant {
        let time = try possible(time)
        guard time <= latest(now) else {
            throw Refusal(
                "futureTime",
                "\(field) is \(Timestamp.text(time)), after the command itself, at "
                    + Timestamp.text(now))
        }
        return time
    }
}
