import Daybook
import DaybookModel

/// Registers the command that tries out a remote config for app launches.
enum LaunchFiles: FileFormats {
    /// Commands that try out a file before it is used; the only one is `launch-decision`.
    static let trials: [any Trial.Type] = [ConfigTrial.self]
}

/// Tries out a remote config for app launches.
///
/// Shows the launch decision for one app version, or for each version in a log.
struct ConfigTrial: Trial {
    typealias Model = Launch.Census
    static let name = "launch-decision"
    static let summary =
        "Show the launch decision of a config for a version, or for every version in a log."
    /// The discussion in the command's help.
    static let discussion = """
        The config is a JSON object: an AppConfig (minVersion, latestVersion, maintenanceMode, \
        maintenanceMessage), Remote Config's flat keys (forceUpdateAppVersionKey, …), or both; or \
        a Firebase template. Faults that leave the config readable are listed as warnings. The \
        command ends with 1 if no key of the file is known.

          replay launch-decision --config config.json --app-version 1.2.0 --now 2026-03-03T00:00:00Z
          replay launch-decision --config template.json --condition "iOS 17" --condition Korea \
        --keys keys.json --log app.daybook --devices --now 2026-03-03T00:00:00Z

        Of the conditions that hold, the one that the template lists first decides each parameter, \
        as in Firebase. --keys names a JSON file with the app's own names: \
        {"minVersion": "ios_min_version"}.
        """
    /// The option `--config`, which names the candidate config.
    static let file = FileOption(
        "config", value: "file", .text, "The config, as JSON; '-' is standard input.")
    /// The option `--app-version`, which names the version whose launch decision is shown.
    static let subject = FileOption(
        "app-version", value: "version", .text, "The version of the app.")
    /// Word for a value of the option `--app-version` in messages.
    static let noun = "version"
    /// The options of the command besides `file` and `subject`.
    static let options = [
        now, skipped, latestAsOptional, listDevices, keys, appDefaults, condition, noCondition,
    ]

    private static let now = FileOption(
        "now", value: "time", .time, "When the app is launched (RFC 3339).")
    /// The option `--skipped`, which names versions whose optional update the user has skipped.
    private static let skipped = FileOption(
        "skipped", value: "version", .texts,
        "An optional version the user has skipped. May be given again.")
    /// The option `--latest-as-optional`, which offers `latestVersion` as an optional update.
    private static let latestAsOptional = FileOption(
        "latest-as-optional", .flag,
        "Offer latestVersion as an optional update if the config names none.")

    private static let listDevices = FileOption(
        "devices", .flag, "Name the devices of each version in the log, with platform and system.")

    /// The option `--keys`, which names a file with the app's own names of the config keys.
    private static let keys = FileOption(
        "keys", value: "file", .file, "The app's own names of the keys, as a JSON object.")
    /// The option `--app-defaults`, which names a file with the app's defaults of the config keys.
    private static let appDefaults = FileOption(
        "app-defaults", value: "file", .file,
        "The app's own defaults by key, as a JSON object, for keys that the config leaves to it.")
    /// The option `--condition`, which names the conditions of a Firebase template that hold.
    private static let condition = FileOption(
        "condition", value: "name", .texts,
        "A condition of a template that holds. May be given again.")
    /// The option `--no-condition`, which states that no condition of the template holds.
    private static let noCondition = FileOption(
        "no-condition", .flag, "None of the template's conditions holds.")

    /// The parsed candidate config.
    private let config: Launch.Config
    /// Faults of the config that leave it readable, and options that have no effect.
    let warnings: [TrialWarning]
    /// Time of the launch; 1970 if `--now` is not given.
    private let now: Instant
    /// Versions whose optional update the user has skipped, from `--skipped`.
    private let skippedVersions: [String]
    /// Rule set under which the launch decision is made.
    private let rules: Rules
    /// Options of the launch decision, from `--latest-as-optional`.
    private let decisionOptions: LaunchDecision.Options
    private let listsDevices: Bool
    /// True if the config has none of the known keys, so that it does not affect any decision.
    let isIrrelevant: Bool

    /// Parses a config, or a Firebase template of a config, and the options; throws an error if the
    /// config is malformed, or the options contradict each other.
    init(
        _ bytes: [UInt8], _ options: FileOptions, _ rules: RuleSet, reading: InputRules
    ) throws(InputError) {
        let holding = options[all: Self.condition]
        let isNone = options.has(Self.noCondition)
        if isNone, let condition = holding.first {
            throw InputError(
                "--no-condition and --condition '\(condition)' contradict each other; give only "
                    + "one of these options")
        }
        var settings = RemoteConfig.ReadingSettings(
            conditions: isNone || !holding.isEmpty ? holding : nil)
        if let bytes = options[content: Self.keys] {
            do throws(InputError) {
                settings.ownKeys = try RemoteConfig.ownKeys(bytes, rules: reading)
            } catch {
                throw error.inFile(options[Self.keys] ?? "")
            }
        }
        if let bytes = options[content: Self.appDefaults] {
            do throws(InputError) {
                settings.defaults = try RemoteConfig.defaults(bytes)
            } catch {
                throw error.inFile(options[Self.appDefaults] ?? "")
            }
        }
        var leftKeys: [RemoteConfig.LeftKey] = []
        let read = try RemoteConfig.parse(bytes, as: settings, leftKeys: &leftKeys, rules: reading)
        config = read.config
        isIrrelevant = read.knownKeys.isEmpty
        now = options.time(Self.now) ?? Instant(microseconds: 0)
        skippedVersions = options[all: Self.skipped]
        self.rules = Rules(rules)
        listsDevices = options.has(Self.listDevices)
        decisionOptions = LaunchDecision.Options(
            latestAsOptional: options.has(Self.latestAsOptional))
        warnings =
            leftKeys.map(Self.warning) + Self.warnings(of: read, leaves: !leftKeys.isEmpty)
            + Self.warnings(of: read.config, decisionOptions)
            + Self.warnings(ofSkipped: skippedVersions, self.rules)
    }

    /// Returns the warning about a key for which the app's own default counts.
    private static func warning(of left: RemoteConfig.LeftKey) -> TrialWarning {
        TrialWarning(
            "appDefault",
            "line \(left.line): field '\(left.path)': the app's own default of '\(left.key)' counts "
                + "(useInAppDefault), which the template does not tell and this decision leaves out; "
                + "--app-defaults names a file with the app's defaults")
    }

    /// Returns the warnings about a parsed config, with one warning for all unknown keys.
    ///
    /// - Parameter leaves: true if the config leaves known keys to the app.
    private static func warnings(of read: Launch.Config.Parsed, leaves: Bool) -> [TrialWarning] {
        let unknown = read.warnings.filter { $0.problem == .unknownKey }
        var warnings = countedWarnings(read.warnings.filter { $0.problem != .unknownKey })
        if !unknown.isEmpty {
            warnings.append(TrialWarning("unknownKey", unknownKeysMessage(unknown)))
        }
        if read.knownKeys.isEmpty, !leaves {
            warnings.append(
                TrialWarning(
                    "noKnownKey",
                    "none of the config's keys is known, so the config decides nothing; --keys names "
                        + "a file with the app's own names of the keys"))
        }
        return warnings
    }

    /// Joins equal warnings into one, with the number of their occurrences.
    private static func countedWarnings(_ warnings: [Launch.Config.Warning]) -> [TrialWarning] {
        var counts: [Launch.Config.Warning: Int] = [:]
        for warning in warnings { counts[warning, default: 0] += 1 }
        var seen: Set<Launch.Config.Warning> = []
        return warnings.filter { seen.insert($0).inserted }.map { warning in
            let count = counts[warning] ?? 1
            return TrialWarning(
                warning.problem.name, count == 1 ? "\(warning)" : "\(warning) (\(count) times)")
        }
    }

    /// Returns a message like `3 keys are unknown and ignored: 'a', 'b' and 'c'`.
    private static func unknownKeysMessage(_ unknown: [Launch.Config.Warning]) -> String {
        let names = unknown.prefix(20).map { "'\($0.key)'" }
        let rest = unknown.count - names.count
        let list = rest > 0 ? names + ["\(rest) more"] : names
        let keys = unknown.count == 1 ? "1 key is" : "\(unknown.count) keys are"
        return "\(keys) unknown and ignored: "
            + (list.count > 1
                ? list.dropLast().joined(separator: ", ") + " and " + list[list.count - 1]
                : list.joined())
    }

    /// Returns a warning if the config leaves `--latest-as-optional` without effect; an empty list
    /// if the option has an effect or is not used.
    private static func warnings(
        of config: Launch.Config, _ options: LaunchDecision.Options
    ) -> [TrialWarning] {
        guard options.latestAsOptional, config.optional.version == nil else { return [] }
        let missing =
            config.latestVersion == nil
            ? "the config names no latestVersion"
            : config.optional.link == nil
                ? "the config has no optionalUpdateAlertDoneLinkURLKey" : nil
        return missing.map {
            [TrialWarning("latestAsOptional", "--latest-as-optional does nothing: \($0)")]
        } ?? []
    }

    /// Returns a warning if the rule set leaves `--skipped` without effect; an empty list if the
    /// option has an effect or is not used.
    private static func warnings(ofSkipped skipped: [String], _ rules: Rules) -> [TrialWarning] {
        guard rules == .source, !skipped.isEmpty else { return [] }
        return [
            TrialWarning(
                "skipped",
                "--skipped does nothing: the rule set 'source' offers an update at each launch")
        ]
    }

    /// Returns the launch decision for an app version, as JSON and as lines of text.
    func answer(for version: String) -> TrialAnswer {
        let decision = decide(version, skipped: [])
        let reason = decision.reason.map { ", because of \($0.name)" } ?? ""
        let leaves = FlatFields.of(decision).dropFirst(3)
            .filter { !["null", "[]", "false"].contains($0.value) }
        return TrialAnswer(
            decision,
            lines: ["\(version) at \(Timestamp.text(now)): \(decision.status.name)\(reason)"]
                + leaves.map { "  \($0.path)  \($0.value)" })
    }

    /// Returns one answer for each app version in the log, that with the most devices first.
    func answers(_ census: Launch.Census.State) -> [TrialAnswer] {
        var devices: [String: [String]] = [:]
        for (id, device) in census.devices {
            guard let version = device.appVersion else { continue }
            devices[version, default: []].append(id)
        }
        let versions = census.launchCounts.keys.sorted {
            (devices[$1]?.count ?? 0, $0) < (devices[$0]?.count ?? 0, $1)
        }
        return versions.map { version in
            var row = VersionRow(decide(version, skipped: []), version)
            row.launchCount = census.launchCounts[version] ?? 0
            for id in (devices[version] ?? []).sorted() {
                guard let device = census.devices[id] else { continue }
                row.add(id, device, decide(version, skipped: device.skipped), isNamed: listsDevices)
            }
            return TrialAnswer(row, lines: row.lines)
        }
    }

    /// Returns the launch decision for an app version.
    ///
    /// - Parameter skipped: the versions whose optional update a device has skipped, in addition to
    ///   those that the option `--skipped` names.
    private func decide(_ version: String, skipped: [String]) -> LaunchDecision {
        LaunchDecision.decide(
            config: .fetched(config), appVersion: version, now: now, rules: rules,
            skipped: skippedVersions + skipped, options: decisionOptions)
    }
}
