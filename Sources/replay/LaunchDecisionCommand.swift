import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import Formats
import Playback
import ReplayCommands

struct LaunchDecisionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch-decision",
        abstract: "Tell what a config would do to a version, or to every version in a log.",
        discussion: """
            The config is a JSON object: S0's AppConfig (minVersion, latestVersion, \
            maintenanceMode, maintenanceMessage), Remote Config's flat keys \
            (forceUpdateAppVersionKey, …), or both. What is wrong with it without making it \
            unreadable is listed as a warning.
            """)

    @Option(help: ArgumentHelp("The config, as JSON; '-' is standard input.", valueName: "file"))
    var config: String

    @Option(help: ArgumentHelp("The version of the app.", valueName: "version"))
    var appVersion: String?

    @Option(help: ArgumentHelp("When the app is launched (RFC 3339).", valueName: "time"))
    var now: String

    @Option(name: .customLong("rules"), help: "The rules to decide by.")
    private var rulesOption = RulesOption(.standard)

    @Option(
        help: ArgumentHelp(
            "An optional version the user has skipped. May be given again.", valueName: "version"))
    var skipped: [String] = []

    @Flag(help: "Offer latestVersion as an optional update where the config names none.")
    var latestAsOptional = false

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if appVersion == nil, !log.isNamed {
            throw ValidationError(
                "Name a version with --app-version, or a log with --log for all its versions.")
        }
        if appVersion != nil, log.log == nil, moment.isNamed {
            throw ValidationError("--at and --valid-at are of a log, and none is named.")
        }
    }

    func run() throws {
        let now = try MomentOptions.time(now, "--now")
        let parsed: (config: Launch.Config, warnings: [Launch.Config.Warning])
        let bytes = try InputFile.bytes(of: config)
        do throws(InputError) {
            parsed = try RemoteConfig.read(bytes, rules: .standard)
        } catch {
            throw Failure(.usage, "\(error.inFile(config))")
        }
        show(parsed.warnings)
        if let appVersion {
            show(decide(parsed.config, appVersion, now), now)
        }
        if appVersion == nil || log.log != nil { try showCensus(parsed.config, now) }
    }

    /// Lists a few warnings of each problem, and counts the others.
    private func show(_ warnings: [Launch.Config.Warning]) {
        let limit = 20
        var counts: [Launch.ConfigProblem: Int] = [:]
        for warning in warnings {
            counts[warning.problem, default: 0] += 1
            if counts[warning.problem, default: 0] <= limit {
                StandardError.message("\(config): \(warning)")
            }
        }
        for (problem, count) in counts.sorted(by: { $0.key.name < $1.key.name }) where count > limit
        {
            StandardError.message(
                "\(config): \(problem.name): \(count - limit) more like it")
        }
    }

    private func decide(
        _ config: Launch.Config, _ version: String, _ now: Instant
    ) -> LaunchDecision {
        LaunchDecision.decide(
            config: .fetched(config), appVersion: version, now: now,
            rules: Rules(rulesOption.rules),
            skipped: skipped, options: LaunchDecision.Options(latestAsOptional: latestAsOptional))
    }

    private func show(_ decision: LaunchDecision, _ now: Instant) {
        guard !output.json else { return Output.json(JSONWriter.text(decision)) }
        Output.line(
            "\(appVersion ?? "") at \(Timestamp.text(now)): \(decision.status.name)"
                + (decision.reason.map { ", because of \($0.name)" } ?? ""))
        for leaf in FlatFields.of(decision).dropFirst(3)
        where leaf.value != "null" && leaf.value != "[]" && leaf.value != "false" {
            Output.line("  \(leaf.path)  \(leaf.value)")
        }
    }

    /// One row a version the log has seen, the most used first.
    private func showCensus(_ config: Launch.Config, _ now: Instant) throws {
        let log = try log.open(.read)
        var census = Launch.Census.State.blank
        try mappingLogErrors {
            try log.fold(
                Launch.Census.self, matching: Query(Query.Item(kinds: Launch.Census.kinds)),
                into: &census, through: moment.through(log), validThrough: moment.validThrough(),
                upcasting: catalogue())
        }
        var devices: [String: Int64] = [:]
        for version in census.versionOfDevice.values { devices[version, default: 0] += 1 }
        let versions = census.launches.keys.sorted {
            (devices[$1] ?? 0, $0) < (devices[$0] ?? 0, $1)
        }
        for version in versions {
            let decision = decide(config, version, now)
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("appVersion", version)
                writer.member("devices", devices[version] ?? 0)
                writer.member("launches", census.launches[version] ?? 0)
                writer.member("status", decision.status)
                writer.member("reason", decision.reason)
                writer.member("rules", decision.rules)
            }
            guard !output.json else {
                Output.json(writer.text)
                continue
            }
            Output.line(
                "\(version)  \(devices[version] ?? 0) devices, "
                    + "\(census.launches[version] ?? 0) launches: \(decision.status.name)"
                    + (decision.reason.map { " (\($0.name))" } ?? ""))
        }
    }
}
