public import Daybook

extension Session {
    /// The user signed out.
    public struct SignedOut: EventPayload {
        public static let kind: EventKind = "session.signed-out.v1"
        public var userId = ""
        /// Name of the token family, which all tokens of one sign-in share.
        public var family = ""
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { [Tag("user", userId), familyTag(family), deviceTag(device)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "family", &family, "device", &device)
        }
    }

    /// Signs the user of a device out, and clears the tokens.
    public struct SignOut: DeviceCommand {
        public static let name = "session.sign-out"
        public var device = ""
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }

        public func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            guard session.status == .signedIn else { return [] }
            let signedOut = SignedOut(
                userId: session.userId, family: session.family, device: session.device)
            return session.clearing(.signOut) + [.signedOut(signedOut)]
        }
    }
}
