import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog
import DaybookScenarios

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show every transition of one entity, field by field, with its cause.",
        discussion: """
            The first event of the entity shows each field with its value; later events show the \
            value before and after.
            """)

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: ArgumentHelp("Id of the entity: a launch, a device, …", valueName: "key"),
        completion: Completions.keys, transform: identifier)
    var key: String

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try projection.ask(key, log, moment) { reading, description in
            let printer = StepPrinter(log: reading.log)
            let history = History(of: description, key, projection.rules, in: reading)
            try history.forEach { (step) throws(LogError) in
                try show(step, printer, history)
            }
        }
    }

    private func show(
        _ step: Timeline.Step, _ printer: StepPrinter, _ history: History
    ) throws(LogError) {
        guard !output.json else {
            return Output.json(
                try printer.json { (writer) throws(LogError) in
                    try printer.members(step.event, &writer)
                    writer.member("inert", step.isInert)
                    let reasons = try history.reasons(of: step.event)
                    writer.name("reasons")
                    writer.array { writer in
                        for leaf in reasons {
                            writer.object { writer in
                                writer.member("field", leaf.path)
                                writer.name("value")
                                writer.raw(leaf.answer)
                            }
                        }
                    }
                    StepPrinter.changes(step.changes, &writer, isFirst: step.isFirst)
                })
        }
        Output.line(try printer.headline(step.event) + (step.isInert ? "  (changes nothing)" : ""))
        for leaf in try history.reasons(of: step.event) {
            Output.line("    because \(leaf.path) \(leaf.readable)")
        }
        Output.lines(StepPrinter.lines(step.changes, isFirst: step.isFirst))
    }
}
