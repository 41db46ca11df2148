import ArgumentParser
import Daybook
import DaybookLibC
import DaybookLog

/// The command `pull`, which creates a replica from segments and keeps it up to date.
struct PullCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Create a replica of a log from segments or a database, or bring it up to date.",
        discussion: """
            The source is a folder or file with segments of 'ship', or the address of a log in \
            PostgreSQL. The replica gets the same commits with the same head, and carries out \
            erasures. Each commit is checked by its chain value, and none can be missing. A pull \
            that was interrupted is continued by the next one. If the replica and the source have \
            different histories, nothing of it is written, and the position where they part is \
            named.

            Without --texts, personal texts and names are shown as 'not here' and places as null, \
            and what needs them is refused. Nothing but 'pull' appends to a replica; --promote \
            makes it a log of its own, for a move to another machine. From a database, --texts \
            names the file of the log's keys.
            """)

    @Argument(
        help: .text(
            "Folder or file with segments, or address of a log; '-' is standard input.", "source"),
        completion: .file())
    var source: String

    @Option(
        help: .text(
            "File with the keys of texts, names and places, from 'ship --texts' or 'database "
                + "create'.", "file"), completion: .file())
    var texts: String?

    @Flag(help: "With --texts: make the replica a log of its own, which takes appends.")
    var promote = false

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if promote, texts == nil { throw ValidationError("--promote requires --texts.") }
        guard StoreAddress.isAddress(source) else { return }
        if promote { throw ValidationError("--promote can only be used with segments.") }
        if texts != nil, log.givenKeys != nil {
            throw ValidationError("Give the keys once, by --texts, --key-file or --key-command.")
        }
        StoreAddress.prepare(source)
    }

    func run() throws {
        let path = try log.path()
        guard log.address == nil else {
            throw Failure(
                .usage, "\(path): 'pull' writes a replica in a file; name that with --log PATH")
        }
        if StoreAddress.isAddress(source) {
            // Only keys that the command line names are kept in a file of the user's own.
            let keys = texts.map { .file($0) } ?? log.givenKeys
            return show(try StoredLogs.pull(source, into: path, keys: keys, wait: log.wait), path)
        }
        guard log.givenKeys == nil else {
            throw Failure(.usage, "--key-file and --key-command are for a log in PostgreSQL")
        }
        var descriptor = STDIN_FILENO
        let isFolder = source != "-" && Folders.isFolder(source) == true
        if source != "-", !isFolder {
            descriptor = unsafe open(source, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw InputFile.unreadableFailure(source) }
        }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        let name = source == "-" ? "standard input" : source
        let segments: SegmentSource =
            isFolder
            ? .folder(path: source) : .stream(descriptor: descriptor, name: name)
        let catalogue = catalogue()
        let pulled = try mappingLogErrors { () throws(LogError) in
            try Pull.run(
                segments, into: path, keysFrom: texts, promotes: promote, catalogue: catalogue,
                writeWait: .milliseconds(Int64(log.wait * 1_000))
            ) { Progress.setCount(Int(clamping: $0.rawValue), "event") }
        }
        show(pulled, path)
    }

    private func show(_ pulled: Pulled, _ path: String) {
        guard output.json else {
            Output.line("\(path): \(pulled.eventCount.counted("new event"))")
            Output.line("head \(pulled.head)")
            if pulled.mendedCount > 0 {
                Output.line(
                    "\(pulled.mendedCount.counted("row")) of people and texts replaced, which did "
                        + "not match the log")
            }
            if !pulled.hasKeys {
                StandardError.message("personal texts, names and places are not here (--texts)")
            }
            return
        }
        Output.answer(PullAnswer(path, pulled, isReplica: !promote))
    }

    static var examples: [String] {
        [
            "pull segments --log replica.daybook",
            "pull segments --texts app.keys --log copy.daybook",
        ]
    }

    static var answers: [any Answer.Type] { [PullAnswer.self] }
}

struct PullAnswer: Answer {
    static let name = "pull"
    static let summary = "The replica."

    var log = ""
    var eventCount: Int64 = 0
    /// Number of segments from which something was written.
    var segmentCount: Int64 = 0
    /// True if the replica shows personal texts, names and places.
    var hasTexts = false
    /// True if only `pull` may append to the log.
    var isReplica = false
    var head = HeadPart()

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("log", &log, "events", &eventCount, "segments", &segmentCount)
        try field("texts", &hasTexts, "replica", &isReplica)
        try head.fields(&field)
    }
}

extension PullAnswer {
    fileprivate init(_ path: String, _ pulled: Pulled, isReplica: Bool) {
        self.init(
            log: path, eventCount: Int64(clamping: pulled.eventCount),
            segmentCount: Int64(pulled.segmentCount), hasTexts: pulled.hasKeys,
            isReplica: isReplica, head: HeadPart(pulled.head))
    }
}
