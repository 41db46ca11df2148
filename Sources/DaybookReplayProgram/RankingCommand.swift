import ArgumentParser
import Daybook
import DaybookModel
import DaybookTool

/// The command `ranking`, which ranks the runners of a week and can close the week.
struct RankingCommand: ToolCommand {
    static let examples = [
        "ranking --week 'this week'", "ranking --week 2026-W08 --closed --top 10",
    ]
    var isPaged: Bool { true }

    static let configuration = CommandConfiguration(
        commandName: "ranking",
        abstract: "Rank the runners of a week, live or as the week was closed.",
        discussion: """
            A score is the distance that a runner covered in the week, in whole metres. A run \
            belongs to the week in which it starts. Equal scores share a rank. Moves compare the \
            rank with the week before: its closed ranking, or the live one if it was never closed. \
            --close makes the ranking final; events that arrive later change only the live \
            ranking, and are listed. The week begins on Monday in --zone, by default \
            \(Running.rankingZone).
            """)

    @Option(help: ArgumentHelp("The week, like 2026-W08.", valueName: "week"))
    var week: String

    @Option(
        help: ArgumentHelp(
            "Number of rows; by default 20 in a table, and all in JSON.", valueName: "n"))
    var top: Int?

    @Option(help: "Shape of the JSON: standard, or source for the API of the specification.")
    var shape = Shape.standard

    /// Name of the rule set; a ranking supports only `standard`.
    @Option(help: .hidden)
    var rules = "standard"

    @Flag(help: "Show the ranking as it was closed.")
    var closed = false

    @Flag(help: "Close the week.")
    var close = false

    @Flag(help: "With --close: close the week again, including late events.")
    var again = false

    @Option(
        help: ArgumentHelp("User who closes the week.", valueName: "user"), transform: identifier)
    var by: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    enum Shape: String, ExpressibleByArgument, CaseIterable {
        /// The layout that is specific to this tool.
        case standard
        /// The layout of the running app's HTTP API.
        case source
    }

    func validate() throws {
        guard rules == "standard" else {
            throw ValidationError(
                rules == "source"
                    ? "--rules: the rule set 'source' has no rankings: \(Running.sourceRunsReason); "
                        + "--shape source prints the ranking in the shape of the shared specification."
                    : "--rules: expected 'standard', as for any ranking, found '\(rules)'.")
        }
        if let top, top < 1 {
            throw ValidationError("--top: expected a number of at least 1, found \(top).")
        }
        guard !close || moment.at == nil && moment.validAt == nil else {
            throw ValidationError(
                "--close cannot be combined with --at or --valid-at: it closes a week at the present "
                    + "time.")
        }
        guard close || !again else { throw ValidationError("--again requires --close.") }
        guard !closed || !output.json || shape == .source else {
            throw ValidationError(
                "--closed cannot be combined with --json, which prints the live and the closed "
                    + "ranking.")
        }
    }

    func run() throws {
        let zone = moment.zones.zone ?? Running.rankingZone
        CommandTime.setZone(try? ZoneOptions.zone(zone, try moment.zones.source()))
        let period = ReportPeriod.week("week")
        let week = try CommandTime.date(week, "--week", period).isoWeekText
        let isTable = !output.json && shape == .standard
        var arguments = [Tree.Member(key: "zone", value: Tree(.text(zone), line: 1))]
        if let top = top ?? (isTable ? 20 : nil) {
            arguments.append(Tree.Member(key: "top", value: Tree(.integer(Int64(top)), line: 1)))
        }
        arguments.append(Tree.Member(key: "again", value: Tree(.boolean(again), line: 1)))
        let form: ReportForm =
            switch (shape, closed, output.json) {
            case (.source, false, _): "source"
            case (.source, true, _): "closed-source"
            case (.standard, true, _): "closed"
            case (.standard, false, let isJSON): isJSON ? .json : .text
            }
        guard let report = catalogue().reports[Running.RankingReport.name] else {
            preconditionFailure("the catalogue of the program lacks the ranking report")
        }
        try ReportRun(
            report, arguments, periods: [week], form: form, log: log,
            moment: moment, recordsIssue: close, by: by
        ).run()
    }
}
