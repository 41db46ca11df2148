import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog
import DaybookScenarios

struct OrderSafetyCommand: ParsableCommand {
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
        try projection.ask(nil, log, moment) { reading, description in
            let safety = try OrderSafety.measured(
                of: description, projection.rules, in: reading)
            if output.json { showJSON(safety) } else { show(safety, description) }
        }
    }

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
            Output.line("  either order  \(Self.names(pair))  \(Self.tries(pair))")
        }
        for pair in pairs where !pair.commutes {
            Output.line("  order matters \(Self.names(pair))  \(Self.tries(pair))")
            guard let (positions, changes) = pair.example else { continue }
            let fields = changes.map(\.path)
            let shown = fields.prefix(3).joined(separator: ", ")
            let more = fields.count > 3 ? " and \(fields.count - 3) more" : ""
            let places = positions.map { "\($0)" }.joined(separator: " and ")
            Output.line("      first at positions \(places): \(shown)\(more)")
        }
    }

    private static func names(_ pair: OrderSafety.Pair) -> String {
        "\(pair.first.stem), \(pair.second.stem)"
    }

    private static func tries(_ pair: OrderSafety.Pair) -> String {
        let (recorded, generated) = (pair.recorded, pair.generated)
        return "(\(recorded.differed) of \(recorded.count) recorded, "
            + "\(generated.differed) of \(generated.count) made up)"
    }

    private func showJSON(_ safety: OrderSafety) {
        for pair in safety.pairs {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("first", pair.first.name)
                writer.member("second", pair.second.name)
                writer.member("commutes", pair.commutes)
                for (name, tries) in [("recorded", pair.recorded), ("generated", pair.generated)] {
                    writer.member(name) { writer in
                        writer.member("tries", Int64(tries.count))
                        writer.member("differed", Int64(tries.differed))
                    }
                }
                writer.name("example")
                guard let (positions, changes) = pair.example else { return writer.null() }
                writer.object { writer in
                    writer.member("positions", positions.map { Int64(clamping: $0.rawValue) })
                    StepPrinter.changes(changes, &writer)
                }
            }
            Output.json(writer.text)
        }
    }
}
