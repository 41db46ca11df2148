import Daybook

extension OfflineQueue {
    /// A parked write became pending again: a person decided so, or no write blocks it any more.
    struct MutationRetried: EventPayload, PlainRecord {
        static let kind: EventKind = "offline-queue.mutation-retried.v1"
        var mutationId = ""
        var device = ""
        var tags: [Tag] { OfflineQueue.tags(device, mutationId) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device)
        }

        func sentence(_ wording: Wording) -> String {
            "write may be sent again"
        }
    }

    /// A person dropped a parked write, which is never sent again.
    struct MutationDropped: EventPayload, PlainRecord {
        static let kind: EventKind = "offline-queue.mutation-dropped.v1"
        var mutationId = ""
        var device = ""
        var tags: [Tag] { OfflineQueue.tags(device, mutationId) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device)
        }

        func sentence(_ wording: Wording) -> String {
            "write dropped"
        }
    }

    /// Makes a parked write pending again, together with the writes that it blocks.
    struct RetryMutation: QueueCommand {
        static let name = "offline-queue.retry"
        var device = ""
        var mutationId = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "mutationId", &mutationId)
        }

        func entityTags(_ state: State) -> [Tag] { state.entityTags(of: mutationId) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
            let parked = try state.parked(mutationId)
            if let cause = state.parked(about: parked.entryId, before: parked.number) {
                throw Refusal(
                    "blocked",
                    "the write '\(mutationId)' cannot be sent before '\(cause.mutationId)', an "
                        + "earlier write about its entry that was rejected; retry or drop that "
                        + "write first")
            }
            let released = state.released(about: parked.entryId, without: [mutationId])
            return ([parked] + released).map {
                .step(.retried(MutationRetried(mutationId: $0.mutationId, device: device)))
            }
        }
    }

    /// Drops a parked write and the writes that depend on it.
    ///
    /// The other writes that it blocks become pending again.
    struct DropMutation: QueueCommand {
        static let name = "offline-queue.drop"
        var device = ""
        var mutationId = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "mutationId", &mutationId)
        }

        func entityTags(_ state: State) -> [Tag] { state.entityTags(of: mutationId) }

        func decide(_ state: State, now: Instant) throws(Refusal) -> [Event] {
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

    /// The writes about an entry were removed unsent, because the entry was created and cancelled
    /// offline.
    struct MutationsCompacted: EventPayload, PlainRecord {
        static let kind: EventKind = "offline-queue.mutations-compacted.v1"
        var device = ""
        var entryId = ""
        /// Ids of the removed writes.
        var mutationIds: [String] = []
        var tags: [Tag] {
            [deviceTag(device), Tag("entry", entryId)] + mutationIds.map(mutationTag)
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "entryId", &entryId)
            try field("mutationIds", &mutationIds, .elements(10_000))
        }

        func sentence(_ wording: Wording) -> String {
            mutationIds.count.counted("unsent write") + " of a cancelled entry removed"
        }
    }

    /// Removes the writes about entries that were created and cancelled offline, if none was sent.
    struct CompactQueue: QueueCommand {
        static let name = "offline-queue.compact"
        var device = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }

        func decide(_ state: State, now: Instant) -> [Event] {
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
    /// Returns a parked write; throws if no parked write has this id.
    fileprivate func parked(_ mutationId: String) throws(Refusal) -> OfflineQueue.Mutation {
        guard let parked = parked.first(where: { $0.mutationId == mutationId }) else {
            throw Refusal(
                "notParked",
                "the write '\(mutationId)' is not parked (rejected, or blocked by a rejected write)"
            )
        }
        return parked
    }
}
