import Daybook

@testable import DaybookModel

// What has to hold at the end of every run.
extension QueueSimulation {
    /// The first sentence that does not hold; `nil` where device and server agree.
    func verdict() -> String? {
        guard queue.pending.isEmpty else {
            let left = queue.pending.map(\.mutationId).joined(separator: ", ")
            return "\(left) never left the queue (\(queue.stop?.name ?? "no stop"))"
        }
        let outcomes = self.outcomes
        for (id, write) in issued.sorted(by: { $0.key < $1.key }) {
            if let sentence = fault(in: id, write, outcomes[id]) { return sentence }
        }
        return orderFault(outcomes) ?? stateFault(outcomes) ?? auditFault()
    }

    /// The last step of each queued write.
    private var outcomes: [String: OfflineQueue.MutationStatus] {
        var outcomes: [String: OfflineQueue.MutationStatus] = [:]
        for case (.step(let step), _) in log {
            switch step {
            case .queued(let event): outcomes[event.mutationId] = .pending
            case .dispatched(let event): outcomes[event.mutationId] = .sent
            case .acknowledged(let event): outcomes[event.mutationId] = .acknowledged
            case .rejected(let event):
                outcomes[event.mutationId] = event.isParked ? .parked : .pending
            case .retried(let event): outcomes[event.mutationId] = .pending
            case .dropped(let event): outcomes[event.mutationId] = .dropped
            case .compacted(let event):
                for id in event.mutationIds { outcomes[id] = .compacted }
            case .syncStarted, .syncFinished: break
            }
        }
        return outcomes
    }

    private func fault(
        in id: String, _ write: Issued, _ outcome: OfflineQueue.MutationStatus?
    ) -> String? {
        let done = server.done[id] ?? 0
        guard done <= 1 else { return "'\(id)' was done \(done) times" }
        if done == 1, let user = write.user, server.users[id] != user {
            return "'\(id)' of \(user) was sent as \(server.users[id] ?? "nobody")"
        }
        switch outcome {
        case .acknowledged:
            guard done == 1 else { return "'\(id)' was acknowledged and never done" }
            guard write.kind.makesEntry else { return nil }
            let made = server.made[id]?.first ?? ""
            guard queue.serverEntryIds[write.localId] == made else {
                return "'\(write.localId)' is \(made) and not known as that"
            }
            guard server.entries[made]?.babyId == linking.onboarding.babyId else {
                return "'\(write.localId)' was made for another baby"
            }
            return nil
        case .compacted:
            return done == 0 ? nil : "'\(id)' was compacted and done all the same"
        // What nobody answered may have been done; people see that it is parked.
        case .parked, .dropped: return nil
        case .pending, .sent: return "'\(id)' is neither done nor parked"
        case nil:
            if taken.contains(id) {
                return done == 1 ? nil : "'\(id)' was taken at once and never done"
            }
            return given.contains(id) || done == 1 || write.localId.isEmpty
                || uncertain.contains(write.localId) || !isWritten(id)
                ? nil : "'\(id)' was lost"
        }
    }

    /// False for a write for which there was no entry.
    private func isWritten(_ id: String) -> Bool {
        told.contains { $0.line.contains("\"mutationId\":\"\(id)\"") }
    }

    /// The writes of each entry go out in the order in which they were made, also those that were
    /// parked in between.
    private func orderFault(_ outcomes: [String: OfflineQueue.MutationStatus]) -> String? {
        var last: [String: Int64] = [:]
        var numbers: [String: (number: Int64, entry: String)] = [:]
        for case (.step(let step), _) in log {
            switch step {
            case .queued(let event):
                numbers[event.mutationId] = (event.number, event.entryId)
            case .dispatched(let event):
                guard let place = numbers[event.mutationId] else { continue }
                guard last[place.entry] ?? 0 <= place.number else {
                    return "'\(event.mutationId)' was sent after a later write"
                }
                last[place.entry] = place.number
            default: break
            }
        }
        return nil
    }

    /// An entry all of whose writes were taken is at the server what they make of it.
    private func stateFault(_ outcomes: [String: OfflineQueue.MutationStatus]) -> String? {
        var expected: [String: (state: OfflineQueue.MutationKind, value: String)] = [:]
        var unsure = uncertain
        for (id, write) in issued where outcomes[id] != .acknowledged && !taken.contains(id) {
            // A write that was refused at once changed nothing.
            if outcomes[id] != nil || !given.contains(id) { unsure.insert(write.localId) }
            if (server.done[id] ?? 0) > 0 { unsure.insert(write.localId) }
        }
        let order = issued.keys.sorted { ($0.count, $0) < ($1.count, $1) }
        for id in order {
            guard let write = issued[id], outcomes[id] == .acknowledged || taken.contains(id) else {
                continue
            }
            switch write.kind {
            case .createClosed, .start, .cancel:
                expected[write.localId, default: (.other, "")].state = write.kind
            case .complete: expected[write.localId, default: (.other, "")].state = .createClosed
            case .update: expected[write.localId, default: (.other, "")].value = id
            case .other: break
            }
        }
        for (localId, wanted) in expected.sorted(by: { $0.key < $1.key })
        where !unsure.contains(localId) {
            guard let remoteId = queue.serverEntryIds[localId], let entry = server.entries[remoteId]
            else {
                return "'\(localId)' is nowhere at the server"
            }
            guard entry.state == wanted.state, entry.value == wanted.value else {
                return "'\(localId)' is \(entry.state.name) '\(entry.value)' at the server, and "
                    + "\(wanted.state.name) '\(wanted.value)' on the device"
            }
        }
        return nil
    }

    /// The audit finds nothing in a log that was written by the rules.
    private func auditFault() -> String? {
        guard readsByQuery else { return nil }
        var run = AuditRun(OfflineQueue.audits, AuditContext(digest: { _ in 0 }))
        do {
            for (index, entry) in log.enumerated() {
                let new = entry.event.payload.event(in: CommandContext(now: entry.at))
                try run.check(
                    RecordedEvent(
                        envelope: Envelope(
                            position: Position(UInt64(index) + 1), occurredAt: entry.at,
                            recordedAt: entry.at),
                        kind: new.kind, tags: new.tags, zone: "", payload: new.payload))
            }
        } catch {
            return "the log cannot be audited: \(error)"
        }
        return run.finish().findings.first.map {
            "\($0.rule) at \($0.position): expected \($0.expected), found \($0.found)"
        }
    }
}
