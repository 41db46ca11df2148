import Daybook

extension OfflineQueue {
    /// The reason why a run that sends the queue ended.
    enum StopReason: UInt8, StoredEnum {
        /// No write is left, except parked writes.
        case empty
        /// No answer came, or an answer that allows a retry.
        case network
        /// The user has to sign in first.
        case auth
        /// No user is signed in with Google.
        case notLinked
        /// The baby has no server id.
        case offlineBaby
        /// The original app reports "event mapping pending": it has no server id for an entry.
        case mappingPending
        /// Any error: the original app then stops sending the queue.
        case error
        /// The process ended, or no answer came within a minute.
        case lost
    }

    /// A run that sends the queue started.
    struct SyncStarted: EventPayload, PlainRecord {
        static let kind: EventKind = "offline-queue.sync-started.v1"
        var device = ""
        /// User as whom the writes are sent; writes without a user belong to this user from now on.
        /// `nil` for a run that ends at once.
        var userId: String?
        var rules = Rules.standard
        var tags: [Tag] { [deviceTag(device)] + (userId.map { [Tag("user", $0)] } ?? []) }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "userId", &userId, "rules", &rules)
        }

        func sentence(_ wording: Wording) -> String {
            "sending of the queue started"
        }
    }

    /// A run that sends the queue ended.
    struct SyncFinished: EventPayload, PlainRecord {
        static let kind: EventKind = "offline-queue.sync-finished.v1"
        var device = ""
        /// Number of writes that the server accepted during the run.
        var appliedCount: Int64 = 0
        /// Number of writes that still wait to be sent.
        var remainingCount: Int64 = 0
        /// Number of parked writes, which wait for a person's decision.
        var parkedCount: Int64 = 0
        /// Reason for the end of the run.
        var stop = StopReason.empty
        var rules = Rules.standard
        var tags: [Tag] { [deviceTag(device)] }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
            try field("applied", &appliedCount, .count)
            try field("remaining", &remainingCount, .count)
            try field("parked", &parkedCount, .count)
            try field("stop", &stop, "rules", &rules)
        }

        func sentence(_ wording: Wording) -> String {
            let reason =
                switch stop {
                case .empty: "nothing left to send"
                case .network: "no answer, or one that allows a retry"
                case .auth: "sign-in needed"
                case .notLinked: "no user is linked"
                case .offlineBaby: "the baby has no server id"
                case .mappingPending: "an entry has no server id"
                case .error: "an error"
                case .lost: "the process ended, or no answer came"
                }
            return wording.list(
                after: "sending of the queue ended", reason,
                appliedCount == 0 ? nil : "\(appliedCount) accepted",
                remainingCount == 0 ? nil : "\(remainingCount) waiting",
                parkedCount == 0 ? nil : "\(parkedCount) parked")
        }
    }

    /// Starts a run that sends the queue; a device has at most one run at a time.
    ///
    /// Does nothing if a run is active, no write waits, or the next attempt is not due yet.
    struct StartSync: QueueCommand {
        static let name = "offline-queue.start-sync"
        var device = ""
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "rules", &rules)
        }

        /// Seconds without an event after which a run is taken as lost; only in the standard rules.
        private static let lostAfterS: Int64 = 60
        func entityTags(_ state: State) -> [Tag] { state.entityTagsOfNext }

        func decide(_ state: State, now: Instant) -> [Event] {
            guard !state.pending.isEmpty else { return [] }
            var events: [Event] = []
            if state.isSyncing {
                guard rules == .standard,
                    now > state.lastStepTime.advanced(bySeconds: Self.lostAfterS)
                else { return [] }
                events = [state.finishing(.lost, device, rules)]
            }
            var started = SyncStarted(device: device, rules: rules)
            switch state.obstacle(at: now, rules) {
            case nil:
                started.userId = state.session.userId
                return events + [.step(.syncStarted(started))]
            case .wait: return events
            case .stop(let stop):
                // Records the same stop only once, however often the app tries.
                guard state.stop != stop || !events.isEmpty else { return [] }
                return events + [
                    .step(.syncStarted(started)),
                    state.finishing(stop, device, rules, applied: 0),
                ]
            }
        }
    }
}

extension OfflineQueue {
    /// The reason why no write can be sent now.
    enum Obstacle: Equatable {
        /// The next attempt is not due yet.
        case wait
        /// The run has to end.
        case stop(StopReason)
    }
}

extension OfflineQueue.State {
    /// Returns the event that ends the current run for a reason.
    func finishing(
        _ stop: OfflineQueue.StopReason, _ device: String, _ rules: Rules, applied: Int64? = nil
    ) -> OfflineQueue.Event {
        .step(
            .syncFinished(
                OfflineQueue.SyncFinished(
                    device: device, appliedCount: applied ?? self.appliedCount,
                    remainingCount: Int64(pending.count), parkedCount: Int64(parked.count),
                    stop: stop, rules: rules)))
    }

    /// Returns the reason why no write can be sent now; `nil` if the next write can be sent.
    func obstacle(at now: Instant, _ rules: Rules) -> OfflineQueue.Obstacle? {
        guard rules == .standard else {
            guard let first = pending.first else { return .stop(.empty) }
            return isLinked(first.babyId, .source) ? nil : .stop(.notLinked)
        }
        guard let next else { return .stop(pending.isEmpty ? .empty : .auth) }
        if next.awaitsSignIn { return .stop(.auth) }
        guard session.status == .signedIn else {
            return .stop(next.userId == nil ? .notLinked : .auth)
        }
        guard provider == .google else { return .stop(.notLinked) }
        guard serverBabyId(next.babyId) != nil else { return .stop(.offlineBaby) }
        if let notBefore = next.notBefore, now < notBefore { return .wait }
        return nil
    }
}
