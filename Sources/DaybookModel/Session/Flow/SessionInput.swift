import Daybook

extension SessionFlow {
    /// The input that signs a user in on a device.
    struct SignInInput: PlainRecord {
        var userId = ""
        var provider = Session.Provider.local
        /// Name for the token family: all tokens that originate from this sign-in.
        var family = ""
        var device = ""
        /// Hash of the access token.
        var accessToken = Digest.blank
        /// Hash of the refresh token.
        var refreshToken = Digest.blank
        var expiresInS: Int64 = 0
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "provider", &provider, "family", &family)
            try field("device", &device, "accessToken", &accessToken, "refreshToken", &refreshToken)
            try field("expiresInS", &expiresInS, .lifetimeS)
        }
    }

    /// The input by which a launch checks whether a user is signed in.
    struct CheckLoginInput: PlainRecord {
        var launchId = ""
        var device = ""
        /// Remaining lifetime of the access token, in seconds, up to which the check refreshes it;
        /// `nil` refreshes it at every launch.
        var refreshIfExpiresWithinS: Int64?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "device", &device)
            try field("refreshIfExpiresWithinS", &refreshIfExpiresWithinS, .lifetimeS)
        }
    }

    /// The input that sends a request with the session's access token.
    struct RequestInput: PlainRecord {
        var requestId = ""
        var endpoint = ""
        var device = ""
        /// Generation (rotation count) of the token in the request; `nil` means the current one.
        var usedGeneration: Int64?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId, "endpoint", &endpoint, "device", &device)
            try field("usedGeneration", &usedGeneration, .count)
        }
    }

    /// An input that names only a device; also of other flows.
    struct DeviceInput: PlainRecord {
        var device = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }
    }

    /// The input by which another flow reports the answer to its request with the session's token.
    struct ObserveInput: PlainRecord {
        var requestId = ""
        var endpoint = ""
        var device = ""
        /// Status of the answer; `nil` if no answer came.
        var status: Int64?
        var usedGeneration: Int64?
        /// Name of the flow that sent the request, which later receives `resume` or `give-up`.
        var caller = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId, "endpoint", &endpoint, "device", &device)
            try field("status", &status, .httpStatus)
            try field("usedGeneration", &usedGeneration, .count)
            try field("caller", &caller)
        }
    }

    /// The input that makes another flow repeat its request (`resume`) or drop it (`give-up`).
    struct CallerInput: PlainRecord {
        var requestId = ""
        var device = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("requestId", &requestId, "device", &device)
        }
    }

    /// Returns the step by which another flow reports to this flow the answer to its request.
    static func observe(
        requestId: String, device: String, endpoint: String, status: Int64?, caller: String
    ) -> FlowStep {
        inputStep(
            "session", "observe",
            [
                ("requestId", .text(requestId)), ("endpoint", .text(endpoint)),
                ("device", .text(device)), ("status", status.map { .integer($0) } ?? .null),
                ("caller", .text(caller)),
            ])
    }

    /// Returns a step that sends an input to another flow.
    static func inputStep(
        _ flow: String, _ name: String, _ members: [(String, Tree.Content)]
    ) -> FlowStep {
        .sendInput(
            toFlow: flow, name: name,
            value: Tree(
                .map(members.map { Tree.Member(key: $0.0, value: Tree($0.1, line: 0)) }), line: 0))
    }
}
