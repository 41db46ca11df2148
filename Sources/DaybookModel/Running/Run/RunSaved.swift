package import Daybook

extension Running {
    /// Reason why the server failed to store a run.
    package enum SaveFailure: UInt8, StoredEnum { case network, timeout, server, storage }

    /// The server stored the run.
    package struct RunSaved: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.run-saved.v1"
        package var runId = ""
        package var userId = ""
        /// Id that the server gave the run; `nil` if not reported.
        var remoteId: String?
        package var tags: [Tag] { [tag(runId), userTag(userId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "remoteId", &remoteId)
        }

        package func sentence(_ wording: Wording) -> String {
            "run saved on the server"
        }
    }

    /// The server failed to store the run; the run stays in the log and can be saved again.
    package struct RunSaveFailed: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.run-save-failed.v1"
        package var runId = ""
        package var userId = ""
        /// Number of the attempt, from 1.
        var attempt: Int64 = 0
        package var kind = SaveFailure.network
        /// Error message with which the app reported the failure.
        package var detail = SealableText("")
        package var tags: [Tag] { [tag(runId), userTag(userId)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId)
            try field("attempt", &attempt, .count)
            try field("kind", &kind, "detail", &detail)
        }

        package func sentence(_ wording: Wording) -> String {
            let cause =
                switch kind {
                case .network: "the server was not reached"
                case .timeout: "no answer in time"
                case .server: "an error of the server"
                case .storage: "an error of the storage"
                }
            return wording.list(
                after: "run not saved", cause, attempt > 1 ? "attempt \(attempt)" : nil,
                wording.quoted(detail))
        }
    }

    /// Records that the server stored the run.
    struct Save: RunCommand, PlainRecord {
        static let name = "running.save"
        var runId = ""
        var remoteId: String?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "remoteId", &remoteId)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
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
    struct FailSave: RunCommand, PlainRecord {
        static let name = "running.fail-save"
        var runId = ""
        var kind = SaveFailure.network
        /// Error message with which the app reported the failure.
        var detail = PersonalText.blank
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "kind", &kind, "detail", &detail)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunSaveFailed.self, in: run.state) else {
                throw .runNotCompleted(run)
            }
            guard !run.isSaved else { throw .runSaved(runId) }
            let failed = RunSaveFailed(
                runId: runId, userId: run.userId, attempt: run.saveAttemptCount &+ 1,
                kind: kind, detail: SealableText(detail.text ?? ""))
            return [.runSaveFailed(failed)]
        }
    }
}
