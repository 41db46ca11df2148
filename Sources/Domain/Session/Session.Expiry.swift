public import EventSourcing

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
        /// What the answer led to was decided by these.
        public var rules = Rules.standard
        public var family = ""
        public var device = ""

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Tag("request", requestId), Session.familyTag(family), Session.deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId)
            try field("status", &status, .httpStatus)
            try field("endpoint", &endpoint)
            try field("usedGeneration", &usedGeneration, .count)
            try field("rules", &rules)
            try field("family", &family)
            try field("device", &device)
        }
    }

    /// A request that had met a 419 was sent again, once, with the current token.
    public struct RequestRetried: EventPayload {
        public static let kind: EventKind = "session.request-retried.v1"

        public var requestId = ""
        /// The refresh it waited for; `nil` where the token was newer already.
        public var refreshId: String?
        /// The generation of the token that the retry carried.
        public var generation: Int64 = 0
        /// `nil` where no answer came.
        public var outcomeStatus: Int64?
        public var family = ""
        public var device = ""

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Tag("request", requestId), Session.familyTag(family), Session.deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId)
            try field("refreshId", &refreshId)
            try field("generation", &generation, .count)
            try field("outcomeStatus", &outcomeStatus, .httpStatus)
            try field("family", &family)
            try field("device", &device)
        }
    }

    /// The device forgot its tokens; only a sign-in gives new ones.
    public struct TokensCleared: EventPayload {
        public static let kind: EventKind = "session.tokens-cleared.v1"

        public var reason = ClearReason.expired
        public var family = ""
        public var device = ""

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Session.familyTag(family), Session.deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("reason", &reason)
            try field("family", &family)
            try field("device", &device)
        }
    }

    /// A refresh token that had been rotated away was presented again.
    public struct RefreshTokenReuseDetected: EventPayload {
        public static let kind: EventKind = "session.refresh-token-reuse-detected.v1"

        public var family = ""
        public var presentedGeneration: Int64 = 0
        public var currentGeneration: Int64 = 0
        /// The answer to its rotation may have been lost: no harm done.
        public var withinGrace = false
        public var device = ""

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Session.familyTag(family), Session.deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("family", &family)
            try field("presentedGeneration", &presentedGeneration, .count)
            try field("currentGeneration", &currentGeneration, .count)
            try field("withinGrace", &withinGrace)
            try field("device", &device)
        }
    }
}
