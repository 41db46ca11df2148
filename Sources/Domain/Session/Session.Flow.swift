public import CivilTime
public import EventSourcing

/// The network client of a device: requests, and the one refresh that they share.
///
/// It decides nothing. Every answer becomes a command, and what the log says to it becomes the
/// next effect: a refresh that was started is asked for, a request whose wait is over is sent
/// again, and whatever the tokens were cleared under is given up.
public struct SessionFlow: Flow {
    let rules: Rules
    var requests: [String: Request] = [:]
    /// The requests that wait for a refresh, in the order they came.
    var waiting: [String: [String]] = [:]
    /// The requests whose answers are being decided, in the order of the commands.
    var observing: [String] = []
    var refreshes: [String: RefreshCall] = [:]
    /// The generation of the stored token, by device.
    var generations: [String: Int64] = [:]
    private let reader = KindReader<Session.Event>()

    struct Request: Hashable, Sendable {
        var endpoint: String
        var device: String
        /// `nil` until the log has told what the device has stored.
        var usedGeneration: Int64?
        var isRetry = false
    }

    struct RefreshCall: Hashable, Sendable {
        var device: String
        var startedAt: Instant
    }

    public init(rules: RuleSet) {
        self.rules = Rules(rules)
    }

    public static let inputs: [FlowInput<SessionFlow>] = [
        FlowInput("sign-in") { (_, body: SignInInput, _) in
            let command = Session.SignIn(
                userId: body.userId, provider: body.provider, family: body.family,
                device: body.device, accessHash: body.accessToken, refreshHash: body.refreshToken,
                expiresInS: body.expiresInS)
            return [.command("session.sign-in", .signIn(command), of: Session.self)]
        },
        FlowInput("check-login") { (flow, body: CheckLoginInput, _) in
            let command = Session.CheckLogin(
                launchId: body.launchId, device: body.device,
                refreshIfExpiresWithinS: body.refreshIfExpiresWithinS, rules: flow.rules)
            return [.command("session.check-login", .checkLogin(command), of: Session.self)]
        },
        FlowInput("request") { (flow, body: RequestInput, _) in
            flow.requests[body.requestId] = Request(
                endpoint: body.endpoint, device: body.device,
                usedGeneration: body.usedGeneration ?? flow.generations[body.device])
            return [.effect(Effect("request", id: body.requestId, detail: body.endpoint))]
        },
        FlowInput("refresh") { (flow, body: DeviceInput, _) in
            let command = Session.StartRefresh(device: body.device, rules: flow.rules)
            return [.command("session.start-refresh", .startRefresh(command), of: Session.self)]
        },
        FlowInput("sign-out") { (_, body: DeviceInput, _) in
            let command = Session.SignOut(device: body.device)
            return [.command("session.sign-out", .signOut(command), of: Session.self)]
        },
    ]

    public mutating func answer(
        to effect: Effect, with answer: Tree, _ input: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        switch effect.name {
        case "request":
            let reply: RequestAnswer = try TreeReader.read(from: answer, rules: input)
            guard (reply.status == nil) != (reply.failure == nil) else {
                throw InputError("expected either status or failure", line: answer.line)
            }
            return answered(effect.id, reply.status)
        case "refresh":
            let reply: RefreshAnswer = try TreeReader.read(from: answer, rules: input)
            return try refreshed(effect.id, reply, now, line: answer.line)
        default:
            throw InputError(
                "the session asks for no '\(effect.name)'; expected request or refresh",
                line: answer.line)
        }
    }

    public mutating func decided(
        _ outcome: Outcome, of command: String, at now: Instant
    ) -> [FlowStep] {
        let observed: String? =
            command == "session.observe-expiry" && !observing.isEmpty
            ? observing.removeFirst() : nil
        guard case .events(let decided) = outcome else {
            // No token will come: the request fails with the answer it got.
            if let observed { requests[observed] = nil }
            return []
        }
        var steps: [FlowStep] = []
        var isAnswered = observed == nil
        for event in decided.compactMap({ known($0, now) }) {
            if let observed, event.waiter == observed { isAnswered = true }
            steps += learn(event, now)
        }
        if let observed, !isAnswered {
            steps += settle(observed, wasRecorded: !decided.isEmpty)
        }
        return steps
    }

    private func known(_ event: NewEvent, _ now: Instant) -> Session.Event? {
        let recorded = RecordedEvent(
            envelope: Envelope(
                position: .origin, occurredAt: event.occurredAt, recordedAt: now,
                offsetS: event.offsetS),
            kind: event.kind, tags: event.tags, zone: event.zone, payload: event.payload)
        do throws(FoldError) {
            return try reader.read(recorded)
        } catch {
            preconditionFailure("an event that was just decided cannot be read: \(error)")
        }
    }
}

extension Session.Event {
    /// The request that waits for a refresh since this event.
    fileprivate var waiter: String? {
        switch self {
        case .tokenRefreshStarted(let started): started.requestId
        case .tokenRefreshJoined(let joined): joined.requestId
        default: nil
        }
    }
}
