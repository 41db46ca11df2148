import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import ReplayCommands

struct HomeReport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Show a runner's home: this week, the newest runs, the whole history.")

    @Option(help: ArgumentHelp("The runner.", valueName: "id"), transform: identifier)
    var user: String

    @Option(
        help: ArgumentHelp(
            "IANA zone, or an offset like +09:00; the runner's own, else \(Running.rankingZone).",
            valueName: "zone"))
    var zone: String?

    @Option(help: ArgumentHelp("The compiled tz database to use.", valueName: "folder"))
    var tzdata = ZoneOptions.standardFolder

    @OptionGroup var now: NowOptions
    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let source = try ZoneOptions.source(tzdata)
        let log = try log.open(.read)
        let home = try mappingLogErrors {
            let reading = try RunReading(log, moment)
            let runner = try reading.runners([user])[user] ?? Running.RunnerState.blank
            guard runner.isKnown || !runner.runs.isEmpty else {
                throw Failure(
                    .finding,
                    "nothing is known of a runner '\(user)' at position \(reading.through)")
            }
            var home = Running.Home(
                of: user, runner, zone: try ZoneOptions.zone(zone ?? runner.homeZone, source),
                tzdata: source.version, now: try now.instant(),
                ReportContext(
                    rules: .standard, zones: source, position: reading.through,
                    knownAt: try moment.knownAt(log)))
            if runner.isNamed {
                home.displayName = try reading.names(of: [user])[user] ?? "erased"
            }
            return home
        }
        guard !output.json else { return Output.json(JSONWriter.text(home)) }
        Output.lines(Self.lines(home))
    }

    private static func lines(_ home: Running.Home) -> [String] {
        let weekly = home.weekly
        var lines = [
            "\(home.userId), shown as \(home.displayName ?? home.userId), week \(weekly.week) in "
                + home.zone,
            "  this week  \(weekly.distanceKm.text) km in \(duration(weekly.activeMs)), "
                + "\(weekly.kcal) kcal, \(runs(weekly.runs))",
            "  in all     \(home.totalDistanceKm.text) km in \(runs(home.totalRuns))",
        ]
        if let title = home.emptyTitle, let subtitle = home.emptySubtitle {
            lines.append("  no runs: the app shows \"\(title)\", \"\(subtitle)\"")
        }
        for run in home.history {
            let start = run.started.map { Timestamp.text($0) }
            let pace = run.avgPaceMsPerKm.map { "\(duration($0)) /km" } ?? "no pace"
            lines.append(
                "  \(start ?? "no time")  \(Running.kilometres(run.distanceMm).text) km  "
                    + "\(duration(run.activeMs))  \(pace)  \(run.runId)")
        }
        return lines
    }

    private static func runs(_ count: Int64) -> String { count == 1 ? "1 run" : "\(count) runs" }

    /// `1:02:03`, cut off at the second.
    private static func duration(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        let two = { (value: Int64) in value < 10 ? "0\(value)" : "\(value)" }
        return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
