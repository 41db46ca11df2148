import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog
import DaybookScenarios

struct State: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Show the state of one entity, or of all entities, at any moment.",
        discussion: """
            --where shows only entities whose state satisfies an expression, as in '\(ReplayTool.name) \
            bisect': 'state == forceUpdate', 'pending.count > 0 && endedUs == null'. The exit code \
            is 1 if no entity satisfies it.
            """)

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: ArgumentHelp(
            "Id of the entity: a launch, a device, …; all by default.",
            valueName: "key"), completion: Completions.keys, transform: identifier)
    var key: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only entities whose state satisfies this expression.", valueName: "expression"))
    var condition: String?

    @Option(
        name: [.customShort("n"), .long],
        help: ArgumentHelp("At most this many entities.", valueName: "count"))
    var limit: Int?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(help: "Form of the answer; svg draws one entity, if the projection has a picture.")
    var format = StateFormat.text

    @Flag(help: "Short for --format json: one object per line.")
    var json = false

    enum StateFormat: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case svg
    }

    func validate() throws {
        if let limit, limit < 0 {
            throw ValidationError("--limit: expected a count, found \(limit).")
        }
        guard key == nil || (condition == nil && limit == nil) else {
            throw ValidationError("--where and --limit cannot be combined with a key.")
        }
        guard format == .svg else { return }
        let pictures = try catalogue().pictures
        guard pictures[projection.projection] != nil, key != nil, !json else {
            let drawn = pictures.keys.sorted().map { "'\(ReplayTool.name) state \($0) ID'" }
            throw ValidationError(
                drawn.isEmpty
                    ? "--format svg: no projection has a picture."
                    : "--format svg draws one entity: \(drawn.joined(separator: ", ")).")
        }
        guard projection.rules == .standard else {
            throw ValidationError("A picture always uses the standard rules; omit --rules.")
        }
    }

    func run() throws {
        try projection.ask(key, log, moment) { reading, description in
            let condition = try condition.map {
                try ProjectionOptions.expression($0, over: description, "--where")
            }
            let folds = try reading.states(of: description, key, projection.rules)
            if format == .svg, key != nil, let key = folds.keys.first,
                let picture = reading.catalogue.pictures[description.name]
            {
                return Output.text(try text(of: picture, key, reading))
            }
            var isComplete = true
            let found = folds.filter { condition?.isTrue(for: $0.value) ?? true }
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
            for (key, fold) in found.sorted(by: { $0.key < $1.key }).prefix(limit ?? .max) {
                if let reason = description.refusal(of: fold, projection.rules) {
                    StandardError.message("\(description.noun) \(key): \(reason)")
                    isComplete = false
                } else {
                    show(key, fold, reading.through)
                }
            }
            if !isComplete { throw Failure(.finding) }
        }
    }

    private func text(
        of picture: PictureDescription, _ key: String, _ reading: ProjectionReading
    ) throws -> String {
        var options = FileOptions()
        options[picture.file.subject] = key
        let export = try ExportReading(reading.log, reading.catalogue, moment)
            .gathered(picture.file, options)
        return try export.file().get(orFailWith: .finding).text
    }

    private func show(_ key: String, _ fold: Fold, _ through: Position) {
        guard !json, format == .text else {
            return Output.answer(
                StateAnswer(
                    projection: projection.projection, key: key, rules: projection.rules,
                    position: through, state: JSONText(fold.answer)))
        }
        let rules =
            projection.rules == .standard ? "" : ", by the rules of '\(projection.rules.name)'"
        Output.line("\(projection.projection) \(key), at position \(through)\(rules)")
        let leaves = fold.leaves.filter { !["null", "[]", "{}"].contains($0.value) }
        var table = Table(.leading, .leading)
        for leaf in leaves { table.add(leaf.path, leaf.readable) }
        Output.lines(table.lines)
    }
}

struct StateAnswer: Answer {
    static let name = "state"
    static let summary = "The state of an entity, with the fields of its projection."

    var projection = ""
    var key = ""
    var rules = RuleSet.standard
    var position = Position.origin
    var state = JSONText.blank

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("projection", &projection, "key", &key, "rules", &rules)
        try field("position", &position, "state", &state)
    }
}
