import Daybook

extension SessionFlow {
    /// The reason why a request got no answer.
    enum NetworkFailure: UInt8, StoredEnum { case network, timeout }

    /// The server's answer to a request, or the reason why no answer came.
    struct RequestAnswer: PlainRecord {
        /// HTTP status; `nil` if no answer came.
        var status: Int64?
        /// Reason why no answer came; `nil` if `status` is set.
        var failure: NetworkFailure?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("status", &status, .httpStatus)
            try field("failure", &failure)
        }
    }

    /// The server's answer to a token refresh: new tokens, an error or a status, or a network
    /// failure.
    struct RefreshAnswer: PlainRecord {
        /// Hash of the new access token.
        var accessToken: Digest?
        /// Hash of the new refresh token; `nil` if the old refresh token stays valid.
        var refreshToken: Digest?
        /// Lifetime of the access token in seconds.
        var expiresIn: Int64?
        /// Time from the request to the answer; `nil` means the time by the flow's clock.
        var latencyMs: Int64?
        /// Name of the error, such as `TokenExpiredException` or `invalid_grant`.
        var error: String?
        var message: String?
        /// HTTP status of the answer; `nil` if no answer came or none is stated.
        var status: Int64?
        /// Reason why no answer came; `nil` if an answer came.
        var failure: NetworkFailure?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("accessToken", &accessToken, "refreshToken", &refreshToken)
            try field("expiresIn", &expiresIn, .lifetimeS)
            try field("latencyMs", &latencyMs, .spanMs)
            try field("error", &error, "message", &message)
            try field("status", &status, .httpStatus)
            try field("failure", &failure)
        }
    }
}

extension SessionFlow {
    /// Handles the answer to a request; a `nil` status means that no answer came. A success ends
    /// the request; any other answer is passed to a command.
    mutating func answered(_ requestId: String, _ status: Int64?) -> [FlowStep] {
        // A request that was given up may still be answered.
        guard let request = requests[requestId] else { return [] }
        var steps: [FlowStep] = []
        if request.isRetry {
            requests[requestId] = nil
            steps.append(
                .command(
                    Session.RecordRetry(
                        device: request.device, requestId: requestId, outcomeStatus: status)))
            // A request is retried only once; a second 419 is left to the caller.
            if status == 419 { return steps }
        }
        if let status, (200..<300).contains(status) {
            requests[requestId] = nil
            return steps
        }
        observedRequestIds.append(requestId)
        steps.append(
            .command(
                Session.ObserveExpiry(
                    requestId: requestId, device: request.device, endpoint: request.endpoint,
                    status: status, usedGeneration: request.usedGeneration, rules: rules)))
        return steps
    }

    /// Returns the command that records the answer to a token refresh; throws if the answer is
    /// incomplete.
    mutating func refreshed(
        _ refreshId: String, _ answer: RefreshAnswer, _ now: Instant, line: Int
    ) throws(InputError) -> [FlowStep] {
        guard let call = refreshes[refreshId] else { return [] }
        if let accessHash = answer.accessToken, let expiresInS = answer.expiresIn {
            let passedMs = now.microseconds(since: call.startedAt) / 1_000
            let command = Session.RecordRefresh(
                device: call.device, refreshId: refreshId, accessHash: accessHash,
                refreshHash: answer.refreshToken, expiresInS: expiresInS,
                latencyMs: answer.latencyMs ?? passedMs)
            return [.command(command)]
        }
        guard answer.accessToken == nil, answer.refreshToken == nil,
            answer.error != nil || answer.status != nil || answer.failure != nil
        else {
            throw InputError(
                "the answer to a token refresh needs either 'accessToken' with 'expiresIn', or "
                    + "'error', 'status' or 'failure'",
                line: line)
        }
        let command = Session.RecordRefreshFailure(
            device: call.device, refreshId: refreshId, kind: answer.failureKind,
            httpStatus: answer.status, error: answer.error,
            message: answer.message.map { PersonalText($0) }, rules: rules)
        return [.command(command)]
    }
}

extension SessionFlow.RefreshAnswer {
    /// Kind of the failure: it follows from `failure`, or else from `error`, or else from `status`.
    fileprivate var failureKind: Session.RefreshFailure {
        switch failure {
        case .network: return .network
        case .timeout: return .timeout
        case nil: break
        }
        switch error {
        case "TokenExpiredException": return .expired
        case "invalid_grant": return .invalidGrant
        case "refresh_token_reused": return .reuse
        default: break
        }
        return switch status {
        case 418: .expired
        case 401, 403: .invalidGrant
        default: .server
        }
    }
}
