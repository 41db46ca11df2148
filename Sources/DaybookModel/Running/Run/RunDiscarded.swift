package import Daybook

extension Running {
    /// Reason why a run was discarded.
    package enum DiscardReason: UInt8, StoredEnum {
        /// The run screen of the app was reset.
        case reset
        /// The runner discarded the run.
        case user
        /// The run was too short to keep.
        case tooShort

        /// The reason if a command names none: `reset`.
        package static var absent: DiscardReason? { .reset }
    }

    /// A run was discarded before it was saved.
    package struct RunDiscarded: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.run-discarded.v1"
        package var runId = ""
        package var userId = ""
        package var started: Instant?
        package var reason = DiscardReason.reset
        package var tags: [Tag] {
            [tag(runId), userTag(userId), slotTag(userId)] + weekTags(started)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "startedUs", &started, "reason", &reason)
        }

        package func sentence(_ wording: Wording) -> String {
            let cause =
                switch reason {
                case .reset: "run screen reset"
                case .user: "by the runner"
                case .tooShort: "too short"
                }
            return "run discarded: \(cause)"
        }
    }

    /// Discards a run that was not saved.
    struct Discard: RunCommand, PlainRecord {
        static let name = "running.discard"
        var runId = ""
        var reason = DiscardReason.reset
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "reason", &reason)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunDiscarded.self, in: run.state) else {
                throw .runNotActive(run)
            }
            // In S1 the reset of a saved run only clears the screen.
            if run.isSaved, run.rules == .source { return [] }
            guard !run.isSaved, run.mode != .imported else { throw .runSaved(runId) }
            let discarded = RunDiscarded(
                runId: runId, userId: run.userId, started: run.started, reason: reason)
            return [.runDiscarded(discarded)]
        }
    }
}
