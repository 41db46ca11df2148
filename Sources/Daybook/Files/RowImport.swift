/// A row of an imported file, with the command that records it or the reason for its rejection.
public struct ImportedRow: Sendable {
    /// Number of the row, counted from 1 without the header.
    public var row: Int
    /// Number of the row's line in the file, counted from 1.
    public var line: Int
    /// The texts that identify the row, equal for equal rows, for its idempotency key.
    public var cells: [String]
    /// The command of the row, or the reason why the row is rejected.
    public var result: Result<Content, Refusal>

    /// The command that records a row, and the time at which the command is decided.
    public struct Content: Sendable {
        /// The command whose events record the row.
        public var command: any Command
        /// The time at which the command is decided; `nil` for the present time of the log's clock.
        public var at: Instant?

        public init(_ command: some Command, at: Instant? = nil) {
            self.command = command
            self.at = at
        }
    }

    /// Creates a row whose command `content` returns, unless it throws the reason for rejection.
    public init(row: Int, line: Int, cells: [String], _ content: () throws(Refusal) -> Content) {
        self.row = row
        self.line = line
        self.cells = cells
        result = Result(catching: content)
    }
}

/// An import that decides the command of each row in order, and records each row only once.
///
/// The idempotency key of a row consists of the format, a keyed digest of the subject, a keyed
/// digest of the row's cells, and the row's number among the equal rows of the file. Three equal
/// rows are therefore recorded as three rows, but not again if a later file contains them too.
struct RowImport: PendingImport {
    let format: String
    /// The value of the format's subject option; empty if the format has no such option.
    let subject: String
    let rows: [ImportedRow]

    var rowCount: Int { rows.count }

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
                outcome.addKnown(row: row.row, line: row.line)
                continue
            }
            let context = CommandContext(now: content.at ?? log.now)
            switch try Self.decide(content.command, context, key, &log) {
            case .refused(let reason): outcome.reject(row, reason)
            case .events(let events) where events.isEmpty:
                outcome.addKnown(row: row.row, line: row.line)
            case .events: outcome.accepted += 1
            }
        }
        return .done(outcome)
    }

    /// Decides the command of a row on a log, under the row's idempotency key.
    private static func decide<Log: ImportLog>(
        _ command: some Command, _ context: CommandContext, _ key: CommandKey, _ log: inout Log
    ) throws(Log.Failure) -> Outcome {
        try log.decide(command, context, under: key, correlation: "")
    }
}

extension ImportOutcome {
    /// Adds a row to `rejected`, with the reason.
    fileprivate mutating func reject(_ row: ImportedRow, _ reason: Refusal) {
        rejected.append(
            Row(row: row.row, line: row.line, code: reason.code, message: reason.message))
    }
}
