import Daybook

/// The flow of the devices' network clients: requests, and the one token refresh that they share.
///
/// The flow leaves all decisions to commands. An answer becomes a command, unless it is the success
/// of a first attempt, and the command's events become the next effects: a started refresh is sent,
/// a request is sent again after its refresh, and the requests of a device are given up after its
/// tokens were cleared.
struct SessionFlow: Flow {
    let rules: Rules
    /// Requests that await an answer or a token refresh, by request id.
    var requests: [String: Request] = [:]
    /// Ids of the requests that wait for a token refresh, by refresh id, in order of arrival.
    var waitingRequestIds: [String: [String]] = [:]
    /// Ids of the requests whose answers were passed to undecided commands, in order.
    var observedRequestIds: [String] = []
    /// Token refreshes that await an answer, by refresh id.
    var refreshes: [String: RefreshCall] = [:]
    /// Generation (number of rotations) of the stored tokens, by device id.
    var generations: [String: Int64] = [:]
    private let reader = KindReader<Session.Event>()

    /// A request of a device, from the time it is sent to its last answer.
    struct Request: Equatable, Sendable {
        var endpoint: String
        var device: String
        /// Generation (rotation count) of the token in the request; `nil` until an event shows it.
        var usedGeneration: Int64?
        /// True once the request was sent again.
        var isRetry = false
        /// Name of the flow that sent the request; `nil` for the session's own requests.
        var caller: String?
    }

    /// A token refresh that was sent to the server.
    struct RefreshCall: Equatable, Sendable {
        var device: String
        /// Time at which the refresh was sent.
        var startedAt: Instant
    }

    /// Default network script, as in the original app's mock server (S0). It answers with new
    /// tokens after 300 ms, except for the refresh token "expired".
    static let network = """
        refresh:
          - detail: expired
            delayMs: 300
            answer:
              error: TokenExpiredException
              message: Refresh token has expired
          - delayMs: 300
            answer:
              accessToken: new_access_token_${nowMs}
              refreshToken: new_refresh_token_${nowMs}
              expiresIn: 3600
        request:
          - delayMs: 100
            answer: {status: 200}
        """

    init(rules: RuleSet) { self.rules = Rules(rules) }

    /// Inputs from the app and from other flows that the flow accepts, each with the steps that it
    /// causes.
    static let inputs: [FlowInput<SessionFlow>] = [
        FlowInput("sign-in") { (_, body: SignInInput, _) in
            let command = Session.SignIn(
                userId: body.userId, provider: body.provider, family: body.family,
                device: body.device, accessHash: body.accessToken, refreshHash: body.refreshToken,
                expiresInS: body.expiresInS)
            return [.command(command)]
        },
        FlowInput("check-login") { (flow, body: CheckLoginInput, _) in
            let command = Session.CheckLogin(
                launchId: body.launchId, device: body.device,
                refreshIfExpiresWithinS: body.refreshIfExpiresWithinS, rules: flow.rules)
            return [.command(command)]
        },
        FlowInput("request") { (flow, body: RequestInput, _) in
            flow.requests[body.requestId] = Request(
                endpoint: body.endpoint, device: body.device,
                usedGeneration: body.usedGeneration ?? flow.generations[body.device])
            return [.effect(Effect("request", id: body.requestId, detail: body.endpoint))]
        },
        FlowInput("observe") { (flow, body: ObserveInput, _) in
            if flow.requests[body.requestId] == nil {
                flow.requests[body.requestId] = Request(
                    endpoint: body.endpoint, device: body.device,
                    usedGeneration: body.usedGeneration ?? flow.generations[body.device],
                    caller: body.caller)
            }
            return flow.answered(body.requestId, body.status)
        },
        FlowInput("refresh") { (flow, body: DeviceInput, _) in
            [.command(Session.StartRefresh(device: body.device, rules: flow.rules))]
        },
        FlowInput("sign-out") { (_, body: DeviceInput, _) in
            [.command(Session.SignOut(device: body.device))]
        },
    ]

    mutating func answer(
        to effect: Effect, with answer: Tree, _ input: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        switch effect.name {
        case "request":
            let reply = try RequestAnswer(from: answer, rules: input)
            guard (reply.status == nil) != (reply.failure == nil) else {
                throw InputError(
                    "expected either 'status' or 'failure' in the answer to a request, found "
                        + (reply.status == nil ? "neither" : "both"),
                    line: answer.line)
            }
            return answered(effect.id, reply.status)
        case "refresh":
            let reply = try RefreshAnswer(from: answer, rules: input)
            return try refreshed(effect.id, reply, now, line: answer.line)
        default:
            throw InputError(
                "the session flow takes no answer to '\(effect.name)'; expected an answer to "
                    + "'request' or 'refresh'",
                line: answer.line)
        }
    }

    mutating func decided(_ outcome: Outcome, of command: String, at now: Instant) -> [FlowStep] {
        let observed: String? =
            command == Session.ObserveExpiry.name && !observedRequestIds.isEmpty
            ? observedRequestIds.removeFirst() : nil
        guard case .events = outcome else {
            // No token will come: the request fails with the answer it got.
            if let observed, let step = giveUp(observed) { return [step] }
            return []
        }
        let decided = outcome.events(reader)
        let steps = decided.flatMap { apply($0, now) }
        guard let observed, !decided.contains(where: { $0.waitingRequestId == observed }) else {
            return steps
        }
        return steps + resendOrForget(observed, wasRecorded: !decided.isEmpty)
    }
}

extension Session.Event {
    /// Id of the request that waits for a token refresh because of this event; `nil` for none.
    fileprivate var waitingRequestId: String? {
        switch self {
        case .tokenRefreshStarted(let started): started.requestId
        case .tokenRefreshJoined(let joined): joined.requestId
        default: nil
        }
    }
}

extension SessionFlow {
    /// Updates the flow after a recorded event, and returns the next steps.
    mutating func apply(_ event: Session.Event, _ now: Instant) -> [FlowStep] {
        switch event {
        case .signedIn(let signedIn):
            generations[signedIn.device] = signedIn.generation
            // Resumes the work that waited for a sign-in: first the baby's ids, then the baby's
            // writes.
            let device = [("device", Tree.Content.text(signedIn.device))]
            return
                (signedIn.provider == .google ? [Self.inputStep("household", "sync", device)] : [])
                + [Self.inputStep("offline-queue", "flush", device)]
        case .tokenRefreshStarted(let started):
            refreshes[started.refreshId] = RefreshCall(device: started.device, startedAt: now)
            if let requestId = started.requestId {
                waitingRequestIds[started.refreshId, default: []].append(requestId)
            }
            let hash = started.refreshHash.description
            return [.effect(Effect("refresh", id: started.refreshId, detail: hash))]
        case .tokenRefreshJoined(let joined):
            if let requestId = joined.requestId {
                waitingRequestIds[joined.refreshId, default: []].append(requestId)
            }
        case .tokenRefreshed(let refreshed):
            setGeneration(refreshed.toGeneration - 1, on: refreshed.device)
            generations[refreshed.device] = refreshed.toGeneration
            refreshes[refreshed.refreshId] = nil
            let waiters = waitingRequestIds.removeValue(forKey: refreshed.refreshId) ?? []
            return waiters.compactMap { retry($0) }
        case .tokenRefreshFailed(let failed):
            refreshes[failed.refreshId] = nil
            return (waitingRequestIds.removeValue(forKey: failed.refreshId) ?? []).compactMap {
                giveUp($0)
            }
        case .tokensCleared(let cleared):
            return giveUp(on: cleared.device)
        case .loginStatusChecked, .tokenExpiryObserved, .refreshTokenReuseDetected,
            .requestRetried, .signedOut:
            break
        }
        return []
    }

    /// Sends a request again if the rejection of its token was recorded; otherwise drops the
    /// request.
    mutating func resendOrForget(_ requestId: String, wasRecorded: Bool) -> [FlowStep] {
        guard wasRecorded, let step = retry(requestId) else {
            requests[requestId] = nil
            return []
        }
        return [step]
    }

    /// Returns the step that sends a request again with the current token; `nil` for an unknown id.
    private mutating func retry(_ requestId: String) -> FlowStep? {
        guard var request = requests[requestId] else { return nil }
        request.isRetry = true
        request.usedGeneration = generations[request.device]
        requests[requestId] = request
        if request.caller != nil { return callerInput("resume", requestId, request) }
        return .effect(Effect("request", id: requestId, detail: request.endpoint))
    }

    /// Sets the token generation of requests that were sent before an event showed the generation.
    private mutating func setGeneration(_ generation: Int64, on device: String) {
        for (id, request) in requests
        where request.device == device && request.usedGeneration == nil {
            requests[id]?.usedGeneration = generation
        }
    }

    /// Drops a device's requests and refreshes, and returns the steps that inform other flows.
    private mutating func giveUp(on device: String) -> [FlowStep] {
        generations[device] = nil
        for (id, call) in refreshes where call.device == device {
            refreshes[id] = nil
            waitingRequestIds[id] = nil
        }
        let ids = requests.filter { $0.value.device == device }.keys.sorted()
        return ids.compactMap { giveUp($0) }
    }

    /// Drops a request, and returns the step that informs the flow that sent it, if any.
    fileprivate mutating func giveUp(_ requestId: String) -> FlowStep? {
        guard let request = requests.removeValue(forKey: requestId) else { return nil }
        return callerInput("give-up", requestId, request)
    }

    /// Returns the step that sends an input to the flow that sent a request; `nil` for the
    /// session's own requests.
    private func callerInput(_ name: String, _ requestId: String, _ request: Request) -> FlowStep? {
        guard let caller = request.caller else { return nil }
        return Self.inputStep(
            caller, name, [("requestId", .text(requestId)), ("device", .text(request.device))])
    }
}
