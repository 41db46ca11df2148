import ArgumentParser
import Daybook
import DaybookLog

/// A report that is asked about in place of a projection, and what it is asked with.
struct AskedReport: ParsableArguments {
    /// The prefix of a report's name where a projection is named.
    static let prefix = "report."

    @Option(
        help: ArgumentHelp("Report to use instead of a projection.", valueName: "name"),
        completion: Completions.reports)
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Argument of the report; may be repeated.", valueName: "name=value"))
    var with: [String] = []

    @Option(
        help: ArgumentHelp("Folder of the compiled tz database, for reports.", valueName: "folder"),
        completion: .directory)
    var tzdata = ZoneOptions.standardFolder

    func arguments(
        of description: ReportDescription, as moment: MomentOptions, in log: EventLog
    ) throws -> Tree {
        try ReportOptions.arguments(with, of: description, as: moment, tzdata: tzdata, in: log)
    }
}
