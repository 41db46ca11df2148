public import CivilTime
public import EventSourcing

/// The launch, from the start of the app to the question whether someone is signed in.
///
/// It asks for the config, has the version checked, shows what is pending in order, and hands on
/// to the session. A fault, maintenance or a forced update ends it.
public struct LaunchFlow: Flow {
    private let rules: Rules
    private var starts: [String: Start] = [:]
    private var checks: [String: Launch.AppVersionChecked] = [:]

    /// S0's mock answers after this long.
    public static let mockDelayMs: Int64 = 500

    public init(rules: RuleSet) {
        self.rules = Rules(rules)
    }

    public static let inputs: [FlowInput<LaunchFlow>] = [
        FlowInput("start") { flow, start, _ in flow.start(start) },
        FlowInput("skip-optional") { _, body, _ in
            [.command("launch.skip-optional-update", .skipOptionalUpdate(body), of: Launch.self)]
        },
        FlowInput("accept-update") { _, body, _ in
            [.command("launch.accept-update", .acceptUpdate(body), of: Launch.self)]
        },
        FlowInput("dismiss-notice") { _, body, _ in
            [.command("launch.dismiss-notice", .dismissNotice(body), of: Launch.self)]
        },
        FlowInput("terminate") { _, body, _ in
            [.command("launch.terminate", .terminate(body), of: Launch.self)]
        },
    ]

    public mutating func answer(
        to effect: Effect, with answer: Tree, _ input: InputRules, at now: Instant
    ) throws(InputError) -> [FlowStep] {
        guard effect.name == "config", let start = starts[effect.id] else { return [] }
        let check = FlowStep.command(
            "launch.check-version",
            .checkVersion(
                Launch.CheckVersion(
                    launchId: start.launchId, device: start.device, rules: rules,
                    fallback: start.fallback, latestAsOptional: start.latestAsOptional ?? false,
                    namedErrors: start.namedErrors ?? false)),
            of: Launch.self)
        switch try ConfigAnswer(answer, input) {
        case .config(let parsed, let latencyMs):
            let fetched = Launch.RemoteConfigFetched(
                launchId: start.launchId, device: start.device, configDigest: parsed.digest,
                source: .network, latencyMs: latencyMs, config: parsed.config)
            return [
                .command("launch.record-config", .recordConfig(fetched), of: Launch.self), check,
            ]
        case .failure(var failure):
            failure.launchId = start.launchId
            return [
                .command(
                    "launch.record-config-failure", .recordConfigFailure(failure),
                    of: Launch.self),
                check,
            ]
        }
    }

    public mutating func decided(
        _ outcome: Outcome, of command: String, at now: Instant
    ) -> [FlowStep] {
        guard case .events(let events) = outcome else { return [] }
        return events.flatMap { next(after: $0) }
    }

    private mutating func start(_ start: Start) -> [FlowStep] {
        if starts[start.launchId] == nil { starts[start.launchId] = start }
        return [.command("launch.launch-app", .launchApp(start.launch), of: Launch.self)]
    }

    private mutating func next(after event: NewEvent) -> [FlowStep] {
        if let launch = event.read(Launch.AppLaunched.self) {
            return [.effect(Effect("config", id: launch.launchId, detail: "GET /api/config"))]
        }
        if let check = event.read(Launch.AppVersionChecked.self) {
            checks[check.launchId] = check
            switch check.result {
            case .needsUpdate: return [prompt(check, .force)]
            case .maintenance, .error: return []
            case .upToDate: return goOn(check, with: check.pending)
            }
        }
        if let skip = event.read(Launch.OptionalUpdateSkipped.self),
            let check = checks[skip.launchId]
        {
            return goOn(check, with: check.pending.filter { $0 == .notice })
        }
        if let dismissed = event.read(Launch.NoticeDismissed.self), !dismissed.terminate,
            let check = checks[dismissed.launchId]
        {
            return goOn(check, with: [])
        }
        return []
    }

    private func goOn(
        _ check: Launch.AppVersionChecked, with pending: [Launch.PendingStep]
    ) -> [FlowStep] {
        switch pending.first {
        case .optional: [prompt(check, .optional)]
        case .notice:
            [
                .command(
                    "launch.show-notice",
                    .showNotice(Launch.ShowNotice(launchId: check.launchId)), of: Launch.self)
            ]
        case nil:
            [
                .input(
                    flow: "session", name: "check-login",
                    Tree(
                        .map([
                            Tree.Member(
                                key: "launchId", value: Tree(.text(check.launchId), line: 0)),
                            Tree.Member(key: "device", value: Tree(.text(check.device), line: 0)),
                        ]), line: 0))
            ]
        }
    }

    private func prompt(
        _ check: Launch.AppVersionChecked, _ kind: Launch.UpdateKind
    ) -> FlowStep {
        .command(
            "launch.show-prompt",
            .showPrompt(Launch.ShowPrompt(launchId: check.launchId, kind: kind)), of: Launch.self)
    }
}

extension NewEvent {
    /// The payload, if it is of this kind.
    fileprivate func read<Payload: EventPayload>(_ type: Payload.Type) -> Payload? {
        guard kind == Payload.kind else { return nil }
        do throws(CorruptPayload) {
            return try BinaryReader.read(Payload.self, from: payload)
        } catch {
            preconditionFailure("an event that was just decided does not read back: \(error)")
        }
    }
}

extension LaunchFlow {
    /// What a start of the app says of itself.
    struct Start: Record {
        var launchId: String = ""
        var appVersion: String = ""
        var build: String?
        var platform: Launch.Platform = .ios
        var osVersion: String?
        var firstLaunch: Bool = false
        var device: String = ""
        var fallback: Launch.Fallback?
        var latestAsOptional: Bool?
        var namedErrors: Bool?

        static var blank: Self { Self() }

        var launch: Launch.AppLaunched {
            Launch.AppLaunched(
                launchId: launchId, appVersion: appVersion, build: build, platform: platform,
                osVersion: osVersion, firstLaunch: firstLaunch, device: device)
        }

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("launchId", &launchId)
            try field("appVersion", &appVersion)
            try field("build", &build)
            try field("platform", &platform)
            try field("osVersion", &osVersion)
            try field("firstLaunch", &firstLaunch)
            try field("device", &device)
            try field("fallback", &fallback)
            try field("latestAsOptional", &latestAsOptional)
            try field("namedErrors", &namedErrors)
        }
    }
}

/// What the script or the server said of the config.
private enum ConfigAnswer {
    case config(Launch.Config.Parsed, latencyMs: Int64)
    case failure(Launch.RemoteConfigFetchFailed)

    /// Either `{body, status?, latencyMs?}` or `{failure, status?, detail?, latencyMs?}`.
    init(_ tree: Tree, _ rules: InputRules) throws(InputError) {
        guard case .map(let members) = tree.content else {
            throw InputError("expected an object, found \(tree.noun)", line: tree.line)
        }
        let outer = members.filter { $0.key != "body" }
        let answer: Answer = try TreeReader.read(
            from: Tree(.map(outer), line: tree.line), rules: rules)
        var failed = Launch.RemoteConfigFetchFailed(
            launchId: "", kind: answer.failure ?? .http, httpStatus: answer.status,
            detail: answer.detail ?? "", latencyMs: answer.latencyMs ?? LaunchFlow.mockDelayMs)
        guard let body = tree["body"] else {
            guard answer.failure != nil else {
                throw InputError("expected 'body' or 'failure'", line: tree.line)
            }
            self = .failure(failed)
            return
        }
        guard answer.failure == nil else {
            throw InputError(
                "'body' and 'failure' stand side by side; expected one", line: tree.line)
        }
        if let status = answer.status, !(200..<300).contains(status) {
            if failed.detail.isEmpty { failed.detail = "HTTP \(status)" }
            self = .failure(failed)
        } else {
            self = .config(
                try Launch.Config.parse(body, field: "body", rules: rules),
                latencyMs: failed.latencyMs)
        }
    }
}

private struct Answer: Record {
    var failure: Launch.FetchFailure?
    var status: Int64?
    var detail: String?
    var latencyMs: Int64?

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("failure", &failure)
        try field("status", &status, .httpStatus)
        try field("detail", &detail)
        try field("latencyMs", &latencyMs, .spanMs)
    }
}
