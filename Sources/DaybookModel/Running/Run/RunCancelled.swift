package import Daybook

extension Running {
    /// A completed run was removed from the history.
    package struct RunCancelled: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.run-cancelled.v1"
        package var runId = ""
        package var userId = ""
        package var started: Instant?
        package var reason: SealableText?
        package var tags: [Tag] { [tag(runId), userTag(userId)] + weekTags(started) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "startedUs", &started, "reason", &reason)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "run" + wording.at(started) + " cancelled", wording.quoted(reason))
        }
    }

    /// The cancellation of a run was undone.
    package struct RunRestored: EventPayload, PlainRecord {
        package static let kind: EventKind = "running.run-restored.v1"
        package var runId = ""
        package var userId = ""
        package var started: Instant?
        package var reason: SealableText?
        package var tags: [Tag] { [tag(runId), userTag(userId)] + weekTags(started) }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "userId", &userId, "startedUs", &started, "reason", &reason)
        }

        package func sentence(_ wording: Wording) -> String {
            wording.list(
                after: "run" + wording.at(started) + " restored", wording.quoted(reason))
        }
    }

    /// Removes a completed run from the history.
    struct Cancel: RunCommand, PlainRecord {
        static let name = "running.cancel"
        var runId = ""
        var reason: PersonalText?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "reason", &reason)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunCancelled.self, in: run.state) else {
                throw .runNotCompleted(run)
            }
            let cancelled = RunCancelled(
                runId: runId, userId: run.userId, started: run.started,
                reason: reason?.text.map(SealableText.init))
            return [.runCancelled(cancelled)]
        }
    }

    /// Undoes the cancellation of a run.
    struct Restore: RunCommand, PlainRecord {
        static let name = "running.restore"
        var runId = ""
        var reason: PersonalText?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("runId", &runId, "reason", &reason)
        }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let run = try state.run(runId)
            guard lifecycle.allows(RunRestored.self, in: run.state) else {
                throw Refusal(
                    "runNotCancelled",
                    "run '\(runId)' is \(run.state.name); only a cancelled run can be restored")
            }
            let restored = RunRestored(
                runId: runId, userId: run.userId, started: run.started,
                reason: reason?.text.map(SealableText.init))
            return [.runRestored(restored)]
        }
    }
}
