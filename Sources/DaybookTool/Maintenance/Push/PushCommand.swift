import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLibC
import DaybookLog

/// The command `push`, which moves a log from its file into a database.
struct PushCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Move a log into a database, which then carries it for many machines.",
        discussion: """
            The database gets every commit with the same chain of hashes, all people, and encrypted \
            texts, names and places. Their keys are encrypted under a key that the file of --key-file \
            gets, which is created if it is missing, or that --key-command makes. Then every \
            projection is folded from the file and from the copy; only if all states are equal does \
            the database begin to take appends.

            From then on the file is a replica of the log: it takes no appends of its own, and \
            'pull' brings it up to date. A push that was interrupted is continued by the next one.
            """)

    @Argument(help: .text("Path of the log.", "log"), completion: .file())
    var file: String

    @Argument(help: .text("Address of the log in the database, postgres://…?log=NAME.", "url"))
    var address: String

    @Option(
        help: .text(
            "File for the keys of the log. By default the value of the variable DAYBOOK_KEY_FILE.",
            "file"), completion: .file())
    var keyFile: String?

    @Option(
        help: .text(
            "Command that gives the keys of the log in place of a file. By default the value of the "
                + "variable DAYBOOK_KEY_COMMAND.", "command"))
    var keyCommand: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !StoreAddress.isAddress(file) else {
            throw ValidationError("'\(file)' is an address; expected the path of a log first.")
        }
        guard StoreAddress.isAddress(address) else {
            throw ValidationError("'\(address)' is no address of a database; expected postgres://…")
        }
        guard keyFile == nil || keyCommand == nil else {
            throw ValidationError("--key-file and --key-command contradict each other; omit one.")
        }
        StoreAddress.prepare(file)
        StoreAddress.prepare(address)
    }

    func run() throws {
        let driver = try StoreAddress.driver()
        guard let source = try StoreAddress.keys(file: keyFile, command: keyCommand) else {
            throw Failure(
                .usage, "\(address): a log needs a place for its keys; \(StoreKeyVariables.advice)")
        }
        let log = try LogOptions.open(file, .write)
        try mappingLogErrors { try StorePush(log).checkCanMove() }
        let store = try mappingLogErrors { () throws(LogError) in
            try driver.fill(address, source, log)
        }
        let before = try mappingLogErrors { () throws(LogError) in try store.end() }
        let copied = try mappingLogErrors { () throws(LogError) in
            let head = Int(clamping: try log.head().rawValue)
            return try StorePush(log).push(into: store) {
                Progress.setCount(Int(clamping: $0.rawValue), of: head, "events")
            }
        }
        let projectionCount = try compareStates(of: log, with: store, at: copied)
        let head = try mappingLogErrors { () throws(LogError) in
            try StorePush(log).finishPush(into: store)
        }
        let eventCount = head.position.rawValue - before.head.position.rawValue
        guard output.json else {
            Output.line("\(address): \(eventCount.counted("new event"))")
            Output.line("head \(head)")
            let states = "equal states of \(projectionCount.counted("projection"))"
            return Output.line("\(states); \(file) is now a replica")
        }
        Output.answer(
            PushAnswer(
                log: address, eventCount: Int64(clamping: eventCount),
                projectionCount: Int64(projectionCount), head: HeadPart(head)))
    }

    /// Folds every projection under every rule set from the file and from a new copy of what the
    /// database has, and throws a failure if one of them differs.
    ///
    /// - Returns: the number of projections and rule sets that were compared.
    private func compareStates(
        of log: EventLog, with store: any FillableStore, at head: Head
    ) throws -> Int {
        let cache = try ReplicaCache()
        try cache.create()
        let path = "\(cache.folder)/push-\(getpid()).log"
        // A process that had the same number may have left its copy.
        let remove = {
            for each in [path, path + "-lock"] { _ = unsafe unlink(each) }
        }
        remove()
        defer { remove() }
        let catalogue = Program.catalogue
        let copy = try mappingLogErrors { () throws(LogError) in
            try EventLog.replica(of: store, path: path, hasKeys: true, people: catalogue.people) {
                Progress.setCount(
                    Int(clamping: $0.rawValue), of: Int(clamping: head.position.rawValue), "events")
            }
        }
        let moment = Moment(.position(head.position.rawValue))
        let rules = Set(catalogue.projections.values.flatMap(\.rules)).sorted { $0.name < $1.name }
        var count = 0
        for each in rules {
            let (own, other) = (
                try TraceDigest.all(each, in: ProjectionReading(log, catalogue, as: moment)),
                try TraceDigest.all(each, in: ProjectionReading(copy, catalogue, as: moment))
            )
            for (left, right) in zip(own, other) where left != right {
                throw Failure(
                    .log,
                    "the states of '\(left.projection)' under the rule set \(left.rules.name) differ "
                        + "between \(file) and the copy in the database, which takes no appends")
            }
            count += own.count
        }
        return count
    }

    static var examples: [String] {
        ["push app.daybook 'postgres://kim@db.example/diary?log=home' --key-file diary.keys"]
    }

    static var answers: [any Answer.Type] { [PushAnswer.self] }
}

struct PushAnswer: Answer {
    static let name = "push"
    static let summary = "The log in the database."

    var log = ""
    var eventCount: Int64 = 0
    /// Number of projections and rule sets whose states were compared.
    var projectionCount: Int64 = 0
    var head = HeadPart()

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("log", &log, "events", &eventCount, "projections", &projectionCount)
        try head.fields(&field)
    }
}
