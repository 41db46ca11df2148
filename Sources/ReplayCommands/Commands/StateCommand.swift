import ArgumentParser
import CivilTime
import EventSourcing
import EventStorage
import Investigation

struct State: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a projection says of one entity, or of all, at any moment.")

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: ArgumentHelp(
            "The entity: a launch, a device, … All without it.",
            valueName: "key"), completion: Completions.keys, transform: identifier)
    var key: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(help: "The form of the answer; svg draws one entity, where there is a picture of it.")
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
        let pictures = try catalogue().pictures
        guard pictures[projection.projection] != nil, key != nil, !json else {
            let drawn = pictures.keys.sorted().map { "'\(ReplayTool.name) state \($0) ID'" }
            throw ValidationError(
                drawn.isEmpty
                    ? "--format svg: no projection has a picture."
                    : "--format svg draws one entity: \(drawn.joined(separator: ", ")).")
        }
        guard projection.rules == .standard else {
            throw ValidationError("A picture is drawn by the standard rules, without --rules.")
        }
    }

    func run() throws {
        try projection.ask(key, log, moment) { reading, description in
            let folds = try reading.states(of: description, key, projection.rules)
            if format == .svg, key != nil, let key = folds.keys.first,
                let picture = reading.catalogue.pictures[description.name]
            {
                return Output.text(try text(of: picture, key, reading))
            }
            var isComplete = true
            for (key, fold) in folds.sorted(by: { $0.key < $1.key }) {
                if let reason = description.refusal(of: fold, projection.rules) {
                    StandardError.message("\(description.noun) \(key): \(reason)")
                    isComplete = false
                } else {
                    show(key, fold, reading.through)
                }
            }
            if !isComplete { Failure(.finding).end() }
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
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("projection", projection.projection)
                writer.member("key", key)
                writer.member("rules", projection.rules)
                writer.member("position", Int64(clamping: through.rawValue))
                writer.name("state")
                writer.raw(fold.answer)
            }
            return Output.json(writer.text)
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
