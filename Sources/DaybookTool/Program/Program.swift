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

    /// Returns the catalogue of the program's areas, which is created once.
    ///
    /// - Throws: `Failure` with code 2 if the areas contradict each other.
    package static func catalogue() throws -> Catalogue {
        do throws(InvalidCatalogue) {
            return try catalogueResult.get()
        } catch {
            throw Failure(.usage, error)
        }
    }

    /// The import formats, in the order of listing; empty if the areas contradict each other.
    ///
    /// A command that needs the catalogue then reports the contradiction.
    static var imports: [ImportDescription] { (try? catalogueResult.get())?.imports ?? [] }
    /// The export formats, in the order of listing; empty if the areas contradict each other.
    static var exports: [ExportDescription] { (try? catalogueResult.get())?.exports ?? [] }

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
        /// True if the program's tests check the catalogue.
        var isTested = false
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
    /// The catalogue of the areas, or the contradiction between them; created at first use.
    private static let catalogueResult: Result<Catalogue, InvalidCatalogue> = {
        do throws(InvalidCatalogue) {
            let parts = parts.withLock { $0 }
            return .success(
                try Catalogue(parts.areas, formats: parts.formats, isTested: parts.isTested))
        } catch {
            return .failure(error)
        }
    }()
}

/// Returns the catalogue of the program's areas.
package func catalogue() throws -> Catalogue { try Program.catalogue() }

/// Returns an id as logs store it: in Unicode normalisation form C.
package func identifier(_ text: String) -> String { InputRules.standard.normalise(text) }
