import Daybook

extension OfflineQueue {
    /// The reason why a write was queued.
    enum QueueReason: UInt8, StoredEnum {
        /// No user is signed in with Google, or the baby has no server id.
        case notLinked
        /// The write was sent, but no answer came.
        case network
        /// The write was sent, but no answer came in time.
        case timeout
        /// Earlier writes are still in the queue.
        case behind
    }

    /// The reason why an attempt got no answer.
    enum NoAnswerReason: UInt8, StoredEnum { case network, timeout }

    /// A write was added to the end of the queue.
    struct MutationQueued: EventPayload, PlainRecord {
        static let kind: EventKind = "offline-queue.mutation-queued.v1"
        var mutationId = ""
        var device = ""
        /// Number of the write among all writes that the device ever queued, counted from 1.
        var number: Int64 = 0
        var kind = MutationKind.createClosed
        /// Kind of write in the app's spelling, if the kind is unknown; otherwise `nil`.
        var kindText: String?
        var entryId = ""
        var babyId = ""
        /// User who made the write; `nil` if no user has signed in yet.
        var userId: String?
        var reason = QueueReason.notLinked
        /// True if an attempt was sent before, so that the server may already know the write.
        var wasSent = false
        /// Id of the queued write that creates the entry; `nil` for none.
        var dependsOn: String?
        /// Hash of the body, to tell a repeated write from another write with the same id. The hash
        /// stays when the body is erased. An app therefore hashes random bytes before the body and
        /// keeps them with the write, so that a guess of the body cannot be confirmed.
        var payloadDigest = Digest.blank
        /// Body of the request to the server.
        var body: PersonalText?
        var rules = Rules.standard
        var tags: [Tag] {
            OfflineQueue.tags(device, mutationId, entry: entryId, baby: babyId)
                + (userId.map { [Tag("user", $0)] } ?? [])
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device)
            try field("number", &number, .count)
            try field("kind", &kind, "kindText", &kindText, "entryId", &entryId)
            try field("babyId", &babyId, "userId", &userId, "reason", &reason)
            try field("wasSent", &wasSent, "dependsOn", &dependsOn)
            try field("payloadDigest", &payloadDigest, "body", &body, "rules", &rules)
        }

        func sentence(_ wording: Wording) -> String {
            let write =
                switch kind {
                case .createClosed: "new entry"
                case .start: "start of an entry"
                case .complete: "end of an entry"
                case .update: "change of an entry"
                case .cancel: "cancellation of an entry"
                case .other: kindText ?? "unknown kind"
                }
            let cause =
                switch reason {
                case .notLinked: "not linked to the server"
                case .network: "no answer"
                case .timeout: "no answer in time"
                case .behind: "behind earlier writes"
                }
            return wording.list(after: "write \(number) queued", write, cause)
        }
    }

    /// Queues a write of the app if the write cannot be sent directly.
    ///
    /// The command returns no events if the app may send the write at once. The app then sends it,
    /// and repeats the command with `failure` if no answer comes. Any answer of the server, even an
    /// error, is shown to the user, and the write is not queued.
    struct QueueMutation: QueueCommand {
        static let name = "offline-queue.queue"
        var mutationId = ""
        var device = ""
        /// Kind of write in the app's spelling, such as `event_start` or `start`.
        var kind = ""
        var entryId = ""
        var babyId = ""
        /// Hash of the body, to tell a repeated write from another write with the same id; if
        /// `nil`, a write with the same id is taken as repeated.
        var payloadDigest: Digest?
        var body: PersonalText?
        /// User who made the write; `nil` means the user who is or was last signed in.
        var userId: String?
        /// Reason why an attempt to send the write got no answer; `nil` if no attempt was made.
        var failure: NoAnswerReason?
        /// Status of the answer to an attempt to send the write; `nil` without an answer.
        var httpStatus: Int64?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device, "kind", &kind)
            try field("entryId", &entryId, "babyId", &babyId, "payloadDigest", &payloadDigest)
            try field("body", &body, "userId", &userId, "failure", &failure)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("rules", &rules)
        }

        func entityTags(_ state: State) -> [Tag] { OfflineQueue.entryAndBabyTags(entryId, babyId) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            if let digest = state.bodyDigests[mutationId] {
                guard digest == payloadDigest ?? digest else {
                    throw Refusal(
                        "otherPayload",
                        "the write '\(mutationId)' was already queued with another body")
                }
                return []
            }
            let kind = MutationKind(writtenAs: kind)
            if rules == .standard { try check(kind, in: state) }
            guard let reason = reason(in: state) else { return [] }
            let lastUser = state.session.userId
            let maker = kind.makesEntry ? nil : state.creatingWrite(of: entryId)
            let queued = MutationQueued(
                mutationId: mutationId, device: device, number: state.lastNumber + 1, kind: kind,
                kindText: kind == .other ? self.kind : nil, entryId: entryId, babyId: babyId,
                userId: userId ?? (lastUser.isEmpty ? nil : lastUser), reason: reason,
                wasSent: failure != nil, dependsOn: maker?.mutationId,
                payloadDigest: payloadDigest ?? .blank, body: body, rules: rules)
            guard rules == .standard,
                let cause = state.parked(about: entryId, before: queued.number)
            else { return [.step(.queued(queued))] }
            var mutation = Mutation()
            mutation.apply(queued, at: now)
            return [.step(.queued(queued)), state.parking(mutation, behind: cause, device)]
        }

        /// Returns the reason to queue the write; `nil` if the write can be sent or was answered.
        private func reason(in state: State) -> QueueReason? {
            if let httpStatus, httpStatus > 0 { return nil }
            guard state.isLinked(babyId, rules) else { return .notLinked }
            let isAboutSameEntry = { (other: Mutation) in
                state.isSameEntry(other.entryId, entryId)
            }
            // The source sends a new write ahead of the waiting writes.
            if rules == .standard,
                state.pending.contains(where: { state.isOwn($0, of: state.session.userId) })
                    || state.pending.contains(where: isAboutSameEntry)
                    || state.parked.contains(where: isAboutSameEntry)
            {
                return .behind
            }
            return switch failure {
            case .network: .network
            case .timeout: .timeout
            case nil: nil
            }
        }

        /// Throws a refusal for an unknown kind of write, an empty id, or a write about an unknown
        /// entry.
        private func check(_ kind: MutationKind, in state: State) throws(Refusal) {
            guard kind != .other else {
                throw Refusal(
                    "unknownKind",
                    "kind is '\(self.kind.prefix(60))'; expected event_create_closed, event_start, "
                        + "event_complete, event_update or event_cancel")
            }
            for (field, id) in [
                ("mutationId", mutationId), ("entryId", entryId), ("babyId", babyId),
            ] where id.isEmpty {
                throw Refusal(
                    "idMissing",
                    "\(field) is empty; a write needs the ids mutationId, entryId and babyId")
            }
            guard !kind.makesEntry else { return }
            guard state.creatingWrite(of: entryId) != nil || state.serverEntryId(entryId) != nil
            else {
                throw Refusal(
                    "unknownEntry",
                    "the entry '\(entryId)' has no server id, and no queued write creates the entry"
                )
            }
        }
    }
}
