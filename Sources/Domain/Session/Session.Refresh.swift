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

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [
                Tag("refresh", refreshId), Tag("slot", "refresh/\(family)"),
                Session.familyTag(family), Session.deviceTag(device),
            ] + Session.waiterTags(requestId, launchId)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId)
            try field("fromGeneration", &fromGeneration, .count)
            try field("trigger", &trigger)
            try field("refreshHash", &refreshHash)
            try field("requestId", &requestId)
            try field("launchId", &launchId)
            try field("family", &family)
            try field("device", &device)
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
            [
                Tag("refresh", refreshId), Session.familyTag(family), Session.deviceTag(device),
            ] + Session.waiterTags(requestId, launchId)
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId)
            try field("requestId", &requestId)
            try field("launchId", &launchId)
            try field("family", &family)
            try field("device", &device)
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

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Tag("refresh", refreshId), Session.familyTag(family), Session.deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId)
            try field("toGeneration", &toGeneration, .count)
            try field("accessHash", &accessHash)
            try field("refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
            try field("accessExpiresUs", &accessExpiresUs, .moment)
            try field("latencyMs", &latencyMs, .spanMs)
            try field("family", &family)
            try field("device", &device)
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
        public var rules = Rules.standard
        public var family = ""
        public var device = ""

        public static var blank: Self { Self() }

        public init() {}

        public init(
            refreshId: String, kind: RefreshFailure, httpStatus: Int64? = nil, error: String? = nil,
            message: String? = nil, tokensCleared: Bool, rules: Rules, family: String,
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

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("refreshId", &refreshId)
            try field("kind", &kind)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("error", &error)
            try field("message", &message)
            try field("tokensCleared", &tokensCleared)
            try field("rules", &rules)
            try field("family", &family)
            try field("device", &device)
        }
    }
}
