/// One row of a file, as a command or as the reason why it gives none.
public struct ImportedRow: Sendable {
    /// Row number, from 1, the header not counted.
    public var row: Int
    /// Line number in the file, from 1.
    public var line: Int
    /// Everything that makes the row another one than others, which is its key.
    public var cells: [String]
    /// The command of the row, or the reason why it has none.
    public var result: Result<Content, Refusal>

    /// A command, and when it was given.
    public struct Content: Sendable {
        /// The command that records the row.
        public var command: any Command
        /// The log's time by default.
        public var at: Instant?

        public init(_ command: some Command, at: Instant? = nil) {
            self.command = command
            self.at = at
        }
    }

    /// A row whose command is made here.
    ///
    /// - Parameter content: throws the reason why the row gives no command.
    public init(
        row: Int, line: Int, cells: [String], _ content: () throws(Refusal) -> Content
    ) {
        self.row = row
        self.line = line
        self.cells = cells
        do throws(Refusal) {
            result = .success(try content())
        } catch {
            result = .failure(error)
        }
    }
}

/// Decides the rows of a file one by one, each once.
///
/// A row's key is the format, the subject, a digest of its cells under the log's secret, and its
/// number among the equal rows of the file: three equal rows stay three, in whatever file they
/// come again.
struct RowImport: PendingImport {
    let format: String
    let subject: String
    let rows: [ImportedRow]

    func run<Log: ImportLog>(_ log: inout Log) throws(Log.Failure) -> ImportResult {
        var outcome = ImportOutcome(rows: rows.count)
        var ordinals: [[UInt8]: Int] = [:]
        for row in rows {
            let content: ImportedRow.Content
            switch row.result {
            case .success(let made): content = made
            case .failure(let reason):
                outcome.reject(row, reason)
                continue
            }
            let framed = row.cells.flatMap { Array("\($0.utf8.count):\($0)".utf8) }
            let digest = log.keyedDigest("import.cells", framed)
            ordinals[digest, default: 0] += 1
            let name = Hexadecimal.text(log.keyedDigest("import.subject", Array(subject.utf8)))
            let key = CommandKey(
                key: "import/\(format)/\(name.prefix(32))/\(Hexadecimal.text(digest))/"
                    + "\(ordinals[digest, default: 1])",
                asked: [])
            guard try log.state(of: key) == .new else {
                outcome.know(row: row.row, line: row.line)
                continue
            }
            let context = CommandContext(now: content.at ?? log.now)
            switch try Self.decide(content.command, context, key, &log) {
            case .refused(let reason): outcome.reject(row, reason)
            case .events(let events) where events.isEmpty:
                outcome.know(row: row.row, line: row.line)
            case .events: outcome.accepted += 1
            }
        }
        return .done(outcome)
    }

    private static func decide<Log: ImportLog>(
        _ command: some Command, _ context: CommandContext, _ key: CommandKey, _ log: inout Log
    ) throws(Log.Failure) -> Outcome {
        try log.decide(command, context, under: key, correlation: "")
    }
}

extension ImportOutcome {
    fileprivate mutating func reject(_ row: ImportedRow, _ reason: Refusal) {
        rejected.append(
            Rejected(row: row.row, line: row.line, code: reason.code, message: reason.message))
    }
}
