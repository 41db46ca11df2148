/// A command that decides with a candidate file, such as a new config, and records nothing.
///
/// It decides for one given value, or for each value that a log holds. The program offers each
/// trial as a command under its name.
public protocol Trial<Model>: Sendable, SendableMetatype {
    /// The projection that finds the values in a log.
    associatedtype Model: Projection

    /// The name of the command: `launch-decision`.
    static var name: String { get }
    /// One line for listings.
    static var summary: String { get }
    /// The discussion in the command's help.
    static var discussion: String { get }
    /// The option that names the candidate file.
    static var file: FileOption { get }
    /// The option that names one value to decide for.
    static var subject: FileOption { get }
    /// The word for a value in messages: `version`.
    static var noun: String { get }
    /// Further options.
    static var options: [FileOption] { get }

    /// Reads the candidate file.
    ///
    /// - Parameters:
    ///   - bytes: the content of the file.
    ///   - rules: the rule set to decide by.
    ///   - reading: rules that turn texts of the file into values.
    /// - Throws: `InputError` if the file cannot be read.
    init(
        _ bytes: [UInt8], _ options: FileOptions, _ rules: RuleSet, reading: InputRules
    ) throws(InputError)

    /// Faults of the file that do not prevent reading it.
    var warnings: [TrialWarning] { get }

    /// True if nothing in the file affects the decision; the command answers and exits with 1.
    var isIrrelevant: Bool { get }

    /// Returns the answer for one value of the subject.
    func answer(for value: String) -> TrialAnswer

    /// Returns one answer for each value in a log.
    ///
    /// - Parameter state: the folded state of the log's events.
    func answers(_ state: Model.State) -> [TrialAnswer]
}

extension Trial {
    /// The default: the answer is shown.
    public var isIrrelevant: Bool { false }
}

/// A fault of a file that does not prevent reading it.
public struct TrialWarning: Hashable, Sendable {
    /// A stable word, by which warnings are counted: `unknownKey`.
    public var code: String
    /// The warning, for people.
    public var message: String

    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// The answer of a trial for one value.
public struct TrialAnswer: Sendable {
    /// The answer as a JSON object.
    public var json: String
    /// The answer as lines for people.
    public var lines: [String]

    /// Creates an answer from a record, which becomes the JSON object, and lines for people.
    public init(_ answer: some Record, lines: [String]) {
        json = JSONWriter.answer(answer)
        self.lines = lines
    }
}
