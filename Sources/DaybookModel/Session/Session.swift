public import Daybook

/// The user who is signed in on a device, and the tokens of the session.
///
/// A sign-in starts a family of tokens at generation 0. Each refresh rotates the family by one
/// generation: the old refresh token becomes invalid, and presenting it again revokes the family,
/// unless a lost answer may explain the reuse. At most one refresh of a family is under way; every
/// request that meets an expired token in the meantime waits for it. A refresh ends with the
/// process that waits for it: a new launch of the app starts its own refresh. After the tokens are
/// cleared, nothing is sent again until a user signs in.
///
/// Source: S0 (login check at launch) and S3 (refresh on 419); reuse from RFC 9700.
public enum Session: Area, Projection {
    public static let name = "session"
    public static let rules: [RuleSet] = [.source]

    public enum Event: DecidedEvents {
        case signedIn(SignedIn)
        case loginStatusChecked(LoginStatusChecked)
        case tokenExpiryObserved(TokenExpiryObserved)
        case tokenRefreshStarted(TokenRefreshStarted)
        case tokenRefreshJoined(TokenRefreshJoined)
        case tokenRefreshed(TokenRefreshed)
        case tokenRefreshFailed(TokenRefreshFailed)
        case refreshTokenReuseDetected(RefreshTokenReuseDetected)
        case tokensCleared(TokensCleared)
        case requestRetried(RequestRetried)
        case signedOut(SignedOut)

        public static let kinds: [StoredKind<Event>] = [
            StoredKind(signedIn), StoredKind(loginStatusChecked), StoredKind(tokenExpiryObserved),
            StoredKind(tokenRefreshStarted), StoredKind(tokenRefreshJoined),
            StoredKind(tokenRefreshed), StoredKind(tokenRefreshFailed),
            StoredKind(refreshTokenReuseDetected), StoredKind(tokensCleared),
            StoredKind(requestRetried), StoredKind(signedOut),
        ]
    }

    public static let commands = [
        CommandDescription(SignIn.self),
        CommandDescription(CheckLogin.self),
        CommandDescription(ObserveExpiry.self),
        CommandDescription(StartRefresh.self),
        CommandDescription(RecordRefresh.self),
        CommandDescription(RecordRefreshFailure.self),
        CommandDescription(PresentRefreshToken.self),
        CommandDescription(RecordRetry.self),
        CommandDescription(ClearTokens.self),
        CommandDescription(SignOut.self),
    ]

    public static let people: PersonNouns = ["user": "user"]

    public static let projections = [
        ProjectionDescription(
            "session", noun: "device",
            "Who is signed in on a device, the current refresh, and the reason for the login screen",
            Overview.self)
    ]

    public static let audits = [TokenAudit.description]
    public static let machines = [lifecycle.machine]
    public static let flows = [FlowDescription("session", SessionFlow.self)]
}

extension Session {
    public enum Status: UInt8, StoredEnum {
        /// No stored token.
        case signedOut
        case signedIn
        /// A rotated refresh token was presented again, so the whole family is invalid.
        case revoked
    }

    static let lifecycle = Lifecycle<Status>(
        "session", field: "status",
        [
            .step(SignedIn.self, from: nil, .signedOut, .revoked, to: .signedIn),
            .begins(LoginStatusChecked.self, .signedOut),
            .stays(LoginStatusChecked.self, in: .signedOut, .signedIn, .revoked),
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

    /// Kinds of the events that begin and end refreshes.
    static let refreshKinds: Set<EventKind> = [
        SignedIn.kind, TokenRefreshStarted.kind, TokenRefreshJoined.kind, TokenRefreshed.kind,
        TokenRefreshFailed.kind, TokensCleared.kind, SignedOut.kind,
    ]

    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }
    static func familyTag(_ family: String) -> Tag { Tag("family", family) }

    /// Returns the tags of the request and the launch that wait for a refresh.
    static func waiterTags(_ requestId: String?, _ launchId: String?) -> [Tag] {
        [requestId.map { Tag("request", $0) }, launchId.map { Tag("launch", $0) }]
            .compactMap { $0 }
    }
}
