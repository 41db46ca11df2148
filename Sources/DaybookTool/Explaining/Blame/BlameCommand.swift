import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `blame`, which finds the events that wrote a field.
struct BlameCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "blame",
        abstract: "Show which event last wrote a field, and which wrote it before.",
        discussion: """
            Name a field as '\(Program.name) history' prints it: state, notice.startUs, pending[0]. \
            A field that contains others means all of them. Without a field, every field is listed \
            with its last writer. A field of a report works too; the report is made again after \
            each event that may change it: \
            '--report daily --with baby=b --with date=2020-03-08 feed.formula.ml'.
            """)

    /// Name of the projection; with `--report`, this word is the report's field instead.
    @Argument(
        help: .text("Name of the projection.", "projection"),
        completion: Completions.projectionsAndReports)
    var projection: String?

    @Argument(
        help: .text("Id of the entity: a launch, a run, …", "key"),
        completion: Completions.entityKeys, transform: identifier)
    var key: String?

    @Argument(help: .text("Field; all fields by default.", "field"))
    var field: String?

    @Option(
        name: .customLong("rules"), help: "Rule set to fold with.", completion: Completions.rules)
    private var rulesOption = RulesOption(.standard)

    @OptionGroup var reportSelection: ReportSelectionOptions
    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    mutating func validate() throws {
        if reportSelection.report == nil {
            let words = try EntityWords(projection, key, field)
            (projection, key, field) = (words.name, words.key, words.rest)
        }
        if reportSelection.report != nil {
            guard key == nil else {
                throw ValidationError(
                    "With --report, give at most one field, and arguments with --with.")
            }
        } else if let projection, projection.hasPrefix(ReportSelectionOptions.prefix) {
            let name = projection.dropFirst(ReportSelectionOptions.prefix.count)
            throw ValidationError(
                "For a report, use --report \(name), and --with for its arguments.")
        } else if !reportSelection.with.isEmpty {
            throw ValidationError("--with can only be used together with --report.")
        } else if projection == nil || key == nil {
            throw ValidationError("Give a projection and a key, or a report with --report.")
        }
    }

    func run() throws {
        if let name = reportSelection.report { return try runOverReport(name) }
        guard let projection, let key else { return }
        try ProjectionOptions.withReading(projection, rulesOption.rules, key, log, moment) {
            reading, description in
            let blame = try Blame(of: description, key, rulesOption.rules, in: reading)
            try show(blame, "\(projection) \(blame.key)", field, HistoryPrinter(reading))
        }
    }

    /// Prints the events that wrote a report's fields; the only positional argument is the field.
    private func runOverReport(_ name: String) throws {
        let catalogue = catalogue()
        let description = try ReportOptions.description(of: name, in: catalogue)
        let zones = try moment.zones.source()
        let log = try log.open(.read)
        let arguments = try reportSelection.arguments(of: description, as: moment, in: log)
        try moment.answer(log, catalogue) { reading in
            let context = ReportContext(
                rules: rulesOption.rules, zones: zones, position: reading.through,
                knownAt: try moment.knownAt(log), validAt: reading.entities.validThrough)
            let blame: Blame
            do {
                blame = try Blame(of: description, arguments, context, in: reading)
            } catch QuestionError.invalid(let message) {
                throw ValidationError("--with: \(message).")
            }
            let title = ([name] + reportSelection.with).joined(separator: " ")
            try show(blame, title, projection, HistoryPrinter(reading))
        }
    }

    private func show(
        _ blame: Blame, _ title: String, _ field: String?, _ printer: HistoryPrinter
    ) throws {
        if let field {
            try showField(field, blame, title, printer)
        } else {
            try showAll(blame, title, printer)
        }
    }

    /// Prints all writes of one field, the last one first.
    private func showField(
        _ field: String, _ blame: Blame, _ title: String, _ printer: HistoryPrinter
    ) throws {
        var writings: [Blame.Writing]
        do throws(QuestionError) { writings = try blame.writings(of: field) } catch {
            guard case .invalid(let message) = error else { throw error }
            throw ValidationError(message)
        }
        if !output.json {
            writings = writings.filter { [writings] writing in
                !writing.change.isEmptied(
                    among: writings.lazy.filter { $0.event.position == writing.event.position }
                        .map(\.change))
            }
        }
        if !output.json { Output.line("\(title): who wrote \(field)") }
        // A field may have parts, each of which has a last writer.
        var seen: Set<String> = []
        for writing in writings {
            try show(writing, isLast: seen.insert(writing.change.path).inserted, printer)
        }
    }

    private func showAll(_ blame: Blame, _ title: String, _ printer: HistoryPrinter) throws {
        if !output.json { Output.line("\(title): the last writer of each field") }
        let width = blame.leaves.map(\.path.count).max() ?? 0
        var table = Table(.leading, .leading, minimumWidths: [width])
        for (leaf, writing) in blame.lastWritings {
            guard !output.json else {
                try show(writing, isLast: true, printer)
                continue
            }
            let writer = try printer.summary(writing.event)
            table.add(leaf.path, "\(leaf.readable)  ← \(writing.event.position) \(writer.text)")
        }
        Output.lines(table.lines)
    }

    /// Prints an event that wrote a field; `isLast` if no later event wrote it.
    private func show(
        _ writing: Blame.Writing, isLast: Bool, _ printer: HistoryPrinter
    ) throws(LogError) {
        guard output.json else {
            Output.line("\(isLast ? "→" : " ") " + (try printer.headline(writing.event)))
            Output.line(HistoryPrinter.line(writing.change, isFirst: writing.isFirst))
            return
        }
        Output.answer(
            BlameAnswer(
                change: ChangePart(writing.change), isLast: isLast,
                event: try printer.answer(writing.event)))
    }

    static var examples: [String] {
        let names = ExampleNames.current
        let call = "blame \(names.name) \(names.key)"
        return [call, "\(call) \(names.field) --at yesterday"]
    }

    static var answers: [any Answer.Type] { [BlameAnswer.self] }

    var isPaged: Bool { true }
}

struct BlameAnswer: Answer {
    static let name = "blame"
    static let summary = "A write of a field; 'last' marks the newest write."

    var change = ChangePart()
    /// True if no later event wrote the field.
    var isLast = false
    var event = CommittedEvent()

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try change.fields(&field)
        try field("last", &isLast)
        try event.fields(&field)
    }
}
