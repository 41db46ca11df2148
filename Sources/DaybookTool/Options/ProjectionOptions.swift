import ArgumentParser
package import Daybook
import DaybookInvestigation
import DaybookLog
import DaybookScenarios

/// Value of `--rules`: a rule set that the catalogue declares.
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

    /// The rule sets of the catalogue; only `standard` if the areas contradict each other.
    private static var known: [RuleSet] {
        do { return try ReplayTool.catalogue().rules } catch { return [.standard] }
    }

    package var defaultValueDescription: String { rules.name }
}

/// Projection that a command reads, and the rule set to fold it with.
struct ProjectionOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Name of the projection.", valueName: "projection"),
        completion: Completions.subjects)
    var projection: String

    @Option(
        name: .customLong("rules"), help: "Rule set to fold with.",
        completion: Completions.rules)
    private var rulesOption = RulesOption(.standard)

    var rules: RuleSet { rulesOption.rules }

    /// Returns the description of the projection.
    ///
    /// - Throws: `ValidationError` if there is no such projection, or if it does not support the
    ///   rules.
    func description(in catalogue: Catalogue) throws -> ProjectionDescription {
        try Self.description(of: projection, rules, in: catalogue)
    }

    /// Returns the description of a projection.
    ///
    /// - Parameter rules: rule sets that the projection must support.
    /// - Throws: `ValidationError` if there is no such projection, or if it does not support the
    ///   rules.
    static func description(
        of projection: String, _ rules: RuleSet..., in catalogue: Catalogue
    ) throws -> ProjectionDescription {
        guard let description = catalogue.projections[projection] else {
            let known = catalogue.projections.values.sorted { $0.name < $1.name }
                .map { "  \($0.name)  \($0.summary)" }
            let hint = NearestNames.hint(for: projection, in: catalogue.projections.keys)
            throw ValidationError(
                "There is no projection '\(projection)'\(hint) There are:\n"
                    + known.joined(separator: "\n"))
        }
        try check(rules, of: description)
        return description
    }

    /// Throws a usage error if the projection does not support one of the rule sets.
    static func check(_ rules: [RuleSet], of description: ProjectionDescription) throws {
        guard let refusal = rules.lazy.compactMap(description.refusal(of:)).first else { return }
        throw ValidationError("--rules: \(refusal).")
    }

    /// Throws a usage error if the key cannot be the id of a tag; `nil` is accepted.
    func check(_ key: String?, of description: ProjectionDescription) throws {
        try Self.check(key, of: description)
    }

    static func check(_ key: String?, of description: ProjectionDescription) throws {
        guard let key, !description.tag(key).isValid else { return }
        throw ValidationError(
            "A key must not be empty, must have no control character and must fit in a tag of "
                + "255 bytes.")
    }
}

extension ProjectionOptions {
    /// Opens a log and answers a question about the projection, as of a moment.
    ///
    /// - Parameter key: key of the entity in question; refused if it cannot be the id of a tag.
    func ask(
        _ key: String?, _ log: LogOptions, _ moment: MomentOptions,
        _ body: (ProjectionReading, ProjectionDescription) throws -> Void
    ) throws {
        try Self.ask(projection, rules, key, log, moment, body)
    }

    static func ask(
        _ projection: String, _ rules: RuleSet, _ key: String?, _ log: LogOptions,
        _ moment: MomentOptions, _ body: (ProjectionReading, ProjectionDescription) throws -> Void
    ) throws {
        let catalogue = try catalogue()
        let description = try description(of: projection, rules, in: catalogue)
        try check(key, of: description)
        try moment.answer(try log.open(.read), catalogue, about: key.map(description.tag)) {
            try body($0, description)
        }
    }

    /// Parses the expression of an option over the fields of the projection.
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

extension QuestionError {
    /// Calls `body`, and adds an option and its value to the message of a question's error.
    ///
    /// A position that the log does not have becomes a `Failure`, and any other invalid question a
    /// `ValidationError`.
    static func naming<Value>(
        _ option: String, _ text: String, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as QuestionError {
            switch error {
            case .noSuchPosition(let wrong, _):
                throw Failure(.usage, "\(option) \(wrong): \(error)")
            case .invalid(let message): throw ValidationError("\(option) \(text): \(message).")
            default: throw error
            }
        }
    }
}

extension String {
    /// The value that the text has as JSON; if the text is not JSON, the text itself.
    var asTree: Tree {
        do throws(InputError) {
            return try JSONParser.parse(utf8)
        } catch {
            return Tree(.text(self), line: 1)
        }
    }
}
