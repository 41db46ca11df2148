import ArgumentParser
package import EventSourcing
import EventStorage
import Playback

/// `--rules`, as an argument.
package struct RulesOption: ExpressibleByArgument {
    package var rules: RuleSet

    package init(_ rules: RuleSet) {
        self.rules = rules
    }

    package init?(argument: String) {
        let rules = RuleSet(argument)
        guard Self.known.contains(rules) else { return nil }
        self.rules = rules
    }

    package static var allValueStrings: [String] { known.map(\.name) }

    /// The rule sets of the catalogue.
    private static var known: [RuleSet] {
        do { return try ReplayTool.catalogue().rules } catch { return [.standard] }
    }

    package var defaultValueDescription: String { rules.name }
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

extension ProjectionOptions {
    /// Opens a log and answers a question about the projection, as of a moment.
    ///
    /// - Parameter key: of the entity that is asked for; refused where no event can have it.
    func ask(
        _ key: String?, _ log: LogOptions, _ moment: MomentOptions,
        _ body: (ProjectionReading, ProjectionDescription) throws -> Void
    ) throws {
        let catalogue = try catalogue()
        let description = try description(in: catalogue)
        try check(key, of: description)
        let log = try log.open(.read)
        try mappingLogErrors {
            try body(try ProjectionReading(log, moment, catalogue), description)
        }
    }

    /// The expression of an option, held to the fields of the projection.
    static func expression(
        _ text: String, over description: ProjectionDescription, _ option: String
    ) throws -> Expression {
        do throws(ExpressionError) {
            return try Expression(text, over: description.fields, named: description.name)
        } catch {
            throw ValidationError("\(option) '\(text)': \(error)")
        }
    }
}
