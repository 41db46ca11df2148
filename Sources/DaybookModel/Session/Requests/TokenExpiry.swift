public import Daybook

extension Session {
    /// A server refused the access token of a request.
    public struct TokenExpiryObserved: EventPayload {
        public static let kind: EventKind = "session.token-expiry-observed.v1"
        public var requestId = ""
        /// 401, 403, 418 or 419.
        public var status: Int64 = 0
        public var endpoint = ""
        /// The generation of the token that the request carried.
        public var usedGeneration: Int64 = 0
        /// The rules that decided the consequences.
        public var rules = Rules.standard
        public var family = ""
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] {
            [Tag("request", requestId), familyTag(family), deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId)
            try field("status", &status, .httpStatus)
            try field("endpoint", &endpoint)
            try field("usedGeneration", &usedGeneration, .count)
            try field("rules", &rules, "family", &family, "device", &device)
        }
    }

    /// The answer of a server to a request that carried the access token.
    public struct ObserveExpiry: DeviceCommand {
        public static let name = "session.observe-expiry"
        public var requestId = ""
        public var device = ""
        public var endpoint = ""
        /// `nil` where no answer came.
        public var status: Int64?
        /// The generation of the token it carried; the current one by default.
        public var usedGeneration: Int64?
        public var rules = Rules.standard
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId, "device", &device, "endpoint", &endpoint)
            try field("status", &status, .httpStatus)
            try field("usedGeneration", &usedGeneration, .count)
            try field("rules", &rules)
        }

        /// Follows the response table: 419 refreshes, 401, 403 and 418 clear, anything else
        /// changes nothing.
        public func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            guard let status, status == 419 || clearReason != nil else { return [] }
            let reason = clearReason
            // There is nothing left to clear, but a request that wants a token has to fail.
            if reason != nil, session.status != .signedIn { return [] }
            try session.require(TokenRefreshStarted.self)
            let used = usedGeneration ?? session.generation
            guard used >= 0, used <= session.generation else {
                throw Refusal(
                    "unknownGeneration",
                    "there is no generation \(used) yet; the current one is \(session.generation)")
            }
            let isKnown =
                session.retriesDue[requestId] != nil
                || session.refresh?.waiters.contains(requestId) ?? false
            guard !isKnown || reason != nil else { return [] }
            let observed = Event.tokenExpiryObserved(
                TokenExpiryObserved(
                    requestId: requestId, status: status, endpoint: endpoint,
                    usedGeneration: used, rules: rules, family: session.family,
                    device: session.device))
            if let reason { return [observed] + session.clearing(reason) }
            if rules == .standard, used < session.generation, session.refresh == nil {
                // The token it carried has been rotated since: the current one may do.
                return [observed]
            }
            return [observed] + session.refreshing(.http419, requestId: requestId, now, rules)
        }

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
