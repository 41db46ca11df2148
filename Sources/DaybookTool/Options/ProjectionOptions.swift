import ArgumentParser
package import Daybook
import DaybookInvestigation
import DaybookLog

/// Value of `--rules`: a rule set that the catalogue declares.
package struct RulesOption: ExpressibleByArgument {
    /// The rule set that the option names.
    package var rules: RuleSet

    package init(_ rules: RuleSet) {
        self.rules = rules
    }

    /// Creates the option from a rule set's name; `nil` if the catalogue does not declare it.
    package init?(argument: String) {
        let rules = RuleSet(argument)
        guard Self.declared.contains(rules) else { return nil }
        self.rules = rules
    }

    /// Names of all rule sets, for help and completions.
    package static var allValueStrings: [String] { declared.map(\.name) }

    /// The rule sets of the catalogue.
    private static var declared: [RuleSet] { Program.catalogue.rules }

    /// Name of the rule set, as the default value in a help page.
    package var defaultValueDescription: String { rules.name }
}

/// Options that select the projection to read, and the rule set with which its events are folded.
struct ProjectionOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Name of the projection, or noun of its entities.", valueName: "projection"),
        completion: Completions.projectionsAndReports)
    var projection: String

    @Option(
        name: .customLong("rules"), help: "Rule set to fold with.",
        completion: Completions.rules)
    private var rulesOption = RulesOption(.standard)

    /// Rule set with which events are folded.
    var rules: RuleSet { rulesOption.rules }

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
            let nouns = catalogue.projections.values.map(\.noun)
            let hint = NearestNames.hint(for: projection, in: catalogue.projections.keys + nouns)
            throw ValidationError(
                "There is no projection '\(projection)'\(hint) The projections are:\n"
                    + known.joined(separator: "\n"))
        }
        try check(rules, of: description)
        return description
    }

    /// Returns the description of the projection that the words of a command name, with a key that
    /// can be the id of a tag.
    ///
    /// - Throws: `Failure` for a noun of several projections, which lists them with what the log has
    ///   of each; otherwise `ValidationError`.
    static func description(
        of projection: String, _ key: String?, _ rules: [RuleSet], as moment: MomentOptions,
        in catalogue: Catalogue, _ openLog: () throws -> EventLog
    ) throws -> ProjectionDescription {
        try EntityWords.refuse(noun: projection, key, moment, openLog)
        let description = try description(of: projection, in: catalogue)
        try check(rules, of: description)
        try check(key, of: description)
        return description
    }

    /// Throws a usage error if the projection does not support one of the rule sets.
    static func check(_ rules: [RuleSet], of description: ProjectionDescription) throws {
        guard let refusal = rules.lazy.compactMap(description.refusal(of:)).first else { return }
        throw ValidationError("--rules: \(refusal).")
    }

    /// Throws a usage error if the key is not `nil` and cannot be the id of a tag.
    static func check(_ key: String?, of description: ProjectionDescription) throws {
        guard let key, !description.tag(key).isValid else { return }
        throw ValidationError(
            "A key must not be empty, must have no control character and must fit in a tag of "
                + "255 bytes, found '\(key)'.")
    }
}

extension ProjectionOptions {
    /// Opens a log, and calls `body` with a reader of its states at a point in time, and with the
    /// projection's description.
    ///
    /// - Parameter key: the entity's key, such as `kim`; refused if it cannot be the id of a tag.
    func withReading(
        _ key: String?, _ log: LogOptions, _ moment: MomentOptions,
        _ body: (ProjectionReading, ProjectionDescription) throws -> Void
    ) throws {
        try Self.withReading(projection, rules, key, log, moment, body)
    }

    /// Opens a log, and calls `body` with a reading of the log as of a point in time, and with a
    /// projection's description.
    static func withReading(
        _ projection: String, _ rules: RuleSet, _ key: String?, _ log: LogOptions,
        _ moment: MomentOptions, _ body: (ProjectionReading, ProjectionDescription) throws -> Void
    ) throws {
        let catalogue = catalogue()
        let description = try description(of: projection, key, [rules], as: moment, in: catalogue) {
            try log.open(.read)
        }
        try moment.answer(try log.open(.read), catalogue, about: key.map(description.tag)) {
            try body($0, description)
        }
    }

    /// Parses the value of an option as an expression over the fields of the projection.
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
    /// Runs `body`, and adds an option and its value to the message of an error that `body` throws.
    ///
    /// A position that the log does not have becomes a `Failure`, and any other invalid question a
    /// `ValidationError`.
    static func namingOption<Value>(
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
    /// The value of the text as JSON; if the text is not JSON, the text itself as a JSON string.
    var asTree: Tree {
        do throws(InputError) {
            return try JSONParser.parse(utf8)
        } catch {
            return Tree(.text(self), line: 1)
        }
    }
}
