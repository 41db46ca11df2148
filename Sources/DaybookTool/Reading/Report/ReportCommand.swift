import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `report`, which answers the reports of all areas by name.
struct ReportCommand: ToolCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "report",
            abstract: "Answer a question over many events: a day's totals, the next feed, …",
            usage: "\(Program.name) report <name> [<arguments>] [<options>]",
            discussion: """
                '\(Program.name) report --help' lists the reports, and '\(Program.name) report \
                NAME --help' lists the arguments of one. Unrecorded kinds are listed as missing, \
                never shown as 0.
                """,
            helpNames: [])
    }

    /// Name of the report and all other words, which `ReportArguments` and `ReportCall` parse.
    @Argument(
        parsing: .captureForPassthrough, help: "Name of the report, its arguments, and options.",
        completion: Completions.reportArguments)
    var words: [String] = []

    /// The report that the first word names; `nil` if there is none.
    private var report: ReportDescription? {
        words.first.flatMap { name in catalogue().reports[name] }
    }

    var usage: String? { report.map { ReportHelp.usage(of: $0) } }

    /// Command line that shows the named report's help with `--help` added; `nil` without a report.
    var helpCall: String? { report.map { "\(Program.name) report \($0.name)" } }

    func run() throws {
        let catalogue = catalogue()
        guard let name = words.first, !ReportHelp.helpOptions.contains(name) else {
            throw CleanExit.message(ReportHelp.overview(catalogue))
        }
        let report = try ReportOptions.description(of: name, in: catalogue)
        guard words.allSatisfy({ !ReportHelp.helpOptions.contains($0) }) else {
            throw CleanExit.message(ReportHelp.page(of: report))
        }
        var arguments = ReportArguments(of: report)
        let others = try arguments.consume(words.dropFirst())
        try RepeatedOptions.check(others, of: ReportCall.self, "report \(report.name)")
        let call: ReportCall
        do { call = try ReportCall.parse(others) } catch {
            try arguments.checkNames(others)
            throw ValidationError(ReportCall.message(for: error))
        }
        try call.run(report, &arguments)
    }

    static var examples: [String] {
        guard let report = ExampleNames.current.report else { return ["report --help"] }
        return [ReportHelp.call(of: report), "report \(report.name) --help"]
    }

    static var answers: [any Answer.Type] { [ReportRow.self] }

    static var optionDeclarations: any ParsableArguments.Type { ReportCall.self }

    var isPaged: Bool { true }
}

/// Options that every report has, and the positional argument of the report.
///
/// A command of its own for the parser, which parses a group of options in more steps, and part of
/// another program, so that the parser does not look for a request for a completion script.
struct ReportCall: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", _superCommandName: Program.name)

    /// The argument that is given as a plain word, without its option; `nil` if there is none.
    @Argument(help: .hidden)
    var value: String?

    @Option(
        help: .text(
            "Argument of the report whose name is also the name of an option.", "name=value"))
    var with: [String] = []

    @Option(help: .text("First of several days, weeks or months.", "period"))
    var from: String?

    @Option(help: .text("Last of several days, weeks or months.", "period"))
    var to: String?

    @Flag(help: "Report on every entity in one pass, as one JSON object each.")
    var all = false

    @Option(
        name: .customLong("rules"),
        help: .text("Rule set to answer by; by default standard, or the one of --shape.", "rules"),
        completion: Completions.rules)
    private var rulesOption: RulesOption?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(help: .text("Form of the report: text, json, …", "form"))
    var format = ReportForm.text.name

    @Flag(help: "Short for --format json: one object per line.")
    var json = false

    @Flag(help: "In CSV, leave texts unescaped that a spreadsheet would run as a formula.")
    var raw = false

    @Option(
        help: .text(
            "Print the JSON of another program, in its shape and by its rules: 'source' is the app "
                + "that the report was taken from.", "shape"))
    var shape: String?

    @Flag(help: "Record in the log that the report was issued, so that later changes are found.")
    var issue = false

    @Option(help: .text("User who asks, for --issue.", "user"), transform: identifier)
    var by: String?

    private var form: ReportForm {
        shape.map { ReportForm($0) } ?? (json ? .json : ReportForm(format))
    }

    func run(_ report: ReportDescription, _ arguments: inout ReportArguments) throws {
        try checkShape(of: report)
        guard !raw || form == .csv else { throw ValidationError("--raw requires --format csv.") }
        if let value { try arguments.setPositional(value) }
        for member in try ReportOptions.members(with) { arguments.set(member.key, member.value) }
        let times = ReportTimes(of: report)
        try times.setZoneIfNeeded(arguments.members, [from, to], moment) {
            try log.open(.read)
        }
        if all { try times.checkPeriods(ofAll: arguments.members, [from, to]) }
        let clock: String?
        let subject: ReportSubject?
        let periods: [String]
        do {
            let day = removeDay(of: report, &arguments)
            try arguments.resolve(times)
            clock = report.clock.flatMap { arguments.has($0) ? nil : $0 }
            subject = all ? try self.subject(of: report, arguments) : nil
            var given: Set = [report.period?.argument ?? ""]
            if let subject { given.insert(subject.argument) }
            try arguments.checkComplete(but: given)
            if let day, from == nil, to == nil {
                periods = [day]
            } else {
                periods = try removePeriods(of: report, &arguments)
            }
        } catch {
            // If the form copies another program, its own error message is printed as well.
            if let failure = report.renderers[form]?.failure {
                let isOfNone = report.subject.map { !arguments.has($0.argument) } ?? false
                Output.json(
                    failure(
                        isOfNone && !all
                            ? .unanswerable("")
                            : .invalid(argument: report.period?.argument ?? "", "")))
            }
            throw error
        }
        guard subject == nil || (form == .json && !issue && periods.count < 2) else {
            throw ValidationError(
                "--all requires exactly one period and --json, and cannot be combined with "
                    + "--issue.")
        }
        try ReportRun(
            report, arguments.members, periods: periods, form: form, rules: rules(of: report),
            log: log, moment: moment, clock: clock, recordsIssue: issue,
            isRaw: raw, by: by
        ).run(ofAll: subject)
    }

    /// Returns the rule set of `--rules`, else the rule set of the form, else `standard`.
    private func rules(of report: ReportDescription) -> RuleSet {
        rulesOption?.rules ?? report.renderers[form]?.rules ?? .standard
    }

    /// Throws a usage error for an unknown `--shape`, or for rules that the shape does not use.
    private func checkShape(of report: ReportDescription) throws {
        let shapes = report.renderers.filter { $0.value.isShape }.keys.map(\.name).sorted()
        if let shape, !shapes.contains(shape) {
            throw ValidationError(
                "--shape \(shape): the report '\(report.name)' has no such shape; "
                    + (shapes.isEmpty
                        ? "it has no shapes." : "its shapes are \(shapes.joined(separator: ", ")).")
            )
        }
        guard let own = report.renderers[form]?.rules, let asked = rulesOption?.rules, asked != own
        else { return }
        throw ValidationError(
            "--shape \(form.name) always uses the rule set '\(own.name)'; omit --rules.")
    }

    /// Returns the kind of entity that the report is about, for `--all`.
    private func subject(
        of report: ReportDescription, _ arguments: ReportArguments
    ) throws -> ReportSubject {
        guard let subject = report.subject else {
            throw ValidationError(
                "--all: the report '\(report.name)' is not about an entity; omit --all.")
        }
        guard !arguments.has(subject.argument) else {
            throw ValidationError(
                "Give one \(subject.noun) with --\(subject.argument), or all with --all, not both.")
        }
        return subject
    }

    /// Removes the period argument, and returns it as a day on which a period may begin; `nil`
    /// unless it is a day and the rules allow any day.
    private func removeDay(
        of report: ReportDescription, _ arguments: inout ReportArguments
    ) -> String? {
        guard report.ruleSetsWithAnyStartDay.contains(rules(of: report)),
            let period = report.period,
            let text = arguments.text(period.argument), CivilDate(text: text) != nil
        else { return nil }
        _ = arguments.remove(period.argument)
        return text
    }

    /// Removes the period argument, and returns the names of all periods to report on.
    private func removePeriods(
        of report: ReportDescription, _ arguments: inout ReportArguments
    ) throws -> [String] {
        guard let period = report.period else {
            guard from == nil, to == nil else {
                throw ValidationError(
                    "The report '\(report.name)' has no periods; omit --from and --to.")
            }
            return []
        }
        let one = try arguments.remove(period.argument).map { try text($0, period) }
        let first: (String, String)?
        let last: (String, String)?
        switch (one, from, to) {
        case (let one?, nil, nil):
            first = (one, period.argument)
            last = first
        case (nil, let from?, let to?): (first, last) = ((from, "from"), (to, "to"))
        default: (first, last) = (nil, nil)
        }
        guard let first, let last else {
            throw ValidationError(
                "Give a \(period.noun) with --\(period.argument), or several with --from and --to.")
        }
        guard
            let names = period.names(
                from: try CommandTime.date(first.0, "--\(first.1)", period),
                through: try CommandTime.date(last.0, "--\(last.1)", period))
        else {
            throw ValidationError(
                "--to is before --from, or the two span more than \(ReportPeriod.maximumCount) "
                    + "\(period.noun)s; found --from \(first.0) and --to \(last.0).")
        }
        return names
    }

    /// Returns the value of the period argument, which must be a text.
    private func text(_ value: Tree, _ period: ReportPeriod) throws -> String {
        if case .text(let text) = value.content { return text }
        throw ValidationError(
            "--\(period.argument): expected a text like \(period.example), found another JSON "
                + "value.")
    }
}

/// Answer of `report`: members that are added to the JSON of each answer.
struct ReportRow: Answer {
    static let name = "report"
    static let summary = "The question, and the fields that the schema of the report lists."

    var report = ""
    /// Names and values of the arguments in which printed answers may differ:
    /// `[["date", "2026-03-03"]]`.
    var arguments: [[String]] = []
    /// Position of the last event that was read for the answer.
    var position = Position.origin
    /// Names of the answer's own members; members of the same name are not added.
    var memberNames: Set<String> = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        if !memberNames.contains("report") { try field("report", &report) }
        for argument in arguments where !memberNames.contains(argument[0]) {
            var value = argument[1]
            try field(argument[0], &value)
        }
        if !memberNames.contains("position") { try field("position", &position) }
    }
}
