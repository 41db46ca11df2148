import Daybook
import Testing

@testable import DaybookModel

// The log of the device, and what its commands decide on.
extension QueueSimulation {
    private var envelope: Envelope {
        Envelope(position: .origin, occurredAt: now, recordedAt: now)
    }

    /// Decides and records; `nil` where the command is refused.
    @discardableResult
    mutating func decide(_ command: some Command<OfflineQueue>) -> [OfflineQueue.Event]? {
        tell("command", type(of: command).name, "with", command)
        do throws(Refusal) {
            let decided = try command.decide(queue, now: now)
            if readsByQuery, try command.decide(state(for: command), now: now) != decided {
                trouble = trouble ?? "the query of \(type(of: command).name) misses an event"
            }
            let events = decided.compactMap { planted($0) }
            append(events)
            return events
        } catch {
            return nil
        }
    }

    @discardableResult
    mutating func decide(
        _ command: some Command<Household.Linking>
    ) -> [Household.Linking.Event]? {
        tell("command", type(of: command).name, "with", command)
        do throws(Refusal) {
            let decided = try command.decide(linking, now: now)
            append(
                decided.compactMap { event in
                    switch event {
                    case .onboarding(let event): .onboarding(event)
                    case .idReplaced(let event): .idReplaced(event)
                    case .signedIn, .tokensCleared, .signedOut: nil
                    }
                })
            return decided
        } catch {
            return nil
        }
    }

    @discardableResult
    mutating func decide(_ command: some Command<Device>) -> [OfflineQueue.Event]? {
        tell("command", type(of: command).name, "with", command)
        do throws(Refusal) {
            let events = try command.decide(phone, now: now).compactMap {
                event -> OfflineQueue.Event? in
                switch event {
                case .session(let event): .session(event)
                case .launch(.appLaunched(let launch)): .appLaunched(launch)
                case .launch: nil
                }
            }
            append(events)
            return events
        } catch {
            return nil
        }
    }

    mutating func append(_ events: [OfflineQueue.Event]) {
        for event in events {
            let payload = event.payload
            log.append((event, now))
            found.append((type(of: payload).kind, payload.tags))
            OfflineQueue.evolve(&queue, with: event, envelope)
            switch event {
            case .step: break
            case .session(let event):
                Device.evolve(&phone, with: .session(event), envelope)
                switch event {
                case .signedIn(let event): link(.signedIn(event))
                case .tokensCleared(let event): link(.tokensCleared(event))
                case .signedOut(let event): link(.signedOut(event))
                default: break
                }
            case .onboarding(let event): link(.onboarding(event))
            case .idReplaced(let event): link(.idReplaced(event))
            case .appLaunched(let event):
                Device.evolve(&phone, with: .launch(.appLaunched(event)), envelope)
            }
        }
    }

    private mutating func link(_ event: Household.Linking.Event) {
        Household.Linking.evolve(&linking, with: event, envelope)
    }

    /// The state that the command's query finds, as a log reads it.
    private func state(for command: some Command<OfflineQueue>) -> OfflineQueue.State {
        var query = command.query
        while true {
            let state = folded(query)
            let wider = query.union(command.query(knowing: state))
            guard wider != query else { return state }
            query = wider
        }
    }

    private func folded(_ query: Query) -> OfflineQueue.State {
        var state = OfflineQueue.State()
        for (entry, found) in zip(log, found)
        where query.matches(kind: found.kind, tags: found.tags) {
            OfflineQueue.evolve(
                &state, with: entry.event,
                Envelope(position: .origin, occurredAt: entry.at, recordedAt: entry.at))
        }
        return state
    }

    /// The event as a program with the planted mistake records it; `nil` for none.
    private func planted(_ event: OfflineQueue.Event) -> OfflineQueue.Event? {
        switch (fault, event) {
        case (.parkedIsSentAgain, .step(.rejected(var rejected))) where rejected.isParked:
            rejected.isParked = false
            rejected.blockedBy = nil
            return .step(.rejected(rejected))
        case (.idMapLost, .idReplaced): return nil
        case (.idMapLost, .step(.acknowledged(var answer))):
            answer.localId = nil
            return .step(.acknowledged(answer))
        case (.sentAsAnother, .step(.queued(var queued))):
            queued.userId = nil
            return .step(.queued(queued))
        case (.parkedIsOvertaken, .step(.rejected(let rejected))) where rejected.reason == .blocked:
            return overtaking(rejected)
        default: return event
        }
    }

    /// The event of a write that is held behind a parked one, as a program records it that holds
    /// only those back whose entry the parked one makes.
    private func overtaking(
        _ held: OfflineQueue.MutationRejected
    ) -> OfflineQueue.Event? {
        guard let write = queue.mutation(held.mutationId) else { return nil }
        guard write.dependsOn == nil else { return .step(.rejected(held)) }
        guard queue.isSyncing, queue.inFlightId == nil,
            let entryId = queue.serverEntryId(write.entryId),
            let babyId = queue.serverBabyId(write.babyId)
        else { return nil }
        return .step(
            .dispatched(
                OfflineQueue.MutationDispatched(
                    mutationId: write.mutationId, device: Self.device,
                    attempt: write.attemptCount + 1, idempotencyKey: write.mutationId,
                    entryId: entryId, babyId: babyId, userId: queue.session.userId,
                    token: queue.token)))
    }

    // MARK: Telling it again

    mutating func tell(_ word: String, _ name: String, _ with: String, _ record: some Record) {
        told.append((now, "{\(word): \(name), \(with): \(JSONWriter.text(record))}"))
    }

    /// The run as a scenario: every command with the time it was given.
    func scenario(_ sentence: String, seed: UInt64) -> String {
        let steps = told.map { step in
            "  - {at: \(Timestamp.text(step.at)), \(step.line.dropFirst())"
        }
        let first = told.first?.at ?? now
        return """
            # Seed \(seed): \(sentence).
            scenario: A simulated queue in which device and server do not agree
            clock: \(Timestamp.text(first))

            when:
            \(steps.joined(separator: "\n"))

            then:
              - state: {of: queue, key: \(Self.device), is: {pending: []}}
              - finding: {rule: Q1, entity: null}
              - finding: {rule: Q2, entity: null}
              - finding: {rule: Q3, entity: null}
              - finding: {rule: Q4, entity: null}
              - finding: {rule: Q5, entity: null}
              - finding: {rule: Q6, entity: null}

            """
    }
}
