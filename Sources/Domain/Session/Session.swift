public import EventSourcing

/// Who is signed in on a device, and the tokens that prove it.
///
/// A sign-in starts a family of tokens at generation 0. Each refresh rotates it by one: the old
/// refresh token is worth nothing from then on, and presenting it later than a lost answer
/// explains revokes the family. At most one refresh of a family is under way; whatever else meets
/// an expired token waits for it. After the tokens were cleared nothing is sent again until
/// someone signs in.
///
/// Source: S0 (login check at launch) and S3 (refresh on 419); reuse from RFC 9700.
public enum Session: Area, Decider {
    public static let name = "session"
    public static let rules: [RuleSet] = [.source]

    public static let events = [
        EventDescription(SignedIn.self),
        EventDescription(LoginStatusChecked.self),
        EventDescription(TokenExpiryObserved.self),
        EventDescription(TokenRefreshStarted.self),
        EventDescription(TokenRefreshJoined.self),
        EventDescription(TokenRefreshed.self),
        EventDescription(TokenRefreshFailed.self),
        EventDescription(RefreshTokenReuseDetected.self),
        EventDescription(TokensCleared.self),
        EventDescription(RequestRetried.self),
        EventDescription(SignedOut.self),
    ]

    public static let commands = [
        CommandDescription("session.sign-in", of: Self.self, Command.signIn),
        CommandDescription("session.check-login", of: Self.self, Command.checkLogin),
        CommandDescription("session.observe-expiry", of: Self.self, Command.observeExpiry),
        CommandDescription("session.start-refresh", of: Self.self, Command.startRefresh),
        CommandDescription("session.record-refresh", of: Self.self, Command.recordRefresh),
        CommandDescription(
            "session.record-refresh-failure", of: Self.self, Command.recordRefreshFailure),
        CommandDescription(
            "session.present-refresh-token", of: Self.self, Command.presentRefreshToken),
        CommandDescription("session.record-retry", of: Self.self, Command.recordRetry),
        CommandDescription("session.clear-tokens", of: Self.self, Command.clearTokens),
        CommandDescription("session.sign-out", of: Self.self, Command.signOut),
    ]

    public static let people: PersonNouns = ["user": "user"]

    public static let audits = [auditDescription]

    public static let machines = [
        StateMachine(
            "session", field: "status",
            [
                ([StateMachine.beginning, "signedOut"], ["session.signed-in"], ["signedIn"]),
                (["revoked"], ["session.signed-in"], ["signedIn"]),
                (
                    [StateMachine.beginning], ["session.login-status-checked"], ["signedOut"]
                ),
                (["signedOut", "signedIn", "revoked"], ["session.login-status-checked"], []),
                (
                    ["signedIn"],
                    [
                        "session.token-expiry-observed", "session.token-refresh-started",
                        "session.token-refresh-joined", "session.token-refreshed",
                        "session.token-refresh-failed", "session.request-retried",
                    ], []
                ),
                (["signedOut", "revoked"], ["session.token-expiry-observed"], []),
                (
                    ["signedIn", "signedOut", "revoked"],
                    ["session.refresh-token-reuse-detected"], []
                ),
                (["signedIn"], ["session.tokens-cleared"], ["signedOut", "revoked"]),
                (["revoked"], ["session.tokens-cleared"], ["signedOut", "revoked"]),
                (["signedIn"], ["session.signed-out"], ["signedOut"]),
                (["signedOut", "revoked"], ["session.signed-out"], []),
            ])
    ]

    public static let projections = [
        ProjectionDescription(
            "session", noun: "device",
            "Who is signed in on a device, the refresh under way, and why it is at the login",
            Overview.self)
    ]

    public static let flows = [FlowDescription("session", SessionFlow.self)]

    /// How long after a rotation its predecessor may still come in: a lost answer explains it.
    ///
    /// Source: Connect2id, 5 s.
    static let graceUs: Int64 = 5_000_000

    /// After this a refresh without an answer is taken for lost.
    static let lostAfterUs: Int64 = 60_000_000

    static func deviceTag(_ device: String) -> Tag { Tag("device", device) }
    static func familyTag(_ family: String) -> Tag { Tag("family", family) }

    static func waiterTags(_ requestId: String?, _ launchId: String?) -> [Tag] {
        [requestId.map { Tag("request", $0) }, launchId.map { Tag("launch", $0) }]
            .compactMap { $0 }
    }
}
