public import EventSourcing

extension Session {
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

        public init() {}

        public init(
            refreshId: String, fromGeneration: Int64, trigger: RefreshTrigger, refreshHash: Digest,
            requestId: String? = nil, launchId: String? = nil, family: String, device: String
        ) {
            self.refreshId = refreshId
            self.fromGeneration = fromGeneration
            self.trigger = trigger
            self.refreshHash = refreshHash
            self.requestId = requestId
            self.launchId = launchId
            self.family = family
            self.device = device
        }

        public var tags: [Tag] {
            [
                Tag("refresh", refreshId), Tag("slot", "refresh/\(family)"),
                Session.familyTag(family), Session.deviceTag(device),
            ] + Session.waiterTags(requestId, launchId)
        }

        public static let limits: [String: Limit] = ["fromGeneration": .count]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout TokenRefreshStarted
        ) throws(Visitor.Failure) {
            try visitor.field("refreshId", &value.refreshId)
            try visitor.field("fromGeneration", &value.fromGeneration)
            try visitor.field("trigger", &value.trigger)
            try visitor.field("refreshHash", &value.refreshHash)
            try visitor.field("requestId", &value.requestId)
            try visitor.field("launchId", &value.launchId)
            try visitor.field("family", &value.family)
            try visitor.field("device", &value.device)
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

        public init() {}

        public init(
            refreshId: String, requestId: String? = nil, launchId: String? = nil, family: String,
            device: String
        ) {
            self.refreshId = refreshId
            self.requestId = requestId
            self.launchId = launchId
            self.family = family
            self.device = device
        }

        public var tags: [Tag] {
            [
                Tag("refresh", refreshId), Session.familyTag(family), Session.deviceTag(device),
            ] + Session.waiterTags(requestId, launchId)
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout TokenRefreshJoined
        ) throws(Visitor.Failure) {
            try visitor.field("refreshId", &value.refreshId)
            try visitor.field("requestId", &value.requestId)
            try visitor.field("launchId", &value.launchId)
            try visitor.field("family", &value.family)
            try visitor.field("device", &value.device)
        }
    }

    /// The refresh gave new tokens: the family was rotated.
    public struct TokenRefreshed: EventPayload {
        public static let kind: EventKind = "session.token-refreshed.v1"

        public var refreshId = ""
        public var toGeneration: Int64 = 0
        public var accessHash = Digest.blank
        public var refreshHash = Digest.blank
        public var expiresInS: Int64 = 0
        public var accessExpiresUs: Int64 = 0
        public var latencyMs: Int64 = 0
        public var family = ""
        public var device = ""

        public init() {}

        public init(
            refreshId: String, toGeneration: Int64, accessHash: Digest, refreshHash: Digest,
            expiresInS: Int64, accessExpiresUs: Int64, latencyMs: Int64, family: String,
            device: String
        ) {
            self.refreshId = refreshId
            self.toGeneration = toGeneration
            self.accessHash = accessHash
            self.refreshHash = refreshHash
            self.expiresInS = expiresInS
            self.accessExpiresUs = accessExpiresUs
            self.latencyMs = latencyMs
            self.family = family
            self.device = device
        }

        public var tags: [Tag] {
            [Tag("refresh", refreshId), Session.familyTag(family), Session.deviceTag(device)]
        }

        public static let limits: [String: Limit] = [
            "toGeneration": .count, "expiresInS": .lifetimeS, "accessExpiresUs": .moment,
            "latencyMs": .spanMs,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout TokenRefreshed
        ) throws(Visitor.Failure) {
            try visitor.field("refreshId", &value.refreshId)
            try visitor.field("toGeneration", &value.toGeneration)
            try visitor.field("accessHash", &value.accessHash)
            try visitor.field("refreshHash", &value.refreshHash)
            try visitor.field("expiresInS", &value.expiresInS)
            try visitor.field("accessExpiresUs", &value.accessExpiresUs)
            try visitor.field("latencyMs", &value.latencyMs)
            try visitor.field("family", &value.family)
            try visitor.field("device", &value.device)
        }
    }

    /// The refresh gave no tokens; whatever waited for it failed with it.
    public struct TokenRefreshFailed: EventPayload {
        public static let kind: EventKind = "session.token-refresh-failed.v1"

        public var refreshId = ""
        public var kind = RefreshFailure.expired
        public var httpStatus: Int64?
        public var error: String?
        public var message: SealableText?
        public var tokensCleared = false
        /// Whether the tokens were cleared was decided by these.
        public var rules = RuleSet.standard
        public var family = ""
        public var device = ""

        public init() {}

        public init(
            refreshId: String, kind: RefreshFailure, httpStatus: Int64? = nil, error: String? = nil,
            message: String? = nil, tokensCleared: Bool, rules: RuleSet, family: String,
            device: String
        ) {
            self.refreshId = refreshId
            self.kind = kind
            self.httpStatus = httpStatus
            self.error = error
            self.message = message.map { SealableText($0) }
            self.tokensCleared = tokensCleared
            self.rules = rules
            self.family = family
            self.device = device
        }

        public var tags: [Tag] {
            [Tag("refresh", refreshId), Session.familyTag(family), Session.deviceTag(device)]
        }

        public static let limits: [String: Limit] = ["httpStatus": .httpStatus]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout TokenRefreshFailed
        ) throws(Visitor.Failure) {
            try visitor.field("refreshId", &value.refreshId)
            try visitor.field("kind", &value.kind)
            try visitor.field("httpStatus", &value.httpStatus)
            try visitor.field("error", &value.error)
            try visitor.field("message", &value.message)
            try visitor.field("tokensCleared", &value.tokensCleared)
            try visitor.field("rules", &value.rules)
            try visitor.field("family", &value.family)
            try visitor.field("device", &value.device)
        }
    }
}
