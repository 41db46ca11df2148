public import EventSourcing

extension Session {
    /// A device's session with what has happened to it.
    public enum Overview: Projection {
        public typealias Event = Session.Event

        public static func evolve(
            _ state: inout State, with event: Event, _ envelope: Envelope
        ) {
            if let finding = finding(event, after: state.session) {
                state.unexpectedTransitions += 1
                state.lastUnexpected = finding
            }
            count(event, &state)
            explain(event, &state)
            Session.evolve(&state.session, with: event, envelope)
        }
    }

    /// Why the device shows the login screen.
    public enum LoginCause: UInt8, StoredEnum {
        case neverSignedIn
        case expired
        case unauthorized
        case forbidden
        case refresh418
        case reuse
        case signedOut
        case seedCompat
        /// The tokens are still there: the refresh got no answer, or a wrong one.
        case refreshFailed
    }
}

extension Session.Overview {
    public struct State: Record {
        public var session = Session.State()
        /// `nil` while someone is signed in and nothing has failed.
        public var whyLogin: Session.LoginCause? = .neverSignedIn
        public var lastLogin: Session.LoginResult?
        public var lastClearReason: Session.ClearReason?
        public var lastRefreshFailure: Session.RefreshFailure?
        public var expiries: Int64 = 0
        public var refreshesStarted: Int64 = 0
        public var refreshesJoined: Int64 = 0
        public var refreshesSucceeded: Int64 = 0
        public var refreshesFailed: Int64 = 0
        public var retries: Int64 = 0
        /// Requests that met a 419 and were never sent again.
        public var failures: Int64 = 0
        public var reusesDetected: Int64 = 0
        public var unexpectedTransitions: Int64 = 0
        /// The audit rule it broke, and how.
        public var lastUnexpected: String?

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try session.fields(&field)
            try field("whyLogin", &whyLogin)
            try field("lastLogin", &lastLogin)
            try field("lastClearReason", &lastClearReason)
            try field("lastRefreshFailure", &lastRefreshFailure)
            try field("expiries", &expiries)
            try field("refreshesStarted", &refreshesStarted)
            try field("refreshesJoined", &refreshesJoined)
            try field("refreshesSucceeded", &refreshesSucceeded)
            try field("refreshesFailed", &refreshesFailed)
            try field("retries", &retries)
            try field("failures", &failures)
            try field("reusesDetected", &reusesDetected)
            try field("unexpectedTransitions", &unexpectedTransitions)
            try field("lastUnexpected", &lastUnexpected)
        }
    }

    private static func count(_ event: Session.Event, _ state: inout State) {
        switch event {
        case .tokenExpiryObserved(let observed):
            if observed.status == 419 { state.expiries += 1 }
        case .tokenRefreshStarted: state.refreshesStarted += 1
        case .tokenRefreshJoined: state.refreshesJoined += 1
        case .tokenRefreshed: state.refreshesSucceeded += 1
        case .tokenRefreshFailed:
            state.refreshesFailed += 1
            // Where the tokens are cleared too, the waiters are counted here and gone there.
            state.failures += Int64(state.session.refresh?.waiters.count ?? 0)
        case .refreshTokenReuseDetected: state.reusesDetected += 1
        case .tokensCleared:
            let waiters = state.session.refresh?.waiters.count ?? 0
            state.failures += Int64(waiters + state.session.retriesDue.count)
        case .requestRetried: state.retries += 1
        case .signedIn, .loginStatusChecked, .signedOut: break
        }
    }

    private static func explain(_ event: Session.Event, _ state: inout State) {
        switch event {
        case .signedIn, .tokenRefreshed: state.whyLogin = nil
        case .loginStatusChecked(let checked):
            state.lastLogin = checked.result
            switch checked.result {
            case .loggedIn: state.whyLogin = nil
            case .tokenRefreshFailed: state.whyLogin = state.whyLogin ?? .refreshFailed
            case .notLoggedIn: break
            }
        case .tokenRefreshFailed(let failed): state.lastRefreshFailure = failed.kind
        case .tokensCleared(let cleared):
            state.lastClearReason = cleared.reason
            state.whyLogin = cause(cleared.reason)
        default: break
        }
    }

    private static func cause(_ reason: Session.ClearReason) -> Session.LoginCause {
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

extension Session {
    /// The rule that an event breaks where it follows this state; `nil` where it breaks none.
    ///
    /// Nothing the decider gives breaks one; facts recorded elsewhere may.
    public static func finding(_ event: Event, after state: State) -> String? {
        let running = state.refresh?.refreshId
        let isSignedIn = state.status == .signedIn
        switch event {
        case .tokenRefreshStarted where running != nil:
            return "T1: a refresh was started while another was under way"
        case .tokenRefreshStarted where !isSignedIn:
            return "T6: a refresh was started without a stored token"
        case .tokenRefreshJoined(let joined) where joined.refreshId != running:
            return "T2: joined a refresh that was not under way"
        case .tokenRefreshed(let refreshed) where refreshed.refreshId != running:
            return "T2: a refresh succeeded that was not under way"
        case .tokenRefreshed(let refreshed) where refreshed.toGeneration != state.generation + 1:
            return "T4: the generation did not rise by one"
        case .tokenRefreshFailed(let failed) where failed.refreshId != running:
            return "T2: a refresh failed that was not under way"
        case .requestRetried where !isSignedIn:
            return "T3: a request was retried after the tokens were cleared"
        case .requestRetried(let retried) where state.retriesDue[retried.requestId] == nil:
            return "T5: a request was retried that had no retry due"
        case .signedIn where isSignedIn:
            return "signed in while signed in"
        default:
            return nil
        }
    }
}
