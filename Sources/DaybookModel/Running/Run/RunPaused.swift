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
    package struct RunPaused: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.run-paused.v1"
        package var runId = ""
        var cause = PauseCause.manual
        var paused = Instant.epoch
        package var tags: [Tag] { [tag(runId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "cause", &cause, "pausedUs", &paused)
        }

        package func sentence(_ wording: Wording) -> String {
            "run paused" + wording.at(paused) + (cause == .auto ? ", the runner stands still" : "")
        }
    }

    /// A run was resumed: its time and distance grow again, in a new segment.
    package struct RunResumed: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.run-resumed.v1"
        package var runId = ""
        var cause = PauseCause.manual
        /// End of the pause.
        var resumed = Instant.epoch
        /// Number of the segment that starts, from 0.
        package var segment: Int64 = 0
        package var tags: [Tag] { [tag(runId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "cause", &cause, "resumedUs", &resumed)
            try field("segment", &segment, .count)
        }

        package func sentence(_ wording: Wording) -> String {
            "run resumed" + wording.at(resumed) + (cause == .auto ? ", the runner moves" : "")
        }
    }

    /// Pauses a run.
    struct Pause: RunCommand, PlainRecord {
        static let name = "running.pause"
        var runId = ""
        /// Start of the pause; `nil` means the time of the command.
        var paused: Instant?
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
    struct Resume: RunCommand, PlainRecord {
        static let name = "running.resume"
        var runId = ""
        /// End of the pause; `nil` means the time of the command.
        var resumed: Instant?
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
                    RunResumed(runId: runId, cause: .manual, resumed: resumed, segment: segment))
            ]
        }
    }
}
