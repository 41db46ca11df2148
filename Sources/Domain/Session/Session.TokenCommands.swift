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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("provider", &provider)
            try field("family", &family)
            try field("device", &device)
            try field("accessHash", &accessHash)
            try field("refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
        }
    }

    /// Find out, once in a launch, whether someone is signed in.
    public struct CheckLogin: Record {
        public var launchId = ""
        public var device = ""
        /// Refresh only if the access token ends within this; at every launch by default.
        public var refreshIfExpiresWithinS: Int64?
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("device", &device)
            try field("refreshIfExpiresWithinS", &refreshIfExpiresWithinS, .lifetimeS)
            try field("rules", &rules)
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
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId)
            try field("device", &device)
            try field("endpoint", &endpoint)
            try field("status", &status, .httpStatus)
            try field("usedGeneration", &usedGeneration, .count)
            try field("rules", &rules)
        }
    }

    /// Refresh before anything has failed.
    public struct StartRefresh: Record {
        public var device = ""
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
            try field("rules", &rules)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
            try field("refreshId", &refreshId)
            try field("accessHash", &accessHash)
            try field("refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
            try field("latencyMs", &latencyMs, .spanMs)
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
        public var rules = Rules.standard

        public static var blank: Self { Self() }

        public init() {}

        public init(
            device: String, refreshId: String, kind: RefreshFailure, httpStatus: Int64? = nil,
            error: String? = nil, message: String? = nil, rules: Rules
        ) {
            self.device = device
            self.refreshId = refreshId
            self.kind = kind
            self.httpStatus = httpStatus
            self.error = error
            self.message = message.map { PersonalText($0) }
            self.rules = rules
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
            try field("refreshId", &refreshId)
            try field("kind", &kind)
            try field("httpStatus", &httpStatus, .httpStatus)
            try field("error", &error)
            try field("message", &message)
            try field("rules", &rules)
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

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("family", &family)
            try field("generation", &generation, .count)
            try field("accessHash", &accessHash)
            try field("refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
        }
    }

    /// What became of a request that was sent again.
    public struct RecordRetry: Record {
        public var device = ""
        public var requestId = ""
        /// `nil` where no answer came.
        public var outcomeStatus: Int64?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
            try field("requestId", &requestId)
            try field("outcomeStatus", &outcomeStatus, .httpStatus)
        }
    }

    /// Forget the tokens.
    public struct ClearTokens: Record {
        public var device = ""
        public var reason = ClearReason.expired

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
            try field("reason", &reason)
        }
    }

    /// Sign the person out.
    public struct SignOut: Record {
        public var device = ""

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }
    }
}
