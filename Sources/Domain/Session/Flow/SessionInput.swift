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
            try field("userId", &userId, "provider", &provider, "family", &family)
            try field("device", &device, "accessToken", &accessToken, "refreshToken", &refreshToken)
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
            try field("launchId", &launchId, "device", &device)
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
            try field("requestId", &requestId, "endpoint", &endpoint, "device", &device)
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
}
