public import Daybook

/// The network flow that registers a device's baby with the server, after a sign-in with Google.
///
/// The flow leaves all decisions to commands. The session refreshes an expired token; then the flow
/// asks the server again.
public struct OnboardingFlow: Flow {
    /// Ids of requests that failed because of an expired token, by device.
    private var refreshing: [String: String] = [:]
    private let reader = KindReader<Household.DeviceOnboarding.Event>()

    public init(rules: RuleSet) {}

    /// Inputs of the flow, such as `sync`, each with the steps that follow.
    public static let inputs: [FlowInput<OnboardingFlow>] = [
        FlowInput("sync") { (_, body: DeviceInput, _) in
            [.command(Household.StartSync(device: body.device))]
        },
        FlowInput("resume") { (_, body: SessionFlow.CallerInput, _) in
            [.effect(Effect("onboarding", id: body.device))]
        },
        FlowInput("give-up") { (flow, body: SessionFlow.CallerInput, _) in
            flow.refreshing[body.device] = nil
            return [
                .command(
                    Household.RecordSyncFailure(
                        device: body.device, failure: .server, httpStatus: 419))
            ]
        },
    ]

    /// Input that names only a device.
    struct DeviceInput: Record {
        var device = ""
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("device", &device)
        }
    }

    /// The answer of the server: its ids, a status without ids, or a failure.
    struct Answer: Record {
        var babyId: String?
        var householdId: String?
        /// The server's album ids by the device's album ids.
        var albumIds: [String: String] = [:]
        /// HTTP status of the answer; `nil` means 201 unless there is a failure.
        var status: Int64?
        /// Network failure; `nil` if an answer came.
        var failure: SessionFlow.NetworkFailure?
        static var blank: Self { Self() }
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("babyId", &babyId, "householdId", &householdId, "albumIds", &albumIds)
            try field("status", &status, .httpStatus)
            try field("failure", &failure)
        }
    }

    public mutating func answer(
        to effect: Effect, with answer: Tree, _ input: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        guard effect.name == "onboarding" else {
            throw InputError(
                "unknown effect '\(effect.name)'; expected onboarding",
                line: answer.line)
        }
        let reply: Answer = try TreeReader.read(from: answer, rules: input)
        let device = effect.id
        let status = reply.status ?? (reply.failure == nil ? 201 : nil)
        let refreshed = refreshing.removeValue(forKey: device)
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
            refreshing[device] = requestId
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
                "expected babyId with householdId, or status or failure", line: answer.line)
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

    public mutating func decided(
        _ outcome: Outcome, of command: String, at now: Instant
    ) -> [FlowStep] {
        outcome.events(reader).compactMap { event in
            guard case .syncStarted(let started) = event else { return nil }
            return .effect(
                Effect("onboarding", id: started.device, detail: started.babyId))
        }
    }
}
