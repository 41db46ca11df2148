import ArgumentParser
import Daybook
import DaybookLog

/// The command `reindex`, which rebuilds the indexes from the events.
struct ReindexCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "reindex",
        abstract: "Rebuild the indexes, and the tree for proofs, from the events.")

    @OptionGroup(title: "Log") var log: LogOptions

    func run() throws {
        let log = try log.open(.write, appends: false)
        try mappingLogErrors { try log.reindex(afresh: true) }
        Output.line("indexed through \(try log.indexedThrough())")
    }

    static var examples: [String] { ["reindex"] }
}
