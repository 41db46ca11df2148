public import Daybook

extension Session {
    /// The reason why the tokens were forgotten.
    public enum ClearReason: UInt8, StoredEnum {
        case expired
        case unauthorized
        case forbidden
        /// 418: the refresh token itself is too old.
        case refresh418
        /// A rotated token was presented again: the whole family is revoked.
        case reuse
        case signOut
        /// Only the source documents clear here.
        case seedCompat
    }

    /// The device forgot its tokens; only a sign-in gives new ones.
    public struct TokensCleared: EventPayload {
        public static let kind: EventKind = "session.tokens-cleared.v1"
        public var reason = ClearReason.expired
        public var family = ""
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { [familyTag(family), deviceTag(device)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("reason", &reason, "family", &family, "device", &device)
        }
    }

    /// Forget the tokens.
    public struct ClearTokens: DeviceCommand {
        public static let name = "session.clear-tokens"
        public var device = ""
        public var reason = ClearReason.expired
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device, "reason", &reason)
        }

        public func decide(_ session: State, now: Instant) throws(Refusal) -> [Event] {
            session.status == .signedIn ? session.clearing(reason) : []
        }
    }
}

extension Session.State {
    /// Forgets the tokens; launches that waited for a refresh hear that it failed.
    func clearing(_ reason: Session.ClearReason) -> [Session.Event] {
        let cleared = Session.TokensCleared(reason: reason, family: family, device: device)
        return [.tokensCleared(cleared)] + waitingLaunches(found: .tokenRefreshFailed)
    }
}
