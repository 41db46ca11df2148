import Daybook

/// The flow of a device's writes: each write is sent or queued, and the queue is sent in order.
///
/// The flow leaves all decisions to commands. It sends the queue before each new write. The session
/// flow refreshes an expired token; then this flow sends the same attempt again.
struct QueueFlow: Flow {
    let rules: Rules
    /// Commands that the flow issued and whose outcomes it awaits, in order.
    private var pendingDecisions: [PendingDecision] = []
    /// New writes that wait until the queue has been sent, by device id.
    private var waitingWrites: [String: [WriteInput]] = [:]
    /// Writes that are sent directly, without the queue, and await an answer, by mutation id.
    private var directWrites: [String: WriteInput] = [:]
    /// Attempts of queued writes that await an answer, by key, such as `m1 attempt 2`.
    private var attemptsInFlight: [String: Attempt] = [:]
    /// Ids of the devices whose queue is being sent.
    private var syncingDevices: Set<String> = []
    /// Ids of the requests that got the answer 419 (expired token), until they are repeated or
    /// given up.
    private var requestsAwaitingRefresh: Set<String> = []
    private let reader = KindReader<OfflineQueue.Step>()

    /// A command whose outcome the flow awaits.
    private enum PendingDecision: Equatable, Sendable {
        /// The command that queues a write, unless the write can be sent directly.
        case queue(WriteInput)
        /// A command that starts or continues to send the queue of a device.
        case step(_ device: String)
        /// A command whose outcome causes no further command.
        case other
    }

    /// An attempt to send a queued write.
    private struct Attempt: Equatable, Sendable {
        var device: String
        /// Number of the attempt, from 1.
        var number: Int64
    }

    init(rules: RuleSet) { self.rules = Rules(rules) }

    /// Actions of the app and the session that the flow accepts, each with the commands and
    /// requests that it causes.
    static let inputs: [FlowInput<QueueFlow>] = [
        FlowInput("write") { (flow, body: WriteInput, _) in
            flow.waitingWrites[body.device, default: []].append(body)
            return flow.startSync(body.device)
        },
        FlowInput("flush") { (flow, body: SessionFlow.DeviceInput, _) in flow.startSync(body.device)
        },
        FlowInput("resume") { (flow, body: SessionFlow.CallerInput, _) in
            guard let write = flow.directWrites[body.requestId] else {
                return flow.dispatchNext(body.device)
            }
            return [flow.sendDirectly(write)]
        },
        FlowInput("give-up") { (flow, body: SessionFlow.CallerInput, _) in
            flow.requestsAwaitingRefresh.remove(body.requestId)
            // A write that was sent directly fails with the answer that it got.
            guard flow.directWrites.removeValue(forKey: body.requestId) == nil else { return [] }
            return flow.dispatchNext(body.device)
        },
    ]

    /// Default network script, whose server accepts every write.
    static let network = """
        mutation:
          - delayMs: 100
            answer: {status: 201, remoteId: "srv-${id}"}
        """

    mutating func answer(
        to effect: Effect, with answer: Tree, _ input: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        guard effect.name == "mutation" else {
            throw InputError(
                "the offline-queue flow has no effect '\(effect.name)'; expected 'mutation'",
                line: answer.line)
        }
        let reply = try Answer(from: answer, rules: input)
        guard (reply.status == nil) != (reply.failure == nil) else {
            throw InputError(
                "the answer to a write needs exactly one of 'status' and 'failure'",
                line: answer.line)
        }
        if let write = directWrites[effect.id], effect.detail == Self.directDetail {
            return answered(write, reply)
        }
        guard let attempt = attemptsInFlight.removeValue(forKey: Self.key(effect.id, effect.detail))
        else { return [] }
        pendingDecisions.append(.step(attempt.device))
        let command = OfflineQueue.RecordAnswer(
            device: attempt.device, mutationId: effect.id, attempt: attempt.number,
            httpStatus: reply.status, remoteId: reply.remoteId, replayed: reply.replayed,
            retryAfterS: reply.retryAfterS, detail: reply.detail.map { PersonalText($0) },
            rules: rules)
        return [.command(command)]
            + sessionReport("\(effect.id)/\(attempt.number)", attempt.device, reply.status)
    }

    mutating func decided(_ outcome: Outcome, of command: String, at now: Instant) -> [FlowStep] {
        let awaited =
            pendingDecisions.isEmpty ? PendingDecision.other : pendingDecisions.removeFirst()
        guard case .events = outcome else { return [] }
        let decided = outcome.events(reader)
        var effects: [FlowStep] = []
        var goesOn = false
        for step in decided {
            switch step {
            case .syncStarted(let started):
                syncingDevices.insert(started.device)
                goesOn = true
            case .syncFinished(let finished):
                syncingDevices.remove(finished.device)
                goesOn = false
            case .dispatched(let dispatched):
                let detail = "attempt \(dispatched.attempt)"
                attemptsInFlight[Self.key(dispatched.mutationId, detail)] = Attempt(
                    device: dispatched.device, number: dispatched.attempt)
                effects.append(
                    .effect(Effect("mutation", id: dispatched.mutationId, detail: detail)))
            case .acknowledged: goesOn = true
            case .rejected(let rejected): goesOn = goesOn || rejected.isParked
            case .queued, .retried, .dropped, .compacted: break
            }
        }
        switch awaited {
        case .queue(let write):
            return decided.isEmpty ? [sendDirectly(write)] : []
        case .step(let device):
            let next = goesOn ? dispatchNext(device) : []
            return effects + next + (syncingDevices.contains(device) ? [] : queueWaiting(device))
        case .other: return effects
        }
    }
}

extension QueueFlow {
    /// Detail of the effect that sends a write directly, without the queue.
    private static let directDetail = "online"

    /// Returns the key of an attempt in `attemptsInFlight`, such as `m1 attempt 2`.
    private static func key(_ mutationId: String, _ detail: String) -> String {
        "\(mutationId) \(detail)"
    }

    /// Returns the command that starts to send the queue.
    fileprivate mutating func startSync(_ device: String) -> [FlowStep] {
        pendingDecisions.append(.step(device))
        return [.command(OfflineQueue.StartSync(device: device, rules: rules))]
    }

    /// Returns the command that sends the next write of the queue.
    fileprivate mutating func dispatchNext(_ device: String) -> [FlowStep] {
        pendingDecisions.append(.step(device))
        return [.command(OfflineQueue.DispatchNext(device: device, rules: rules))]
    }

    /// Returns the commands that queue the writes that waited, unless they can be sent directly.
    private mutating func queueWaiting(_ device: String) -> [FlowStep] {
        (waitingWrites.removeValue(forKey: device) ?? []).map { write in
            pendingDecisions.append(.queue(write))
            return .command(write.command(rules))
        }
    }

    /// Returns the request that sends a write without queueing it.
    fileprivate mutating func sendDirectly(_ write: WriteInput) -> FlowStep {
        directWrites[write.mutationId] = write
        return .effect(Effect("mutation", id: write.mutationId, detail: Self.directDetail))
    }

    /// Handles the answer to a write that was sent directly; without an answer, queues the write.
    private mutating func answered(_ write: WriteInput, _ reply: Answer) -> [FlowStep] {
        let steps = sessionReport(write.mutationId, write.device, reply.status)
        if requestsAwaitingRefresh.contains(write.mutationId) { return steps }
        directWrites[write.mutationId] = nil
        guard let failure = reply.failure else { return steps }
        var command = write.command(rules)
        command.failure = failure == .timeout ? .timeout : .network
        pendingDecisions.append(.other)
        return steps + [.command(command)]
    }

    /// Returns the step that tells the session of an answer about the token (401, 418 or 419), or
    /// of any answer to a request that is repeated after a token refresh.
    private mutating func sessionReport(
        _ requestId: String, _ device: String, _ status: Int64?
    ) -> [FlowStep] {
        let wasRetried = requestsAwaitingRefresh.remove(requestId) != nil
        if status == 419, !wasRetried { requestsAwaitingRefresh.insert(requestId) }
        guard wasRetried || status == 401 || status == 418 || status == 419 else { return [] }
        return [
            SessionFlow.observe(
                requestId: requestId, device: device, endpoint: "offline queue", status: status,
                caller: OfflineQueue.name)
        ]
    }
}

extension QueueFlow {
    /// An input by which the app makes a write.
    struct WriteInput: PlainRecord {
        var mutationId = ""
        var device = ""
        /// Kind of write in the app's spelling, such as `event_start`.
        var kind = ""
        var entryId = ""
        var babyId = ""
        /// Hash of the body, which detects another body under the same mutation id.
        var payloadDigest: Digest?
        var body: PersonalText?
        /// User who made the write; `nil` means the signed-in user.
        var userId: String?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("mutationId", &mutationId, "device", &device, "kind", &kind)
            try field("entryId", &entryId, "babyId", &babyId, "payloadDigest", &payloadDigest)
            try field("body", &body, "userId", &userId)
        }

        /// Returns the command that queues the write if it cannot be sent directly.
        func command(_ rules: Rules) -> OfflineQueue.QueueMutation {
            OfflineQueue.QueueMutation(
                mutationId: mutationId, device: device, kind: kind, entryId: entryId,
                babyId: babyId, payloadDigest: payloadDigest, body: body, userId: userId,
                rules: rules)
        }
    }

    /// The server's answer to a write, or the reason why no answer came.
    struct Answer: PlainRecord {
        /// HTTP status; `nil` if no answer came.
        var status: Int64?
        /// Id that the server gave a created entry.
        var remoteId: String?
        /// True if the server had accepted an earlier attempt of the same write.
        var replayed: Bool?
        /// Seconds that the server asks the device to wait.
        var retryAfterS: Int64?
        var detail: String?
        /// Reason why no answer came; `nil` with a status.
        var failure: SessionFlow.NetworkFailure?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("status", &status, .httpStatus)
            try field("remoteId", &remoteId, "replayed", &replayed)
            try field("retryAfterS", &retryAfterS, .spanS)
            try field("detail", &detail, "failure", &failure)
        }
    }
}
