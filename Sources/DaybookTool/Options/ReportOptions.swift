import ArgumentParser
import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog

/// Options that select a report instead of a projection, and the report's periods.
struct ReportOptions: ParsableArguments {
    /// Name of the report; `nil` selects none.
    @Option(
        help: ArgumentHelp("Report to use instead of a projection.", valueName: "name"),
        completion: Completions.reports)
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Argument of the report; may be repeated.", valueName: "name=value"))
    var with: [String] = []

    /// First period of the report; `nil` if an argument names the period.
    @Option(
        help: ArgumentHelp(
            "First day, week or month of the report.", valueName: "period"))
    var from: String?

    /// Last period of the report; `nil` if an argument names the period.
    @Option(help: ArgumentHelp("Last day, week or month of the report.", valueName: "period"))
    var to: String?

    func validate() throws {
        guard report != nil || (with.isEmpty && from == nil && to == nil) else {
            throw ValidationError(
                "--with, --from and --to can only be used together with --report.")
        }
    }

    /// Returns the report that the options select, with its arguments and periods; `nil` without a
    /// report.
    ///
    /// - Parameter log: opens the log; called only if a time is in the zone of an entity.
    func question(
        _ rules: RuleSet, as moment: MomentOptions, in catalogue: Catalogue,
        _ log: () throws -> EventLog
    ) throws -> ReportQuestion? {
        guard let report else { return nil }
        let description = try Self.description(of: report, in: catalogue)
        var members = try Self.members(with)
        let times = ReportTimes(of: description)
        try times.setZoneIfNeeded(members, [from, to], moment, log)
        try times.resolve(&members, "--with")
        let arguments = Tree(.map(members), line: 1)
        return ReportQuestion(
            report: description, arguments: arguments,
            periods: try periods(of: description, arguments), rules: rules,
            zones: try moment.zones.source())
    }

    /// Returns the description of a report.
    ///
    /// - Parameter prefix: text before the names of reports in error messages.
    static func description(
        of name: String, in catalogue: Catalogue, prefix: String = ""
    ) throws -> ReportDescription {
        guard let report = catalogue.reports[name] else {
            let known = catalogue.reports.keys.sorted().map { prefix + $0 }
            let hint = NearestNames.hint(for: prefix + name, in: known)
            throw ValidationError(
                "There is no report '\(name)'\(hint) The reports are: "
                    + "\(known.joined(separator: ", ")).")
        }
        return report
    }

    /// Returns the arguments of a report as an object.
    ///
    /// - Parameter texts: arguments of the form `NAME=VALUE`.
    /// - Throws: `ValidationError` for an argument that is unknown, malformed or missing.
    static func arguments(
        _ texts: [String], of report: ReportDescription, as moment: MomentOptions,
        in log: EventLog
    ) throws -> Tree {
        var members = try members(texts)
        let times = ReportTimes(of: report)
        try times.setZoneIfNeeded(members, [], moment) { log }
        try times.resolve(&members, "--with")
        try checkComplete(members, report)
        return Tree(.map(members), line: 1)
    }

    /// Throws a usage error for an argument that is unknown or missing.
    private static func checkComplete(
        _ members: [Tree.Member], _ report: ReportDescription
    ) throws {
        let given = Set(members.map(\.key))
        let names = report.arguments.map(\.name)
        if let stray = members.first(where: { !names.contains($0.key) }) {
            throw ValidationError(
                "--with: the report '\(report.name)' has no argument '\(stray.key)'; its arguments "
                    + "are \(names.joined(separator: ", ")).")
        }
        let missing = report.arguments.first { !$0.isOptional && !given.contains($0.name) }
        if let missing {
            throw ValidationError(
                "The report '\(report.name)' needs the argument \(missing.name): "
                    + "--with \(missing.name)=…")
        }
        guard let period = report.period, !given.contains(period.argument) else { return }
        throw ValidationError(
            "The report '\(report.name)' needs a \(period.noun): "
                + "--with \(period.argument)=\(period.example)")
    }

    /// Parses arguments of the form `NAME=VALUE`.
    static func members(_ texts: [String]) throws -> [Tree.Member] {
        var names: Set<String> = []
        return try texts.map { text in
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw ValidationError("--with: expected NAME=VALUE like baby=b, found '\(text)'.")
            }
            let name = String(text[..<equals])
            guard names.insert(name).inserted else {
                throw ValidationError("--with: the argument '\(name)' is given twice.")
            }
            return Tree.Member(
                key: name, value: String(text[text.index(after: equals)...]).asTree)
        }
    }

    /// Returns the names of the periods from `--from` to `--to`.
    ///
    /// - Returns: an empty list if the report has no periods, or if `--with` names its period.
    private func periods(
        of report: ReportDescription, _ arguments: Tree
    ) throws -> [String] {
        guard let period = report.period else {
            guard from == nil, to == nil else {
                throw ValidationError(
                    "The report '\(report.name)' has no periods; omit --from and --to.")
            }
            return []
        }
        let (name, example) = (period.argument, period.example)
        guard arguments[name] == nil else {
            guard from == nil, to == nil else {
                throw ValidationError(
                    "Give one \(name) with --with, or several with --from and --to, not both.")
            }
            return []
        }
        guard let from, let to else {
            throw ValidationError(
                "Give the periods with --from \(example) and --to \(example), or one with "
                    + "--with \(name)=\(example).")
        }
        let (first, last) = (
            try CommandTime.date(from, "--from", period), try CommandTime.date(to, "--to", period)
        )
        guard let names = period.names(from: first, through: last) else {
            throw ValidationError(
                "--to is before --from, or the two span more than \(ReportPeriod.maximumCount) "
                    + "periods; found --from \(from) and --to \(to).")
        }
        return names
    }
}

/// Options that select a projection or a report.
struct SubjectOptions: ParsableArguments {
    /// Name of the projection; `nil` if a report is selected.
    @Argument(
        help: ArgumentHelp("Name of the projection.", valueName: "projection"),
        completion: Completions.projections)
    var projection: String?

    /// Options that select a report instead of a projection.
    @OptionGroup(title: "Report") var report: ReportOptions

    @Option(
        name: .customLong("rules"), help: "Rule set to fold with.",
        completion: Completions.rules)
    private var rulesOption = RulesOption(.standard)

    /// Rule set with which events are folded.
    var rules: RuleSet { rulesOption.rules }

    /// The projection or report that a command is about.
    enum Subject {
        /// A projection, by its description.
        case projection(ProjectionDescription)
        /// A report with its arguments and periods.
        case report(ReportQuestion)
    }

    func validate() throws {
        guard projection == nil || report.report == nil else {
            throw ValidationError("Give a projection or --report, not both.")
        }
    }

    /// Throws an error if the options select neither a projection nor a report.
    func validateSelection() throws {
        guard projection != nil || report.report != nil else {
            throw ValidationError("Give a projection, or a report with --report.")
        }
    }

    /// Returns the projection or report that the options select.
    ///
    /// - Parameter key: key of the entity in question; refused if it cannot be the id of a tag.
    func selectedSubject(
        _ key: String?, as moment: MomentOptions, in catalogue: Catalogue, _ log: LogOptions
    ) throws -> Subject {
        let question = try report.question(rules, as: moment, in: catalogue) {
            try log.open(.read)
        }
        if let question { return .report(question) }
        return .projection(
            try ProjectionOptions.description(
                of: projection ?? "", key, [rules], as: moment, in: catalogue
            ) { try log.open(.read) })
    }
}

/// A report with its arguments, to be computed for some periods.
struct ReportQuestion {
    /// Description of the report.
    let report: ReportDescription
    /// Object of arguments; without the period's argument if `periods` is not empty.
    let arguments: Tree
    /// Names of the periods; empty if the report has none, or if an argument names its period.
    var periods: [String]
    /// Rule set with which events are folded.
    var rules: RuleSet
    /// The tz database, which maps names to zones.
    let zones: ZoneSource

    /// Returns the report and its arguments as on the command line: `report daily baby=b`.
    func title(_ with: [String]) -> String {
        (["report", report.name] + with).joined(separator: " ")
    }

    /// Checks the arguments, and returns the report with them, before any event is read.
    func prepared(
        in reading: ProjectionReading, as moment: MomentOptions
    ) throws -> any PendingReport {
        let context = ReportContext(
            rules: rules, zones: zones, position: reading.through,
            knownAt: try moment.knownAt(reading.log), validAt: reading.entities.validThrough)
        do throws(InputError) {
            return try report.prepare(
                arguments, rules: .standard, context, periods: periods)
        } catch {
            throw ValidationError("--with: \(error).")
        }
    }

    /// Throws an error if an answer failed because of the arguments; ignores failures that depend
    /// on the events in the log.
    static func check(_ answers: [ReportAnswer]) throws {
        for answer in answers {
            guard case .failure(let error) = answer.result else { continue }
            switch error {
            case .input, .invalid: throw ValidationError("--with: \(error).")
            case .zone, .noZones: throw Failure(.usage, error)
            case .fold, .unanswerable: continue
            }
        }
    }

    /// Returns a lookup of the events behind the answer for each period, to explain why two answers
    /// differ.
    func evidence(in reading: ProjectionReading, as moment: MomentOptions) -> ReportEvidence {
        ReportEvidence(in: reading) { period in
            var question = self
            if !question.periods.isEmpty { question.periods = [period] }
            return try question.prepared(in: reading, as: moment)
        }
    }

    /// Returns the answers for all periods, with the header for a trace of these answers.
    func answers(
        in reading: ProjectionReading, as moment: MomentOptions
    ) throws -> (header: ReportTrace.Header, answers: [ReportAnswer]) {
        let answers = try reading.answers(try prepared(in: reading, as: moment))
        try Self.check(answers)
        return (try reading.reportHeader(report, rules, with: arguments), answers)
    }
}
