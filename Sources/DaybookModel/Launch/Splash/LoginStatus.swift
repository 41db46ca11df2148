package import Daybook

extension Launch {
    /// The result of a launch's login check.
    package enum LoginResult: UInt8, StoredEnum { case notLoggedIn, loggedIn, tokenRefreshFailed }

    /// A launch checked whether a user is signed in.
    ///
    /// The area of sign-ins decides and registers this event, so its kind begins with `session`.
    package struct LoginStatusChecked: EventPayload, PlainRecord {
        package static let kind: EventKind = "session.login-status-checked.v1"
        var launchId = ""
        package var result = LoginResult.notLoggedIn
        /// Id of the token refresh that decided the result; `nil` if none was needed.
        var refreshId: String?
        package var device = ""
        package var tags: [Tag] { [tag(launchId), deviceTag(device)] }
        package mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId, "result", &result, "refreshId", &refreshId)
            try field("device", &device)
        }

        package func sentence(_ wording: Wording) -> String {
            "login checked: \(wording.words(result))"
        }
    }
}
