import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `bisect`, which finds the first event after which an expression holds.
struct BisectCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "bisect", abstract: "Find the first event after which an expression holds.",
        discussion: """
            An expression tests the fields of a projection: 'state == forceUpdate', \
            'distanceMm > 10000000 && segments > 1', 'pending.count > 0', 'endedUs == null'. \
            Without a key, the entities of the projection are all searched for the first event.

            By default the expression is tested after every event. --monotone uses binary search; \
            you assert that the expression, once true for an entity, stays true. The assertion is \
            checked as far as the search allows, and snapshots make it faster.

            With --report daily --with baby=b --with date=2020-03-08 the expression tests the \
            report; naming 'report.daily' as the projection means the same.
            """)

    @Argument(
        help: .text("Name of the projection.", "projection"),
        completion: Completions.projectionsAndReports)
    var projection: String?

    @Argument(
        help: .text("Id of the entity: a launch, a run, …; any entity by default.", "key"),
        completion: Completions.entityKeys, transform: identifier)
    var key: String?

    @Option(
        name: .customLong("rules"), help: "Rule set to fold with.", completion: Completions.rules)
    private var rulesOption = RulesOption(.standard)

    @Option(help: .text("Expression to search for.", "expression"))
    var until: String

    @Flag(help: "Use binary search: once true, the expression stays true.")
    var monotone = false

    @OptionGroup var reportSelection: ReportSelectionOptions
    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    private var rules: RuleSet { rulesOption.rules }

    /// The name of the projection, or of the report, as in `report.daily`.
    private var subject: String {
        reportSelection.report.map { ReportSelectionOptions.prefix + $0 } ?? projection ?? ""
    }

    mutating func validate() throws {
        (projection, key) = try EntityWords.pair(projection, key)
        guard projection == nil || reportSelection.report == nil else {
            throw ValidationError(
                "Give a projection or --report, not both; a report takes no key, but "
                    + "arguments with --with.")
        }
        guard projection != nil || reportSelection.report != nil else {
            throw ValidationError("Give a projection, or a report with --report.")
        }
    }

    func run() throws {
        guard !subject.hasPrefix(ReportSelectionOptions.prefix) else {
            return try runOverReport(
                String(subject.dropFirst(ReportSelectionOptions.prefix.count)), catalogue())
        }
        guard reportSelection.with.isEmpty else {
            throw ValidationError("--with can only be used together with --report.")
        }
        try ProjectionOptions.withReading(subject, rules, key, log, moment) {
            reading, description in
            let expression = try ProjectionOptions.expression(until, over: description, "--until")
            let search = BisectSearch(over: description, rules, until: expression, in: reading)
            try show(try search.first(of: key, monotone: monotone), reading)
        }
    }

    private func runOverReport(_ name: String, _ catalogue: Catalogue) throws {
        let report = try ReportOptions.description(
            of: name, in: catalogue,
            prefix: reportSelection.report == nil ? ReportSelectionOptions.prefix : "")
        guard key == nil else {
            throw ValidationError("A report takes no key; give its arguments with --with.")
        }
        let expression: Expression
        do throws(ExpressionError) {
            expression = try Expression(until, over: report.fields, named: "report")
        } catch { throw ValidationError("--until '\(until)': \(error)") }
        let zones = try moment.zones.source()
        let log = try log.open(.read)
        let arguments = try reportSelection.arguments(of: report, as: moment, in: log)
        try moment.answer(log, catalogue) { reading in
            let search = ReportBisect(
                over: report, arguments, rules, until: expression, in: reading, zones: zones)
            let key = reportSelection.with.joined(separator: " ")
            try show(
                try runSearch(search).map {
                    Bisection.Answer(key: key, step: $0.step, probeCount: $0.probeCount)
                }, reading)
        }
    }

    /// Runs the search; errors of the search become errors of the command.
    private func runSearch(_ search: ReportBisect) throws -> ReportBisect.Answer? {
        do {
            return try search.first(monotone: monotone)
        } catch QuestionError.invalid(let message) {
            throw ValidationError("--with: \(message).")
        } catch QuestionError.tooManyEvents(let count) {
            throw Failure(
                .usage, "\(QuestionError.tooManyEvents(count)); --monotone searches faster")
        }
    }

    /// Prints the event that was found; throws a failure if there is none.
    private func show(_ answer: Bisection.Answer?, _ reading: ProjectionReading) throws {
        guard let answer else {
            throw Failure(
                .finding, "the expression never holds up to position \(reading.through): \(until)")
        }
        let printer = HistoryPrinter(reading)
        let (key, step) = (answer.key, answer.step)
        guard !output.json else {
            return Output.answer(
                BisectAnswer(
                    projection: subject, key: key, condition: until, rules: rules,
                    probeCount: Int64(answer.probeCount), event: try printer.answer(step.event),
                    changes: step.changes.answer()))
        }
        Output.line("\(subject) \(key): \(until)")
        Output.line("holds first after position " + (try printer.headline(step.event)))
        Output.lines(HistoryPrinter.lines(step.changes, isFirst: step.isFirst))
        Output.line("(\(answer.probeCount.counted("state")) tested)")
    }

    static var examples: [String] {
        let names = ExampleNames.current
        return ["bisect \(names.name) \(names.key) --until '\(names.field) != null'"]
    }

    static var answers: [any Answer.Type] { [BisectAnswer.self] }

    var isPaged: Bool { true }
}

struct BisectAnswer: Answer {
    static let name = "bisect"
    static let summary = "The first event after which the expression holds."

    /// Name of the projection, or of the report, as in `report.daily`.
    var projection = ""
    /// Key of the entity; for a report, its arguments.
    var key = ""
    var condition = ""
    var rules = RuleSet.standard
    /// Number of states for which the expression was tested.
    var probeCount: Int64 = 0
    var event = CommittedEvent()
    var changes: [ChangePart] = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "key", &key, "until", &condition, "rules", &rules)
        try field("probes", &probeCount)
        try event.fields(&field)
        try field("changes", &changes)
    }
}
