public import CivilTime
import EventSourcing

extension Session {
    public static func decide(
        _ command: Command, in state: State, now: Instant
    ) throws(Refusal) -> [Event] {
        switch command {
        case .signIn(let body): try signIn(body, state, now)
        case .checkLogin(let body): try checkLogin(body, state, now)
        case .observeExpiry(let body): try observeExpiry(body, state, now)
        case .startRefresh(let body): try startRefresh(body, state, now)
        case .recordRefresh(let body): try recordRefresh(body, state, now)
        case .recordRefreshFailure(let body): try recordRefreshFailure(body, state)
        case .presentRefreshToken(let body): try presentRefreshToken(body, state, now)
        case .recordRetry(let body): try recordRetry(body, state)
        case .clearTokens(let body):
            state.status == .signedIn ? cleared(body.reason, state) : []
        case .signOut: signOut(state)
        }
    }

    private static func signIn(
        _ body: SignIn, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        guard !state.families.contains(body.family) else {
            throw .familyAlreadyUsed(body.family)
        }
        guard state.status != .signedIn else { throw .alreadySignedIn(family: state.family) }
        let signedIn = SignedIn(
            userId: body.userId, provider: body.provider, family: body.family,
            accessHash: body.accessHash, refreshHash: body.refreshHash,
            expiresInS: body.expiresInS, accessExpiresUs: end(now, body.expiresInS),
            device: body.device)
        return [.signedIn(signedIn)]
    }

    private static func checkLogin(
        _ body: CheckLogin, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        let isWaiting = state.refresh?.launches.contains(body.launchId) ?? false
        guard state.launchId != body.launchId, !isWaiting else {
            throw .alreadyChecked(launchId: body.launchId)
        }
        var checked = LoginStatusChecked()
        checked.launchId = body.launchId
        checked.device = body.device
        guard state.status == .signedIn else {
            checked.result = .notLoggedIn
            return [.loginStatusChecked(checked)]
        }
        if let marginS = body.refreshIfExpiresWithinS, state.accessExpiresUs > end(now, marginS) {
            checked.result = .loggedIn
            return [.loginStatusChecked(checked)]
        }
        return refreshing(.launch, launchId: body.launchId, state, now, body.rules)
    }

    /// The response table: 419 refreshes, 401, 403 and 418 clear, anything else changes nothing.
    private static func observeExpiry(
        _ body: ObserveExpiry, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        guard let status = body.status else { return [] }
        let reason: ClearReason? =
            switch status {
            case 401: .unauthorized
            case 403: .forbidden
            case 418: .refresh418
            default: nil
            }
        guard reason != nil || status == 419 else { return [] }
        guard state.status == .signedIn else {
            // There is nothing left to clear, but a request that wants a token has to fail.
            guard reason == nil else { return [] }
            throw state.status == .revoked ? .familyRevoked(state.family) : .notSignedIn
        }
        let used = body.usedGeneration ?? state.generation
        guard used >= 0, used <= state.generation else {
            throw .unknownGeneration(used, current: state.generation)
        }
        let isKnown =
            state.retriesDue[body.requestId] != nil
            || state.refresh?.waiters.contains(body.requestId) ?? false
        guard !isKnown || reason != nil else { return [] }
        let observed = Event.tokenExpiryObserved(
            TokenExpiryObserved(
                requestId: body.requestId, status: status, endpoint: body.endpoint,
                usedGeneration: used, rules: body.rules, family: state.family,
                device: state.device))
        if let reason { return [observed] + cleared(reason, state) }
        if body.rules == .standard, used < state.generation, state.refresh == nil {
            // The token it carried has been rotated since: the current one may do.
            return [observed]
        }
        return [observed]
            + refreshing(.http419, requestId: body.requestId, state, now, body.rules)
    }

    private static func startRefresh(
        _ body: StartRefresh, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        guard state.status == .signedIn else {
            throw state.status == .revoked ? .familyRevoked(state.family) : .notSignedIn
        }
        if let refresh = state.refresh, !isLost(refresh, now, body.rules) { return [] }
        return refreshing(.proactive, state, now, body.rules)
    }

    private static func recordRetry(
        _ body: RecordRetry, _ state: State
    ) throws(Refusal) -> [Event] {
        guard let retry = state.retriesDue[body.requestId] else {
            throw .noRetryDue(requestId: body.requestId)
        }
        let retried = RequestRetried(
            requestId: body.requestId, refreshId: retry.refreshId, generation: retry.generation,
            outcomeStatus: body.outcomeStatus, family: state.family, device: state.device)
        return [.requestRetried(retried)]
    }

    private static func signOut(_ state: State) -> [Event] {
        guard state.status == .signedIn else { return [] }
        let signedOut = SignedOut(
            userId: state.userId, family: state.family, device: state.device)
        return cleared(.signOut, state) + [.signedOut(signedOut)]
    }
}

extension Session {
    /// Starts the refresh, or joins the one under way.
    static func refreshing(
        _ trigger: RefreshTrigger, requestId: String? = nil, launchId: String? = nil,
        _ state: State, _ now: Instant, _ rules: Rules
    ) -> [Event] {
        var events: [Event] = []
        if let refresh = state.refresh {
            guard isLost(refresh, now, rules) else {
                let joined = TokenRefreshJoined(
                    refreshId: refresh.refreshId, requestId: requestId, launchId: launchId,
                    family: state.family, device: state.device)
                return [.tokenRefreshJoined(joined)]
            }
            let lost = TokenRefreshFailed(
                refreshId: refresh.refreshId, kind: .timeout,
                message: "no answer within \(lostAfterUs / 1_000_000) s", tokensCleared: false,
                rules: rules, family: state.family, device: state.device)
            events = [.tokenRefreshFailed(lost)] + launchesTold(.tokenRefreshFailed, state)
        }
        let started = TokenRefreshStarted(
            refreshId: nextRefreshId(state),
            fromGeneration: state.generation, trigger: trigger, refreshHash: state.refreshHash,
            requestId: requestId, launchId: launchId, family: state.family,
            device: state.device)
        return events + [.tokenRefreshStarted(started)]
    }

    /// `f1-g3`, the second try from the same generation `f1-g3-2`.
    static func nextRefreshId(_ state: State) -> String {
        let attempt = state.attempts == 0 ? "" : "-\(state.attempts + 1)"
        return "\(state.family)-g\(state.generation)\(attempt)"
    }

    /// The source's coordinator waits for ever.
    private static func isLost(_ refresh: Refresh, _ now: Instant, _ rules: Rules) -> Bool {
        let lostAt = Instant(microseconds: refresh.startedUs).advanced(byMicroseconds: lostAfterUs)
        return rules == .standard && now > lostAt
    }

    /// The tokens are forgotten; launches that waited for a refresh hear that it failed.
    static func cleared(_ reason: ClearReason, _ state: State) -> [Event] {
        let cleared = TokensCleared(reason: reason, family: state.family, device: state.device)
        return [.tokensCleared(cleared)] + launchesTold(.tokenRefreshFailed, state)
    }

    static func launchesTold(_ result: LoginResult, _ state: State) -> [Event] {
        guard let refresh = state.refresh else { return [] }
        return refresh.launches.map { launchId in
            .loginStatusChecked(
                LoginStatusChecked(
                    launchId: launchId, result: result, refreshId: refresh.refreshId,
                    device: state.device))
        }
    }

    /// Microseconds since 1970, `seconds` after `now`, held to the range.
    static func end(_ now: Instant, _ seconds: Int64) -> Int64 {
        let (microseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let length = overflow ? (seconds > 0 ? Int64.max : Int64.min) : microseconds
        return now.advanced(byMicroseconds: length).microseconds
    }
}
