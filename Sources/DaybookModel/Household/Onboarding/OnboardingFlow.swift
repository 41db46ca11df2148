import Daybook

/// The network flow that registers a device's baby with the server after a sign-in with Google.
///
/// Commands make all decisions. If the access token has expired, the session refreshes it, and the
/// flow asks the server again.
struct OnboardingFlow: Flow {
    /// Ids of the requests that failed because of an expired token, by device.
    private var refreshingRequestIds: [String: String] = [:]
    private let reader = KindReader<Household.DeviceOnboarding.Event>()
    init(rules: RuleSet) {}

    /// Inputs that the flow accepts, such as `sync`, each with the steps that follow from it.
    static let inputs: [FlowInput<OnboardingFlow>] = [
        FlowInput("sync") { (_, body: SessionFlow.DeviceInput, _) in
            [.command(Household.StartSync(device: body.device))]
        },
        FlowInput("resume") { (_, body: SessionFlow.CallerInput, _) in
            [.effect(Effect("onboarding", id: body.device))]
        },
        FlowInput("give-up") { (flow, body: SessionFlow.CallerInput, _) in
            flow.refreshingRequestIds[body.device] = nil
            let command = Household.RecordSyncFailure(
                device: body.device, failure: .server, httpStatus: 419)
            return [.command(command)]
        },
    ]

    /// The answer of the server: the ids it assigned, an HTTP status without ids, or a failure.
    struct Answer: PlainRecord {
        var babyId: String?
        var householdId: String?
        var albumIds: [String: String] = [:]
        /// HTTP status of the answer; `nil` means 201 if there is no failure.
        var status: Int64?
        /// Network failure; `nil` if the server answered.
        var failure: SessionFlow.NetworkFailure?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "householdId", &householdId, "albumIds", &albumIds)
            try field("status", &status, .httpStatus)
            try field("failure", &failure)
        }
    }

    mutating func answer(
        to effect: Effect, with answer: Tree, _ input: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        guard effect.name == "onboarding" else {
            throw InputError(
                "the onboarding flow has no effect '\(effect.name)'; expected the effect 'onboarding'",
                line: answer.line)
        }
        let reply = try Answer(from: answer, rules: input)
        let device = effect.id
        let status = reply.status ?? (reply.failure == nil ? 201 : nil)
        let refreshed = refreshingRequestIds.removeValue(forKey: device)
        let requestId = refreshed ?? "onboarding/\(device)/\(now.microseconds)"
        var steps: [FlowStep] = []
        if refreshed != nil || status == 401 || status == 418 || status == 419 {
            steps.append(
                SessionFlow.observe(
                    requestId: requestId, device: device,
                    endpoint: "POST /api/v1/onboarding/parent", status: status,
                    caller: "household"))
        }
        if status == 419, refreshed == nil {
            refreshingRequestIds[device] = requestId
            return steps
        }
        if let babyId = reply.babyId, let householdId = reply.householdId {
            return steps + [
                .command(
                    Household.RecordSync(
                        device: device, babyId: babyId, householdId: householdId,
                        albumIds: reply.albumIds))
            ]
        }
        guard reply.status != nil || reply.failure != nil else {
            throw InputError(
                "the server's answer has no result; expected 'babyId' and 'householdId', 'status' or "
                    + "'failure'",
                line: answer.line)
        }
        let failure: Household.SyncFailure =
            switch reply.failure {
            case .network: .network
            case .timeout: .timeout
            case nil: .server
            }
        return steps + [
            .command(
                Household.RecordSyncFailure(
                    device: device, failure: failure, httpStatus: reply.status))
        ]
    }

    mutating func decided(_ outcome: Outcome, of command: String, at now: Instant) -> [FlowStep] {
        outcome.events(reader).compactMap { event in
            guard case .syncStarted(let started) = event else { return nil }
            return .effect(Effect("onboarding", id: started.device, detail: started.babyId))
        }
    }
}
