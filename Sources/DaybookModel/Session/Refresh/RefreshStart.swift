public import Daybook

extension Session {
    /// The reason why a refresh was started.
    public enum RefreshTrigger: UInt8, StoredEnum { case launch, http419, proactive }

    /// The one refresh of its family went under way.
    public struct TokenRefreshStarted: EventPayload {
        public static let kind: EventKind = "session.token-refresh-started.v1"
        public var refreshId = ""
        public var fromGeneration: Int64 = 0
        public var trigger = RefreshTrigger.launch
        /// The refresh token that is presented.
        public var refreshHash = Digest.blank
        /// The request that waits for it.
        public var requestId: String?
        /// The launch that waits for it.
        public var launchId: String?
        public var family = ""
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [
                Tag("refresh", refreshId), Tag("slot", "refresh/\(family)"),
                familyTag(family), deviceTag(device),
            ] + waiterTags(requestId, launchId)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId)
            try field("fromGeneration", &fromGeneration, .count)
            try field("trigger", &trigger, "refreshHash", &refreshHash, "requestId", &requestId)
            try field("launchId", &launchId, "family", &family, "device", &device)
        }
    }

    /// Another request or launch waits for the refresh under way.
    public struct TokenRefreshJoined: EventPayload {
        public static let kind: EventKind = "session.token-refresh-joined.v1"
        public var refreshId = ""
        public var requestId: String?
        public var launchId: String?
        public var family = ""
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [Tag("refresh", refreshId), familyTag(family), deviceTag(device)]
                + waiterTags(requestId, launchId)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId, "requestId", &requestId, "launchId", &launchId)
            try field("family", &family, "device", &device)
        }
    }

    /// Refresh before anything has failed.
    public struct StartRefresh: DeviceCommand {
        public static let name = "session.start-refresh"
        public var device = ""
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "rules", &rules)
        }

        public func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            try session.require(TokenRefreshStarted.self)
            if let refresh = session.refresh, !refresh.isLost(at: now, rules) { return [] }
            return session.refreshing(.proactive, now, rules)
        }
    }

    /// The one refresh under way.
    public struct Refresh: Record {
        public var refreshId = ""
        public var fromGeneration: Int64 = 0
        public var started = Instant.epoch
        /// Requests that are sent again when it succeeds and fail when it fails.
        public var waiters: [String] = []
        /// Launches whose login check depends on it.
        public var launches: [String] = []
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId, "fromGeneration", &fromGeneration)
            try field("startedUs", &started, .any)
            try field("waiters", &waiters, "launches", &launches)
        }

        /// Seconds after which a refresh without an answer counts as lost.
        static let lostAfterS: Int64 = 60

        /// True where no answer will come any more; the source's coordinator waits for ever.
        func isLost(at now: Instant, _ rules: Rules) -> Bool {
            rules == .standard && now > started.advanced(bySeconds: Self.lostAfterS)
        }
    }
}

extension Session.State {
    /// Starts a refresh, or joins the one under way.
    func refreshing(
        _ trigger: Session.RefreshTrigger, requestId: String? = nil, launchId: String? = nil,
        _ now: Instant, _ rules: Rules
    ) -> [Session.Event] {
        var events: [Session.Event] = []
        if let refresh {
            guard refresh.isLost(at: now, rules) else {
                let joined = Session.TokenRefreshJoined(
                    refreshId: refresh.refreshId, requestId: requestId, launchId: launchId,
                    family: family, device: device)
                return [.tokenRefreshJoined(joined)]
            }
            let lost = Session.TokenRefreshFailed(
                refreshId: refresh.refreshId, kind: .timeout,
                message: SealableText("no answer within \(Session.Refresh.lostAfterS) s"),
                tokensCleared: false, rules: rules, family: family, device: device)
            events = [.tokenRefreshFailed(lost)] + waitingLaunches(found: .tokenRefreshFailed)
        }
        let started = Session.TokenRefreshStarted(
            refreshId: nextRefreshId, fromGeneration: generation, trigger: trigger,
            refreshHash: refreshHash, requestId: requestId, launchId: launchId, family: family,
            device: device)
        return events + [.tokenRefreshStarted(started)]
    }

    /// `f1-g3`, the second try from the same generation `f1-g3-2`.
    var nextRefreshId: String {
        let attempt = attempts == 0 ? "" : "-\(attempts + 1)"
        return "\(family)-g\(generation)\(attempt)"
    }

    /// Refuses the answer to any refresh but the one under way.
    func requireRefresh(_ refreshId: String) throws(Refusal) {
        guard refresh?.refreshId == refreshId else {
            throw Refusal(
                "noSuchRefresh",
                "the refresh \(refreshId) is not under way, so its answer is dropped")
        }
    }
}
