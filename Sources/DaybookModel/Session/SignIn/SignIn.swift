package import Daybook

extension Session {
    /// The identity provider of a sign-in.
    package enum Provider: UInt8, StoredEnum { case kakao, apple, google, test, local }

    /// A user signed in, and the device stored the first tokens of a new token family.
    package struct SignedIn: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.signed-in.v1"
        package var userId = ""
        var provider = Provider.local
        /// Name of the token family: all tokens that originate from this sign-in.
        var family = ""
        /// Number of rotations of the token family: 0 at the sign-in.
        var generation: Int64 = 0
        /// Hash of the access token.
        var accessHash = Digest.blank
        /// Hash of the refresh token.
        var refreshHash = Digest.blank
        var expiresInS: Int64 = 0
        var accessExpires = Instant.epoch
        package var device = ""
        package var tags: [Tag] { [Tag("user", userId), deviceTag(device), familyTag(family)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "provider", &provider, "family", &family)
            try field("generation", &generation, .count)
            try field("accessHash", &accessHash, "refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
            try field("accessExpiresUs", &accessExpires, "device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            provider == .local ? "signed in" : "signed in with \(wording.words(provider))"
        }
    }

    /// Signs a user in, and stores the first tokens of a new token family.
    struct SignIn: SessionCommand {
        static let name = "session.sign-in"
        var userId = ""
        var provider = Provider.kakao
        var family = ""
        var device = ""
        var accessHash = Digest.blank
        var refreshHash = Digest.blank
        var expiresInS: Int64 = 0
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "provider", &provider, "family", &family)
            try field("device", &device, "accessHash", &accessHash, "refreshHash", &refreshHash)
            try field("expiresInS", &expiresInS, .lifetimeS)
        }

        var query: Query { events(of: deviceTag(device), familyTag(family)) }

        func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
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
            let event = SignedIn(
                userId: userId, provider: provider, family: family,
                accessHash: accessHash, refreshHash: refreshHash, expiresInS: expiresInS,
                accessExpires: now.advanced(bySeconds: expiresInS), device: device)
            return [.signedIn(event)]
        }
    }
}
