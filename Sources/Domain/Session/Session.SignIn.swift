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

        public init() {}

        public init(
            userId: String, provider: Provider, family: String, generation: Int64 = 0,
            accessHash: Digest, refreshHash: Digest, expiresInS: Int64, accessExpiresUs: Int64,
            device: String
        ) {
            self.userId = userId
            self.provider = provider
            self.family = family
            self.generation = generation
            self.accessHash = accessHash
            self.refreshHash = refreshHash
            self.expiresInS = expiresInS
            self.accessExpiresUs = accessExpiresUs
            self.device = device
        }

        public var tags: [Tag] {
            [Tag("user", userId), Session.deviceTag(device), Session.familyTag(family)]
        }

        public static let limits: [String: Limit] = [
            "generation": .count, "expiresInS": .lifetimeS, "accessExpiresUs": .moment,
        ]

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SignedIn
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("provider", &value.provider)
            try visitor.field("family", &value.family)
            try visitor.field("generation", &value.generation)
            try visitor.field("accessHash", &value.accessHash)
            try visitor.field("refreshHash", &value.refreshHash)
            try visitor.field("expiresInS", &value.expiresInS)
            try visitor.field("accessExpiresUs", &value.accessExpiresUs)
            try visitor.field("device", &value.device)
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

        public init() {}

        public init(
            launchId: String, result: LoginResult, refreshId: String? = nil, device: String
        ) {
            self.launchId = launchId
            self.result = result
            self.refreshId = refreshId
            self.device = device
        }

        public var tags: [Tag] {
            [Tag("launch", launchId), Session.deviceTag(device)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout LoginStatusChecked
        ) throws(Visitor.Failure) {
            try visitor.field("launchId", &value.launchId)
            try visitor.field("result", &value.result)
            try visitor.field("refreshId", &value.refreshId)
            try visitor.field("device", &value.device)
        }
    }

    /// The person signed out.
    public struct SignedOut: EventPayload {
        public static let kind: EventKind = "session.signed-out.v1"

        public var userId = ""
        public var family = ""
        public var device = ""

        public init() {}

        public init(
            userId: String, family: String, device: String
        ) {
            self.userId = userId
            self.family = family
            self.device = device
        }

        public var tags: [Tag] {
            [Tag("user", userId), Session.familyTag(family), Session.deviceTag(device)]
        }

        public static func fields<Visitor: FieldVisitor>(
            _ visitor: inout Visitor, _ value: inout SignedOut
        ) throws(Visitor.Failure) {
            try visitor.field("userId", &value.userId)
            try visitor.field("family", &value.family)
            try visitor.field("device", &value.device)
        }
    }
}
