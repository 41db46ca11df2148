import ArgumentParser
import Daybook
import DaybookLibC
import DaybookLog

/// The command `backup`, which copies the log and verifies the copy.
struct BackupCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the log to a file, compacted and verified, while others append.",
        discussion: """
            The copy holds the log as of one commit, without its free space. It is synced to the \
            disk and then checked by 'verify --copy-of': the copy is sound, the log contains its \
            head, and the people and personal texts are the same byte for byte, so that every \
            state and report is the same too. Only then is the copy renamed to its final name; an \
            existing file is never replaced.

            With '-' the copy goes to standard output, and its size and SHA-256 to standard error, \
            for 'restore --sha256': '\(Program.name) backup - | ssh host "cat > copy"'. The log is \
            first copied into the folder TMPDIR, which needs the room.
            """)

    @Argument(help: .text("File to create; '-' is standard output.", "file"), completion: .file())
    var file: String

    @Flag(
        help:
            "Skip the check of the copy; '\(Program.name) verify --log FILE' does most of it later."
    )
    var noVerify = false

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        if file == "-" {
            let log = try log.open(.read)
            return try stream(log, try mappingLogErrors { try log.chainHead() })
        }
        let path = try readablePath()
        try mappingErrors {
            let copy = try StagedFile(for: file, from: path)
            let note = try CopyNote(copy)
            let isNoted = updateCopyList { () throws(LogError) in try note.add(toLogAt: path) }
            defer {
                if isNoted {
                    _ = updateCopyList { () throws(LogError) in try note.remove(fromLogAt: path) }
                }
            }
            try writeAndVerify(copy)
        }
    }

    /// Calls `update`, which changes the list of unfinished copies that the log keeps for `erase`.
    ///
    /// - Returns: false, after printing a message, if the list cannot be updated.
    private func updateCopyList(_ update: () throws(LogError) -> Void) -> Bool {
        do throws(LogError) {
            try update()
            return true
        } catch {
            StandardError.message(
                "the note of this copy in the log cannot be changed (\(error)): if the copy is "
                    + "interrupted, 'erase' does not find \(file).replay-partial")
            return false
        }
    }

    /// Returns the path of the log, after opening it once to check that it can be read.
    private func readablePath() throws -> String { try log.open(.read).path }

    /// Writes the copy to its temporary file, verifies it and gives it its final name.
    private func writeAndVerify(_ copy: consuming StagedFile) throws {
        let log = try log.open(.read)
        let before = try mappingLogErrors { try log.chainHead() }
        let clock = ContinuousClock()
        var start = clock.now
        Progress.setStage("copying")
        try BackupFile(log).writeCopy(to: copy)
        try copy.sync()
        let copying = clock.now - start
        start = clock.now
        Progress.setStage("checking the copy")
        let copyCheck = CopyCheck(path: copy.path)
        let contents: CopyCheck.Contents
        if noVerify {
            contents = try copyCheck.contents()
        } else {
            contents = try copyCheck.verify(against: log.path)
            try check(contents, reaches: before)
        }
        let checking = clock.now - start
        let bytes = try copy.size()
        try copy.copyPermissions(of: log.path)
        try copy.publish()
        show(contents, bytes, copying, noVerify ? nil : checking)
    }

    /// Throws a failure if the copy ends before the head that the log had before the copy began.
    private func check(_ contents: CopyCheck.Contents, reaches before: Head) throws {
        guard contents.head.position >= before.position else {
            throw Failure(
                .log,
                "the copy ends at position \(contents.head.position), but the log had reached "
                    + "position \(before.position) before the copying began")
        }
    }

    /// Prints the contents of the copy and the durations; `checking` is `nil` without a check.
    private func show(
        _ contents: CopyCheck.Contents, _ bytes: Int64, _ copying: Duration, _ checking: Duration?
    ) {
        guard output.json else {
            let events = contents.head.position.rawValue.counted("event")
            let commits = contents.commitCount.counted("commit")
            Output.line("\(file): \(events) in \(commits), \(bytes) bytes")
            Output.line("head \(contents.head)")
            let duration =
                checking.map { "verified in \(Self.millisecondText($0))" } ?? "not verified"
            return StandardError.message("copied in \(Self.millisecondText(copying)), \(duration)")
        }
        Output.answer(
            BackupAnswer(
                file: file, contents: contents, byteCount: bytes,
                copyMs: Self.milliseconds(copying), checkMs: checking.map(Self.milliseconds)))
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        Int64(duration / .milliseconds(1))
    }

    private static func millisecondText(_ duration: Duration) -> String {
        "\(milliseconds(duration)) ms"
    }

    static var examples: [String] { ["backup monday.daybook"] }

    static var answers: [any Answer.Type] { [BackupAnswer.self, StreamedBackupAnswer.self] }

    static var storeUse: StoreUse {
        .refused(
            "back up the database, by pg_basebackup or pg_dump, and keep the file of the keys beside "
                + "each backup")
    }
}

extension BackupCommand {
    /// Writes the copy to standard output, and its size and digest to standard error.
    private func stream(_ log: EventLog, _ before: Head) throws {
        guard isatty(STDOUT_FILENO) == 0 else {
            throw ValidationError(
                "The copy cannot go to a terminal; redirect it to a file or a pipe.")
        }
        let result = try relay(log)
        printDigest(result.digest.text, result.count, before)
    }

    /// Writes the copy to a file without a name, and then to standard output, and computes its digest.
    ///
    /// The log is read only while the file is written, so that a reader of standard output that does
    /// not read keeps no pages from being used again.
    private func relay(_ log: EventLog) throws -> (digest: ContentDigest, count: Int64) {
        let file = try Self.namelessFile()
        defer { close(file) }
        try mappingErrors { try log.writeCopy(to: file, named: "the temporary file") }
        guard lseek(file, 0, SEEK_SET) == 0 else {
            throw Failure(.usage, "the temporary file: \(SystemError()); no copy was made")
        }
        var digest = ContentDigest()
        var count: Int64 = 0
        try InputFile.forEachChunk(ofOpen: file, "the temporary file") { chunk in
            digest.add(chunk)
            count += Int64(chunk.count)
            do throws(SystemError) { try FileWriting.write(chunk, to: STDOUT_FILENO) } catch {
                throw Failure(
                    .usage, "standard output cannot be written: \(error); no copy was made")
            }
        }
        return (digest, count)
    }

    /// Creates a file in the system's temporary folder that is gone with its descriptor.
    private static func namelessFile() throws(Failure) -> Int32 {
        // The file is removed with its folder when this function returns, and stays open.
        let folder = try TemporaryFolder()
        let path = folder.path(of: "copy")
        let file = withExtendedLifetime(folder) {
            unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        }
        guard file >= 0 else {
            throw Failure(.usage, "\(path): \(SystemError()); no copy was made")
        }
        return file
    }

    /// Prints the digest and size on standard error, with the head that the log had before.
    private func printDigest(_ digest: String, _ bytes: Int64, _ before: Head) {
        guard output.json else {
            StandardError.write("sha256 \(digest)")
            return StandardError.write("\(bytes) bytes, with head \(before) or a later one")
        }
        StandardError.write(
            StreamedBackupAnswer(sha256: digest, byteCount: bytes, containedHead: "\(before)").json)
    }

    /// Runs `body`; an error of the copy's file ends with code 2, an error of the log with 3.
    private func mappingErrors(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as LogError {
            throw Failure(error.code, error, "no copy was made")
        }
    }
}

struct BackupAnswer: Answer {
    static let name = "backup"
    static let summary = "The copy."

    var file = ""
    var contents = CopyCheck.Contents()
    var byteCount: Int64 = 0
    /// Time to write the copy, in milliseconds.
    var copyMs: Int64 = 0
    /// Time to verify the copy, in milliseconds; `nil` with `--no-verify`.
    var checkMs: Int64?

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("file", &file)
        try contents.fields(&field)
        try field("bytes", &byteCount, "copyMs", &copyMs, "proofMs", &checkMs)
    }
}

struct StreamedBackupAnswer: Answer {
    static let name = "backup.stream"
    static let summary = "The copy on standard output; this answer is on standard error."

    var sha256 = ""
    var byteCount: Int64 = 0
    /// Head of the log when the copy began, as `POSITION:CHAIN`; the copy has its events.
    var containedHead = ""

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("sha256", &sha256, "bytes", &byteCount, "contains", &containedHead)
    }
}
