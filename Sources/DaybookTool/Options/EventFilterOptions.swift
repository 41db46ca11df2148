import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// Options that select events by kind, payload, actor, device and text.
struct EventFilterOptions: ParsableArguments {
    @Option(
        help: .text(
            "Only events of this kind, of every version unless one is named; may be repeated.",
            "kind"), completion: Completions.eventKinds)
    var kind: [String] = []

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only events whose payload satisfies the expression.",
            discussion: """
                Expressions are those of 'state --where', over the fields, words and units that \
                --json shows. An event whose kind lacks a field of the expression is left out.
                """, valueName: "expression"))
    var expression: String?

    @Option(
        help: .text("Only events by this actor, or with this user in the field 'by'.", "actor"),
        transform: identifier)
    var by: String?

    @Option(
        help: .text(
            "Only events of this device: that of the commit, the field 'device' or a tag.", "device"
        ), transform: identifier)
    var device: String?

    @Option(
        help: ArgumentHelp(
            "Only events with this text in a text of the payload, in upper or lower case.",
            discussion: """
                Texts are ids, words and users' names of the payload, and personal texts that are \
                not erased; names of fields, numbers, times and digests are not.
                """, valueName: "text"))
    var contains: String?

    func validate() throws {
        for (option, value) in [("--by", by), ("--device", device), ("--contains", contains)]
        where value?.isEmpty == true {
            throw ValidationError("\(option): expected a text, found an empty one.")
        }
    }

    /// Returns the filter of the events of a query that meet the conditions.
    func filter(_ query: Query, _ log: EventLog, _ catalogue: Catalogue) throws -> EventFilter {
        var filter = EventFilter(query)
        filter.kinds = try KnownNames(log, catalogue).kinds(kind, "--kind")
        filter.actor = by
        filter.device = device
        filter.text = contains
        if let expression {
            do throws(ExpressionError) {
                try filter.require(expression, describedBy: catalogue)
            } catch { throw ValidationError("--where '\(expression)': \(error)") }
        }
        return filter
    }

    /// The conditions as the end of a clause: ` of kind launch.app-launched by kim`.
    ///
    /// - Parameter tags: tags that the events have too.
    func clause(tags: [String] = []) -> String {
        var text = ""
        if !kind.isEmpty { text += " of kind \(kind.joined(separator: " or "))" }
        if !tags.isEmpty { text += " with the tag \(tags.joined(separator: " and "))" }
        if let by { text += " by \(by)" }
        if let device { text += " of the device \(device)" }
        if let contains { text += " containing '\(contains)'" }
        if let expression { text += " where \(expression)" }
        return text
    }

    /// Returns the options as a file made from the log shows them.
    func shown(by values: ShownValues) -> EventFilterOptions {
        var shown = self
        guard let redaction = values.redaction else { return shown }
        shown.by = by.map(redaction.shownName)
        shown.device = device.map(values.id)
        // Both may hold a personal text.
        shown.contains = contains.map { _ in Redaction.word }
        shown.expression = expression.map { _ in Redaction.word }
        return shown
    }

    /// The options as words of a command line.
    var words: [String] {
        let others = [
            ("--where", expression), ("--by", by), ("--device", device), ("--contains", contains),
        ]
        return kind.flatMap { ["--kind", $0] }
            + others.flatMap { option, value in value.map { [option, $0] } ?? [] }
    }
}
