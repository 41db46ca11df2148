/// The ways in which commands take a log in a database.
enum StoreUse: Hashable {
    /// The command takes the address of a log wherever it takes the path of one.
    case accepted
    /// The command reads no log that `--log` names.
    case noLog
    /// The command refuses the address of a log, with a reason and what to do instead.
    case refused(String)

    /// The use of every command that works for any app, by its name.
    static let ofCommands: [String: StoreUse] = [
        "append": .accepted,
        "audit": .accepted,
        "backup": .refused(
            "back up the database, by pg_basebackup or pg_dump, and keep the file of the keys beside "
                + "each backup"),
        "bisect": .accepted,
        "blame": .accepted,
        "capture": .accepted,
        "check": .noLog,
        "check-proof": .noLog,
        "compact": .refused(
            "a database needs no compacting, and a replica that is deleted in the cache folder is "
                + "made again"),
        "compare": .accepted,
        "database": .accepted,
        "erase": .accepted,
        "export": .accepted,
        "history": .accepted,
        "import": .accepted,
        "late": .accepted,
        "list": .accepted,
        "log": .accepted,
        "order-safety": .accepted,
        "prove": .accepted,
        "pull": .accepted,
        "push": .accepted,
        "reindex": .accepted,
        "report": .accepted,
        "restore": .refused(
            "restore the database; to restore a backup into a file, name the file with --log"),
        "routes": .noLog,
        "salvage": .refused(
            "delete a damaged replica in the cache folder, and it is made again; restore a damaged "
                + "database from its backup"),
        "schema": .noLog,
        "ship": .accepted,
        "shrink": .accepted,
        "snapshot": .accepted,
        "stat": .accepted,
        "state": .accepted,
        "trace": .accepted,
        "transitions": .accepted,
        "verify": .accepted,
        "view": .accepted,
        "what-if": .accepted,
    ]

    /// Throws a usage failure if a command refuses logs in databases.
    static func check(_ command: String, _ address: String) throws(Failure) {
        guard case .refused(let reason) = ofCommands[command] else { return }
        throw Failure(.usage, "'\(command)' is for logs in files: \(reason)")
    }
}
