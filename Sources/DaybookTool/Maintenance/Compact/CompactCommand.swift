import ArgumentParser
import Daybook
import DaybookLMDB
import DaybookLog

/// The command `compact`, which replaces the log with a copy without free space.
struct CompactCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Return the free space of the log to the disk.",
        discussion: """
            Writes a compacted copy beside the log, verifies it, and replaces the log with it in \
            one step, keeping mode and owner. The disk needs room for the copy, and no other \
            process may have the log open. If it is interrupted, the log is complete, in its old or \
            its new form. '\(Program.name) stat' shows how much space is free.
            """)

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let path = try log.path()
        let catalogue = catalogue()
        let result: Compaction
        Progress.setStage("copying")
        do {
            result = try Compaction.run(
                path, against: catalogue, headFile: log.namedHeadFile.map { HeadFile(path: $0) }
            ) { position in
                Progress.setStage("verifying the copy")
                Progress.setCount(Int(position.rawValue), "events")
            }
        } catch let error as CompactError {
            throw Failure(.log, error, "the log is unchanged")
        } catch let error as LogError {
            throw failure(error)
        }
        show(result)
    }

    /// Returns the failure that ends the command: code 2 if the log is missing or another file
    /// causes the error, else code 3.
    private func failure(_ error: LogError) -> Failure {
        if case .open(.missing(let path)) = error {
            return Failure(
                .usage, "\(path): there is no such log; to create it, run '\(Program.name) append'")
        }
        var code = error.code
        if case .headFile = error { code = .usage }
        return Failure(code, error, "the log is unchanged")
    }

    private func show(_ result: Compaction) {
        guard output.json else {
            Output.line("\(result.bytesBefore) bytes before, \(result.bytesAfter) bytes now")
            return Output.line("head \(result.head)")
        }
        Output.answer(
            CompactAnswer(
                bytesBefore: Int64(result.bytesBefore), bytesAfter: Int64(result.bytesAfter),
                eventCount: Int64(clamping: result.head.position.rawValue),
                head: HeadPart(result.head)))
    }

    static var examples: [String] { ["compact"] }

    static var answers: [any Answer.Type] { [CompactAnswer.self] }

    static var storeUse: StoreUse {
        .refused(
            "a database needs no compacting, and a replica that is deleted in the cache folder is "
                + "made again")
    }
}

struct CompactAnswer: Answer {
    static let name = "compact"
    static let summary = "The log before and after."

    var bytesBefore: Int64 = 0
    var bytesAfter: Int64 = 0
    var eventCount: Int64 = 0
    var head = HeadPart()

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("bytesBefore", &bytesBefore, "bytesAfter", &bytesAfter, "events", &eventCount)
        try head.fields(&field)
    }
}
