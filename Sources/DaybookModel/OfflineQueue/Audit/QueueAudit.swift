import Daybook

extension OfflineQueue {
    /// Finds errors in the recorded histories of devices' queues.
    struct QueueAudit: Audit {
        static let description = AuditDescription(
            "offline-queue",
            [
                AuditRule(
                    "Q1",
                    "A write was sent before one that was queued earlier, or after a later one "
                        + "about its entry"),
                AuditRule("Q2", "A write was acknowledged twice"),
                AuditRule("Q3", "A mutation id or idempotency key was used for two bodies"),
                AuditRule("Q4", "A write that cannot be sent blocks the later writes"),
                AuditRule("Q5", "A write created an entry that did not get the server's id"),
            ]
        ) { QueueAudit($0) }

        /// The queue of a device, and what later checks need of its earlier events.
        private struct Device {
            var state = State()
            /// Log positions at which the server accepted writes, by mutation id.
            var acceptances: [String: Int64] = [:]
            /// For each rejected write that was not retried since, the log position of its last
            /// rejection, by mutation id.
            var rejections: [String: Int64] = [:]
            /// For each entry, the last queued of its writes that were sent, by the entry's newest
            /// known id.
            var lastSent: [String: Mutation] = [:]
        }

        /// A created entry that the server accepted, and the position of the answer.
        private struct AcceptedEntry {
            var device: String
            /// Id that the device gave the entry.
            var localId: String
            /// The server's id; `nil` if the answer had none.
            var remoteId: String?
            var position: Int64
        }

        private var devices: [String: Device] = [:]
        /// Hash of the body first seen with each mutation id or idempotency key.
        private var bodyDigests: [String: Digest] = [:]
        /// Created entries that the server accepted.
        private var acceptedEntries: [AcceptedEntry] = []
        /// Server ids of entries, by the ids that devices gave them.
        private var serverEntryIds: [String: String] = [:]
        private var findings: EntityFindings
        private let reader = KindReader<Event>()
        init(_ context: AuditContext) { findings = EntityFindings("device", context) }
        func ignores(_ kind: EventKind) -> Bool { reader.ignores(kind) }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            guard let known = try reader.read(event) else { return }
            if case .idReplaced(let ids) = known {
                if ids.kind == .careEntry, serverEntryIds[ids.localId] == nil {
                    serverEntryIds[ids.localId] = ids.remoteId
                }
                for name in devices.keys {
                    OfflineQueue.evolve(
                        &devices[name, default: Device()].state, with: known, event.envelope)
                }
                return
            }
            guard let id = event.tags.first(where: { $0.noun == "device" })?.id else { return }
            let name = String(id)
            var device = devices.removeValue(forKey: name) ?? Device()
            if case .step(let step) = known {
                checkStep(step, Int64(clamping: event.position.rawValue), name, &device)
            }
            OfflineQueue.evolve(&device.state, with: known, event.envelope)
            devices[name] = device
        }

        /// Checks an event of the queue by rules Q1 (order), Q2 (accepted twice) and Q3 (one body
        /// per id).
        private mutating func checkStep(
            _ step: Step, _ position: Int64, _ name: String, _ device: inout Device
        ) {
            switch step {
            case .queued(let queued):
                checkBody(queued.mutationId, for: queued.payloadDigest, position, name)
            case .dispatched(let dispatched):
                let before = device.state.expectedWrite(for: dispatched)
                if let before, before.mutationId != dispatched.mutationId {
                    findings.add(
                        "Q1", position, name, expected: "'\(before.mutationId)' next",
                        found: "'\(dispatched.mutationId)'")
                }
                if dispatched.rules == .standard {
                    checkOrder(of: dispatched, position, name, &device)
                }
                if let key = dispatched.idempotencyKey,
                    let sent = device.state.mutation(dispatched.mutationId)
                {
                    checkBody(key, for: sent.payloadDigest, position, name)
                }
            case .acknowledged(let answer):
                if let first = device.acceptances[answer.mutationId] {
                    findings.add(
                        "Q2", position, name,
                        expected: "'\(answer.mutationId)' once, as at position \(first)",
                        found: "again")
                } else {
                    device.acceptances[answer.mutationId] = position
                }
                let sent = device.state.mutation(answer.mutationId)
                let maker = sent.flatMap { $0.kind.makesEntry ? $0.entryId : nil }
                guard let localId = answer.localId ?? maker, isLocal(localId) else { break }
                acceptedEntries.append(
                    AcceptedEntry(
                        device: name, localId: localId, remoteId: answer.remoteId,
                        position: position))
            case .rejected(let answer): device.rejections[answer.mutationId] = position
            case .retried(let retried): device.rejections[retried.mutationId] = nil
            case .dropped, .compacted, .syncStarted, .syncFinished: break
            }
        }

        /// Adds a finding by rule Q1 if a later write about the same entry was sent before this
        /// write.
        private mutating func checkOrder(
            of dispatched: MutationDispatched, _ position: Int64, _ name: String,
            _ device: inout Device
        ) {
            guard let sent = device.state.mutation(dispatched.mutationId) else { return }
            let entryId = device.state.serverEntryId(sent.entryId) ?? sent.entryId
            guard let last = device.lastSent[entryId], last.number > sent.number else {
                device.lastSent[entryId] = sent
                return
            }
            findings.add(
                "Q1", position, name, expected: "'\(sent.mutationId)' before '\(last.mutationId)'",
                found: "'\(sent.mutationId)'")
        }

        /// Checks rule Q3: a mutation id or idempotency key is used for one body only.
        private mutating func checkBody(
            _ key: String, for digest: Digest, _ position: Int64, _ name: String
        ) {
            // A body without a digest cannot be compared.
            guard digest != .blank else { return }
            guard let first = bodyDigests[key] else {
                bodyDigests[key] = digest
                return
            }
            guard first != digest else { return }
            findings.add(
                "Q3", position, name, expected: "'\(key)' for \(first)", found: "\(digest)")
        }

        mutating func finish() -> AuditResult {
            for (name, device) in devices.sorted(by: { $0.key < $1.key }) {
                guard let head = device.state.pending.first,
                    let position = device.rejections[head.mutationId],
                    head.rejection == .permanent || head.failureCount >= 8
                else { continue }
                let answer = head.httpStatus.map { "answered \($0)" } ?? "no answer"
                findings.add(
                    "Q4", position, name, expected: "'\(head.mutationId)' parked",
                    found: "\(answer), \((device.state.pending.count - 1).counted("later write"))")
            }
            for entry in acceptedEntries {
                let known = serverEntryIds[entry.localId]
                guard known == nil || known != entry.remoteId ?? known else { continue }
                let remoteId = entry.remoteId.map { "'\($0)'" } ?? "the server's id"
                findings.add(
                    "Q5", entry.position, entry.device,
                    expected: "'\(entry.localId)' replaced by \(remoteId)",
                    found: known.map { "by '\($0)'" } ?? "not replaced")
            }
            return AuditResult(findings: findings.found)
        }
    }
}

extension OfflineQueue.State {
    /// Returns the write that should have been sent in place of `dispatched`, by the rules of
    /// `dispatched`.
    fileprivate func expectedWrite(
        for dispatched: OfflineQueue.MutationDispatched
    ) -> OfflineQueue.Mutation? {
        dispatched.rules == .standard
            ? next(for: dispatched.userId ?? session.userId) : pending.first
    }
}
