import Daybook

extension Session {
    /// The fold of a device's session, with counts of its events.
    enum Overview: Projection {
        typealias Event = Session.Event

        static func evolve(_ state: inout State, with event: Event, _ envelope: Envelope) {
            if let unexpected = UnexpectedEvent(event, after: state.session) {
                state.unexpectedTransitions += 1
                state.lastUnexpected = unexpected.description
            }
            state.updateCounts(event)
            state.updateLoginCause(event)
            Session.evolve(&state.session, with: event, envelope)
        }
    }

    /// The reason why the device shows the login screen.
    enum LoginCause: UInt8, StoredEnum {
        /// No user has signed in yet.
        case neverSignedIn
        /// The refresh token had expired.
        case expired
        /// The server answered 401, or rejected the refresh token.
        case unauthorized
        /// The server answered 403.
        case forbidden
        /// The server answered 418: the refresh token had expired.
        case refresh418
        /// A replaced refresh token was presented again, so all tokens were revoked.
        case reuse
        case signedOut
        /// The network or the server failed; only the rule set `source` then clears the tokens.
        case seedCompat
        /// The token refresh failed, but the tokens are still stored.
        case refreshFailed

        /// Creates the cause that corresponds to the reason why the tokens were cleared.
        init(_ reason: ClearReason) {
            self =
                switch reason {
                case .expired: .expired
                case .unauthorized: .unauthorized
                case .forbidden: .forbidden
                case .refresh418: .refresh418
                case .reuse: .reuse
                case .signOut: .signedOut
                case .seedCompat: .seedCompat
                }
        }
    }
}

extension Session.Overview {
    /// The session of a device, with counts of its events.
    struct State: PlainRecord {
        var session = Session.State()
        /// Reason why the login screen is shown; `nil` while a user is signed in and nothing has
        /// failed.
        var whyLogin: Session.LoginCause? = .neverSignedIn
        /// Result of the last login check; `nil` if there was none.
        var lastLogin: Launch.LoginResult?
        /// Reason why the tokens were last cleared; `nil` if they never were.
        var lastClearReason: Session.ClearReason?
        /// Reason for the last failure of a token refresh; `nil` if none has failed.
        var lastRefreshFailure: Session.RefreshFailure?
        /// Number of requests that were answered with 419, because the access token had expired.
        var expiryCount: Int64 = 0
        var startedRefreshCount: Int64 = 0
        /// Number of requests and launches that joined a token refresh.
        var joinedRefreshCount: Int64 = 0
        /// Number of token refreshes that returned new tokens.
        var succeededRefreshCount: Int64 = 0
        /// Number of token refreshes that returned no tokens.
        var failedRefreshCount: Int64 = 0
        /// Number of requests that were sent again.
        var retryCount: Int64 = 0
        /// Number of requests that were answered with 419 and never sent again.
        var failureCount: Int64 = 0
        /// Number of times that a replaced refresh token was presented again.
        var reuseCount: Int64 = 0
        /// Number of events that the state of the session does not allow.
        var unexpectedTransitions: Int64 = 0
        /// Description of the last event that the state did not allow, with its audit rule.
        var lastUnexpected: String?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try session.fields(&field)
            try field("whyLogin", &whyLogin, "lastLogin", &lastLogin)
            try field("lastClearReason", &lastClearReason)
            try field("lastRefreshFailure", &lastRefreshFailure, "expiries", &expiryCount)
            try field(
                "refreshesStarted", &startedRefreshCount, "refreshesJoined", &joinedRefreshCount)
            try field("refreshesSucceeded", &succeededRefreshCount)
            try field("refreshesFailed", &failedRefreshCount, "retries", &retryCount)
            try field("failures", &failureCount, "reusesDetected", &reuseCount)
            try field("unexpectedTransitions", &unexpectedTransitions)
            try field("lastUnexpected", &lastUnexpected)
        }
    }
}

extension Session.Overview.State {
    /// Updates the counts by an event, before the session applies it.
    fileprivate mutating func updateCounts(_ event: Session.Event) {
        switch event {
        case .tokenExpiryObserved(let observed):
            if observed.status == 419 { expiryCount += 1 }
        case .tokenRefreshStarted: startedRefreshCount += 1
        case .tokenRefreshJoined: joinedRefreshCount += 1
        case .tokenRefreshed: succeededRefreshCount += 1
        case .tokenRefreshFailed(let failed):
            failedRefreshCount += 1
            guard let refresh = session.refresh, refresh.refreshId == failed.refreshId else {
                return
            }
            // If the tokens are cleared next, that event no longer finds the waiters.
            failureCount += Int64(refresh.waitingRequestIds.count)
        case .refreshTokenReuseDetected: reuseCount += 1
        case .tokensCleared:
            let waiters = session.refresh?.waitingRequestIds.count ?? 0
            failureCount += Int64(waiters + session.retriesDue.count)
        case .requestRetried: retryCount += 1
        case .signedIn, .loginStatusChecked, .signedOut: break
        }
    }

    /// Updates the reason for the login screen and the last results by an event.
    fileprivate mutating func updateLoginCause(_ event: Session.Event) {
        switch event {
        case .signedIn: whyLogin = nil
        case .tokenRefreshed(let refreshed):
            if session.adopts(refreshed) { whyLogin = nil }
        case .loginStatusChecked(let checked):
            lastLogin = checked.result
            switch checked.result {
            case .loggedIn: whyLogin = nil
            case .tokenRefreshFailed: whyLogin = whyLogin ?? .refreshFailed
            case .notLoggedIn: break
            }
        case .tokenRefreshFailed(let failed): lastRefreshFailure = failed.kind
        case .tokensCleared(let cleared):
            lastClearReason = cleared.reason
            whyLogin = Session.LoginCause(cleared.reason)
        default: break
        }
    }
}
