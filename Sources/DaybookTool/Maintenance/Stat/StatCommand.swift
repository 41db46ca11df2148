import ArgumentParser
import Daybook
import DaybookLog

/// The command `stat`, which prints the size and contents of the log.
struct StatCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat", abstract: "Show the size and contents of the log in numbers.",
        discussion: """
            The head is POSITION:CHAIN of the newest commit. Keep it elsewhere, and \
            '\(Program.name) verify --since' can later prove that the log still contains everything \
            up to it. --sign prints only the head, signed, as a line for \
            '\(Program.name) verify --heads': '\(Program.name) stat --sign key.pem >> heads'.

            While a process reads an earlier state of the log, the file grows, because free pages \
            are kept for it. The oldest such reader is shown, with what is kept.
            """)

    @Option(help: .text("Sign the head with this Ed25519 private key (PKCS#8, PEM).", "key"))
    var sign: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let key = try sign.map(KeyFile.signingKey)
        let log = try log.open(.read)
        let status = try mappingLogErrors { try log.file.status() }
        try log.warnOfClockLead()
        let signed = try key.map { key in
            try SignedHead(status.chainHead, of: status.id, at: .now, with: key)
        }
        guard output.json else {
            if let signed { Output.line("\(signed)") } else { show(status) }
            return
        }
        Output.answer(StatAnswer(status, signed))
    }

    private func show(_ status: LogStatus) {
        Output.line("log              \(status.id)")
        Output.line("events           \(status.events)")
        Output.line("commits          \(status.commits)")
        Output.line("head             \(status.chainHead)")
        Output.line("last recorded    \(status.recordedAt.map(Timestamp.text) ?? "–")")
        Output.line("file             \(status.fileBytes) bytes, \(status.freeBytes) of them free")
        if let reader = status.oldestReader {
            let command = reader.commandName.map { " (\($0))" } ?? ""
            let commits = reader.commitsBehind.counted("commit")
            Output.line(
                "oldest reader    process \(reader.processID)\(command), \(commits) behind, "
                    + "keeps \(reader.keptBytes) bytes")
        }
        Output.line("format version   \(status.formatVersion)")
        Output.line("indexed through  \(status.indexedThrough)")
        Output.line("tags             \(status.tags)")
        Output.line("keys             \(status.keys)")
        Output.line("people           \(status.people)")
        Output.line("personal texts   \(status.personalTexts)")
        Output.line("snapshots        \(status.snapshots)")
        Output.line("kinds, with the position of their newest event")
        for row in status.kinds { Output.line("  \(row.kind)  \(row.last)") }
    }

    static var examples: [String] { ["stat", "stat --json"] }

    static var answers: [any Answer.Type] { [StatAnswer.self] }
}
