import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `history`, which prints every event of an entity with its changes.
struct HistoryCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show every transition of one entity, field by field, with its cause.",
        discussion: """
            The first event of the entity shows each field with its value; later events show the \
            value before and after.
            """)

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: .text("Id of the entity: a launch, a device, …", "key"),
        completion: Completions.entityKeys, transform: identifier)
    var key: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    mutating func validate() throws {
        let words = try EntityWords.pair(projection.projection, key)
        (projection.projection, key) = (words.name ?? "", words.key)
    }

    func run() throws {
        guard let key else { throw ValidationError("Give the key of the entity.") }
        try projection.withReading(key, log, moment) { reading, description in
            let printer = HistoryPrinter(reading)
            let history = History(of: description, key, projection.rules, in: reading)
            try history.forEach { (step) throws(LogError) in try show(step, printer, history) }
        }
    }

    private func show(
        _ step: Timeline.Step, _ printer: HistoryPrinter, _ history: History
    ) throws(LogError) {
        guard !output.json else {
            return Output.answer(
                HistoryAnswer(
                    event: try printer.answer(step.event), isInert: step.isInert,
                    reasons: try history.reasons(of: step.event).map {
                        HistoryAnswer.Reason(field: $0.path, value: $0.answer)
                    },
                    changes: step.changes.answer(isFirst: step.isFirst)))
        }
        Output.line(try printer.headline(step.event) + (step.isInert ? "  (changes nothing)" : ""))
        for leaf in try history.reasons(of: step.event) {
            Output.line("    because \(leaf.path) \(leaf.readable)")
        }
        Output.lines(HistoryPrinter.lines(step.changes, isFirst: step.isFirst))
    }

    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "history \(names.name) \(names.key)",
            "history \(names.name) \(names.key) --valid-at yesterday --json",
        ]
    }

    static var answers: [any Answer.Type] { [HistoryAnswer.self] }

    var isPaged: Bool { true }
}

struct HistoryAnswer: Answer {
    static let name = "history"
    static let summary = "An event of the entity, with what it changed."

    var event = CommittedEvent()
    /// True if the event changes nothing.
    var isInert = false
    /// Fields of the event's payload that state a reason for it, such as `reason` or `cause`.
    var reasons: [Reason] = []
    var changes: [ChangePart] = []

    struct Reason: AnswerPart {
        var field = ""
        var value = JSONText.blank

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("field", &self.field, "value", &value)
        }
    }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try event.fields(&field)
        try field("inert", &isInert, "reasons", &reasons, "changes", &changes)
    }
}
