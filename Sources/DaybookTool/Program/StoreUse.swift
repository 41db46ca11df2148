import ArgumentParser

/// The ways in which commands take a log in a database.
package enum StoreUse: Equatable, Sendable {
    /// The command takes the address of a log wherever it takes the path of one.
    case accepted
    /// The command reads no log that `--log` names.
    case noLog
    /// The command refuses the address of a log, with a reason and what to do instead.
    case refused(String)
}

extension ToolCommand {
    /// Throws a usage failure if the command refuses logs in databases.
    static func checkStoreUse() throws(Failure) {
        guard case .refused(let reason) = storeUse else { return }
        throw Failure(.usage, "'\(_commandName)' is for logs in files: \(reason)")
    }
}

/// The environment variables with the place of the keys of a log in a database.
enum StoreKeyVariables {
    /// Path of the file with the keys.
    static let file = "DAYBOOK_KEY_FILE"
    /// Command that prints the keys.
    static let command = "DAYBOOK_KEY_COMMAND"

    /// Advice on how to give the keys.
    static let advice =
        "give --key-file FILE or --key-command COMMAND, or set \(file) or \(command)"
}
