import Daybook

extension OfflineQueue {
    /// The queue of one device, and what determines whether it can be sent.
    struct State: PlainRecord {
        /// Writes that wait to be sent or for an answer, in the order of queueing.
        var pending: Series<Mutation> = []
        /// Rejected and blocked writes, which wait for a person's decision.
        var parked: Series<Mutation> = []
        /// Server ids of entries, by the ids that the device gave them.
        var serverEntryIds: Keyed<String> = [:]
        /// Server ids of entries under `rules: source`, by ids of baby and entry:
        /// `offline_b/local-1`. The server id of an entry is lost when the id of its baby is
        /// replaced.
        var serverEntryIdsByBaby: Keyed<String> = [:]
        /// True while a run sends the queue.
        var isSyncing = false
        /// Id of the write whose answer is awaited; `nil` for none.
        var inFlightId: String?
        /// Reason why the last run that sent the queue ended; `nil` before the first end.
        var stop: StopReason?
        /// Number of writes that the server accepted in the current or last run that sends the
        /// queue.
        var appliedCount: Int64 = 0
        /// Number of writes that the server accepted so far.
        var acknowledgedCount: Int64 = 0
        /// Time of the first failure of the first pending write; `nil` without a failure.
        var stuckSince: Instant?
        /// Time of the last event of the queue; a run is taken as lost a minute after it.
        var lastStepTime = Instant.epoch
        /// Hash of the body of every write queued so far, by mutation id.
        var bodyDigests: Keyed<Digest> = [:]
        /// Number of the write that was queued last, from 1.
        var lastNumber: Int64 = 0
        /// Session of the device: its user and tokens.
        var session = Session.State()
        /// Identity provider of the last sign-in.
        var provider: Session.Provider?
        /// Onboarding of the device, which names the baby that the app shows.
        var onboarding = Household.DeviceOnboarding.State()
        /// Newer ids, by the tags of the ids that they replaced, such as `profile:offline_b`.
        var newerIds: [String: String] = [:]
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("pending", &pending, "parked", &parked, "idMap", &serverEntryIds)
            try field("idMapByBaby", &serverEntryIdsByBaby, "isSyncing", &isSyncing)
            try field("inFlight", &inFlightId, "stop", &stop, "applied", &appliedCount)
            try field("acknowledged", &acknowledgedCount, "stuckSince", &stuckSince)
            try field.internalField("active", &lastStepTime)
            try field.internalField("known", &bodyDigests)
            try field.internalField("lastNumber", &lastNumber)
            try field.internalField("session", &session)
            try field.internalField("provider", &provider)
            try field.internalField("onboarding", &onboarding)
            try field.internalField("replaced", &newerIds)
        }
    }

    static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
        switch event {
        case .step(let step):
            state.apply(step, at: envelope.occurredAt)
            state.lastStepTime = envelope.occurredAt
        case .session(let event):
            Session.evolve(&state.session, with: event, envelope)
            guard case .signedIn(let signedIn) = event else { break }
            state.provider = signedIn.provider
            for index in state.pending.indices where state.pending[index].userId == signedIn.userId
            {
                state.pending[index].awaitsSignIn = false
            }
        case .onboarding(let event):
            Household.DeviceOnboarding.evolve(&state.onboarding, with: event, envelope)
            switch event {
            case .profileRestored: state.endProcess()
            case .onboardingSynced(let synced):
                let ids = Household.IdReplaced(kind: .baby, localId: synced.localBabyId)
                state.newerIds[ids.formerTag.text] = synced.babyId
            case .onboarded, .syncStarted, .syncFailed: break
            }
        case .idReplaced(let ids):
            let former = ids.formerTag.text
            if state.newerIds[former] == nil { state.newerIds[former] = ids.remoteId }
            if ids.kind == .careEntry, state.serverEntryIds[ids.localId] == nil {
                state.serverEntryIds[ids.localId] = ids.remoteId
            }
        case .appLaunched: state.endProcess()
        }
        state.stuckSince = state.pending.first?.failingSince
    }
}

extension OfflineQueue.State {
    /// Ends the current run with the reason `lost`, because its process ended.
    fileprivate mutating func endProcess() {
        if isSyncing { stop = .lost }
        isSyncing = false
        inFlightId = nil
    }

    fileprivate mutating func apply(_ step: OfflineQueue.Step, at time: Instant) {
        switch step {
        case .queued(let queued):
            lastNumber = max(lastNumber, queued.number)
            guard bodyDigests[queued.mutationId] == nil else { break }
            bodyDigests[queued.mutationId] = queued.payloadDigest
            var mutation = OfflineQueue.Mutation()
            mutation.apply(queued, at: time)
            pending.append(mutation)
        case .dispatched(let dispatched):
            inFlightId = dispatched.mutationId
            change(dispatched.mutationId) { $0.apply(dispatched) }
        case .acknowledged(let answer):
            removeSettled(answer.mutationId)
            acknowledgedCount += 1
            appliedCount += 1
            guard let localId = answer.localId, let remoteId = answer.remoteId else { break }
            if answer.rules == .source {
                serverEntryIdsByBaby["\(answer.babyId)/\(localId)"] = remoteId
            } else if serverEntryIds[localId] == nil {
                serverEntryIds[localId] = remoteId
            }
        case .rejected(let answer):
            if inFlightId == answer.mutationId { inFlightId = nil }
            change(answer.mutationId) { $0.apply(answer, at: time) }
        case .retried(let retried): change(retried.mutationId) { $0.retry() }
        case .dropped(let dropped): removeSettled(dropped.mutationId)
        case .compacted(let compacted): compacted.mutationIds.forEach { removeSettled($0) }
        case .syncStarted(let started):
            (isSyncing, inFlightId, appliedCount) = (true, nil, 0)
            guard let userId = started.userId else { break }
            for index in pending.indices where pending[index].userId == nil {
                pending[index].userId = userId
            }
            for index in parked.indices where parked[index].userId == nil {
                parked[index].userId = userId
            }
        case .syncFinished(let finished):
            (isSyncing, inFlightId, stop) = (false, nil, finished.stop)
        }
    }

    /// Changes a write, and moves it to `pending` or `parked` by its new status.
    private mutating func change(
        _ mutationId: String, _ body: (inout OfflineQueue.Mutation) -> Void
    ) {
        guard var mutation = remove(mutationId) else { return }
        body(&mutation)
        if mutation.status == .parked {
            parked.insert(mutation, inOrderOf: mutation.number)
        } else {
            pending.insert(mutation, inOrderOf: mutation.number)
        }
    }

    /// Removes a write that was accepted, dropped or compacted.
    private mutating func removeSettled(_ mutationId: String) {
        if inFlightId == mutationId { inFlightId = nil }
        _ = remove(mutationId)
    }

    /// Removes and returns a write; `nil` if the write is neither pending nor parked.
    private mutating func remove(_ mutationId: String) -> OfflineQueue.Mutation? {
        if let index = pending.firstIndex(where: { $0.mutationId == mutationId }) {
            return pending.remove(at: index)
        }
        return parked.firstIndex { $0.mutationId == mutationId }.map { parked.remove(at: $0) }
    }
}

extension Series<OfflineQueue.Mutation> {
    /// Inserts a write by its number, so that the writes remain in the order of queueing.
    fileprivate mutating func insert(_ mutation: Element, inOrderOf number: Int64) {
        insert(mutation, at: firstIndex { $0.number > number } ?? count)
    }
}

// Lookups for decisions.
extension OfflineQueue.State {
    /// Returns a pending or parked write; `nil` for any other id.
    func mutation(_ mutationId: String) -> OfflineQueue.Mutation? {
        pending.first { $0.mutationId == mutationId }
            ?? parked.first { $0.mutationId == mutationId }
    }

    /// Returns the pending or parked write that creates an entry; `nil` for none.
    func creatingWrite(of entryId: String) -> OfflineQueue.Mutation? {
        let makesIt = { (write: OfflineQueue.Mutation) in
            write.kind.makesEntry && write.entryId == entryId
        }
        return pending.first(where: makesIt) ?? parked.first(where: makesIt)
    }

    /// True if both ids belong to the same entry, such as the device's id and the server's id.
    func isSameEntry(_ a: String, _ b: String) -> Bool {
        a == b || (serverEntryId(a) ?? a) == (serverEntryId(b) ?? b)
    }

    /// Returns the rejected write about an entry, with a number below `number`, that blocks later
    /// writes about the entry; `nil` for none.
    func parked(about entryId: String, before number: Int64) -> OfflineQueue.Mutation? {
        parked.first {
            $0.blockedBy == nil && $0.number < number && isSameEntry($0.entryId, entryId)
        }
    }

    /// Returns the parked writes about an entry that no write blocks once `others` are no longer
    /// parked.
    func released(about entryId: String, without others: Set<String>) -> [OfflineQueue.Mutation] {
        let left = parked.filter {
            !others.contains($0.mutationId) && isSameEntry($0.entryId, entryId)
        }
        return Array(left.prefix { $0.blockedBy != nil })
    }

    /// Returns the event that parks a write because an earlier write about its entry is parked.
    func parking(
        _ mutation: OfflineQueue.Mutation, behind cause: OfflineQueue.Mutation, _ device: String
    ) -> OfflineQueue.Event {
        .step(
            .rejected(
                OfflineQueue.MutationRejected(
                    mutationId: mutation.mutationId, device: device, babyId: mutation.babyId,
                    reason: .blocked, isParked: true, blockedBy: cause.mutationId)))
    }

    /// True if the write may be sent as this user: it belongs to this user or to no user yet.
    func isOwn(_ mutation: OfflineQueue.Mutation, of userId: String) -> Bool {
        mutation.userId == nil || mutation.userId == userId
    }

    /// Next write to send as the signed-in user; `nil` for none. It is the user's first pending
    /// write whose entry has no earlier pending write, of any user.
    var next: OfflineQueue.Mutation? { next(for: session.userId) }

    /// Returns the next write to send as a user; `nil` for none.
    func next(for userId: String) -> OfflineQueue.Mutation? {
        pending.first { mutation in
            isOwn(mutation, of: userId)
                && !pending.prefix { $0.number < mutation.number }
                    .contains { isSameEntry($0.entryId, mutation.entryId) }
        }
    }

    /// Returns the server's id of an entry; `nil` if none is known.
    func serverEntryId(_ entryId: String) -> String? {
        let newest = newest(.careEntry, entryId)
        let known = newest == entryId ? serverEntryIds[entryId] ?? newest : newest
        return OfflineQueue.isLocal(known) ? nil : known
    }

    /// Returns the server's id of a baby; `nil` if none is known.
    func serverBabyId(_ babyId: String) -> String? {
        let newest = newest(.baby, babyId)
        return newest.isEmpty || OfflineQueue.isLocal(newest) ? nil : newest
    }

    /// Returns the newest id that replaced an id, or the id itself.
    private func newest(_ kind: Household.EntityKind, _ id: String) -> String {
        var id = id
        for _ in 0..<newerIds.count {
            let tag = Household.IdReplaced.tag(kind, id)
            guard let newer = newerIds[tag.text], newer != id else { break }
            id = newer
        }
        return id
    }

    /// True if a user is signed in with Google and the baby has a server id.
    func isLinked(_ babyId: String, _ rules: Rules) -> Bool {
        guard session.status == .signedIn, provider == .google else { return false }
        let baby = rules == .source ? onboarding.babyId ?? babyId : babyId
        return rules == .source
            ? !baby.isEmpty && !OfflineQueue.isLocal(baby) : self.serverBabyId(baby) != nil
    }

    /// Returns the given tags and those of all other known ids of the same entries and babies.
    func tagsOfReplacements(_ entityTags: [Tag]) -> [Tag] {
        var others: [String: [Tag]] = [:]
        for (former, newer) in newerIds {
            let former = Tag(stored: former)
            let newer = Tag(stored: "\(former.noun):\(newer)")
            others[former.text, default: []].append(newer)
            others[newer.text, default: []].append(former)
        }
        var tags: Set<Tag> = []
        var fresh = entityTags.filter { !$0.id.isEmpty }
        while let tag = fresh.popLast() {
            if tags.insert(tag).inserted { fresh += others[tag.text] ?? [] }
        }
        return tags.sorted()
    }

    /// Returns the tags of the entry and the baby of a pending or parked write.
    func entityTags(of mutationId: String) -> [Tag] {
        mutation(mutationId).map { OfflineQueue.entryAndBabyTags($0.entryId, $0.babyId) } ?? []
    }

    /// Tags of the entries and babies of the user's pending writes, up to the next write to send.
    /// Includes writes that seem to wait for an earlier write about the same entry, because a
    /// replaced id may show that the entries differ.
    var entityTagsOfNext: [Tag] {
        let next = next
        var tags: [Tag] = []
        for mutation in pending where isOwn(mutation, of: session.userId) {
            tags += OfflineQueue.entryAndBabyTags(mutation.entryId, mutation.babyId)
            if mutation.mutationId == next?.mutationId { break }
        }
        return tags
    }
}

extension OfflineQueue {
    /// Returns the tags of an entry and a baby, by which replacements of their ids are found.
    static func entryAndBabyTags(_ entryId: String, _ babyId: String) -> [Tag] {
        [Household.IdReplaced.tag(.careEntry, entryId), Household.IdReplaced.tag(.baby, babyId)]
    }
}
