package import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog
import Synchronization

/// The program that this process runs: its name, version, areas and commands.
///
/// `ReplayTool.main` sets them once, before the command line is parsed.
package enum Program {
    /// Version of the generic commands.
    static let toolVersion = "0.1.0"

    /// The name of the program in help and messages.
    package static var name: String { parts.withLock { $0.name } }

    /// The version of the program, which `--version` prints.
    static var version: String { parts.withLock { $0.version } }

    /// Access to logs in databases; `nil` if another program has it.
    static var store: StoreDriver? { parts.withLock { $0.store } }

    /// The answers of all commands.
    static var answers: [any Answer.Type] { parts.withLock { $0.answers } }

    /// The command that the process runs; `nil` if it only shows help.
    static var runningCommand: (any ToolCommand.Type)? { parts.withLock { $0.running } }

    /// Returns the command with this name; `nil` if the program has no such command.
    static func command(_ name: String) -> (any ToolCommand.Type)? {
        parts.withLock { $0.commands[name] }
    }

    /// The catalogue of the program's areas, created at its first use.
    ///
    /// The tests of the areas check it, not the program.
    package static let catalogue = parts.withLock {
        Catalogue(unchecked: $0.areas, formats: $0.formats)
    }

    /// The import formats, in the order of listing.
    static var imports: [ImportDescription] { catalogue.imports }
    /// The export formats, in the order of listing.
    static var exports: [ExportDescription] { catalogue.exports }

    /// Name, areas, formats and commands of the program.
    struct Parts: Sendable {
        /// Name of the program in help and messages.
        var name = ""
        /// Answer to `--version`.
        var version = ""
        /// Areas of the app, each with its events, commands and projections.
        var areas: [any Area.Type] = []
        /// Formats that no area lists itself.
        var formats: [any FileFormats.Type] = []
        /// Access to logs in databases; `nil` if another program has it.
        var store: StoreDriver?
        /// All commands by name.
        var commands: [String: any ToolCommand.Type] = [:]
        /// Answers of all commands.
        var answers: [any Answer.Type] = []
        /// Command that the process runs; `nil` if it only shows help.
        var running: (any ToolCommand.Type)?
    }

    /// Changes the parts of the program; only `ReplayTool` calls this.
    static func set(_ change: (inout Parts) -> Void) {
        parts.withLock { change(&$0) }
    }

    private static let parts = Mutex(Parts())
}

/// Returns the catalogue of the program's areas.
package func catalogue() -> Catalogue { Program.catalogue }

/// Returns an id as logs store it: in Unicode normalisation form C.
package func identifier(_ text: String) -> String { InputRules.standard.normalise(text) }
