import Daybook

extension OfflineQueue {
    /// A write was sent to the server.
    struct MutationDispatched: EventPayload, PlainRecord {
        static let kind: EventKind = "offline-queue.mutation-dispatched.v1"
        var mutationId = ""
        var device = ""
        /// Number of the attempt, from 1; a repetition after a token refresh keeps the number.
        var attempt: Int64 = 0
        /// Idempotency key, which is the id of the write in every attempt; `nil` under `rules:
        /// source`, which sends no key.
        var idempotencyKey: String?
        var entryId = ""
        var babyId = ""
        /// User as whom the write was sent.
        var userId: String?
        /// Token family and generation of the access token in the request, such as `f1-g3`.
        var token = ""
        var rules = Rules.standard
        var tags: [Tag] {
            OfflineQueue.tags(device, mutationId, baby: babyId)
                + (userId.map { [Tag("user", $0)] } ?? [])
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device)
            try field("attempt", &attempt, .count)
            try field("idempotencyKey", &idempotencyKey, "entryId", &entryId, "babyId", &babyId)
            try field("userId", &userId, "token", &token, "rules", &rules)
        }

        func sentence(_ wording: Wording) -> String {
            "write sent" + (attempt > 1 ? ", attempt \(attempt)" : "")
        }
    }

    /// Sends the next write of the current run, or ends the run.
    ///
    /// Does nothing while an answer or a token refresh is awaited.
    struct DispatchNext: QueueCommand {
        static let name = "offline-queue.dispatch"
        var device = ""
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "rules", &rules)
        }

        func entityTags(_ state: State) -> [Tag] { state.entityTagsOfNext }

        func decide(_ state: State, now: Instant) -> [Event] {
            guard state.isSyncing, state.inFlightId == nil else { return [] }
            return rules == .source
                ? decideBySource(state, now: now) : decideByStandard(state, now: now)
        }

        /// Decides under the standard rules, which send the write's id as its idempotency key.
        private func decideByStandard(_ state: State, now: Instant) -> [Event] {
            switch state.obstacle(at: now, .standard) {
            case .stop(let stop): return [state.finishing(stop, device, rules)]
            case .wait: return [state.finishing(.network, device, rules)]
            case nil: break
            }
            if let next = state.next,
                let cause = state.parked(about: next.entryId, before: next.number)
            {
                return [state.parking(next, behind: cause, device)]
            }
            guard let next = state.next, let babyId = state.serverBabyId(next.babyId) else {
                return []
            }
            if next.awaitsRefresh, next.token == state.token {
                // The refresh brought no new token but kept the session, so the write is tried
                // again later.
                return state.session.refresh == nil
                    ? state.postponing(next, httpStatus: 419, device, at: now) : []
            }
            guard
                let entryId = next.kind.makesEntry
                    ? next.entryId : state.serverEntryId(next.entryId)
            else { return state.parking(next, .unmapped, httpStatus: nil, device) }
            let dispatched = MutationDispatched(
                mutationId: next.mutationId, device: device,
                attempt: next.awaitsRefresh ? next.attemptCount : next.attemptCount + 1,
                idempotencyKey: next.mutationId, entryId: entryId, babyId: babyId,
                userId: state.session.userId, token: state.token)
            return [.step(.dispatched(dispatched))]
        }

        /// Decides under `rules: source`, which send no idempotency key. A new entry goes to the
        /// baby that is active now, and the id of a changed entry is looked up under that baby.
        private func decideBySource(_ state: State, now: Instant) -> [Event] {
            if case .stop(let stop) = state.obstacle(at: now, .source) {
                return [state.finishing(stop, device, .source)]
            }
            guard let next = state.pending.first else { return [] }
            let babyId = state.onboarding.babyId ?? next.babyId
            if next.kind == .other || (next.entryId.isEmpty && !next.kind.makesEntry) {
                let counted = MutationAcknowledged(
                    mutationId: next.mutationId, device: device, babyId: next.babyId,
                    rules: .source)
                return [.step(.acknowledged(counted))]
            }
            var entryId = next.entryId
            if !next.kind.makesEntry, isLocal(entryId) {
                guard let known = state.serverEntryIdsByBaby["\(babyId)/\(entryId)"] else {
                    return [state.finishing(.mappingPending, device, .source)]
                }
                entryId = known
            }
            let dispatched = MutationDispatched(
                mutationId: next.mutationId, device: device, attempt: next.attemptCount + 1,
                entryId: entryId, babyId: next.kind.makesEntry ? babyId : next.babyId,
                userId: state.session.userId, token: state.token, rules: .source)
            return [.step(.dispatched(dispatched))]
        }
    }
}

extension OfflineQueue.State {
    /// Token family and generation of the current access token, such as `f1-g3`.
    var token: String { "\(session.family)-g\(session.generation)" }
}
