import ArgumentParser
import Daybook
import DaybookLibC
import DaybookLog

/// The command `restore`, which creates a log from a backup.
struct RestoreCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Create a log from a backup, after verifying it.",
        discussion: """
            The backup is copied to the folder of the new log, synced, verified, and only then \
            renamed to the log's name; an existing file is never replaced. If --since, --heads or \
            a head file names a trusted head, a backup without that head is refused: it is older \
            than the head, or has another history. --sha256 takes the hash that 'backup -' printed: \
            'ssh host "cat copy" | \(Program.name) restore - --sha256 9f86… --log app.daybook'.
            """)

    @Argument(help: .text("Backup to read; '-' is standard input.", "file"), completion: .file())
    var backup: String

    @Option(name: .customLong("sha256"), help: .text("Expected SHA-256 of the backup.", "hash"))
    var hash: String?

    @OptionGroup(title: "Heads") var heads: HeadOptions
    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let hash, Hexadecimal.bytes(hash)?.count != 32 {
            throw ValidationError(
                "--sha256: expected 64 hexadecimal digits in lower case, found '\(hash)'.")
        }
        if backup == "-", heads.heads == "-" {
            throw ValidationError("Standard input cannot be both the backup and the file of heads.")
        }
    }

    func run() throws {
        let target = try log.path()
        let expected = try heads.expectedHeads()
        do {
            let copy = try StagedFile(for: target, from: backup, isLogsOwn: true)
            let digest = try copyBackup(copy)
            if let hash, digest != hash {
                throw Failure(
                    .finding,
                    "\(backup): expected a backup with the SHA-256 \(hash), found \(digest); nothing was "
                        + "restored")
            }
            let contents = try CopyCheck(path: copy.path).verify()
            try checkHeads(expected, copy.path)
            try checkNoProcessHasOpen(target)
            let bytes = try copy.size()
            if backup != "-" { try copy.copyPermissions(of: backup, isWritable: true) }
            try copy.publish()
            show(target, contents, bytes, digest)
        } catch LogError.file(let error) {
            throw Failure(.usage, "\(error); nothing was restored")
        }
    }

    /// Copies the backup to the staged file, and returns the SHA-256 of the backup.
    private func copyBackup(_ copy: borrowing StagedFile) throws -> String {
        var digest = ContentDigest()
        try InputFile.forEachChunk(of: backup) { chunk in
            digest.add(chunk)
            try unsafe copy.write(chunk.contents.bytes)
        }
        guard try copy.size() > 0 else {
            throw Failure(.usage, "\(backup): the backup is empty; nothing was restored")
        }
        try copy.sync()
        return digest.text
    }

    /// Throws a failure if the copy does not contain every trusted head.
    private func checkHeads(_ expected: [ExpectedHead], _ path: String) throws {
        let log = try LogOptions.open(path, .read, headFile: log.namedHeadFile)
        let findings = expected.compactMap { $0.finding(in: log) }
        for finding in findings { StandardError.message("\(finding.message)") }
        guard findings.isEmpty else {
            throw Failure(
                .finding,
                "\(backup): the backup lacks a trusted head, or the signature of a head is invalid; "
                    + "nothing was restored")
        }
    }

    /// Throws a failure if a process still has a removed log of this name open.
    ///
    /// The removed and the restored log would share the lock file. If no process has the lock file
    /// open, the next process that opens the log resets it.
    private func checkNoProcessHasOpen(_ target: String) throws {
        let file = unsafe open(target + "-lock", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { _ = close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        guard unsafe fcntl(file, F_GETLK, &lock) == 0, lock.l_type == Int16(F_UNLCK) else {
            throw Failure(
                .log,
                "\(target)-lock: process \(lock.l_pid) still has a removed log of this name open; "
                    + "end that process first")
        }
    }

    private func show(
        _ target: String, _ contents: CopyCheck.Contents, _ bytes: Int64, _ digest: String
    ) {
        guard output.json else {
            let events = contents.head.position.rawValue.counted("event")
            let commits = contents.commitCount.counted("commit")
            Output.line("\(target): \(events) in \(commits), \(bytes) bytes")
            return Output.line("head \(contents.head)")
        }
        Output.answer(
            RestoreAnswer(log: target, contents: contents, byteCount: bytes, sha256: digest))
    }

    static var examples: [String] { ["restore monday.daybook --log restored.daybook"] }

    static var answers: [any Answer.Type] { [RestoreAnswer.self] }

    static var storeUse: StoreUse {
        .refused("restore the database; to restore a backup into a file, name the file with --log")
    }
}

struct RestoreAnswer: Answer {
    static let name = "restore"
    static let summary = "The restored log."

    var log = ""
    var contents = CopyCheck.Contents()
    var byteCount: Int64 = 0
    var sha256 = ""

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("log", &log)
        try contents.fields(&field)
        try field("bytes", &byteCount, "sha256", &sha256)
    }
}
