package import Daybook

extension Session {
    /// The reason why a token refresh was started.
    package enum RefreshTrigger: UInt8, StoredEnum { case launch, http419, proactive }

    /// A refresh of the tokens was started; each token family has at most one refresh at a time.
    package struct TokenRefreshStarted: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.token-refresh-started.v1"
        var refreshId = ""
        /// Generation (number of rotations) of the tokens before the refresh.
        var fromGeneration: Int64 = 0
        var trigger = RefreshTrigger.launch
        /// Hash of the refresh token that is presented to the server.
        var refreshHash = Digest.blank
        /// Id of the request that waits for the token refresh; `nil` for none.
        var requestId: String?
        /// Id of the launch that waits for the token refresh; `nil` for none.
        var launchId: String?
        var family = ""
        package var device = ""
        package var tags: [Tag] {
            [
                Tag("refresh", refreshId), Tag("slot", "refresh", family),
                familyTag(family), deviceTag(device),
            ] + waiterTags(requestId, launchId)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId)
            try field("fromGeneration", &fromGeneration, .count)
            try field("trigger", &trigger, "refreshHash", &refreshHash, "requestId", &requestId)
            try field("launchId", &launchId, "family", &family, "device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            let cause =
                switch trigger {
                case .launch: "launch"
                case .http419: "419"
                case .proactive: "expires soon"
                }
            return "\(cause): refresh \(family)-g\(fromGeneration) started"
        }
    }

    /// Another request or launch waits for the current token refresh.
    package struct TokenRefreshJoined: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.token-refresh-joined.v1"
        var refreshId = ""
        /// Id of the request that waits; `nil` for none.
        var requestId: String?
        /// Id of the launch that waits; `nil` for none.
        var launchId: String?
        var family = ""
        package var device = ""
        package var tags: [Tag] {
            [Tag("refresh", refreshId), familyTag(family), deviceTag(device)]
                + waiterTags(requestId, launchId)
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId, "requestId", &requestId, "launchId", &launchId)
            try field("family", &family, "device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            (requestId == nil ? "launch" : "request") + " waits for the refresh of \(family)"
        }
    }

    /// Starts a token refresh before any request has failed.
    struct StartRefresh: DeviceCommand {
        static let name = "session.start-refresh"
        var device = ""
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "rules", &rules)
        }

        func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            try session.require(TokenRefreshStarted.self)
            if let refresh = session.refresh, !refresh.isLost(at: now, rules) { return [] }
            return session.refreshing(.proactive, now, rules)
        }
    }

    /// A token refresh whose answer is awaited; a session has at most one.
    package struct Refresh: PlainRecord {
        var refreshId = ""
        var fromGeneration: Int64 = 0
        package var started = Instant.epoch
        /// Ids of the requests that are sent again if the refresh succeeds, and fail if it fails.
        var waitingRequestIds: [String] = []
        /// Ids of the launches whose login check waits for the refresh.
        var waitingLaunchIds: [String] = []
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId, "fromGeneration", &fromGeneration)
            try field("startedUs", &started, .any)
            try field("waiters", &waitingRequestIds, "launches", &waitingLaunchIds)
        }

        /// Seconds without an answer after which a token refresh counts as lost.
        static let lostAfterS: Int64 = 60

        /// True if the token refresh counts as lost; always false under the rule set `source`.
        func isLost(at now: Instant, _ rules: Rules) -> Bool {
            rules == .standard && now > started.advanced(bySeconds: Self.lostAfterS)
        }
    }
}

extension Session.State {
    /// Returns the events that start a token refresh, or that join the current one. If the current
    /// refresh counts as lost, the events first record that it failed.
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
                clearsTokens: false, rules: rules, family: family, device: device)
            events = [.tokenRefreshFailed(lost)] + finishingLoginChecks(with: .tokenRefreshFailed)
        }
        let started = Session.TokenRefreshStarted(
            refreshId: nextRefreshId, fromGeneration: generation, trigger: trigger,
            refreshHash: refreshHash, requestId: requestId, launchId: launchId, family: family,
            device: device)
        return events + [.tokenRefreshStarted(started)]
    }

    /// Id for the next token refresh: `f1-g3`, or `f1-g3-2` for a second refresh of the same
    /// generation.
    var nextRefreshId: String {
        let attempt = refreshAttemptCount == 0 ? "" : "-\(refreshAttemptCount + 1)"
        return "\(family)-g\(generation)\(attempt)"
    }

    /// Throws a refusal if this token refresh is not the one whose answer is awaited.
    func requireRefresh(_ refreshId: String) throws(Refusal) {
        guard refresh?.refreshId == refreshId else {
            throw Refusal(
                "noSuchRefresh",
                "the token refresh '\(refreshId)' is not under way; its answer is ignored")
        }
    }
}
