public import Daybook

extension Running {
    /// Reason why the server failed to store a run.
    public enum SaveFailure: UInt8, StoredEnum { case network, timeout, server, storage }

    /// The server stored the run.
    public struct RunSaved: EventPayload {
        public static let kind: EventKind = "running.run-saved.v1"
        public var runId = ""
        public var userId = ""
        /// Id that the server gave the run; `nil` if not reported.
        public var remoteId: String?
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(runId), userTag(userId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "remoteId", &remoteId)
        }
    }

    /// The server failed to store the run; the run stays in the log and can be saved again.
    public struct RunSaveFailed: EventPayload {
        public static let kind: EventKind = "running.run-save-failed.v1"
        public var runId = ""
        public var userId = ""
        /// Number of the attempt, from 1.
        public var attempt: Int64 = 0
        /// Reason for the failure.
        public var kind = SaveFailure.network
        /// Error message with which the app reported the failure.
        public var detail = SealableText("")
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(runId), userTag(userId)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId)
            try field("attempt", &attempt, .count)
            try field("kind", &kind, "detail", &detail)
        }
    }

    /// Records that the server stored the run.
    public struct Save: RunCommand {
        public static let name = "running.save"
        public var runId = ""
        /// Id that the server gave the run; `nil` if not reported.
        public var remoteId: String?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "remoteId", &remoteId)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunSaved.self, in: run.state) else {
                throw .runNotCompleted(run)
            }
            // Under S1 a run that was stopped twice becomes two records on the server.
            guard !run.isSaved || (run.rules == .source && run.completionCount > 1) else {
                return []
            }
            return [.runSaved(RunSaved(runId: runId, userId: run.userId, remoteId: remoteId))]
        }
    }

    /// Records that the server failed to store the run.
    public struct FailSave: RunCommand {
        public static let name = "running.fail-save"
        public var runId = ""
        /// Reason for the failure.
        public var kind = SaveFailure.network
        /// Error message with which the app reported the failure.
        public var detail = PersonalText.blank
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "kind", &kind, "detail", &detail)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunSaveFailed.self, in: run.state) else {
                throw .runNotCompleted(run)
            }
            guard !run.isSaved else { throw .runSaved(runId) }
            return [
                .runSaveFailed(
                    RunSaveFailed(
                        runId: runId, userId: run.userId, attempt: run.saveAttemptCount &+ 1,
                        kind: kind, detail: SealableText(detail.text ?? "")))
            ]
        }
    }
}
