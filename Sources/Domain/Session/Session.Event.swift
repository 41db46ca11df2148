public import EventSourcing

extension Session {
    /// What can happen to a session.
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
            StoredKind(Event.signedIn),
            StoredKind(Event.loginStatusChecked),
            StoredKind(Event.tokenExpiryObserved),
            StoredKind(Event.tokenRefreshStarted),
            StoredKind(Event.tokenRefreshJoined),
            StoredKind(Event.tokenRefreshed),
            StoredKind(Event.tokenRefreshFailed),
            StoredKind(Event.refreshTokenReuseDetected),
            StoredKind(Event.tokensCleared),
            StoredKind(Event.requestRetried),
            StoredKind(Event.signedOut),
        ]

        public var payload: any EventPayload {
            switch self {
            case .signedIn(let payload): payload
            case .loginStatusChecked(let payload): payload
            case .tokenExpiryObserved(let payload): payload
            case .tokenRefreshStarted(let payload): payload
            case .tokenRefreshJoined(let payload): payload
            case .tokenRefreshed(let payload): payload
            case .tokenRefreshFailed(let payload): payload
            case .refreshTokenReuseDetected(let payload): payload
            case .tokensCleared(let payload): payload
            case .requestRetried(let payload): payload
            case .signedOut(let payload): payload
            }
        }
    }
}
