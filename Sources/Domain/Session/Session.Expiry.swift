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
        public var rules = RuleSet.standard
        public var family = ""
        public var device = ""

        public init() {}

        public init(
            requestId: String, status: Int64, endpoint: String, usedGeneration: Int64,
            rules: RuleSet, family: String, device: String
        ) {
            self.requestId = requestId
            self.status = status
            self.endpoint = endpoint
            self.usedGeneration = usedGeneration
            self.rules = rules
            self.family = family
            self.device = device
        }

        public var tags: [Tag] {
            [Tag("request", requestId), Session.familyTag(family), Session.deviceTag(device)]
        }

        public static let limits: [String: Limit] = [
            "status": .httpStatus, "usedGeneration": .count,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout TokenExpiryObserved
        ) throws(Visitor.Failure) {
            try visitor.field("requestId", &value.requestId)
            try visitor.field("status", &value.status)
            try visitor.field("endpoint", &value.endpoint)
            try visitor.field("usedGeneration", &value.usedGeneration)
            try visitor.field("rules", &value.rules)
            try visitor.field("family", &value.family)
            try visitor.field("device", &value.device)
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

        public init() {}

        public init(
            requestId: String, refreshId: String? = nil, generation: Int64,
            outcomeStatus: Int64? = nil, family: String, device: String
        ) {
            self.requestId = requestId
            self.refreshId = refreshId
            self.generation = generation
            self.outcomeStatus = outcomeStatus
            self.family = family
            self.device = device
        }

        public var tags: [Tag] {
            [Tag("request", requestId), Session.familyTag(family), Session.deviceTag(device)]
        }

        public static let limits: [String: Limit] = [
            "generation": .count, "outcomeStatus": .httpStatus,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RequestRetried
        ) throws(Visitor.Failure) {
            try visitor.field("requestId", &value.requestId)
            try visitor.field("refreshId", &value.refreshId)
            try visitor.field("generation", &value.generation)
            try visitor.field("outcomeStatus", &value.outcomeStatus)
            try visitor.field("family", &value.family)
            try visitor.field("device", &value.device)
        }
    }

    /// The device forgot its tokens; only a sign-in gives new ones.
    public struct TokensCleared: EventPayload {
        public static let kind: EventKind = "session.tokens-cleared.v1"

        public var reason = ClearReason.expired
        public var family = ""
        public var device = ""

        public init() {}

        public init(
            reason: ClearReason, family: String, device: String
        ) {
            self.reason = reason
            self.family = family
            self.device = device
        }

        public var tags: [Tag] {
            [Session.familyTag(family), Session.deviceTag(device)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout TokensCleared
        ) throws(Visitor.Failure) {
            try visitor.field("reason", &value.reason)
            try visitor.field("family", &value.family)
            try visitor.field("device", &value.device)
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

        public init() {}

        public init(
            family: String, presentedGeneration: Int64, currentGeneration: Int64, withinGrace: Bool,
            device: String
        ) {
            self.family = family
            self.presentedGeneration = presentedGeneration
            self.currentGeneration = currentGeneration
            self.withinGrace = withinGrace
            self.device = device
        }

        public var tags: [Tag] {
            [Session.familyTag(family), Session.deviceTag(device)]
        }

        public static let limits: [String: Limit] = [
            "presentedGeneration": .count, "currentGeneration": .count,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RefreshTokenReuseDetected
        ) throws(Visitor.Failure) {
            try visitor.field("family", &value.family)
            try visitor.field("presentedGeneration", &value.presentedGeneration)
            try visitor.field("currentGeneration", &value.currentGeneration)
            try visitor.field("withinGrace", &value.withinGrace)
            try visitor.field("device", &value.device)
        }
    }
}
