import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `order-safety`, which finds kinds of events whose order changes states.
struct OrderSafetyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "order-safety",
        abstract: "Show which event kinds can be reordered without changing state.",
        discussion: """
            Every two adjacent events of an entity's history are folded in both orders, and so are \
            generated events of every two kinds. Two kinds commute if the order never changed the \
            state; a sync or a merge may deliver such events in either order.
            """)

    @OptionGroup var projection: ProjectionOptions
    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try projection.withReading(nil, log, moment) { reading, description in
            let safety = try OrderSafety.testPairs(of: description, projection.rules, in: reading)
            guard output.json else { return show(safety, description) }
            for pair in safety.pairs { Output.answer(OrderSafetyAnswer(pair)) }
        }
    }

    /// Prints the pairs of event kinds: those that commute, then the others, each with an example.
    private func show(_ safety: OrderSafety, _ description: ProjectionDescription) {
        let pairs = safety.pairs
        let safe = pairs.filter(\.commutes)
        Output.line(
            "\(description.name): of \(pairs.count) pairs of kinds \(safe.count) commute in "
                + "every try")
        let always = description.kinds.filter { kind in
            pairs.allSatisfy { $0.commutes || ($0.first != kind && $0.second != kind) }
        }
        if !always.isEmpty {
            let names = always.sorted().map { String($0.stem) }.joined(separator: ", ")
            Output.line("  either order with every kind: \(names)")
        }
        for pair in safe where !always.contains(pair.first) && !always.contains(pair.second) {
            Output.line("  either order  \(Self.namesText(pair))  \(Self.trialsText(pair))")
        }
        for pair in pairs where !pair.commutes {
            Output.line("  order matters \(Self.namesText(pair))  \(Self.trialsText(pair))")
            guard let (positions, changes) = pair.example else { continue }
            let fields = changes.map(\.path)
            let shown = fields.prefix(3).joined(separator: ", ")
            let more = fields.count > 3 ? " and \(fields.count - 3) more" : ""
            let places = positions.map { "\($0)" }.joined(separator: " and ")
            Output.line("      first at positions \(places): \(shown)\(more)")
        }
    }

    private static func namesText(_ pair: OrderSafety.Pair) -> String {
        "\(pair.first.stem), \(pair.second.stem)"
    }

    /// Returns the number of trials of a pair in which the two orders led to different states.
    private static func trialsText(_ pair: OrderSafety.Pair) -> String {
        let (recorded, generated) = (pair.recordedTrials, pair.generatedTrials)
        return "(\(recorded.differingCount) of \(recorded.count) recorded, "
            + "\(generated.differingCount) of \(generated.count) generated)"
    }

    static var examples: [String] { ["order-safety \(ExampleNames.current.name)"] }

    static var answers: [any Answer.Type] { [OrderSafetyAnswer.self] }

    var isPaged: Bool { true }
}

struct OrderSafetyAnswer: Answer {
    static let name = "order-safety"
    static let summary = "Two kinds of events."

    var firstKind = ""
    var secondKind = ""
    /// True if the two orders led to the same state in every trial.
    var commutes = false
    /// Counts of the trials with adjacent events of the log.
    var recordedTrials = OrderSafety.Trials()
    /// Counts of the trials with generated events.
    var generatedTrials = OrderSafety.Trials()
    /// First trial with events of the log that led to different states; `nil` if there is none.
    var example: Example?

    /// The first two adjacent events of a history whose order changed the state.
    struct Example: AnswerPart {
        var positions: [Position] = []
        /// Fields that differ between the two orders.
        var changes: [ChangePart] = []

        mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("positions", &positions, "changes", &changes)
        }
    }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("first", &firstKind, "second", &secondKind, "commutes", &commutes)
        try field("recorded", &recordedTrials, "generated", &generatedTrials, "example", &example)
    }
}

extension OrderSafetyAnswer {
    init(_ pair: OrderSafety.Pair) {
        self.init(
            firstKind: pair.first.name, secondKind: pair.second.name, commutes: pair.commutes,
            recordedTrials: pair.recordedTrials, generatedTrials: pair.generatedTrials,
            example: pair.example.map {
                Example(positions: $0.positions, changes: $0.changes.answer())
            })
    }
}
