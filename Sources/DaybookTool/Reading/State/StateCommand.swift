import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLibC
import DaybookLog

/// The command `state`, which prints the state of one entity or of all entities.
struct StateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Show the state of one entity, or of all entities, at any moment.",
        discussion: """
            --where shows only entities whose state satisfies an expression, as in '\(Program.name) \
            bisect': 'state == forceUpdate', 'pending.count > 0 && endedUs == null'. The exit code \
            is 1 if no entity satisfies it.

            With --at and --to, the answer is what changed in one entity between both moments: \
            '--at 12 --to 40', '--at 9:00 --to now'.
            """)

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: .text("Id of the entity: a launch, a device, …; all by default.", "key"),
        completion: Completions.entityKeys, transform: identifier)
    var key: String?

    @Option(
        name: .customLong("where"),
        help: .text("Only entities whose state satisfies this expression.", "expression"))
    var condition: String?

    @Option(name: [.customShort("n"), .long], help: .text("At most this many entities.", "count"))
    var limit: Int?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(
        help: .text(
            "Show what changed in the entity from the moment of --at up to this one.",
            "position|time"))
    var to: String?

    @Option(help: "Form of the answer; svg draws one entity, if the projection has a picture.")
    var format = StateFormat.text

    @Flag(help: "Short for --format json: one object per line.")
    var json = false

    enum StateFormat: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case svg
    }

    mutating func validate() throws {
        let words = try EntityWords.pair(projection.projection, key)
        (projection.projection, key) = (words.name ?? "", words.key)
        guard to == nil || (key != nil && moment.at != nil && format != .svg) else {
            throw ValidationError(
                "--to compares two moments of one entity: 'KEY --at A --to B'.")
        }
        if let limit, limit < 0 {
            throw ValidationError("--limit: expected a number of at least 0, found \(limit).")
        }
        guard key == nil || (condition == nil && limit == nil) else {
            throw ValidationError("--where and --limit cannot be combined with a key.")
        }
        guard format == .svg else { return }
        let pictures = catalogue().pictures
        guard pictures[projection.projection] != nil, key != nil, !json else {
            let drawn = pictures.keys.sorted().map { "'\(Program.name) state \($0) ID'" }
            throw ValidationError(
                drawn.isEmpty
                    ? "--format svg: no projection has a picture."
                    : "--format svg draws one entity: \(drawn.joined(separator: ", ")).")
        }
        guard projection.rules == .standard else {
            throw ValidationError("--format svg always uses the rule set 'standard'; omit --rules.")
        }
    }

    func run() throws {
        try projection.withReading(key, log, moment) { reading, description in
            if let to, let key { return try showChanges(of: description, key, to, reading) }
            let condition = try condition.map {
                try ProjectionOptions.expression($0, over: description, "--where")
            }
            if key == nil { try KeptStates.plain.announce(for: reading.log) }
            let folds = try reading.states(of: description, key, projection.rules)
            if format == .svg, key != nil, let key = folds.keys.first,
                let picture = reading.catalogue.pictures[description.name]
            {
                return Output.text(try svg(of: picture, key, reading))
            }
            var isComplete = true
            let found =
                condition.map { condition in folds.filter { condition.isTrue(for: $0.value) } }
                ?? folds
            if let condition, found.isEmpty, !folds.isEmpty {
                throw Failure(
                    .finding,
                    "none of \(folds.count.counted("entity", "entities")) satisfies \(condition) "
                        + "at position \(reading.through)")
            }
            // For a time before the log's first event, another message is printed.
            let isTime = moment.at.map { UInt64($0) == nil } ?? false
            if folds.isEmpty, reading.through > .origin || !isTime {
                StandardError.message("no \(description.noun) up to position \(reading.through)")
            }
            let shown = Array(Array(found).sortedByBytes { $0.key }.prefix(limit ?? .max))
            let render = renderer(of: description, reading.through)
            // Each thread renders some entities, and the texts are printed in order.
            for wave in shown.divided(by: Threads.coreCount * 512) {
                let parts = wave.divided(by: 512)
                for states in Threads.map(parts.count, { RenderedStates(parts[$0], render) }) {
                    isComplete = states.print() && isComplete
                }
            }
            if !isComplete { throw Failure(.finding) }
        }
    }

    /// Prints the fields that differ between the moment of `--at` and a later one.
    private func showChanges(
        of description: ProjectionDescription, _ key: String, _ to: String,
        _ reading: ProjectionReading
    ) throws {
        if CommandTime.needsZone(to) {
            try CommandTime.setZone(ofEntity: description.tag(key), in: reading.log)
        }
        let later = try QuestionError.namingOption("--to", to) {
            try ProjectionReading(
                reading.log, reading.catalogue, as: try moment.moment(to, "--to"))
        }
        guard later.through >= reading.through else {
            throw ValidationError(
                "--to: position \(later.through) is before position \(reading.through) of --at.")
        }
        let difference = try StateDifference(
            of: description, key, projection.rules, from: reading, to: later)
        let (name, rules) = (projection.projection, projection.rules)
        guard !json, format == .text else {
            return Output.answer(
                StateChangesAnswer(
                    projection: name, key: difference.key, rules: rules, from: reading.through,
                    to: later.through,
                    changes: difference.changes.answer(isFirst: difference.isNew)))
        }
        let span = "\(name) \(difference.key), from position \(reading.through) to \(later.through)"
        let lines = HistoryPrinter.lines(difference.changes, isFirst: difference.isNew)
        Output.line(span.visible + (lines.isEmpty ? ": nothing changed" : ""))
        Output.lines(lines)
    }

    private func svg(
        of picture: ExportDescription, _ key: String, _ reading: ProjectionReading
    ) throws -> String {
        var options = FileOptions()
        options[picture.subject] = key
        let export = try ExportReading(reading.log, reading.catalogue, moment)
            .gathered(picture, options)
        return try export.file().get(orFailWith: .finding).text
    }

    /// Error for an entity whose state cannot be shown.
    private struct StateRefusal: Error { let message: String }

    /// Function that adds the lines of an entity.
    private typealias Renderer =
        @Sendable (
            (key: String, value: Fold), inout AnswerLines
        ) throws(StateRefusal) -> Void

    /// The lines of some entities, and the messages about those that cannot be shown.
    private struct RenderedStates: Sendable {
        private var lines = AnswerLines()
        /// Messages, each with the number of bytes of the lines before it.
        private var refusals: [(end: Int, message: String)] = []

        init(_ entities: [(key: String, value: Fold)], _ render: Renderer) {
            for entity in entities {
                do throws(StateRefusal) { try render(entity, &lines) } catch {
                    refusals.append((lines.bytes.count, error.message))
                }
            }
        }

        /// Prints the lines and messages in order; returns `false` if there are messages.
        func print() -> Bool {
            var start = 0
            for refusal in refusals {
                Output.bytes(lines.bytes[start..<refusal.end])
                StandardError.message(refusal.message)
                start = refusal.end
            }
            Output.bytes(lines.bytes[start...])
            return refusals.isEmpty
        }
    }

    /// Returns a function that renders an entity as the lines to print.
    private func renderer(
        of description: ProjectionDescription, _ through: Position
    ) -> Renderer {
        let (name, rules) = (projection.projection, projection.rules)
        let isJSON = json || format != .text
        return { (entity, lines) throws(StateRefusal) in
            let (key, fold) = entity
            if let reason = description.refusal(of: fold, rules) {
                throw StateRefusal(message: "\(description.noun) \(key): \(reason)")
            }
            guard !isJSON else {
                var answer = StateAnswer(
                    projection: name, key: key, rules: rules, position: through)
                return lines.add { writer in
                    writer.beginObject()
                    answer.head(&writer)
                    writer.name(StateAnswer.stateName)
                    fold.write(to: &writer)
                    writer.endObject()
                }
            }
            let by = rules == .standard ? "" : ", by the rules of '\(rules.name)'"
            let leaves = fold.leaves.filter { !["null", "[]", "{}"].contains($0.value) }
            var table = Table(.leading, .leading)
            for leaf in leaves { table.add(leaf.path, leaf.readable) }
            lines.add(line: "\(name) \(key), at position \(through)\(by)".visible)
            for line in table.lines { lines.add(line: line.visible) }
        }
    }

    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "state \(names.name) \(names.key)", "state \(names.name) --at yesterday",
            "state \(names.name) \(names.key) --valid-at '2026-03-03 14:00' --json",
            "state \(names.name)/\(names.key) --at yesterday --to now",
        ]
    }

    static var answers: [any Answer.Type] { [StateAnswer.self, StateChangesAnswer.self] }

    var isPaged: Bool { true }
}

struct StateAnswer: Answer {
    static let name = "state"
    static let summary = "The state of an entity, with the fields of its projection."
    static let stateName = "state"

    var projection = ""
    var key = ""
    var rules = RuleSet.standard
    /// Position up to which events were folded.
    var position = Position.origin
    /// State of the entity, which the command writes after the other fields.
    var state = JSONText.blank

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try head(&field)
        try field(Self.stateName, &state)
    }

    /// Visits the fields before the state.
    mutating func head<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "key", &key, "rules", &rules)
        try field("position", &position)
    }
}

struct StateChangesAnswer: Answer {
    static let name = "state.changes"
    static let summary = "What changed in an entity between two moments, with --at and --to."

    var projection = ""
    var key = ""
    var rules = RuleSet.standard
    /// Position of the last event before the changes.
    var from = Position.origin
    /// Position up to which changes are shown.
    var to = Position.origin
    var changes: [ChangePart] = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "key", &key, "rules", &rules)
        try field("from", &from, "to", &to, "changes", &changes)
    }
}
