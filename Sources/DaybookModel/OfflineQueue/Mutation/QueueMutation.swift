public import Daybook

extension OfflineQueue {
    /// The reason why a write was queued.
    public enum QueueReason: UInt8, StoredEnum {
        /// Nobody is signed in with Google, or the baby has no id of the server's.
        case notLinked
        /// It was sent, and no answer came.
        case network
        case timeout
        /// Others wait that were written before it.
        case behind
    }

    /// The reason why no answer came.
    public enum NoAnswer: UInt8, StoredEnum { case network, timeout }

    /// A write was put at the end of the queue.
    public struct MutationQueued: EventPayload {
        public static let kind: EventKind = "offline-queue.mutation-queued.v1"
        public var mutationId = ""
        public var device = ""
        /// Its place in the order of queueing, counted from 1.
        public var number: Int64 = 0
        public var kind = MutationKind.createClosed
        /// The kind as the app wrote it, where it is none of those known.
        public var kindText: String?
        public var entryId = ""
        public var babyId = ""
        public var userId: String?
        public var reason = QueueReason.notLinked
        /// True where an attempt went out before: the server may know it already.
        public var wasSent = false
        public var dependsOn: String?
        /// The digest of the body, by which a second write under the same id is told from a repeat.
        ///
        /// It stays when the body is erased, so an app digests the body after random bytes that it
        /// keeps with the write: nobody can then confirm a guess.
        public var payloadDigest = Digest.blank
        /// The body that the server is sent.
        public var body: PersonalText?
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            OfflineQueue.tags(device, mutationId, entry: entryId, baby: babyId)
                + (userId.map { [Tag("user", $0)] } ?? [])
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device)
            try field("number", &number, .count)
            try field("kind", &kind, "kindText", &kindText, "entryId", &entryId)
            try field("babyId", &babyId, "userId", &userId, "reason", &reason)
            try field("wasSent", &wasSent, "dependsOn", &dependsOn)
            try field("payloadDigest", &payloadDigest, "body", &body, "rules", &rules)
        }
    }

    /// A write of the app, queued where it cannot be sent.
    ///
    /// No events mean that it can: the queue holds nothing that comes before it, so it is sent, and
    /// given again with `failure` if no answer comes. Any answer of the server, whatever it says,
    /// is the user's to see.
    public struct QueueMutation: QueueCommand {
        public static let name = "offline-queue.queue"
        public var mutationId = ""
        public var device = ""
        /// As the app writes it: `event_start`, `start`.
        public var kind = ""
        public var entryId = ""
        public var babyId = ""
        /// Tells another body under the same id; without it, the id alone tells a repeat.
        public var payloadDigest: Digest?
        public var body: PersonalText?
        /// The user who wrote it; the one who is signed in, or was last, by default.
        public var userId: String?
        /// The reason why sending it brought no answer.
        public var failure: NoAnswer?
        /// The answer to sending it.
        public var httpStatus: Int64?
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device, "kind", &kind)
            try field("entryId", &entryId, "babyId", &babyId, "payloadDigest", &payloadDigest)
            try field("body", &body, "userId", &userId, "failure", &failure)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("rules", &rules)
        }

        public func subjects(_ state: State) -> [Tag] {
            OfflineQueue.replaceable(entryId, babyId)
        }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            if let digest = state.known[mutationId] {
                guard digest == payloadDigest ?? digest else {
                    throw Refusal(
                        "otherPayload", "'\(mutationId)' was queued before with another body")
                }
                return []
            }
            let kind = MutationKind(writtenAs: kind)
            if rules == .standard { try check(kind, in: state) }
            guard let reason = reason(in: state) else { return [] }
            let lastUser = state.session.userId
            let maker = kind.makesEntry ? nil : state.maker(of: entryId)
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

        /// `nil` for a write that can be sent, or was answered.
        private func reason(in state: State) -> QueueReason? {
            if let httpStatus, httpStatus > 0 { return nil }
            guard state.isLinked(babyId, rules) else { return .notLinked }
            let isAboutSameEntry = { (other: Mutation) in
                state.isSameEntry(other.entryId, entryId)
            }
            // The source posts a write past those that wait.
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

        private func check(_ kind: MutationKind, in state: State) throws(Refusal) {
            guard kind != .other else {
                throw Refusal(
                    "unknownKind",
                    "expected event_create_closed, event_start, event_complete, event_update or "
                        + "event_cancel, found '\(self.kind.prefix(60))'")
            }
            for (field, id) in [
                ("mutationId", mutationId), ("entryId", entryId), ("babyId", babyId),
            ] where id.isEmpty {
                throw Refusal("idMissing", "\(field) is empty")
            }
            guard !kind.makesEntry else { return }
            guard state.maker(of: entryId) != nil || state.entryId(entryId) != nil else {
                throw Refusal(
                    "unknownEntry",
                    "nothing in the queue makes '\(entryId)', and the server has no id for it")
            }
        }
    }
}
