/// A decision tried with a file that is not in force yet, on one value or on all that a log knows.
///
/// Nothing is recorded. Each trial is a command of the program, under its name.
public protocol Trial<Model>: Sendable, SendableMetatype {
    /// The projection that finds the values in a log.
    associatedtype Model: Projection

    /// `launch-decision`, as the command line has it.
    static var name: String { get }
    /// One line for listings.
    static var summary: String { get }
    /// The help of its command.
    static var discussion: String { get }
    /// The option that names the file.
    static var file: FileOption { get }
    /// The option that names one value.
    static var subject: FileOption { get }
    /// The word for a value: `version`.
    static var noun: String { get }
    /// Further options.
    static var options: [FileOption] { get }

    /// - Throws: for a file that cannot be read.
    init(
        _ bytes: [UInt8], _ options: FileOptions, _ rules: RuleSet, reading: InputRules
    ) throws(InputError)

    /// Faults of the file that leave it readable.
    var warnings: [TrialWarning] { get }

    /// True for a file that says nothing of what is tried; the command answers, and ends with 1.
    var isIrrelevant: Bool { get }

    /// The answer for one value of the subject.
    func answer(for value: String) -> TrialAnswer

    /// One answer for each value of a log.
    func answers(_ state: Model.State) -> [TrialAnswer]
}

extension Trial {
    public var isIrrelevant: Bool { false }
}

/// A fault of a file that leaves it readable.
public struct TrialWarning: Hashable, Sendable {
    /// A stable word, under which many are counted: `unknownKey`.
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
    /// A JSON object.
    public var json: String
    /// The same for people.
    public var lines: [String]

    public init(_ answer: some Record, lines: [String]) {
        json = JSONWriter.answer(answer)
        self.lines = lines
    }
}
