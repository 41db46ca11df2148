public import Daybook

extension Running {
    /// Reason why a run was discarded.
    public enum DiscardReason: UInt8, StoredEnum {
        /// The run screen of the app was reset.
        case reset
        /// The runner discarded the run.
        case user
        /// The run was too short to keep.
        case tooShort

        /// The reason if a command names none: `reset`.
        public static var absent: DiscardReason? { .reset }
    }

    /// A run was discarded before it was saved.
    public struct RunDiscarded: EventPayload {
        public static let kind: EventKind = "running.run-discarded.v1"
        public var runId = ""
        public var userId = ""
        public var started: Instant?
        public var reason = DiscardReason.reset
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [tag(runId), userTag(userId), slotTag(userId)] + weekTags(started)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "startedUs", &started, "reason", &reason)
        }
    }

    /// Discards a run that was not saved.
    public struct Discard: RunCommand {
        public static let name = "running.discard"
        public var runId = ""
        public var reason = DiscardReason.reset
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "reason", &reason)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunDiscarded.self, in: run.state) else {
                throw .runNotActive(run)
            }
            // In S1 the reset of a saved run only clears the screen.
            if run.isSaved, run.rules == .source { return [] }
            guard !run.isSaved, run.mode != .imported else { throw .runSaved(runId) }
            return [
                .runDiscarded(
                    RunDiscarded(
                        runId: runId, userId: run.userId, started: run.started,
                        reason: reason))
            ]
        }
    }
}
