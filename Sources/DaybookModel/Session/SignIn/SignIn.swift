public import Daybook

extension Session {
    /// The identity provider of a sign-in.
    public enum Provider: UInt8, StoredEnum { case kakao, apple, google, test, local }

    /// A user signed in, and the device stored the first tokens of a new token family.
    public struct SignedIn: EventPayload {
        public static let kind: EventKind = "session.signed-in.v1"
        public var userId = ""
        public var provider = Provider.local
        /// Name of the token family: all tokens that originate from this sign-in.
        public var family = ""
        /// Number of rotations of the token family: 0 at the sign-in.
        public var generation: Int64 = 0
        /// Hash of the access token.
        public var accessHash = Digest.blank
        /// Hash of the refresh token.
        public var refreshHash = Digest.blank
        /// Lifetime of the access token in seconds.
        public var expiresInS: Int64 = 0
        /// Time at which the access token expires.
        public var accessExpires = Instant.epoch
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { [Tag("user", userId), deviceTag(device), familyTag(family)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "provider", &provider, "family", &family)
            try field("generation", &generation, .count)
            try field("accessHash", &accessHash, "refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
            try field("accessExpiresUs", &accessExpires, "device", &device)
        }
    }

    /// Signs a user in, and stores the first tokens of a new token family.
    public struct SignIn: SessionCommand {
        public static let name = "session.sign-in"
        public var userId = ""
        public var provider = Provider.kakao
        /// Name for the token family: all tokens that originate from this sign-in.
        public var family = ""
        public var device = ""
        /// Hash of the access token.
        public var accessHash = Digest.blank
        /// Hash of the refresh token.
        public var refreshHash = Digest.blank
        /// Lifetime of the access token in seconds.
        public var expiresInS: Int64 = 0
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "provider", &provider, "family", &family)
            try field("device", &device, "accessHash", &accessHash, "refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
        }

        /// Query for all events of the device, and of the token family on any device.
        public var query: Query { events(of: deviceTag(device), familyTag(family)) }

        public func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            guard !session.families.contains(family) else {
                throw Refusal(
                    "familyAlreadyUsed",
                    "the token family '\(family)' belongs to an earlier sign-in; use a new family")
            }
            guard lifecycle.allows(SignedIn.self, in: session.status) else {
                throw Refusal(
                    "alreadySignedIn",
                    "a user is already signed in on the device '\(device)', with the token family "
                        + "\(session.family); sign out first")
            }
            return [
                .signedIn(
                    SignedIn(
                        userId: userId, provider: provider, family: family,
                        accessHash: accessHash, refreshHash: refreshHash, expiresInS: expiresInS,
                        accessExpires: now.advanced(bySeconds: expiresInS), device: device))
            ]
        }
    }
}
