import CivilTime
public import EventSourcing

extension Launch {
    static let auditDescription = AuditDescription(
        "launch",
        [
            AuditRule("L1", "The login was checked before the version was found up to date"),
            AuditRule("L2", "The splash came to an end and went on"),
            AuditRule("L3", "A config names a version that cannot be read"),
            AuditRule("L4", "A config forces an update without a link to it"),
            AuditRule("L5", "A notice ends before it starts"),
            AuditRule("L6", "A device's app is older than at its launch before"),
            AuditRule("L7", "A version check says another thing than its rules"),
            AuditRule("L8", "Something was shown that was not pending"),
        ]
    ) { LaunchAudit($0) }

    /// Finds what is wrong in the histories of launches.
    public struct LaunchAudit: Audit {
        private struct Known {
            var state = State()
            var splash = Splash.State()
            var hasEnded = false
        }

        private let context: AuditContext
        private var launches: [String: Known] = [:]
        /// The version of each device's last launch, and what it remembers.
        private var versions: [String: String] = [:]
        private var remembered: [String: [String]] = [:]
        private var configs: [String: RemoteConfigFetched] = [:]
        private var findings: [(tags: [Tag], finding: Finding)] = []
        private let reader = KindReader<Event>()
        private let splashReader = KindReader<Splash.Event>()

        public init(_ context: AuditContext) {
            self.context = context
        }

        public mutating func take(_ event: RecordedEvent) throws(FoldError) {
            guard let id = event.tags.first(where: { $0.noun == "launch" })?.id else { return }
            let launchId = String(id)
            let position = Int64(event.position.rawValue)
            var launch = launches.removeValue(forKey: launchId) ?? Known()
            if let known = try reader.read(event) {
                prepare(known, &launch)
                check(known, position, launchId, launch)
                Launch.evolve(&launch.state, with: known, event.envelope)
            }
            if let known = try splashReader.read(event) {
                checkSplash(known, position, launchId, &launch)
                Splash.evolve(&launch.splash, with: known, event.envelope)
            }
            launches[launchId] = launch
        }

        public mutating func finish() -> AuditResult {
            AuditResult(
                findings: findings.filter { tags, _ in
                    context.only.map(tags.contains) ?? true
                }.map(\.finding))
        }

        private mutating func find(
            _ rule: String, _ position: Int64, _ launchId: String, _ expected: String,
            _ found: String
        ) {
            findings.append(
                (
                    [Launch.tag(launchId)],
                    Finding(
                        rule: rule, position: position, entity: "launch:\(launchId)",
                        expected: expected, found: found)
                ))
        }

        /// What the device knew when the launch began.
        private mutating func prepare(_ event: Event, _ launch: inout Known) {
            switch event {
            case .appLaunched(let launched):
                launch.state.remembered = remembered[launched.device] ?? []
                launch.state.cached = configs[launched.device]
            case .remoteConfigFetched(let fetched): configs[fetched.device] = fetched
            case .optionalUpdateSkipped(let skipped):
                guard skipped.remember, let device = launch.state.launch?.device else { return }
                remembered[device, default: []].append(skipped.targetVersion)
            default: break
            }
        }

        private mutating func check(
            _ event: Event, _ position: Int64, _ launchId: String, _ launch: Known
        ) {
            switch event {
            case .appLaunched(let launched): checkDowngrade(launched, position)
            case .remoteConfigFetched(let fetched): check(fetched, position, launchId)
            case .appVersionChecked(let check): self.check(check, position, launch.state)
            case .updatePromptShown(let prompt):
                let isPending =
                    prompt.kind == .force
                    ? launch.state.check?.result == .needsUpdate
                    : launch.state.check?.pending.contains(.optional) ?? false
                if !isPending {
                    find("L8", position, launchId, "a pending update", "\(prompt.kind.name) shown")
                }
            case .noticeShown(let notice):
                if launch.state.check?.noticeDigest != notice.noticeDigest {
                    find("L8", position, launchId, "a pending notice", "another one shown")
                }
            default: break
            }
        }

        private mutating func checkDowngrade(_ launched: AppLaunched, _ position: Int64) {
            defer { versions[launched.device] = launched.appVersion }
            guard let last = versions[launched.device],
                let before = AppVersion.read(last, rules: .standard),
                let now = AppVersion.read(launched.appVersion, rules: .standard), now < before
            else { return }
            find("L6", position, launched.launchId, "at least \(last)", launched.appVersion)
        }

        private mutating func check(
            _ fetched: RemoteConfigFetched, _ position: Int64, _ launchId: String
        ) {
            let config = fetched.config
            let named = [
                ("minVersion", config.minVersion), ("force", config.force.version),
                ("optional", config.optional.version), ("latestVersion", config.latestVersion),
            ]
            for (name, version) in named {
                guard let version, AppVersion.read(version, rules: .standard) == nil else {
                    continue
                }
                find("L3", position, launchId, "a version as \(name)", "'\(version.prefix(40))'")
            }
            for version in config.blacklist {
                let version = version.filter { $0 != " " }
                guard !version.isEmpty, AppVersion.read(version, rules: .standard) == nil else {
                    continue
                }
                find("L3", position, launchId, "versions to block", "'\(version.prefix(40))'")
            }
            if let version = config.force.version, config.force.link == nil {
                find("L4", position, launchId, "a link for \(version)", "none that can be opened")
            }
            if let notice = config.notice, notice.startUs >= notice.endUs {
                find(
                    "L5", position, launchId,
                    "an end after \(Timestamp.text(Instant(microseconds: notice.startUs)))",
                    Timestamp.text(Instant(microseconds: notice.endUs)))
            }
        }

        /// L7, by the options that any check may have had: they are not part of the event.
        private mutating func check(
            _ check: AppVersionChecked, _ position: Int64, _ state: State
        ) {
            guard let launched = state.launch else { return }
            var inputs: [LaunchDecision.Input] = []
            if let config = state.config { inputs.append(.fetched(config.config)) }
            if let failure = state.failure {
                inputs.append(.failed(failure.kind, detail: failure.detail))
                if let cached = state.cached { inputs.append(.cached(cached.config)) }
            }
            guard !inputs.isEmpty else { return }
            var expected: LaunchDecision?
            for input in inputs {
                for options in LaunchDecision.Options.all {
                    let decision = LaunchDecision.decide(
                        config: input, appVersion: launched.appVersion,
                        now: Instant(microseconds: state.launchedAtUs), rules: check.rules,
                        skipped: state.remembered, options: options)
                    expected = expected ?? decision
                    let isSame =
                        decision.result == check.result && decision.reason == check.reason
                        && decision.status == check.primary
                        && decision.pending == check.pending
                    if isSame { return }
                }
            }
            guard let expected else { return }
            find(
                "L7", position, check.launchId,
                "\(expected.result.name)\(expected.reason.map { ", \($0.name)" } ?? "")",
                "\(check.result.name)\(check.reason.map { ", \($0.name)" } ?? "")")
        }

        /// L1 and L2.
        private mutating func checkSplash(
            _ event: Splash.Event, _ position: Int64, _ launchId: String, _ launch: inout Known
        ) {
            switch event {
            case .loginStatusChecked:
                if launch.state.check?.result != .upToDate {
                    find(
                        "L1", position, launchId, "a version that is up to date",
                        launch.state.check?.result.name ?? "no check")
                }
                if launch.hasEnded {
                    find("L2", position, launchId, "no end before", launch.splash.state.name)
                }
                launch.hasEnded = true
            case .appVersionChecked(let check) where check.result != .upToDate:
                if launch.hasEnded {
                    find("L2", position, launchId, "no end before", launch.splash.state.name)
                }
                launch.hasEnded = true
            default: break
            }
        }
    }
}

extension LaunchDecision.Options {
    fileprivate static let all = [
        Self(), Self(latestAsOptional: true), Self(namedErrors: true),
        Self(latestAsOptional: true, namedErrors: true),
    ]
}
