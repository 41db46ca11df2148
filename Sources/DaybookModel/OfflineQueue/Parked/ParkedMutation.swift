public import Daybook

extension OfflineQueue {
    /// A parked write is pending again, at a person's request or because it is no longer blocked.
    public struct MutationRetried: EventPayload {
        public static let kind: EventKind = "offline-queue.mutation-retried.v1"
        public var mutationId = ""
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { OfflineQueue.tags(device, mutationId) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device)
        }
    }

    /// A person dropped a parked write, which is not sent again.
    public struct MutationDropped: EventPayload {
        public static let kind: EventKind = "offline-queue.mutation-dropped.v1"
        public var mutationId = ""
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { OfflineQueue.tags(device, mutationId) }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device)
        }
    }

    /// Moves a parked write back to its place in the queue, with the writes that it blocks.
    public struct RetryMutation: QueueCommand {
        public static let name = "offline-queue.retry"
        public var device = ""
        public var mutationId = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "mutationId", &mutationId)
        }

        public func subjects(_ state: State) -> [Tag] { state.subjects(of: mutationId) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let parked = try state.parked(mutationId)
            if let cause = state.parked(about: parked.entryId, before: parked.number) {
                throw Refusal(
                    "blocked",
                    "the write '\(mutationId)' waits for the parked write '\(cause.mutationId)'")
            }
            let released = state.released(about: parked.entryId, without: [mutationId])
            return ([parked] + released).map {
                .step(.retried(MutationRetried(mutationId: $0.mutationId, device: device)))
            }
        }
    }

    /// Drops a parked write and the writes that depend on it, and retries the others it blocks.
    public struct DropMutation: QueueCommand {
        public static let name = "offline-queue.drop"
        public var device = ""
        public var mutationId = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "mutationId", &mutationId)
        }

        public func subjects(_ state: State) -> [Tag] { state.subjects(of: mutationId) }

        public func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let parked = try state.parked(mutationId)
            // If the entry is never created, the server accepts no other write about it.
            let dropped = [parked] + state.parked.filter { $0.dependsOn == mutationId }
            let released = state.released(
                about: parked.entryId, without: Set(dropped.map(\.mutationId)))
            return dropped.map {
                .step(.dropped(MutationDropped(mutationId: $0.mutationId, device: device)))
            }
                + released.map {
                    .step(.retried(MutationRetried(mutationId: $0.mutationId, device: device)))
                }
        }
    }

    /// An entry was created and cancelled before any write was sent, so its writes are not sent.
    public struct MutationsCompacted: EventPayload {
        public static let kind: EventKind = "offline-queue.mutations-compacted.v1"
        public var device = ""
        public var entryId = ""
        public var mutationIds: [String] = []
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [deviceTag(device), Tag("entry", entryId)] + mutationIds.map(mutationTag)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "entryId", &entryId)
            try field("mutationIds", &mutationIds, .elements(10_000))
        }
    }

    /// Removes the writes of entries that were created and cancelled offline, if none was sent.
    public struct CompactQueue: QueueCommand {
        public static let name = "offline-queue.compact"
        public var device = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }

        public func decide(_ state: State, now: Instant) -> [Event] {
            state.pending.filter { $0.kind.makesEntry }.compactMap { maker in
                let writes = state.pending.filter { $0.entryId == maker.entryId }
                guard writes.last?.kind == .cancel, !writes.contains(where: \.wasSent),
                    !state.parked.contains(where: { $0.entryId == maker.entryId })
                else { return nil }
                let compacted = MutationsCompacted(
                    device: device, entryId: maker.entryId, mutationIds: writes.map(\.mutationId))
                return .step(.compacted(compacted))
            }
        }
    }
}

extension OfflineQueue.State {
    /// Returns a parked write; refuses an id that is not parked.
    fileprivate func parked(_ mutationId: String) throws(Refusal) -> OfflineQueue.Mutation {
        guard let parked = parked.first(where: { $0.mutationId == mutationId }) else {
            throw Refusal("notParked", "the write '\(mutationId)' is not parked")
        }
        return parked
    }
}
