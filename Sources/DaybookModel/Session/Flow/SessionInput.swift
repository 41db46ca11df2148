import Daybook

extension SessionFlow {
    /// Input that signs a user in on a device.
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
            try field("userId", &userId, "provider", &provider, "family", &family)
            try field("device", &device, "accessToken", &accessToken, "refreshToken", &refreshToken)
            try field("expiresInS", &expiresInS, .lifetimeS)
        }
    }

    /// Input that checks the login of a launch.
    struct CheckLoginInput: Record {
        var launchId = ""
        var device = ""
        /// Seconds before expiry within which the check refreshes; refreshes at every launch by
        /// default.
        var refreshIfExpiresWithinS: Int64?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "device", &device)
            try field("refreshIfExpiresWithinS", &refreshIfExpiresWithinS, .lifetimeS)
        }
    }

    /// Input that sends a request with the session's token.
    struct RequestInput: Record {
        var requestId = ""
        var endpoint = ""
        var device = ""
        /// Generation of the token in the request; the current generation by default.
        var usedGeneration: Int64?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId, "endpoint", &endpoint, "device", &device)
            try field("usedGeneration", &usedGeneration, .count)
        }
    }

    /// Input that concerns a device as a whole.
    struct DeviceInput: Record {
        var device = ""
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }
    }

    /// The answer to a request that another flow sent with the session's token.
    struct ObserveInput: Record {
        var requestId = ""
        var endpoint = ""
        var device = ""
        /// Status of the answer; `nil` if no answer came.
        var status: Int64?
        var usedGeneration: Int64?
        /// Flow that sent the request, and that the session later tells to retry or to give up.
        var caller = ""
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId, "endpoint", &endpoint, "device", &device)
            try field("status", &status, .httpStatus)
            try field("usedGeneration", &usedGeneration, .count)
            try field("caller", &caller)
        }
    }

    /// Input that makes another flow send a request again, or give the request up.
    struct CallerInput: Record {
        var requestId = ""
        var device = ""
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId, "device", &device)
        }
    }

    /// Returns the step that reports the answer to another flow's request to the session.
    static func observe(
        requestId: String, device: String, endpoint: String, status: Int64?, caller: String
    ) -> FlowStep {
        input(
            "session", "observe",
            [
                ("requestId", .text(requestId)), ("endpoint", .text(endpoint)),
                ("device", .text(device)), ("status", status.map { .integer($0) } ?? .null),
                ("caller", .text(caller)),
            ])
    }

    /// Returns an input to another flow.
    static func input(
        _ flow: String, _ name: String, _ members: [(String, Tree.Content)]
    ) -> FlowStep {
        .input(
            flow: flow, name: name,
            Tree(
                .map(
                    members.map {
                        Tree.Member(key: $0.0, value: Tree($0.1, line: 0))
                    }), line: 0))
    }
}
