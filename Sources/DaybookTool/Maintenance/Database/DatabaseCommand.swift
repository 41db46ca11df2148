import ArgumentParser
import Daybook
import DaybookLog

/// The command `database`, which prepares databases for logs, lists the logs, and makes new ones.
struct DatabaseCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Install tables for logs in a database, list or make logs, or export their keys.",
        discussion: """
            install makes the tables and functions; the user must be allowed to create schemas and \
            roles. list shows each log of the database with its head. create makes an empty log \
            with the name that the address ends with, ?log=NAME, and its first key. export-keys \
            writes the keys that open the log as it is now into a new file, for beside a backup: \
            a backup is read with the keys of its time.

            The keys of a log are outside the database, in the file of --key-file, which is created if \
            it is missing and which only its owner may read, or in a service that --key-command \
            asks. Without them, nobody can read texts, names and places, or append: keep a copy of \
            the file, as with each backup of the database.

            An address is a URL of PostgreSQL without a password, such as \
            'postgres://kim@db.example/diary?log=home'. Passwords are read from the file that the \
            variable PGPASSFILE names.
            """)

    enum Action: String, ExpressibleByArgument, CaseIterable {
        case install
        case list
        case create
        case exportKeys = "export-keys"
    }

    @Argument(help: "install, list, create or export-keys.")
    var action: Action

    @Argument(help: .text("Address of the database; for create, of the log.", "url"))
    var address: String

    @Option(
        help: .text(
            "File for the keys of the new log, for create. By default the value of the variable "
                + "DAYBOOK_KEY_FILE.", "file"), completion: .file())
    var keyFile: String?

    @Option(
        help: .text(
            "Command that makes the key of the new log, for create. By default the value of the "
                + "variable DAYBOOK_KEY_COMMAND.", "command"))
    var keyCommand: String?

    @Option(
        help: .text("New file for the keys of now, for export-keys.", "file"), completion: .file())
    var to: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard StoreAddress.isAddress(address) else {
            throw ValidationError("'\(address)' is no address of a database; expected postgres://…")
        }
        guard keyFile == nil || keyCommand == nil else {
            throw ValidationError("--key-file and --key-command contradict each other; omit one.")
        }
        guard [.create, .exportKeys].contains(action) || (keyFile == nil && keyCommand == nil)
        else {
            throw ValidationError(
                "--key-file and --key-command can only be used with create and export-keys.")
        }
        guard (action == .exportKeys) == (to != nil) else {
            throw ValidationError("--to FILE is needed by export-keys, and by it alone.")
        }
        guard [.list, .create].contains(action) || !output.json else {
            throw ValidationError("--json can only be used with list and create.")
        }
        StoreAddress.prepare(address)
    }

    func run() throws {
        let driver = try StoreAddress.driver()
        switch action {
        case .install: try install(with: driver)
        case .list: try list(with: driver)
        case .create: try create(with: driver)
        case .exportKeys: try exportKeys(with: driver)
        }
    }

    private func install(with driver: StoreDriver) throws {
        let installation = try mappingLogErrors { () throws(LogError) in
            try driver.install(at: address)
        }
        let done = installation.isNew ? "installed" : "the tables are installed already"
        Output.line("\(address): \(done)")
        for advice in installation.advice { StandardError.message("\(address): \(advice)") }
    }

    private func list(with driver: StoreDriver) throws {
        let logs = try mappingLogErrors { () throws(LogError) in try driver.logs(address) }
        if output.json { return logs.forEach { Output.answer(DatabaseAnswer($0)) } }
        guard !logs.isEmpty else { return StandardError.message("\(address): there is no log") }
        var table = Table(.leading, .trailing, .leading, .leading, .leading, margin: "")
        table.add("log", "events", "state", "head", "id")
        for log in logs {
            table.add(
                log.name, "\(log.end.head.position)", log.state, "\(log.end.head)",
                Hexadecimal.text(log.id))
        }
        for line in table.lines { Output.line(line) }
    }

    private func exportKeys(with driver: StoreDriver) throws {
        guard let to, let source = try StoreAddress.keys(file: keyFile, command: keyCommand) else {
            throw Failure(
                .usage, "\(address): the keys to export are not given; \(StoreKeyVariables.advice)")
        }
        let epochs = try mappingLogErrors { () throws(LogError) in
            guard let store = try driver.connect(address, source) as? any ErasingStore else {
                return [Int32]()
            }
            return try store.exportKeys(to: to)
        }
        let numbers = epochs.map { "\($0)" }.joined(separator: ", ")
        Output.line("\(to): the keys of epoch \(numbers)")
    }

    private func create(with driver: StoreDriver) throws {
        guard let source = try StoreAddress.keys(file: keyFile, command: keyCommand) else {
            throw Failure(
                .usage,
                "\(address): a new log needs a place for its keys; \(StoreKeyVariables.advice)")
        }
        let store = try mappingLogErrors { () throws(LogError) in
            try driver.createLog(at: address, keys: source)
            return try driver.connect(address, nil)
        }
        guard !output.json else {
            let log = try mappingLogErrors { () throws(LogError) in
                try driver.logs(address).first { $0.id == store.logID }
            }
            if let log { Output.answer(DatabaseAnswer(log)) }
            return
        }
        Output.line("\(address): log \(Hexadecimal.text(store.logID))")
        if case .file(let path) = source { Output.line("keys \(path)") }
    }

    static let examples = [
        "database install postgres://kim@db.example/diary",
        "database create 'postgres://kim@db.example/diary?log=home' --key-file diary.keys",
    ]

    static var answers: [any Answer.Type] { [DatabaseAnswer.self] }
}

struct DatabaseAnswer: Answer {
    static let name = "database"
    static let summary = "A log in a database."

    var log = ""
    /// Id of the log, in hexadecimal.
    var id = ""
    var eventCount: Int64 = 0
    /// State of the log: `open`, `filling` while it gets the commits of a file, or `closed`.
    var state = ""
    var head = HeadPart()

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("log", &log, "id", &id, "events", &eventCount, "state", &state)
        try head.fields(&field)
    }
}

extension DatabaseAnswer {
    fileprivate init(_ log: StoredLog) {
        self.init(
            log: log.name, id: Hexadecimal.text(log.id),
            eventCount: Int64(clamping: log.end.head.position.rawValue), state: log.state,
            head: HeadPart(log.end.head))
    }
}
