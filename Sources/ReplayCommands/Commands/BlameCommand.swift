import ArgumentParser
import EventSourcing
import EventStorage
import Investigation

struct BlameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blame",
        abstract: "Tell which event last wrote a field, and which wrote it before.",
        discussion: """
            A field is written as in '\(ReplayTool.name) history': state, notice.startUs, pending[0]. One that \
            holds others stands for all of them. Without a field, every field with its last writer.
            """)

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: ArgumentHelp("The entity: a launch, a run, …", valueName: "key"),
        completion: Completions.keys, transform: identifier)
    var key: String

    @Argument(help: ArgumentHelp("The field; all without it.", valueName: "field"))
    var field: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try projection.ask(key, log, moment) { reading, description in
            let blame = try Blame(of: description, key, projection.rules, in: reading)
            let printer = StepPrinter(log: reading.log)
            if let field {
                try showField(field, blame, printer)
            } else {
                try showAll(blame, printer)
            }
        }
    }

    /// All writings of one field, the last one first.
    private func showField(_ field: String, _ blame: Blame, _ printer: StepPrinter) throws {
        var writings: [Blame.Writing]
        do throws(QuestionError) {
            writings = try blame.writings(of: field)
        } catch {
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
        if !output.json { Output.line("\(projection.projection) \(blame.key): who wrote \(field)") }
        for (index, writing) in writings.enumerated() {
            try show(writing, isLast: index == 0, printer)
        }
    }

    /// Each field that was written, with its last writer.
    private func showAll(_ blame: Blame, _ printer: StepPrinter) throws {
        if !output.json {
            Output.line("\(projection.projection) \(blame.key): the last writer of each field")
        }
        let width = blame.leaves.map(\.path.count).max() ?? 0
        var table = Table(.leading, .leading, leastWidths: [width])
        for (leaf, writing) in blame.lastWritings {
            guard !output.json else {
                try show(writing, isLast: true, printer)
                continue
            }
            table.add(
                leaf.path,
                "\(leaf.readable)  "
                    + "← \(writing.event.position) \(writing.event.kind)")
        }
        Output.lines(table.lines)
    }

    private func show(
        _ writing: Blame.Writing, isLast: Bool, _ printer: StepPrinter
    ) throws(LogError) {
        guard output.json else {
            Output.line("\(isLast ? "→" : " ") " + (try printer.headline(writing.event)))
            Output.line(StepPrinter.line(writing.change, isFirst: writing.isFirst))
            return
        }
        Output.json(
            try printer.json { (writer) throws(LogError) in
                writer.member("field", writing.change.path)
                StepPrinter.sides(writing.change, &writer)
                writer.member("last", isLast)
                try printer.members(writing.event, &writer)
            })
    }
}
