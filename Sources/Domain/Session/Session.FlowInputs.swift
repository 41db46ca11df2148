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

        init() {}

        static let limits: [String: Limit] = ["expiresInS": .lifetimeS]

        static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SignInInput
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("provider", &value.provider)
            try visitor.field("family", &value.family)
            try visitor.field("device", &value.device)
            try visitor.field("accessToken", &value.accessToken)
            try visitor.field("refreshToken", &value.refreshToken)
            try visitor.field("expiresInS", &value.expiresInS)
        }
    }

    struct CheckLoginInput: Record {
        var launchId = ""
        var device = ""
        /// Refresh only if the access token ends within this; at every launch by default.
        var refreshIfExpiresWithinS: Int64?

        init() {}

        static let limits: [String: Limit] = ["refreshIfExpiresWithinS": .lifetimeS]

        static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout CheckLoginInput
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("device", &value.device)
            try visitor.field("refreshIfExpiresWithinS", &value.refreshIfExpiresWithinS)
        }
    }

    struct RequestInput: Record {
        var requestId = ""
        var endpoint = ""
        var device = ""
        /// The generation of the token it carries; the current one by default.
        var usedGeneration: Int64?

        init() {}

        static let limits: [String: Limit] = ["usedGeneration": .count]

        static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RequestInput
        ) throws(Visitor.Failure) {
            try visitor.field("requestId", &value.requestId)
            try visitor.field("endpoint", &value.endpoint)
            try visitor.field("device", &value.device)
            try visitor.field("usedGeneration", &value.usedGeneration)
        }
    }

    struct DeviceInput: Record {
        var device = ""

        init() {}

        static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout DeviceInput
        ) throws(Visitor.Failure) {
            try visitor.field("device", &value.device)
        }
    }

    /// Why no answer came.
    enum NetworkFailure: UInt8, Choice {
        case network
        case timeout

        static let names = ["network", "timeout"]
    }

    /// What a server answers to a request.
    struct RequestAnswer: Record {
        var status: Int64?
        var failure: NetworkFailure?

        init() {}

        static let limits: [String: Limit] = ["status": .httpStatus]

        static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RequestAnswer
        ) throws(Visitor.Failure) {
            try visitor.field("status", &value.status)
            try visitor.field("failure", &value.failure)
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

        init() {}

        static let limits: [String: Limit] = [
            "expiresIn": .lifetimeS, "latencyMs": .spanMs, "status": .httpStatus,
        ]

        static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout RefreshAnswer
        ) throws(Visitor.Failure) {
            try visitor.field("accessToken", &value.accessToken)
            try visitor.field("refreshToken", &value.refreshToken)
            try visitor.field("expiresIn", &value.expiresIn)
            try visitor.field("latencyMs", &value.latencyMs)
            try visitor.field("error", &value.error)
            try visitor.field("message", &value.message)
            try visitor.field("status", &value.status)
            try visitor.field("failure", &value.failure)
        }
    }
}
