package import Daybook

extension Session {
    /// The user signed out.
    package struct SignedOut: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.signed-out.v1"
        package var userId = ""
        var family = ""
        package var device = ""
        package var tags: [Tag] { [Tag("user", userId), familyTag(family), deviceTag(device)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("userId", &userId, "family", &family, "device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            "signed out"
        }
    }

    /// Signs the user of a device out, and clears the tokens.
    struct SignOut: DeviceCommand {
        static let name = "session.sign-out"
        var device = ""
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }

        func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            guard session.status == .signedIn else { return [] }
            let signedOut = SignedOut(
                userId: session.userId, family: session.family, device: session.device)
            return session.clearing(.signOut) + [.signedOut(signedOut)]
        }
    }
}
