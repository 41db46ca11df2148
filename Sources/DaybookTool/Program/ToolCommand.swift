package import ArgumentParser
package import Daybook

/// Command of the program, with what the help, `schema` and the program ask of each command.
///
/// A command is a folder: its options, its answers and what it says here. `ReplayTool` lists all
/// commands.
package protocol ToolCommand: ParsableCommand {
    /// Example command lines without the program's name; they use names from the program's areas.
    static var examples: [String] { get }

    /// Types of the answers that the command prints as JSON, for `schema`; empty by default.
    static var answers: [any Answer.Type] { get }

    /// Type that declares the options of the command; the command itself by default.
    static var optionDeclarations: any ParsableArguments.Type { get }

    /// Way in which the command takes a log in a database; `accepted` by default.
    static var storeUse: StoreUse { get }

    /// True if the answer for people may be longer than a screen, and is shown in a pager; false by
    /// default, and for an answer that never ends or is a file.
    var isPaged: Bool { get }

    /// True if the command waits for events or for a person, and shows no progress; false by
    /// default.
    var isWaiting: Bool { get }

    /// The usage line, for a command whose usage depends on its arguments; `nil` by default.
    var usage: String? { get }

    /// Command line that, with `--help` added, shows the help of the command with its arguments;
    /// `nil` by default.
    var helpCall: String? { get }
}

extension ToolCommand {
    /// Returns the command as this type; `nil` if it has another type.
    ///
    /// Unlike a cast to `any ToolCommand`, this looks up no conformance.
    static func casting(_ command: any ParsableCommand) -> (any ToolCommand)? { command as? Self }

    /// No answers by default.
    package static var answers: [any Answer.Type] { [] }
    /// The command itself by default.
    package static var optionDeclarations: any ParsableArguments.Type { Self.self }
    /// Accepted by default.
    package static var storeUse: StoreUse { .accepted }
    /// False by default.
    package var isPaged: Bool { false }
    /// False by default.
    package var isWaiting: Bool { false }
    /// The same for all arguments by default.
    package var usage: String? { nil }
    /// The command's name alone by default.
    package var helpCall: String? { nil }
}

/// JSON object that a command prints.
///
/// The fields of the record are the members that are printed and that `schema answer` lists.
package protocol Answer: Record {
    /// Creates the answer whose fields have their initial values.
    init()

    /// Name of the command, followed by the kind of line if the command prints several kinds:
    /// `transitions.stay`.
    static var name: String { get }
    /// Sentence that describes the answer, for `schema`.
    static var summary: String { get }
}

extension Answer {
    package static var blank: Self { Self() }
}
