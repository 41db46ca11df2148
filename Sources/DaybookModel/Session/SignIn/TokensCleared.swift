package import Daybook

extension Session {
    /// The reason why the tokens were cleared.
    package enum ClearReason: UInt8, StoredEnum {
        /// The refresh token has expired.
        case expired
        /// The server answered 401, or does not accept the refresh token.
        case unauthorized
        /// The server answered 403: access is denied.
        case forbidden
        /// The server answered 418: the refresh token has expired.
        case refresh418
        /// A replaced refresh token was presented again, so the whole token family is revoked.
        case reuse
        case signOut
        /// The network or the server failed; only the rule set `source` then clears the tokens.
        case seedCompat
    }

    /// The device deleted its tokens; only a sign-in provides new tokens.
    package struct TokensCleared: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.tokens-cleared.v1"
        package var reason = ClearReason.expired
        var family = ""
        package var device = ""
        package var tags: [Tag] { [familyTag(family), deviceTag(device)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("reason", &reason, "family", &family, "device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            "tokens cleared: " + reason.sentence
        }
    }

    /// Clears the tokens of a signed-in device.
    struct ClearTokens: DeviceCommand {
        static let name = "session.clear-tokens"
        var device = ""
        var reason = ClearReason.expired
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "reason", &reason)
        }

        func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            session.status == .signedIn ? session.clearing(reason) : []
        }
    }
}

extension Session.State {
    /// Returns the events that clear the tokens and fail the login checks that wait for a refresh.
    func clearing(_ reason: Session.ClearReason) -> [Session.Event] {
        let cleared = Session.TokensCleared(reason: reason, family: family, device: device)
        return [.tokensCleared(cleared)] + finishingLoginChecks(with: .tokenRefreshFailed)
    }
}
