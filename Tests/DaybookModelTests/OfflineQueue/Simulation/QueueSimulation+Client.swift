import Daybook

@testable import DaybookModel

// What the device does.
extension QueueSimulation {
    mutating func write(_ kind: OfflineQueue.MutationKind, _ entry: Int) {
        count += 1
        let id = "m\(count)"
        let waiting = Set(
            outstanding.compactMap { request -> String? in
                guard case .online(let write) = request.content else { return nil }
                return issued[write.id]?.localId
            })
        var localId = "local-\(count)"
        if !kind.makesEntry {
            // What a screen still waits for cannot be changed.
            let seen = seen.filter { !waiting.contains($0) && !uncertain.contains($0) }
            guard !seen.isEmpty else { return }
            localId = seen[entry % seen.count]
        }
        let number = Int64(localId.dropFirst("local-".count)) ?? 0
        let user = phone.session.userId
        issued[id] = Issued(
            kind: kind, localId: localId, slot: Int(number % 2), user: user.isEmpty ? nil : user)
        sync()
        let command = OfflineQueue.QueueMutation(
            mutationId: id, device: Self.device, kind: "event_\(kind.name)", entryId: localId,
            babyId: linking.onboarding.babyId ?? "offline_b",
            payloadDigest: Digest(bits: UInt64(count)))
        guard let events = decide(command) else {
            // The entry was given up; the user is told.
            given.insert(id)
            return
        }
        if kind.makesEntry { seen.append(localId) }
        guard events.isEmpty else { return }
        let sent = ModelServer.Write(
            id: id, key: fault == .noKey ? nil : id, kind: kind,
            entryId: queue.serverEntryId(localId) ?? localId,
            babyId: queue.serverBabyId(command.babyId) ?? command.babyId, user: user,
            token: queue.token, slot: Int(number % 2))
        outstanding.append(Request(content: .online(sent)))
    }

    mutating func sync() {
        handle(decide(OfflineQueue.StartSync(device: Self.device)) ?? [])
    }

    private mutating func dispatch() {
        handle(decide(OfflineQueue.DispatchNext(device: Self.device)) ?? [])
    }

    /// Does what the flow does after each decision on a run.
    private mutating func handle(_ events: [OfflineQueue.Event]) {
        var goesOn = false
        for case .step(let step) in events {
            switch step {
            case .syncStarted, .acknowledged: goesOn = true
            case .rejected(let rejected): goesOn = goesOn || rejected.isParked
            case .syncFinished: goesOn = false
            case .dispatched(let dispatched): send(dispatched)
            case .queued, .retried, .dropped, .compacted: break
            }
        }
        if goesOn { dispatch() }
    }

    private mutating func send(_ dispatched: OfflineQueue.MutationDispatched) {
        guard let write = issued[dispatched.mutationId] else {
            trouble = trouble ?? "'\(dispatched.mutationId)' was sent and never written"
            return
        }
        let sent = ModelServer.Write(
            id: dispatched.mutationId, key: fault == .noKey ? nil : dispatched.idempotencyKey,
            kind: write.kind, entryId: dispatched.entryId, babyId: dispatched.babyId,
            user: phone.session.userId, token: dispatched.token, slot: write.slot)
        outstanding.append(Request(content: .mutation(sent, attempt: dispatched.attempt)))
    }

    // MARK: Answers

    mutating func meet(_ fate: Fate, _ request: Request) {
        switch request.content {
        case .mutation(let write, let attempt): meet(fate, write, attempt)
        case .online(let write): meet(fate, online: write)
        case .onboarding:
            if fate == .answered {
                let baby = server.onboard()
                decide(
                    Household.RecordSync(
                        device: Self.device, babyId: baby, householdId: "h-\(baby)"))
            } else {
                if fate == .answerLate { _ = server.onboard() }
                decide(
                    Household.RecordSyncFailure(
                        device: Self.device, failure: .network, httpStatus: nil))
            }
            sync()
        case .refresh(let id, let family, let generation):
            let isGiven = fate == .answered && server.refresh(family, from: generation)
            if isGiven {
                decide(
                    Session.RecordRefresh(
                        device: Self.device, refreshId: id, expiresInS: 3_600))
            } else {
                // Rotated, and the answer lost: what the device has still counts as valid.
                decide(
                    Session.RecordRefreshFailure(
                        device: Self.device, refreshId: id,
                        kind: fate == .answered ? .server : .network,
                        httpStatus: fate == .answered ? 418 : nil))
            }
            dispatch()
        }
    }

    private mutating func meet(_ fate: Fate, _ write: ModelServer.Write, _ attempt: Int64) {
        switch fate {
        case .answered: answered(write, attempt, server.answer(to: write))
        case .requestLost: answered(write, attempt, nil)
        case .answerLate:
            late.append((write, attempt, server.answer(to: write)))
            answered(write, attempt, nil)
        case .requestSlow:
            slow.append(write)
            answered(write, attempt, nil)
        case .silence: _ = server.answer(to: write)
        case .error(let status):
            answered(write, attempt, ModelServer.Answer(status: status))
        }
    }

    /// An answer to a queued write came, or none will.
    mutating func answered(
        _ write: ModelServer.Write, _ attempt: Int64, _ answer: ModelServer.Answer?
    ) {
        let events = decide(
            OfflineQueue.RecordAnswer(
                device: Self.device, mutationId: write.id, attempt: attempt,
                httpStatus: answer?.status, remoteId: answer?.remoteId,
                replayed: answer?.replayed))
        observe("\(write.id)/\(attempt)", answer?.status)
        handle(events ?? [])
    }

    /// Tells the session of an answer that is about its token.
    private mutating func observe(_ requestId: String, _ status: Int64?) {
        if queue.session.retriesDue[requestId] != nil {
            decide(
                Session.RecordRetry(
                    device: Self.device, requestId: requestId, outcomeStatus: status))
            if status == 419 { return }
        }
        guard status == 401 || status == 418 || status == 419 else { return }
        let events = decide(
            Session.ObserveExpiry(
                requestId: requestId, device: Self.device, endpoint: "offline queue",
                status: status))
        for case .session(.tokenRefreshStarted(let started)) in events ?? [] {
            outstanding.append(
                Request(
                    content: .refresh(
                        started.refreshId, family: started.family,
                        generation: started.fromGeneration)))
        }
        let isCleared = (events ?? []).contains { event in
            guard case .session(.tokensCleared) = event else { return false }
            return true
        }
        if events == nil || isCleared { dispatch() }
    }

    private mutating func meet(_ fate: Fate, online write: ModelServer.Write) {
        switch fate {
        case .answered: answeredOnline(write, server.answer(to: write))
        case .error(let status) where status > 0:
            answeredOnline(write, ModelServer.Answer(status: status))
        case .requestLost, .error: failedOnline(write)
        case .requestSlow:
            slow.append(write)
            failedOnline(write)
        case .answerLate, .silence:
            _ = server.answer(to: write)
            failedOnline(write)
        }
    }

    private mutating func answeredOnline(
        _ write: ModelServer.Write, _ answer: ModelServer.Answer
    ) {
        observe(write.id, answer.status)
        guard answer.status < 300 else {
            given.insert(write.id)
            if write.kind.makesEntry, let issued = issued[write.id] {
                seen.removeAll { $0 == issued.localId }
            }
            return
        }
        taken.insert(write.id)
        guard write.kind.makesEntry, let remoteId = answer.remoteId, let issued = issued[write.id]
        else { return }
        let ids = Household.IdReplaced(
            kind: .careEntry, localId: issued.localId, remoteId: remoteId)
        tell("event", "household.id-replaced.v1", "data", ids)
        append([.idReplaced(ids)])
    }

    private mutating func failedOnline(_ write: ModelServer.Write) {
        guard let issued = issued[write.id] else { return }
        let events = decide(
            OfflineQueue.QueueMutation(
                mutationId: write.id, device: Self.device, kind: "event_\(write.kind.name)",
                entryId: issued.localId, babyId: write.babyId,
                payloadDigest: Digest(bits: UInt64(write.id.dropFirst()) ?? 0),
                userId: issued.user, failure: .network))
        if events?.isEmpty ?? true {
            trouble = trouble ?? "'\(write.id)' got no answer and was not queued"
        }
    }

    // MARK: The session and the process

    mutating func signIn(_ user: String) {
        guard phone.session.status != .signedIn else { return }
        families += 1
        let family = "f\(families)"
        server.signIn(family)
        decide(
            Session.SignIn(
                userId: user, provider: .google, family: family, device: Self.device,
                expiresInS: 3_600))
        startOnboarding()
        sync()
    }

    mutating func signOut() {
        decide(Session.SignOut(device: Self.device))
        dispatch()
    }

    mutating func startOnboarding() {
        let events = decide(Household.StartSync(device: Self.device)) ?? []
        guard !events.isEmpty else { return }
        outstanding.append(Request(content: .onboarding))
    }

    /// The process ends; what is on its way may still arrive.
    mutating func kill() {
        for request in outstanding {
            switch request.content {
            case .mutation(let write, _): slow.append(write)
            case .online(let write):
                // Nobody queued it yet: it is gone with the screen that waited for it.
                slow.append(write)
                given.insert(write.id)
                if let localId = issued[write.id]?.localId { uncertain.insert(localId) }
            case .onboarding, .refresh: break
            }
        }
        outstanding = []
        late = []
        count += 1
        decide(
            Launch.AppLaunched(
                launchId: "l\(count)", appVersion: "1.0.0", device: Self.device))
        let onboarding = linking.onboarding
        decide(
            Household.ProfileRestored(
                device: Self.device, babyId: onboarding.babyId,
                householdId: onboarding.householdId, provider: .google))
        sync()
    }
}
