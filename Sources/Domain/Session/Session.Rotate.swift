import CivilTime
import EventSourcing

extension Session {
    static func recordRefresh(
        _ body: RecordRefresh, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        guard let refresh = state.refresh, refresh.refreshId == body.refreshId else {
            guard state.lastRefreshId != body.refreshId else { return [] }
            throw .noSuchRefresh(body.refreshId)
        }
        let refreshed = TokenRefreshed(
            refreshId: body.refreshId, toGeneration: state.generation + 1,
            accessHash: body.accessHash, refreshHash: body.refreshHash ?? state.refreshHash,
            expiresInS: body.expiresInS, accessExpiresUs: end(now, body.expiresInS),
            latencyMs: body.latencyMs, family: state.family, device: state.device)
        return [.tokenRefreshed(refreshed)] + launchesTold(.loggedIn, state)
    }

    static func recordRefreshFailure(
        _ body: RecordRefreshFailure, _ state: State
    ) throws(Refusal) -> [Event] {
        guard let refresh = state.refresh, refresh.refreshId == body.refreshId else {
            throw .noSuchRefresh(body.refreshId)
        }
        let reason = clearReason(body)
        let failed = TokenRefreshFailed(
            refreshId: body.refreshId, kind: body.kind, httpStatus: body.httpStatus,
            error: body.error, message: body.message?.text, tokensCleared: reason != nil,
            rules: body.rules, family: state.family, device: state.device)
        guard let reason else {
            return [.tokenRefreshFailed(failed)] + launchesTold(.tokenRefreshFailed, state)
        }
        return [.tokenRefreshFailed(failed)] + cleared(reason, state)
    }

    /// Why a failed refresh costs the tokens; `nil` where they are kept.
    ///
    /// The source documents delete at any failure. Being offline is no reason to ask for a
    /// password, so the standard rules keep the tokens unless the server has said no to them.
    private static func clearReason(_ failure: RecordRefreshFailure) -> ClearReason? {
        if failure.kind == .reuse { return .reuse }
        switch failure.httpStatus {
        case 418: return .refresh418
        case 401: return .unauthorized
        case 403: return .forbidden
        default: break
        }
        return switch failure.kind {
        case .expired: .expired
        case .invalidGrant: .unauthorized
        case .reuse: .reuse
        case .network, .timeout, .server: failure.rules == .source ? .seedCompat : nil
        }
    }

    /// What the server makes of a refresh token, by its generation.
    ///
    /// Source: RFC 9700 4.14.2, with a grace for the predecessor alone.
    static func presentRefreshToken(
        _ body: PresentRefreshToken, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        guard state.status == .signedIn else {
            throw state.status == .revoked ? .familyRevoked(state.family) : .notSignedIn
        }
        if body.generation == state.generation { return try rotated(body, state, now) }
        let detected = RefreshTokenReuseDetected(
            family: state.family, presentedGeneration: body.generation,
            currentGeneration: state.generation, withinGrace: isWithinGrace(body, state, now),
            device: state.device)
        return [.refreshTokenReuseDetected(detected)]
            + (detected.withinGrace ? [] : cleared(.reuse, state))
    }

    private static func isWithinGrace(
        _ body: PresentRefreshToken, _ state: State, _ now: Instant
    ) -> Bool {
        guard let rotatedUs = state.rotatedUs, body.generation == state.generation - 1 else {
            return false
        }
        return now <= Instant(microseconds: rotatedUs).advanced(byMicroseconds: graceUs)
    }

    private static func rotated(
        _ body: PresentRefreshToken, _ state: State, _ now: Instant
    ) throws(Refusal) -> [Event] {
        guard let accessHash = body.accessHash, let refreshHash = body.refreshHash,
            let expiresInS = body.expiresInS
        else { throw .newTokensMissing }
        var events: [Event] = []
        var state = state
        if state.refresh == nil {
            // The server does not see why the device refreshes.
            events = refreshing(.proactive, state, now, .source)
            var refresh = Refresh()
            refresh.refreshId = nextRefreshId(state)
            state.refresh = refresh
        }
        let answer = RecordRefresh(
            device: state.device, refreshId: state.refresh?.refreshId ?? "",
            accessHash: accessHash, refreshHash: refreshHash, expiresInS: expiresInS,
            latencyMs: 0)
        return events + (try recordRefresh(answer, state, now))
    }
}
