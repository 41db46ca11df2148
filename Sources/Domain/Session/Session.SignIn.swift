public import EventSourcing

extension Session {
    /// A person signed in, and the device stored the first tokens of a new family.
    public struct SignedIn: EventPayload {
        public static let kind: EventKind = "session.signed-in.v1"

        public var userId = ""
        public var provider = Provider.local
        /// All tokens that come of this sign-in.
        public var family = ""
        /// How often the family has been rotated: 0.
        public var generation: Int64 = 0
        public var accessHash = Digest.blank
        public var refreshHash = Digest.blank
        public var expiresInS: Int64 = 0
        public var accessExpiresUs: Int64 = 0
        public var device = ""

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Tag("user", userId), Session.deviceTag(device), Session.familyTag(family)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("provider", &provider)
            try field("family", &family)
            try field("generation", &generation, .count)
            try field("accessHash", &accessHash)
            try field("refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
            try field("accessExpiresUs", &accessExpiresUs, .moment)
            try field("device", &device)
        }
    }

    /// A launch found out whether someone is signed in.
    public struct LoginStatusChecked: EventPayload {
        public static let kind: EventKind = "session.login-status-checked.v1"

        public var launchId = ""
        public var result = LoginResult.notLoggedIn
        /// The refresh that told; `nil` where none was needed.
        public var refreshId: String?
        public var device = ""

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Tag("launch", launchId), Session.deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("result", &result)
            try field("refreshId", &refreshId)
            try field("device", &device)
        }
    }

    /// The person signed out.
    public struct SignedOut: EventPayload {
        public static let kind: EventKind = "session.signed-out.v1"

        public var userId = ""
        public var family = ""
        public var device = ""

        public static var blank: Self { Self() }

        public var tags: [Tag] {
            [Tag("user", userId), Session.familyTag(family), Session.deviceTag(device)]
        }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId)
            try field("family", &family)
            try field("device", &device)
        }
    }
}
