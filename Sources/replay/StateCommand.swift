import ArgumentParser
import CivilTime
import Domain
import EventSourcing
import EventStorage
import Formats

/// `--rules`, as an argument.
struct RulesOption: ExpressibleByArgument {
    var rules: RuleSet

    init(_ rules: RuleSet) {
        self.rules = rules
    }

    init?(argument: String) {
        let rules = RuleSet(argument)
        guard Self.known.contains(rules) else { return nil }
        self.rules = rules
    }

    static var allValueStrings: [String] { known.map(\.name) }

    /// The rule sets of the catalogue.
    private static var known: [RuleSet] {
        do { return try catalogue().rules } catch { return [.standard] }
    }

    var defaultValueDescription: String { rules.name }
}

/// Which projection, and which of its entities.
struct ProjectionOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The projection: splash, session, …", valueName: "projection"))
    var projection: String

    @Option(name: .customLong("rules"), help: "The rules to answer by.")
    private var rulesOption = RulesOption(.standard)

    var rules: RuleSet { rulesOption.rules }

    func description(in catalogue: Catalogue) throws -> ProjectionDescription {
        try Self.description(of: projection, in: catalogue)
    }

    static func description(
        of projection: String, in catalogue: Catalogue
    ) throws -> ProjectionDescription {
        guard let description = catalogue.projections[projection] else {
            let known = catalogue.projections.values.sorted { $0.name < $1.name }
                .map { "  \($0.name)  \($0.summary)" }
            throw ValidationError(
                "There is no projection '\(projection)'. There are:\n"
                    + known.joined(separator: "\n"))
        }
        return description
    }

    /// Refuses a key that no event can have.
    func check(_ key: String?, of description: ProjectionDescription) throws {
        try Self.check(key, of: description)
    }

    static func check(_ key: String?, of description: ProjectionDescription) throws {
        guard let key, !description.tag(key).isValid else { return }
        throw ValidationError(
            "A key is not empty, has no control character and fits a tag of 255 bytes.")
    }
}

struct State: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a projection says of one entity, or of all, at any moment.")

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: ArgumentHelp(
            "The entity: a launch, a device, … All without it.",
            valueName: "key"), transform: identifier)
    var key: String?

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions

    @Option(help: "The form of the answer; svg draws the track of one run.")
    var format = StateFormat.text

    @Flag(help: "The same as --format json: one object a line.")
    var json = false

    enum StateFormat: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case svg
    }

    func validate() throws {
        guard format == .svg else { return }
        guard projection.projection == "run", key != nil, !json else {
            throw ValidationError("--format svg draws one run: 'replay state run ID'.")
        }
        guard projection.rules == .standard else {
            throw ValidationError("A run is drawn by the standard rules, without --rules.")
        }
    }

    func run() throws {
        try projection.answering(key, log, moment) { reading, description in
            let through = reading.through
            var folds: [String: Fold] = [:]
            let walk = try reading.entities.walk(of: description, key)
            if let key = walk.key {
                let state = try reading.entities.state(along: walk, projection.rules)
                if !state.isEmpty { folds[key] = state.fold }
            } else {
                try foldAll(along: walk, reading, into: &folds)
            }
            if let key, folds.isEmpty {
                throw reading.nothing(of: description.noun, key)
            }
            if format == .svg, let key = walk.key {
                return Output.text(try picture(of: key, reading.log))
            }
            for (key, fold) in folds.sorted(by: { $0.key < $1.key }) {
                show(key, fold, through)
            }
        }
    }

    private func foldAll(
        along walk: EntityWalk, _ reading: ProjectionReading,
        into folds: inout [String: Fold]
    ) throws(LogError) {
        let description = walk.projection
        try reading.entities.forEach(along: walk) { (event, key) throws(LogError) in
            try folding { () throws(FoldError) in
                try folds[key, default: description.fold(projection.rules)].apply(event)
            }
            return true
        }
    }

    private func picture(of runId: String, _ log: EventLog) throws -> String {
        let reading = try RunReading(log, moment)
        let (title, batches) = try reading.track(runId)
        return TrackSVG.picture(
            try reading.run(runId, projection.rules), title: title, batches)
    }

    private func show(_ key: String, _ fold: Fold, _ through: Position) {
        guard !json, format == .text else {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("projection", projection.projection)
                writer.member("key", key)
                writer.member("rules", projection.rules)
                writer.member("position", Int64(clamping: through.rawValue))
                writer.name("state")
                writer.raw(fold.json)
            }
            return Output.json(writer.text)
        }
        let rules = projection.rules == .source ? ", by the source's rules" : ""
        Output.line("\(projection.projection) \(key), at position \(through)\(rules)")
        let leaves = fold.leaves.filter { !["null", "[]", "{}"].contains($0.value) }
        let width = leaves.map(\.path.count).max() ?? 0
        for leaf in leaves {
            let padding = String(repeating: " ", count: width - leaf.path.count)
            Output.line("  \(leaf.path)\(padding)  \(readable(leaf.value, leaf.path))")
        }
    }
}

/// A field's value for people: a moment as a time, everything else as it is.
func readable(_ value: String, _ path: String) -> String {
    // What is shorter than three years is a length of time.
    guard path.hasSuffix("Us"), let microseconds = Int64(value),
        microseconds.magnitude >= 100_000_000_000_000,
        Instant.possibleUs.contains(microseconds)
    else { return value }
    return Timestamp.text(Instant(microseconds: microseconds))
}
