public import Daybook

extension OfflineQueue {
    /// The reason why a run of the queue ended.
    public enum Stop: UInt8, StoredEnum {
        /// Nothing is left but what is parked.
        case empty
        /// No answer, or one to try again after.
        case network
        /// A user has to sign in first.
        case auth
        /// Nobody is signed in with Google.
        case notLinked
        /// The baby has no id of the server's.
        case offlineBaby
        /// "event mapping pending": the source has no id of the server's for an entry.
        case mappingPending
        /// The source stops at any error.
        case error
        /// The process ended, or no answer came within a minute.
        case lost
    }

    /// The queue is being sent.
    public struct SyncStarted: EventPayload {
        public static let kind: EventKind = "offline-queue.sync-started.v1"
        public var device = ""
        /// The user it is sent as, to whom every write of nobody belongs from then on; `nil` for a
        /// run that ends at once.
        public var userId: String?
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [deviceTag(device)] + (userId.map { [Tag("user", $0)] } ?? [])
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "userId", &userId, "rules", &rules)
        }
    }

    /// A run of the queue ended.
    public struct SyncFinished: EventPayload {
        public static let kind: EventKind = "offline-queue.sync-finished.v1"
        public var device = ""
        /// Writes that the server took in the run.
        public var applied: Int64 = 0
        /// Writes that still wait.
        public var remaining: Int64 = 0
        public var parked: Int64 = 0
        public var stop = Stop.empty
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public var tags: [Tag] { [deviceTag(device)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
            try field("applied", &applied, .count)
            try field("remaining", &remaining, .count)
            try field("parked", &parked, .count)
            try field("stop", &stop, "rules", &rules)
        }
    }

    /// Sends the queue, one run at a time.
    ///
    /// Does nothing where a run is under way, nothing waits, or what waits may not go out yet.
    public struct StartSync: QueueCommand {
        public static let name = "offline-queue.start-sync"
        public var device = ""
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "rules", &rules)
        }

        /// Seconds without a step after which a run counts as lost; the source waits for ever.
        private static let lostAfterS: Int64 = 60

        public func subjects(_ state: State) -> [Tag] { state.subjectsOfNext }

        public func decide(_ state: State, now: Instant) -> [Event] {
            guard !state.pending.isEmpty else { return [] }
            var events: [Event] = []
            if state.isSyncing {
                guard rules == .standard, now > state.active.advanced(bySeconds: Self.lostAfterS)
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
                // Told once, however often the app tries.
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
    /// The reason why nothing goes out now.
    enum Obstacle: Hashable {
        /// The time of the next attempt has not come.
        case wait
        case stop(Stop)
    }
}

extension OfflineQueue.State {
    /// The end of the run under way.
    func finishing(
        _ stop: OfflineQueue.Stop, _ device: String, _ rules: Rules, applied: Int64? = nil
    ) -> OfflineQueue.Event {
        .step(
            .syncFinished(
                OfflineQueue.SyncFinished(
                    device: device, applied: applied ?? self.applied,
                    remaining: Int64(pending.count), parked: Int64(parked.count), stop: stop,
                    rules: rules)))
    }

    /// `nil` where the next write may go out.
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
        guard babyId(next.babyId) != nil else { return .stop(.offlineBaby) }
        if let notBefore = next.notBefore, now < notBefore { return .wait }
        return nil
    }
}
