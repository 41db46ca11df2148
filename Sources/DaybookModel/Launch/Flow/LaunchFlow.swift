import Daybook

/// The flow of a launch, from the start of the app to the login check.
///
/// The flow requests the config, has the version checked, shows the pending prompts and notices in
/// order, and starts the login check of the session flow. An error, maintenance or a forced update
/// ends the flow.
struct LaunchFlow: Flow {
    private let rules: Rules
    /// Start inputs of the launches whose app has not ended, by launch id.
    private var starts: [String: Start] = [:]
    private var checks: [String: Launch.AppVersionChecked] = [:]
    private let reader = KindReader<Launch.Event>()

    /// Default network script, as in the original app's mock server (S0). It answers with a config
    /// after 500 ms.
    static let network = """
        config:
          - delayMs: 500
            answer:
              latencyMs: ${delayMs}
              body:
                minVersion: "1.0.0"
                latestVersion: "1.2.0"
                maintenanceMode: false
                maintenanceMessage: ""
        """

    init(rules: RuleSet) { self.rules = Rules(rules) }

    /// User actions that the flow accepts, each with the steps that it causes.
    static let inputs: [FlowInput<LaunchFlow>] = [
        FlowInput("start") { flow, start, _ in flow.start(start) },
        FlowInput("skip-optional") { (_, skip: Launch.SkipOptionalUpdate, _) in [.command(skip)] },
        FlowInput("accept-update") { (_, accept: Launch.AcceptUpdate, _) in [.command(accept)] },
        FlowInput("dismiss-notice") { (_, dismiss: Launch.DismissNotice, _) in
            [.command(dismiss)]
        },
        FlowInput("terminate") { (_, end: Launch.Terminate, _) in [.command(end)] },
    ]

    mutating func answer(
        to effect: Effect, with answer: Tree, _ input: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        guard effect.name == "config", let start = starts[effect.id] else { return [] }
        let launch = start.launch
        let check = FlowStep.command(
            Launch.CheckVersion(
                launchId: launch.launchId, device: launch.device, rules: rules,
                fallback: start.fallback, latestAsOptional: start.latestAsOptional ?? false,
                namedErrors: start.namedErrors ?? false))
        switch try ConfigAnswer(answer, input) {
        case .config(let parsed, let latencyMs):
            let fetched = Launch.RemoteConfigFetched(
                launchId: launch.launchId, device: launch.device, configDigest: parsed.digest,
                source: .network, latencyMs: latencyMs, config: parsed.config)
            return [.command(fetched), check]
        case .failure(var failure):
            failure.launchId = launch.launchId
            return [.command(failure), check]
        }
    }

    mutating func decided(_ outcome: Outcome, of command: String, at now: Instant) -> [FlowStep] {
        let events = outcome.events(reader)
        // One decision may skip an update and expire the notice; only the expiry leads to the next
        // step.
        let leading = events.count > 1 ? events.filter { !$0.isSkip } : events
        return leading.flatMap { steps(after: $0) }
    }

    /// Remembers the start input of a launch, and returns the command that records the launch.
    private mutating func start(_ start: Start) -> [FlowStep] {
        let launch = start.launch
        if starts[launch.launchId] == nil { starts[launch.launchId] = start }
        return [.command(launch)]
    }

    /// Returns the steps of the flow that a recorded event causes.
    private mutating func steps(after event: Launch.Event) -> [FlowStep] {
        switch event {
        case .appLaunched(let launch):
            return [.effect(Effect("config", id: launch.launchId, detail: "GET /api/config"))]
        case .appVersionChecked(let check):
            checks[check.launchId] = check
            return switch check.result {
            case .needsUpdate: [prompt(check, .force)]
            case .maintenance, .error: []
            case .upToDate: showNext(check, with: check.pending)
            }
        case .optionalUpdateSkipped(let skip):
            guard let check = checks[skip.launchId] else { return [] }
            return showNext(check, with: check.pending.filter { $0 == .notice })
        case .noticeDismissed(let dismissed):
            guard !dismissed.endsApp, let check = checks[dismissed.launchId] else { return [] }
            return showNext(check, with: [])
        case .appTerminated(let end):
            // The ended launch no longer receives its config.
            starts[end.launchId] = nil
            return []
        case .remoteConfigFetched, .remoteConfigFetchFailed, .updatePromptShown, .updateAccepted,
            .noticeShown:
            return []
        }
    }

    /// Returns the step that shows the first pending prompt or notice, or else checks the login.
    private func showNext(
        _ check: Launch.AppVersionChecked, with pending: [Launch.PendingStep]
    ) -> [FlowStep] {
        switch pending.first {
        case .optional: [prompt(check, .optional)]
        case .notice: [.command(Launch.ShowNotice(launchId: check.launchId))]
        case nil:
            [
                .sendInput(
                    toFlow: "session", name: "check-login",
                    value: Tree(
                        .map([
                            Tree.Member(
                                key: "launchId", value: Tree(.text(check.launchId), line: 0)),
                            Tree.Member(key: "device", value: Tree(.text(check.device), line: 0)),
                        ]), line: 0))
            ]
        }
    }

    private func prompt(_ check: Launch.AppVersionChecked, _ kind: Launch.UpdateKind) -> FlowStep {
        .command(Launch.ShowPrompt(launchId: check.launchId, kind: kind))
    }
}

extension Launch.Event {
    /// True if the user skipped an optional update.
    fileprivate var isSkip: Bool {
        guard case .optionalUpdateSkipped = self else { return false }
        return true
    }
}

extension LaunchFlow {
    /// The input that starts the app, with the options of its version check.
    struct Start: PlainRecord {
        /// Data of the launch; its fields are read directly from the input.
        var launch = Launch.AppLaunched()
        /// Replacement for a config that cannot be fetched; `nil` means none.
        var fallback: Launch.Fallback?
        /// True to offer `latestVersion` if the config's optional update has no version; `nil`
        /// means false.
        var latestAsOptional: Bool?
        /// True if problems that source S2 defines as errors make the check fail; `nil` means
        /// false.
        var namedErrors: Bool?
        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try launch.fields(&field)
            try field("fallback", &fallback, "latestAsOptional", &latestAsOptional)
            try field("namedErrors", &namedErrors)
        }
    }
}
