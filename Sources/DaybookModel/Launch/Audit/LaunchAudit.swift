import Daybook

extension Launch {
    /// Finds errors in the recorded histories of launches.
    struct LaunchAudit: Audit {
        static let description = AuditDescription(
            "launch",
            [
                AuditRule("L1", "The login was checked before the version was found up to date"),
                AuditRule("L2", "An event followed the last screen of the splash"),
                AuditRule("L3", "A config names a version that cannot be read"),
                AuditRule("L4", "A config forces an update without a link to it"),
                AuditRule("L5", "A notice ends before it starts"),
                AuditRule("L6", "A device's app is older than at its previous launch"),
                AuditRule("L7", "A version check differs from the decision by its rules"),
                AuditRule("L8", "A prompt or notice was shown that was not pending"),
                AuditRule(
                    "L9", "A version or link differs from that of the launch, config or check"),
                AuditRule("L10", "An event does not fit the step that the splash had reached"),
            ]
        ) { LaunchAudit($0) }

        /// The state of a launch and of its splash, before the next event.
        private struct LaunchHistory {
            var state = State()
            var splash = Splash.State()
        }

        private var launches: [String: LaunchHistory] = [:]
        /// App version of the last launch, by device id.
        private var lastVersions: [String: String] = [:]
        /// Versions of optional updates that are not to be offered again, by device id.
        private var skippedVersions: [String: [String]] = [:]
        /// Last fetched config, by device id.
        private var lastConfigs: [String: RemoteConfigFetched] = [:]
        private var findings: EntityFindings
        private let reader = KindReader<Event>()
        private let splashReader = KindReader<Splash.Event>()
        init(_ context: AuditContext) { findings = EntityFindings("launch", context) }

        func ignores(_ kind: EventKind) -> Bool {
            reader.ignores(kind) && splashReader.ignores(kind)
        }

        mutating func check(_ event: RecordedEvent) throws(FoldError) {
            guard let id = event.tags.first(where: { $0.noun == "launch" })?.id else { return }
            let launchId = String(id)
            let position = Int64(event.position.rawValue)
            var launch = launches.removeValue(forKey: launchId) ?? LaunchHistory()
            if let known = try reader.read(event) {
                prepare(known, &launch)
                check(known, position, launchId, launch)
                Launch.evolve(&launch.state, with: known, event.envelope)
            }
            if let known = try splashReader.read(event) {
                let before = launch.splash
                Splash.evolve(&launch.splash, with: known, event.envelope)
                if launch.splash.unexpectedTransitions > before.unexpectedTransitions {
                    findUnexpectedEvent(known, event.kind, position, launchId, launch.state, before)
                }
            }
            launches[launchId] = launch
        }

        mutating func finish() -> AuditResult { AuditResult(findings: findings.found) }

        /// Copies the device's earlier config and skipped versions into a new launch, and records
        /// the device's new config and skipped versions.
        private mutating func prepare(_ event: Event, _ launch: inout LaunchHistory) {
            switch event {
            case .appLaunched(let launched):
                launch.state.skippedVersions = skippedVersions[launched.device] ?? []
                launch.state.earlierConfig = lastConfigs[launched.device]
            case .remoteConfigFetched(let fetched): lastConfigs[fetched.device] = fetched
            case .optionalUpdateSkipped(let skipped):
                guard skipped.remember, let device = launch.state.launch?.device else { return }
                skippedVersions[device, default: []].append(skipped.targetVersion)
            default: break
            }
        }

        /// Checks an event by those of the rules L3 to L9 that concern its kind.
        private mutating func check(
            _ event: Event, _ position: Int64, _ launchId: String, _ launch: LaunchHistory
        ) {
            switch event {
            case .appLaunched(let launched): checkDowngrade(launched, position)
            case .remoteConfigFetched(let fetched): check(fetched, position, launchId)
            case .appVersionChecked(let check): self.check(check, position, launch.state)
            case .updatePromptShown(let prompt):
                if launch.state.check?.asks(for: prompt.kind) != true {
                    findings.add(
                        "L8", position, launchId, expected: "a pending update",
                        found: "\(prompt.kind.name) shown")
                } else if let check = launch.state.check {
                    findings.compare(
                        "L9", position, launchId,
                        [
                            ("targetVersion", check.targetVersion, prompt.targetVersion),
                            ("url", check.url, prompt.url),
                        ])
                }
            case .updateAccepted(let accepted):
                guard let check = launch.state.check else { break }
                findings.compare("L9", position, launchId, [("url", check.url, accepted.url)])
            case .optionalUpdateSkipped(let skipped):
                guard let check = launch.state.check else { break }
                findings.compare(
                    "L9", position, launchId,
                    [("targetVersion", check.targetVersion, skipped.targetVersion)])
            case .noticeShown(let notice):
                if launch.state.check?.noticeDigest != notice.noticeDigest {
                    findings.add(
                        "L8", position, launchId, expected: "a pending notice",
                        found: "another notice shown")
                }
            default: break
            }
        }

        /// Checks rule L6: the app is not older than at the device's previous launch.
        private mutating func checkDowngrade(_ launched: AppLaunched, _ position: Int64) {
            defer { lastVersions[launched.device] = launched.appVersion }
            guard let last = lastVersions[launched.device],
                let before = AppVersion(last), let now = AppVersion(launched.appVersion),
                now < before
            else { return }
            findings.add(
                "L6", position, launched.launchId, expected: "at least \(last)",
                found: launched.appVersion)
        }

        /// Checks a fetched config by rules L3 (versions), L4 (link of a forced update) and L5
        /// (notice).
        private mutating func check(
            _ fetched: RemoteConfigFetched, _ position: Int64, _ launchId: String
        ) {
            let config = fetched.config
            let named = [
                ("minVersion", config.minVersion), ("force", config.force.version),
                ("optional", config.optional.version), ("latestVersion", config.latestVersion),
            ]
            for (name, version) in named {
                guard let version, AppVersion(version) == nil else { continue }
                findings.add(
                    "L3", position, launchId, expected: "a version as \(name)",
                    found: "'\(version.prefix(40))'")
            }
            for version in config.blacklist {
                let version = version.filter { $0 != " " }
                guard !version.isEmpty, BlockedVersions(version) == nil else { continue }
                findings.add(
                    "L3", position, launchId, expected: "versions to block",
                    found: "'\(version.prefix(40))'")
            }
            if let version = config.force.version, config.force.link == nil {
                findings.add(
                    "L4", position, launchId, expected: "a link for \(version)",
                    found: "none that can be opened")
            }
            if let notice = config.notice, notice.start >= notice.end {
                findings.add(
                    "L5", position, launchId,
                    expected: "an end after \(Timestamp.text(notice.start))",
                    found: Timestamp.text(notice.end))
            }
        }

        /// Checks a version check by rules L7 (decision) and L9 (version and link). The recorded
        /// check does not contain its options, so every combination of options is tried.
        private mutating func check(_ check: AppVersionChecked, _ position: Int64, _ state: State) {
            guard let launched = state.launch else { return }
            findings.compare(
                "L9", position, check.launchId,
                [("currentVersion", launched.appVersion, check.currentVersion)])
            var inputs: [LaunchDecision.Input] = []
            if let config = state.config { inputs.append(.fetched(config.config)) }
            if let failure = state.failure {
                inputs.append(.failed(failure.kind, detail: failure.detail))
                if let cached = state.earlierConfig { inputs.append(.cached(cached.config)) }
            }
            guard !inputs.isEmpty else { return }
            var expected: LaunchDecision?
            var matching: [LaunchDecision] = []
            for input in inputs {
                for options in LaunchDecision.Options.all {
                    let decision = LaunchDecision.decide(
                        config: input, appVersion: launched.appVersion, now: state.launchedAt,
                        rules: check.rules, skipped: state.skippedVersions, options: options)
                    expected = expected ?? decision
                    if decision.result == check.result, decision.reason == check.reason,
                        decision.status == check.launchStatus, decision.pending == check.pending
                    {
                        matching.append(decision)
                    }
                }
            }
            if let first = matching.first {
                let differences = matching.map { $0.differences(from: check) }
                if !differences.contains(where: \.isEmpty) {
                    findings.compare("L9", position, check.launchId, first.differences(from: check))
                }
                return
            }
            guard let expected else { return }
            findings.add(
                "L7", position, check.launchId,
                expected: Self.text(expected.result, expected.reason),
                found: Self.text(check.result, check.reason))
        }

        /// Returns the result and the reason, separated by a comma.
        private static func text(_ result: VersionResult, _ reason: VersionReason?) -> String {
            ([result.name] + [reason?.name].compactMap(\.self)).joined(separator: ", ")
        }

        /// Adds a finding by rule L1, L2 or L10 for an event that does not fit the splash.
        private mutating func findUnexpectedEvent(
            _ event: Splash.Event, _ kind: EventKind, _ position: Int64, _ launchId: String,
            _ state: State, _ splash: Splash.State
        ) {
            let last = findings.found.last
            var isExplained = last?.rule == "L8" && last?.position == position
            if case .loginStatusChecked = event, state.check?.result != .upToDate {
                findings.add(
                    "L1", position, launchId, expected: "a version that is up to date",
                    found: state.check?.result.name ?? "no check")
                isExplained = true
            }
            if splash.hasEnded {
                findings.add(
                    "L2", position, launchId, expected: "no last screen before",
                    found: splash.state.name)
            } else if !isExplained {
                findings.add(
                    "L10", position, launchId, expected: "an event that fits \(splash.screenText)",
                    found: String(kind.stem))
            }
        }
    }
}

extension LaunchDecision {
    /// Returns the versions and the link in which a recorded check differs from this decision.
    fileprivate func differences(
        from check: Launch.AppVersionChecked
    ) -> [(field: String, expected: String?, found: String?)] {
        let pairs: [(field: String, expected: String?, found: String?)] = [
            ("minVersion", minVersion, check.minVersion),
            ("latestVersion", latestVersion, check.latestVersion),
            ("targetVersion", targetVersion, check.targetVersion), ("url", url, check.url),
        ]
        return pairs.filter { $0.expected != $0.found }
    }
}

extension EntityFindings {
    /// Adds a finding for each field whose recorded value differs from the expected value.
    fileprivate mutating func compare(
        _ rule: String, _ position: Int64, _ id: String,
        _ values: [(field: String, expected: String?, found: String?)]
    ) {
        for value in values where value.expected != value.found {
            let texts = [value.expected, value.found].map { text in
                text.map { "\(value.field) '\($0.prefix(80))'" } ?? "no \(value.field)"
            }
            add(rule, position, id, expected: texts[0], found: texts[1])
        }
    }
}

extension Launch.Splash.State {
    /// Name of the screen; for a loading screen, "loading for the" and the step that it waits for.
    fileprivate var screenText: String {
        guard !launchId.isEmpty else { return "no launch" }
        return state == .loading ? "loading for the \(stage.name)" : state.name
    }
}

extension LaunchDecision.Options {
    fileprivate static let all = [
        Self(), Self(latestAsOptional: true), Self(namedErrors: true),
        Self(latestAsOptional: true, namedErrors: true),
    ]
}
