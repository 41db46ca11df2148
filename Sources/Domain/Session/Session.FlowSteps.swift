import CivilTime
import EventSourcing

extension SessionFlow {
    /// A request was answered; `nil` where no answer came.
    mutating func answered(_ requestId: String, _ status: Int64?) -> [FlowStep] {
        // One that was given up may still be answered; nobody waits for it.
        guard let request = requests[requestId] else { return [] }
        var steps: [FlowStep] = []
        if request.isRetry {
            requests[requestId] = nil
            let command = Session.RecordRetry(
                device: request.device, requestId: requestId, outcomeStatus: status)
            steps.append(
                .command("session.record-retry", .recordRetry(command), of: Session.self))
            // Once is enough: a second 419 is the caller's to show.
            if status == 419 { return steps }
        }
        if let status, (200..<300).contains(status) {
            requests[requestId] = nil
            return steps
        }
        observing.append(requestId)
        let command = Session.ObserveExpiry(
            requestId: requestId, device: request.device, endpoint: request.endpoint,
            status: status, usedGeneration: request.usedGeneration, rules: rules)
        steps.append(
            .command("session.observe-expiry", .observeExpiry(command), of: Session.self))
        return steps
    }

    /// A refresh was answered.
    mutating func refreshed(
        _ refreshId: String, _ answer: RefreshAnswer, _ now: Instant, line: Int
    ) throws(InputError) -> [FlowStep] {
        guard let call = refreshes[refreshId] else { return [] }
        if let accessHash = answer.accessToken, let expiresInS = answer.expiresIn {
            let passedMs =
                now.microseconds.subtractingReportingOverflow(call.startedAt.microseconds)
                .partialValue / 1_000
            let command = Session.RecordRefresh(
                device: call.device, refreshId: refreshId, accessHash: accessHash,
                refreshHash: answer.refreshToken, expiresInS: expiresInS,
                latencyMs: answer.latencyMs ?? passedMs)
            return [.command("session.record-refresh", .recordRefresh(command), of: Session.self)]
        }
        guard answer.accessToken == nil, answer.refreshToken == nil,
            answer.error != nil || answer.status != nil || answer.failure != nil
        else {
            throw InputError(
                "expected accessToken with expiresIn, or error, status or failure", line: line)
        }
        let command = Session.RecordRefreshFailure(
            device: call.device, refreshId: refreshId, kind: Self.kind(of: answer),
            httpStatus: answer.status, error: answer.error, message: answer.message, rules: rules)
        return [
            .command(
                "session.record-refresh-failure", .recordRefreshFailure(command),
                of: Session.self)
        ]
    }

    private static func kind(of answer: RefreshAnswer) -> Session.RefreshFailure {
        switch answer.failure {
        case .network: return .network
        case .timeout: return .timeout
        case nil: break
        }
        switch answer.error {
        case "TokenExpiredException": return .expired
        case "invalid_grant": return .invalidGrant
        case "refresh_token_reused": return .reuse
        default: break
        }
        return switch answer.status {
        case 418: .expired
        case 401, 403: .invalidGrant
        default: .server
        }
    }

    /// Takes over what the log has recorded.
    mutating func learn(_ event: Session.Event, _ now: Instant) -> [FlowStep] {
        switch event {
        case .signedIn(let signedIn):
            generations[signedIn.device] = signedIn.generation
        case .tokenRefreshStarted(let started):
            refreshes[started.refreshId] = RefreshCall(device: started.device, startedAt: now)
            if let requestId = started.requestId {
                waiting[started.refreshId, default: []].append(requestId)
            }
            let hash = started.refreshHash.description
            return [.effect(Effect("refresh", id: started.refreshId, detail: hash))]
        case .tokenRefreshJoined(let joined):
            if let requestId = joined.requestId {
                waiting[joined.refreshId, default: []].append(requestId)
            }
        case .tokenRefreshed(let refreshed):
            fill(refreshed.toGeneration - 1, on: refreshed.device)
            generations[refreshed.device] = refreshed.toGeneration
            refreshes[refreshed.refreshId] = nil
            let waiters = waiting.removeValue(forKey: refreshed.refreshId) ?? []
            return waiters.compactMap { retry($0) }
        case .tokenRefreshFailed(let failed):
            refreshes[failed.refreshId] = nil
            for requestId in waiting.removeValue(forKey: failed.refreshId) ?? [] {
                requests[requestId] = nil
            }
        case .tokensCleared(let cleared):
            giveUp(on: cleared.device)
        case .loginStatusChecked, .tokenExpiryObserved, .refreshTokenReuseDetected,
            .requestRetried, .signedOut:
            break
        }
        return []
    }

    /// The request's answer is decided, and no refresh came of it.
    mutating func settle(_ requestId: String, wasRecorded: Bool) -> [FlowStep] {
        guard wasRecorded, let step = retry(requestId) else {
            requests[requestId] = nil
            return []
        }
        return [step]
    }

    private mutating func retry(_ requestId: String) -> FlowStep? {
        guard var request = requests[requestId] else { return nil }
        request.isRetry = true
        request.usedGeneration = generations[request.device]
        requests[requestId] = request
        return .effect(Effect("request", id: requestId, detail: request.endpoint))
    }

    /// Requests that went out before the log had told the generation carried this one.
    private mutating func fill(_ generation: Int64, on device: String) {
        for (id, request) in requests
        where request.device == device && request.usedGeneration == nil {
            requests[id]?.usedGeneration = generation
        }
    }

    private mutating func giveUp(on device: String) {
        generations[device] = nil
        requests = requests.filter { $0.value.device != device }
        for (id, call) in refreshes where call.device == device {
            refreshes[id] = nil
            waiting[id] = nil
        }
    }
}
