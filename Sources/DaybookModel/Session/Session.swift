package import Daybook

/// The area of sign-ins: the user who is signed in on a device, and the tokens of the session.
///
/// A sign-in starts a family of tokens at generation 0. Each token refresh rotates the family by
/// one generation: the old refresh token becomes invalid, and presenting it again revokes the
/// family, unless a lost answer may explain the reuse. A family has at most one refresh at a time;
/// every request that meets an expired token in the meantime waits for it. A refresh ends with the
/// process that waits for it: a new launch of the app starts its own refresh. After the tokens are
/// cleared, nothing is sent again until a user signs in.
///
/// Source: S0 (login check at launch) and S3 (refresh on 419); reuse from RFC 9700.
package enum Session: Area, Projection {
    package static let name = "session"
    package static let rules: [RuleSet] = [.source]

    package enum Event: DecidedEvents {
        case signedIn(SignedIn), loginStatusChecked(Launch.LoginStatusChecked)
        case tokenExpiryObserved(TokenExpiryObserved), tokenRefreshStarted(TokenRefreshStarted)
        case tokenRefreshJoined(TokenRefreshJoined), tokenRefreshed(TokenRefreshed)
        case tokenRefreshFailed(TokenRefreshFailed)
        case refreshTokenReuseDetected(RefreshTokenReuseDetected), tokensCleared(TokensCleared)
        case requestRetried(RequestRetried), signedOut(SignedOut)

        package static let kinds: [StoredKind<Event>] = [
            StoredKind(signedIn), StoredKind(loginStatusChecked), StoredKind(tokenExpiryObserved),
            StoredKind(tokenRefreshStarted), StoredKind(tokenRefreshJoined),
            StoredKind(tokenRefreshed), StoredKind(tokenRefreshFailed),
            StoredKind(refreshTokenReuseDetected), StoredKind(tokensCleared),
            StoredKind(requestRetried), StoredKind(signedOut),
        ]
    }

    package static let commands = [
        CommandDescription(SignIn.self), CommandDescription(CheckLogin.self),
        CommandDescription(ObserveExpiry.self), CommandDescription(StartRefresh.self),
        CommandDescription(RecordRefresh.self), CommandDescription(RecordRefreshFailure.self),
        CommandDescription(PresentRefreshToken.self), CommandDescription(RecordRetry.self),
        CommandDescription(ClearTokens.self), CommandDescription(SignOut.self),
    ]

    package static let projections = [
        ProjectionDescription(
            "session", noun: "device",
            "A device's user, its token refresh, and the reason for the login screen",
            Overview.self)
    ]
    package static let machines = [lifecycle.machine]
    package static let flows = [FlowDescription("session", SessionFlow.self)]
    package static let audits = [TokenAudit.description]
    package static let people: PersonNouns = ["user": "user"]
}

extension Session {
    /// The status of a device's session.
    package enum Status: UInt8, StoredEnum {
        /// No token is stored.
        case signedOut
        /// Tokens are stored.
        case signedIn
        /// A replaced refresh token was presented again, so the whole token family is invalid.
        case revoked
    }

    static let lifecycle = Lifecycle<Status>(
        "session", field: "status",
        [
            .step(SignedIn.self, from: nil, .signedOut, .revoked, to: .signedIn),
            .begins(Launch.LoginStatusChecked.self, .signedOut),
            .stays(Launch.LoginStatusChecked.self, in: .signedOut, .signedIn, .revoked),
            .stays(TokenExpiryObserved.self, in: .signedOut, .signedIn, .revoked),
            .stays(TokenRefreshStarted.self, in: .signedIn),
            .stays(TokenRefreshJoined.self, in: .signedIn),
            .stays(TokenRefreshed.self, in: .signedIn),
            .stays(TokenRefreshFailed.self, in: .signedIn),
            .stays(RequestRetried.self, in: .signedIn),
            .stays(RefreshTokenReuseDetected.self, in: .signedOut, .signedIn, .revoked),
            .step(TokensCleared.self, from: .signedIn, .revoked, to: .signedOut, .revoked),
            .step(SignedOut.self, from: .signedIn, to: .signedOut),
            .stays(SignedOut.self, in: .signedOut, .revoked),
        ], unexpected: "unexpectedTransitions")

    /// Kinds of the events that start, join or end a token refresh.
    static let refreshKinds: Set<EventKind> = [
        SignedIn.kind, TokenRefreshStarted.kind, TokenRefreshJoined.kind, TokenRefreshed.kind,
        TokenRefreshFailed.kind, TokensCleared.kind, SignedOut.kind,
    ]

    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }
    static func familyTag(_ family: String) -> Tag { Tag("family", family) }

    /// Returns the tags of the request and the launch that wait for a token refresh, if any.
    static func waiterTags(_ requestId: String?, _ launchId: String?) -> [Tag] {
        [requestId.map { Tag("request", $0) }, launchId.map { Tag("launch", $0) }].compactMap { $0 }
    }
}
