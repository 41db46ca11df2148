public import Daybook

extension Running {
    /// A completed run was removed from the history.
    public struct RunCancelled: EventPayload {
        public static let kind: EventKind = "running.run-cancelled.v1"
        public var runId = ""
        public var userId = ""
        public var started: Instant?
        public var reason: SealableText?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(runId), userTag(userId)] + weekTags(started) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "startedUs", &started, "reason", &reason)
        }
    }

    /// The cancellation of a run was undone.
    public struct RunRestored: EventPayload {
        public static let kind: EventKind = "running.run-restored.v1"
        public var runId = ""
        public var userId = ""
        public var started: Instant?
        public var reason: SealableText?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(runId), userTag(userId)] + weekTags(started) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "startedUs", &started, "reason", &reason)
        }
    }

    /// Removes a completed run from the history.
    public struct Cancel: RunCommand {
        public static let name = "running.cancel"
        public var runId = ""
        public var reason: PersonalText?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "reason", &reason)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunCancelled.self, in: run.state) else {
                throw .runNotCompleted(run)
            }
            return [
                .runCancelled(
                    RunCancelled(
                        runId: runId, userId: run.userId, started: run.started,
                        reason: reason?.text.map(SealableText.init)))
            ]
        }
    }

    /// Undoes the cancellation of a run.
    public struct Restore: RunCommand {
        public static let name = "running.restore"
        public var runId = ""
        public var reason: PersonalText?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "reason", &reason)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunRestored.self, in: run.state) else {
                throw Refusal(
                    "runNotCancelled",
                    "run '\(runId)' is \(run.state.name); only a cancelled run can be restored")
            }
            return [
                .runRestored(
                    RunRestored(
                        runId: runId, userId: run.userId, started: run.started,
                        reason: reason?.text.map(SealableText.init)))
            ]
        }
    }
}
