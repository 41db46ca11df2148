import ArgumentParser
import Daybook
import DaybookLog

/// Options that select a report in place of a projection, with the report's arguments.
struct ReportSelectionOptions: ParsableArguments {
    /// Prefix of a report's name where the name of a projection is expected, as in `report.daily`.
    static let prefix = "report."

    /// Name of the report; `nil` selects none.
    @Option(
        help: ArgumentHelp("Report to use instead of a projection.", valueName: "name"),
        completion: Completions.reports)
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Argument of the report; may be repeated.", valueName: "name=value"))
    var with: [String] = []

    /// Returns the arguments of `--with` as a JSON object, in which times in words are replaced by
    /// exact times.
    func arguments(
        of description: ReportDescription, as moment: MomentOptions, in log: EventLog
    ) throws -> Tree {
        try ReportOptions.arguments(with, of: description, as: moment, in: log)
    }
}
