public import EventSourcing

extension Session {
    /// Store the first tokens of a new family.
    public struct SignIn: Record {
        public var userId = ""
        public var provider = Provider.local
        public var family = ""
        public var device = ""
        public var accessHash = Digest.blank
        public var refreshHash = Digest.blank
        public var expiresInS: Int64 = 0

        public init() {}

        public init(
            userId: String, provider: Provider, family: String, device: String, accessHash: Digest,
            refreshHash: Digest, expiresInS: Int64
        ) {
            self.userId = userId
            self.provider = provider
            self.family = family
            self.device = device
            self.accessHash = accessHash
            self.refreshHash = refreshHash
            self.expiresInS = expiresInS
        }

        public static let limits: [String: Limit] = ["expiresInS": .lifetimeS]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SignIn
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("provider", &value.provider)
            try visitor.field("family", &value.family)
            try visitor.field("device", &value.device)
            try visitor.field("accessHash", &value.accessHash)
            try visitor.field("refreshHash", &value.refreshHash)
            try visitor.field("expiresInS", &value.expiresInS)
        }
    }

    /// Find out, once in a launch, whether someone is signed in.
    public struct CheckLogin: Record {
        public var launchId = ""
        public var device = ""
        /// Refresh only if the access token ends within this; at every launch by default.
        public var refreshIfExpiresWithinS: Int64?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            launchId: String, device: String, refreshIfExpiresWithinS: Int64? = nil, rules: RuleSet
        ) {
            self.launchId = launchId
            self.device = device
            self.refreshIfExpiresWithinS = refreshIfExpiresWithinS
            self.rules = rules
        }

        public static let limits: [String: Limit] = ["refreshIfExpiresWithinS": .lifetimeS]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout CheckLogin
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("device", &value.device)
            try visitor.field("refreshIfExpiresWithinS", &value.refreshIfExpiresWithinS)
            try visitor.field("rules", &value.rules)
        }
    }

    /// What a server answered to a request that carried the access token.
    public struct ObserveExpiry: Record {
        public var requestId = ""
        public var device = ""
        public var endpoint = ""
        /// `nil` where no answer came.
        public var status: Int64?
        /// The generation of the token it carried; the current one by default.
        public var usedGeneration: Int64?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            requestId: String, device: String, endpoint: String, status: Int64? = nil,
            usedGeneration: Int64? = nil, rules: RuleSet
        ) {
            self.requestId = requestId
            self.device = device
            self.endpoint = endpoint
            self.status = status
            self.usedGeneration = usedGeneration
            self.rules = rules
        }

        public static let limits: [String: Limit] = [
            "status": .httpStatus, "usedGeneration": .count,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ObserveExpiry
        ) throws(Visitor.Failure) {
            try visitor.field("requestId", &value.requestId)
            try visitor.field("device", &value.device)
            try visitor.field("endpoint", &value.endpoint)
            try visitor.field("status", &value.status)
            try visitor.field("usedGeneration", &value.usedGeneration)
            try visitor.field("rules", &value.rules)
        }
    }

    /// Refresh before anything has failed.
    public struct StartRefresh: Record {
        public var device = ""
        public var rules = RuleSet.standard

        public init() {}

        public init(
            device: String, rules: RuleSet
        ) {
            self.device = device
            self.rules = rules
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout StartRefresh
        ) throws(Visitor.Failure) {
            try visitor.field("device", &value.device)
            try visitor.field("rules", &value.rules)
        }
    }

    /// The refresh was answered with new tokens.
    public struct RecordRefresh: Record {
        public var device = ""
        public var refreshId = ""
        public var accessHash = Digest.blank
        /// `nil` where the server keeps the old refresh token.
        public var refreshHash: Digest?
        public var expiresInS: Int64 = 0
        public var latencyMs: Int64 = 0

        public init() {}

        public init(
            device: String, refreshId: String, accessHash: Digest, refreshHash: Digest? = nil,
            expiresInS: Int64, latencyMs: Int64
        ) {
            self.device = device
            self.refreshId = refreshId
            self.accessHash = accessHash
            self.refreshHash = refreshHash
            self.expiresInS = expiresInS
            self.latencyMs = latencyMs
        }

        public static let limits: [String: Limit] = [
            "expiresInS": .lifetimeS, "latencyMs": .spanMs,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RecordRefresh
        ) throws(Visitor.Failure) {
            try visitor.field("device", &value.device)
            try visitor.field("refreshId", &value.refreshId)
            try visitor.field("accessHash", &value.accessHash)
            try visitor.field("refreshHash", &value.refreshHash)
            try visitor.field("expiresInS", &value.expiresInS)
            try visitor.field("latencyMs", &value.latencyMs)
        }
    }

    /// The refresh was answered without tokens, or not at all.
    public struct RecordRefreshFailure: Record {
        public var device = ""
        public var refreshId = ""
        public var kind = RefreshFailure.expired
        public var httpStatus: Int64?
        public var error: String?
        public var message: PersonalText?
        public var rules = RuleSet.standard

        public init() {}

        public init(
            device: String, refreshId: String, kind: RefreshFailure, httpStatus: Int64? = nil,
            error: String? = nil, message: String? = nil, rules: RuleSet
        ) {
            self.device = device
            self.refreshId = refreshId
            self.kind = kind
            self.httpStatus = httpStatus
            self.error = error
            self.message = message.map { PersonalText($0) }
            self.rules = rules
        }

        public static let limits: [String: Limit] = ["httpStatus": .httpStatus]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RecordRefreshFailure
        ) throws(Visitor.Failure) {
            try visitor.field("device", &value.device)
            try visitor.field("refreshId", &value.refreshId)
            try visitor.field("kind", &value.kind)
            try visitor.field("httpStatus", &value.httpStatus)
            try visitor.field("error", &value.error)
            try visitor.field("message", &value.message)
            try visitor.field("rules", &value.rules)
        }
    }

    /// A refresh token as the server sees it come in.
    public struct PresentRefreshToken: Record {
        public var family = ""
        /// The generation of the token presented.
        public var generation: Int64 = 0
        /// The new tokens, needed where it is the current one.
        public var accessHash: Digest?
        public var refreshHash: Digest?
        public var expiresInS: Int64?

        public init() {}

        public init(
            family: String, generation: Int64, accessHash: Digest? = nil,
            refreshHash: Digest? = nil, expiresInS: Int64? = nil
        ) {
            self.family = family
            self.generation = generation
            self.accessHash = accessHash
            self.refreshHash = refreshHash
            self.expiresInS = expiresInS
        }

        public static let limits: [String: Limit] = [
            "generation": .count, "expiresInS": .lifetimeS,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout PresentRefreshToken
        ) throws(Visitor.Failure) {
            try visitor.field("family", &value.family)
            try visitor.field("generation", &value.generation)
            try visitor.field("accessHash", &value.accessHash)
            try visitor.field("refreshHash", &value.refreshHash)
            try visitor.field("expiresInS", &value.expiresInS)
        }
    }

    /// What became of a request that was sent again.
    public struct RecordRetry: Record {
        public var device = ""
        public var requestId = ""
        /// `nil` where no answer came.
        public var outcomeStatus: Int64?

        public init() {}

        public init(
            device: String, requestId: String, outcomeStatus: Int64? = nil
        ) {
            self.device = device
            self.requestId = requestId
            self.outcomeStatus = outcomeStatus
        }

        public static let limits: [String: Limit] = ["outcomeStatus": .httpStatus]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RecordRetry
        ) throws(Visitor.Failure) {
            try visitor.field("device", &value.device)
            try visitor.field("requestId", &value.requestId)
            try visitor.field("outcomeStatus", &value.outcomeStatus)
        }
    }

    /// Forget the tokens.
    public struct ClearTokens: Record {
        public var device = ""
        public var reason = ClearReason.expired

        public init() {}

        public init(
            device: String, reason: ClearReason
        ) {
            self.device = device
            self.reason = reason
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout ClearTokens
        ) throws(Visitor.Failure) {
            try visitor.field("device", &value.device)
            try visitor.field("reason", &value.reason)
        }
    }

    /// Sign the person out.
    public struct SignOut: Record {
        public var device = ""

        public init() {}

        public init(
            device: String
        ) {
            self.device = device
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SignOut
        ) throws(Visitor.Failure) {
            try visitor.field("device", &value.device)
        }
    }
}
