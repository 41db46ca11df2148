import CivilTime
public import Domain
public import EventSourcing

/// Files about launches: the config that decides them.
public enum LaunchFiles: FileFormats {
    public static let trials: [any Trial.Type] = [ConfigTrial.self]
}

/// The decisions that a config would lead to, for a version of the app or for all in a log.
public struct ConfigTrial: Trial {
    public typealias Model = Launch.Census

    public static let name = "launch-decision"
    public static let summary =
        "Tell what a config would do to a version, or to every version in a log."
    public static let discussion = """
        The config is a JSON object: S0's AppConfig (minVersion, latestVersion, maintenanceMode, \
        maintenanceMessage), Remote Config's flat keys (forceUpdateAppVersionKey, …), or both. \
        What is wrong with it without making it unreadable is listed as a warning.
        """
    public static let file = FileOption(
        "config", value: "file", .text, "The config, as JSON; '-' is standard input.")
    public static let subject = FileOption(
        "app-version", value: "version", .text, "The version of the app.")
    public static let noun = "version"
    public static let options = [now, skipped, latestAsOptional]

    private static let now = FileOption(
        "now", value: "time", .time, "When the app is launched (RFC 3339).")
    private static let skipped = FileOption(
        "skipped", value: "version", .texts,
        "An optional version the user has skipped. May be given again.")
    private static let latestAsOptional = FileOption(
        "latest-as-optional", .flag,
        "Offer latestVersion as an optional update where the config names none.")

    private let config: Launch.Config
    public let warnings: [TrialWarning]
    private let now: Instant
    private let skipped: [String]
    private let rules: Rules
    private let choices: LaunchDecision.Options

    public init(
        _ bytes: [UInt8], _ options: FileOptions, _ rules: RuleSet, reading: InputRules
    ) throws(InputError) {
        let read = try RemoteConfig.read(bytes, rules: reading)
        config = read.config
        warnings = read.warnings.map { TrialWarning($0.problem.name, "\($0)") }
        now = options.time(Self.now) ?? Instant(microseconds: 0)
        skipped = options[all: Self.skipped]
        self.rules = Rules(rules)
        choices = LaunchDecision.Options(latestAsOptional: options.has(Self.latestAsOptional))
    }

    public func answer(for version: String) -> TrialAnswer {
        let decision = decide(version)
        let reason = decision.reason.map { ", because of \($0.name)" } ?? ""
        let leaves = FlatFields.of(decision).dropFirst(3)
            .filter { !["null", "[]", "false"].contains($0.value) }
        return TrialAnswer(
            decision,
            lines: ["\(version) at \(Timestamp.text(now)): \(decision.status.name)\(reason)"]
                + leaves.map { "  \($0.path)  \($0.value)" })
    }

    /// One row a version the log has seen, the most used first.
    public func answers(_ census: Launch.Census.State) -> [TrialAnswer] {
        var devices: [String: Int64] = [:]
        for version in census.versionOfDevice.values { devices[version, default: 0] += 1 }
        let versions = census.launches.keys.sorted {
            (devices[$1] ?? 0, $0) < (devices[$0] ?? 0, $1)
        }
        return versions.map { version in
            let decision = decide(version)
            var row = VersionRow.blank
            row.appVersion = version
            row.devices = devices[version] ?? 0
            row.launches = census.launches[version] ?? 0
            row.status = decision.status
            row.reason = decision.reason
            row.rules = decision.rules
            return TrialAnswer(row, lines: [row.line])
        }
    }

    private func decide(_ version: String) -> LaunchDecision {
        LaunchDecision.decide(
            config: .fetched(config), appVersion: version, now: now, rules: rules,
            skipped: skipped, options: choices)
    }
}

/// A version of the app: how many use it, and what a config would do to it.
private struct VersionRow: Record {
    var appVersion = ""
    var devices: Int64 = 0
    var launches: Int64 = 0
    var status = Launch.LaunchStatus.valid
    var reason: Launch.VersionReason?
    var rules = Rules.standard
    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("appVersion", &appVersion, "devices", &devices, "launches", &launches)
        try field("status", &status, "reason", &reason, "rules", &rules)
    }

    var line: String {
        "\(appVersion)  \(devices.counted("device")), "
            + "\(launches.counted("launch", "launches")): \(status.name)"
            + (reason.map { " (\($0.name))" } ?? "")
    }
}
