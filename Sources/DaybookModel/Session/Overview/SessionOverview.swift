public import Daybook

extension Session {
    /// A device's session with counts of its events.
    public enum Overview: Projection {
        public typealias Event = Session.Event

        public static func evolve(
            _ state: inout State, with event: Event, _ envelope: Envelope
        ) {
            if let step = UnexpectedStep(event, after: state.session) {
                state.unexpectedTransitions += 1
                state.lastUnexpected = step.description
            }
            state.updateCounts(event)
            state.updateLoginCause(event)
            Session.evolve(&state.session, with: event, envelope)
        }
    }

    /// The reason why the device shows the login screen.
    public enum LoginCause: UInt8, StoredEnum {
        case neverSignedIn
        case expired
        case unauthorized
        case forbidden
        case refresh418
        case reuse
        case signedOut
        case seedCompat
        /// The refresh got no answer or a wrong answer, but the tokens are still stored.
        case refreshFailed

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
    public struct State: Record {
        public var session = Session.State()
        /// Reason for the login screen; `nil` while a user is signed in and nothing has failed.
        public var whyLogin: Session.LoginCause? = .neverSignedIn
        public var lastLogin: Session.LoginResult?
        public var lastClearReason: Session.ClearReason?
        public var lastRefreshFailure: Session.RefreshFailure?
        /// Number of requests that met a 419.
        public var expiries: Int64 = 0
        public var refreshesStarted: Int64 = 0
        public var refreshesJoined: Int64 = 0
        public var refreshesSucceeded: Int64 = 0
        public var refreshesFailed: Int64 = 0
        public var retries: Int64 = 0
        /// Number of requests that met a 419 and were never sent again.
        public var failures: Int64 = 0
        public var reusesDetected: Int64 = 0
        public var unexpectedTransitions: Int64 = 0
        /// The last step that is not allowed, with the code of the audit rule.
        public var lastUnexpected: String?
        public static var blank: Self { Self() }
        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try session.fields(&field)
            try field("whyLogin", &whyLogin, "lastLogin", &lastLogin)
            try field("lastClearReason", &lastClearReason)
            try field("lastRefreshFailure", &lastRefreshFailure, "expiries", &expiries)
            try field("refreshesStarted", &refreshesStarted, "refreshesJoined", &refreshesJoined)
            try field("refreshesSucceeded", &refreshesSucceeded)
            try field("refreshesFailed", &refreshesFailed, "retries", &retries)
            try field("failures", &failures, "reusesDetected", &reusesDetected)
            try field("unexpectedTransitions", &unexpectedTransitions)
            try field("lastUnexpected", &lastUnexpected)
        }
    }
}

extension Session.Overview.State {
    /// Updates the counts for an event, before the session changes.
    fileprivate mutating func updateCounts(_ event: Session.Event) {
        switch event {
        case .tokenExpiryObserved(let observed):
            if observed.status == 419 { expiries += 1 }
        case .tokenRefreshStarted: refreshesStarted += 1
        case .tokenRefreshJoined: refreshesJoined += 1
        case .tokenRefreshed: refreshesSucceeded += 1
        case .tokenRefreshFailed(let failed):
            refreshesFailed += 1
            guard let refresh = session.refresh, refresh.refreshId == failed.refreshId else {
                return
            }
            // If the tokens are cleared next, that event no longer finds the waiters.
            failures += Int64(refresh.waiters.count)
        case .refreshTokenReuseDetected: reusesDetected += 1
        case .tokensCleared:
            let waiters = session.refresh?.waiters.count ?? 0
            failures += Int64(waiters + session.retriesDue.count)
        case .requestRetried: retries += 1
        case .signedIn, .loginStatusChecked, .signedOut: break
        }
    }

    /// Updates the reason for the login screen, and the last results.
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
