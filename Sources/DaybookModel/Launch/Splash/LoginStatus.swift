public import Daybook

extension Launch {
    /// The result of a launch's login check.
    public enum LoginResult: UInt8, StoredEnum { case notLoggedIn, loggedIn, tokenRefreshFailed }

    /// A launch checked whether a user is signed in.
    ///
    /// The area of sign-ins decides and registers this event, so its kind begins with `session`.
    public struct LoginStatusChecked: EventPayload {
        public static let kind: EventKind = "session.login-status-checked.v1"
        public var launchId = ""
        public var result = LoginResult.notLoggedIn
        /// Id of the token refresh that decided the result; `nil` if none was needed.
        public var refreshId: String?
        public var device = ""
        public static var blank: Self { Self() }
        public var tags: [Tag] { [tag(launchId), deviceTag(device)] }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "result", &result, "refreshId", &refreshId)
            try field("device", &device)
        }
    }
}
