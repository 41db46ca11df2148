import ArgumentParser
import Daybook

/// Help of `report`, which lists the reports of the program's areas.
enum ReportHelp {
    static let helpOptions: Set = ["--help", "-h"]

    static func overview(_ catalogue: Catalogue) -> String {
        var table = Table(.leading, .leading)
        for report in catalogue.reports.values.sorted(by: { $0.name < $1.name }) {
            table.add(report.name, report.summary)
        }
        return HelpPage.wrapped(
            """
            OVERVIEW: \(ReportCommand.configuration.abstract)

            USAGE: \(Program.name) report <name> [<arguments>] [<options>]

            REPORTS:
            \(table.lines.joined(separator: "\n"))

              See '\(Program.name) report <name> --help' for the arguments of one.
            """, indent: table.start(ofColumn: 1))
    }

    static func page(of report: ReportDescription) -> String {
        let shapes = report.renderers.filter { $0.value.isShape }.keys.map(\.name).sorted()
        var table = Table(.leading, .leading)
        for field in report.arguments { table.add(field.usage, note(on: field, of: report)) }
        return HelpPage.wrapped(
            """
            OVERVIEW: \(report.summary)

            USAGE: \(usage(of: report))

            ARGUMENTS:
            \(table.lines.joined(separator: "\n"))

            FORMS: \(report.formNames.joined(separator: ", "))\(
                shapes.isEmpty ? "" : "\n\nSHAPES: " + shapes.joined(separator: ", "))

            \(options)
            """, indent: table.start(ofColumn: 1))
            + HelpPage.section(ofExamples: [call(of: report)])
    }

    /// Returns the usage: `replay report daily --baby <text> [--date <day>] [<options>]`.
    static func usage(of report: ReportDescription) -> String {
        let words = report.arguments.filter { $0.name != report.positional }.map { field in
            field.isOptional || field.name == report.period?.argument
                ? "[\(field.usage)]" : field.usage
        }
        let positional = report.positional.map { ["[<\($0)>]"] } ?? []
        let name = ["\(Program.name) report \(report.name)"]
        return (name + positional + words + ["[<options>]"]).joined(separator: " ")
    }

    /// Returns a call of a report with its required arguments:
    /// `report daily --baby mia --date yesterday`.
    static func call(of report: ReportDescription) -> String {
        var words = ["report", report.name]
        for field in report.arguments {
            let isPeriod = field.name == report.period?.argument
            guard !field.isOptional || isPeriod, field.name != report.clock else { continue }
            words += ["--\(field.option)", value(of: field, in: report)]
        }
        return words.joined(separator: " ")
    }

    /// Returns an example of the value of a report's argument.
    private static func value(of field: FieldDescription, in report: ReportDescription) -> String {
        if let period = report.period, period.argument == field.name {
            switch period {
            case .day: return "yesterday"
            case .week: return "'last week'"
            case .month: return "'last month'"
            }
        }
        if field.isMoment { return "now" }
        if field.form.hasPrefix("one of ") {
            return String(field.form.dropFirst(7).prefix { $0 != "," && $0 != "?" })
        }
        if field.form.hasPrefix("integer") { return "\(max(1, field.limit.values.lowerBound))" }
        return "\(field.option)-1"
    }

    /// Returns the remark about an argument in the help page of a report, such as `optional`.
    private static func note(on field: FieldDescription, of report: ReportDescription) -> String {
        if let period = report.period, period.argument == field.name {
            return "a \(period.noun): \(period.example); or several with --from and --to"
        }
        if field.name == report.clock { return "now by default" }
        if field.name == report.positional { return "may be given without its name" }
        return field.isOptional ? "optional" : "required"
    }

    /// The section of a help page for the options that all reports have, from the parser's help.
    private static var options: String {
        let help = HelpPage.arranged(ReportCall.helpMessage())
        guard let start = help.firstRange(of: "OPTIONS:") else { return help }
        return String(help[start.lowerBound...])
    }
}

extension ReportDescription {
    /// Names of the forms in which the report can be printed, without the shapes of other programs.
    var formNames: [String] {
        let own = renderers.filter { !$0.value.isShape }.keys.map(\.name)
        let known = ["text", "json", "csv"]
        return known + Set(own).subtracting(known).sorted()
    }
}
