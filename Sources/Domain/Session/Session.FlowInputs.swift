import EventSourcing

extension SessionFlow {
    struct SignInInput: Record {
        var userId = ""
        var provider = Session.Provider.local
        var family = ""
        var device = ""
        var accessToken = Digest.blank
        var refreshToken = Digest.blank
        var expiresInS: Int64 = 0

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("provider", &provider)
            try field("family", &family)
            try field("device", &device)
            try field("accessToken", &accessToken)
            try field("refreshToken", &refreshToken)
            try field("expiresInS", &expiresInS, .lifetimeS)
        }
    }

    struct CheckLoginInput: Record {
        var launchId = ""
        var device = ""
        /// Refresh only if the access token ends within this; at every launch by default.
        var refreshIfExpiresWithinS: Int64?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("device", &device)
            try field("refreshIfExpiresWithinS", &refreshIfExpiresWithinS, .lifetimeS)
        }
    }

    struct RequestInput: Record {
        var requestId = ""
        var endpoint = ""
        var device = ""
        /// The generation of the token it carries; the current one by default.
        var usedGeneration: Int64?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId)
            try field("endpoint", &endpoint)
            try field("device", &device)
            try field("usedGeneration", &usedGeneration, .count)
        }
    }

    struct DeviceInput: Record {
        var device = ""

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }
    }

    /// Why no answer came.
    enum NetworkFailure: UInt8, StoredEnum {
        case network
        case timeout
    }

    /// What a server answers to a request.
    struct RequestAnswer: Record {
        var status: Int64?
        var failure: NetworkFailure?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("status", &status, .httpStatus)
            try field("failure", &failure)
        }
    }

    /// What a server answers to a refresh: tokens, an error, a status, or nothing at all.
    struct RefreshAnswer: Record {
        var accessToken: Digest?
        /// Left out where the old one stays good.
        var refreshToken: Digest?
        /// Seconds.
        var expiresIn: Int64?
        /// What passed by the clock, unless it is given.
        var latencyMs: Int64?
        var error: String?
        var message: String?
        var status: Int64?
        var failure: NetworkFailure?

        static var blank: Self { Self() }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("accessToken", &accessToken)
            try field("refreshToken", &refreshToken)
            try field("expiresIn", &expiresIn, .lifetimeS)
            try field("latencyMs", &latencyMs, .spanMs)
            try field("error", &error)
            try field("message", &message)
            try field("status", &status, .httpStatus)
            try field("failure", &failure)
        }
    }
}
