/// A command that shows the decisions that a candidate file, such as a new config, leads to.
///
/// It decides for one given value, such as an app version, or for each value in a log, and records
/// nothing. The program offers each trial as a subcommand.
public protocol Trial<Model>: Sendable, SendableMetatype {
    /// The projection whose state contains the values of a log to decide for.
    associatedtype Model: Projection

    /// The name of the subcommand: `launch-decision`.
    static var name: String { get }
    /// A one-line description for listings.
    static var summary: String { get }
    /// The long description in the subcommand's help.
    static var discussion: String { get }
    /// The option that names the candidate file.
    static var file: FileOption { get }
    /// The option that names one value to decide for.
    static var subject: FileOption { get }
    /// The word that messages use for the values that the trial decides for: `version`.
    static var noun: String { get }
    /// The options of the trial besides `file` and `subject`.
    static var options: [FileOption] { get }

    /// Reads the candidate file.
    ///
    /// - Parameter reading: the rules by which texts of the file are read as values.
    /// - Throws: `InputError` if the file cannot be read.
    init(
        _ bytes: [UInt8], _ options: FileOptions, _ rules: RuleSet, reading: InputRules
    ) throws(InputError)

    /// The faults found in the file that did not prevent reading it.
    var warnings: [TrialWarning] { get }

    /// True if the candidate file affects no decision at all; false by default.
    ///
    /// The subcommand then prints its answers, but exits with code 1.
    var isIrrelevant: Bool { get }

    /// Returns the decision for one value, which the user gave for the subject option.
    func answer(for value: String) -> TrialAnswer

    /// Returns one decision for each value in a log, whose folded state is given.
    func answers(_ state: Model.State) -> [TrialAnswer]
}

extension Trial {
    public var isIrrelevant: Bool { false }
}

/// A fault in a candidate file that does not prevent reading the file.
public struct TrialWarning: Hashable, Sendable {
    /// The kind of fault as a stable word, by which warnings are counted: `unknownKey`.
    public var code: String
    /// The warning as a text for people.
    public var message: String

    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// The decision of a trial for one value.
public struct TrialAnswer: Sendable {
    /// The decision as a JSON object.
    public var json: String
    /// The decision as lines for people.
    public var lines: [String]

    /// Creates a decision from a record, which becomes the JSON object, and lines for people.
    public init(_ answer: some Record, lines: [String]) {
        json = JSONWriter.answer(answer)
        self.lines = lines
    }
}
