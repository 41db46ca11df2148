package import Daybook

extension Session {
    /// A server rejected the access token of a request.
    package struct TokenExpiryObserved: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.token-expiry-observed.v1"
        var requestId = ""
        /// HTTP status of the answer: 401, 403, 418 or 419.
        package var status: Int64 = 0
        var endpoint = ""
        /// Generation (number of rotations) of the token in the request.
        var usedGeneration: Int64 = 0
        package var rules = Rules.standard
        var family = ""
        package var device = ""
        package var tags: [Tag] {
            [Tag("request", requestId), familyTag(family), deviceTag(device)]
        }

        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId)
            try field("status", &status, .httpStatus)
            try field("endpoint", &endpoint)
            try field("usedGeneration", &usedGeneration, .count)
            try field("rules", &rules, "family", &family, "device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            "\(status): token \(family)-g\(usedGeneration) not accepted by \(endpoint)"
        }
    }

    /// Records a server's answer to a request with the access token, if it rejects the token.
    struct ObserveExpiry: DeviceCommand {
        static let name = "session.observe-expiry"
        var requestId = ""
        var device = ""
        var endpoint = ""
        /// HTTP status of the answer; `nil` if no answer came.
        var status: Int64?
        var usedGeneration: Int64?
        var rules = Rules.standard
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId, "device", &device, "endpoint", &endpoint)
            try field("status", &status, .httpStatus)
            try field("usedGeneration", &usedGeneration, .count)
            try field("rules", &rules)
        }

        /// Decides by status: 419 refreshes the token; 401, 403 and 418 clear the tokens.
        func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            guard let status, status == 419 || clearReason != nil else { return [] }
            let reason = clearReason
            // Without a session there is nothing to clear; only a 419 is refused below.
            if reason != nil, session.status != .signedIn { return [] }
            try session.require(TokenRefreshStarted.self)
            let used = usedGeneration ?? session.generation
            guard used >= 0, used <= session.generation else {
                throw Refusal(
                    "unknownGeneration",
                    "usedGeneration is \(used); expected 0 to \(session.generation), the "
                        + "generation of the current token")
            }
            let isKnown =
                session.retriesDue[requestId] != nil
                || session.refresh?.waitingRequestIds.contains(requestId) ?? false
            guard !isKnown || reason != nil else { return [] }
            let observed = Event.tokenExpiryObserved(
                TokenExpiryObserved(
                    requestId: requestId, status: status, endpoint: endpoint, usedGeneration: used,
                    rules: rules, family: session.family, device: session.device))
            if let reason { return [observed] + session.clearing(reason) }
            if rules == .standard, used < session.generation, session.refresh == nil {
                // The token has been rotated since the request was sent, so the current token may
                // suffice.
                return [observed]
            }
            return [observed] + session.refreshing(.http419, requestId: requestId, now, rules)
        }

        /// Reason to clear the tokens because of the status; `nil` if the tokens are kept.
        private var clearReason: ClearReason? {
            switch status {
            case 401: .unauthorized
            case 403: .forbidden
            case 418: .refresh418
            default: nil
            }
        }
    }
}
