/// The description of an import format, with which tools read a file of the format.
public struct ImportDescription: Sendable {
    /// The name of the format on the command line, as in `--format babyconnect`.
    public let name: String
    /// A one-line description for listings.
    public let summary: String
    /// The option that names the entity that a file is about; `nil` if the format has none.
    public let subject: FileOption?
    /// The options of the format besides `subject`.
    public let options: [FileOption]
    /// The format's need for a time zone.
    public let zone: ZoneUse
    /// Reads a file and returns the import, or throws an `InputError` if it lacks the format.
    public let prepare: @Sendable (ImportSource) throws -> any PendingImport

    /// The need of an import format for a time zone.
    public enum ZoneUse: Hashable, Sendable {
        /// No zone is needed, because no time in the file is a local time without an offset.
        case optional
        /// A zone is needed to read the file's local times.
        ///
        /// If the user names no zone, its name is taken from the field `field` of the state that
        /// `projection` has for the subject.
        case needed(projection: String, field: String)
    }

    /// Creates the description of a format whose files `prepare` reads.
    public init(
        _ name: String, _ summary: String, subject: FileOption? = nil, options: [FileOption] = [],
        zone: ZoneUse = .optional,
        prepare: @escaping @Sendable (ImportSource) throws -> any PendingImport
    ) {
        self.name = name
        self.summary = summary
        self.subject = subject
        self.options = options
        self.zone = zone
        self.prepare = prepare
    }

    /// Creates the description of a format of which each row, read by `rows`, results in a command.
    public init(
        _ name: String, _ summary: String, subject: FileOption? = nil, options: [FileOption] = [],
        zone: ZoneUse = .optional,
        rows: @escaping @Sendable (ImportSource) throws -> [ImportedRow]
    ) {
        self.init(name, summary, subject: subject, options: options, zone: zone) { source in
            RowImport(format: name, subject: source.subject, rows: try rows(source))
        }
    }

    /// Creates the description of a CSV format in which each row results in one command.
    ///
    ///     ImportDescription("copies-csv", "Copies of books.", columns: ["copy", "title"]) {
    ///         (row, _) throws(Refusal) in
    ///         ImportedRow.Content(Add { $0.copy = row["copy"]; $0.title = row["title"] })
    ///     }
    ///
    /// - Parameter content: returns a row's command, or throws the reason why the row is rejected.
    public init(
        _ name: String, _ summary: String, columns: [String], subject: FileOption? = nil,
        options: [FileOption] = [], zone: ZoneUse = .optional,
        content: @escaping @Sendable (CSVRow, ImportSource) throws(Refusal) -> ImportedRow.Content
    ) {
        self.init(
            name, summary, subject: subject, options: options, zone: zone,
            rows: { source in
                try CSVRow.read(try source.bytes(), columns: columns, of: name).map { row in
                    ImportedRow(row: row.row, line: row.line, cells: row.cells) {
                        () throws(Refusal) in
                        try row.checkCellCount()
                        return try content(row, source)
                    }
                }
            })
    }
}

/// A file to import, and the options to read it with.
public struct ImportSource {
    /// The value of the format's subject option; empty if the format has no such option.
    public var subject: String
    /// The values of the format's options.
    public var options: FileOptions
    /// The time zone of the file's local times, with the name that the user or the log gave; `nil`
    /// if none.
    public var zone: (name: String, zone: Zone)?
    /// The zones that rows of the file can name as their own; `nil` if none is available.
    public var zones: ZoneSource?
    /// The user who imports the file; `nil` if not known.
    public var by: String?
    /// The rules by which texts of the file are read as values.
    public var rules: InputRules
    /// The name of the file; empty for standard input.
    public var fileName: String
    /// Reads and returns all bytes of the file.
    public var bytes: () throws -> [UInt8]
    /// Reads the file and calls `body` with each chunk of its bytes, in order.
    public var forEachChunk: (_ body: ([UInt8]) throws -> Void) throws -> Void

    public init(
        subject: String = "", options: FileOptions = FileOptions(),
        zone: (name: String, zone: Zone)? = nil, zones: ZoneSource? = nil, by: String? = nil,
        rules: InputRules, fileName: String = "", bytes: @escaping () throws -> [UInt8],
        forEachChunk: @escaping (_ body: ([UInt8]) throws -> Void) throws -> Void
    ) {
        self.subject = subject
        self.options = options
        self.zone = zone
        self.zones = zones
        self.by = by
        self.rules = rules
        self.fileName = fileName
        self.bytes = bytes
        self.forEachChunk = forEachChunk
    }
}

/// A file that was read and can be imported into a log.
///
/// `run` decides the commands of the file in order, each with its own idempotency key, and counts
/// the outcomes. The log then appends all resulting events in one transaction. If another writer
/// has appended conflicting events in the meantime, the log calls `run` again.
public protocol PendingImport: Sendable {
    /// Number of rows that are decided one by one; by default 0, for a file without such rows.
    var rowCount: Int { get }

    /// Decides the commands of the file from the events of a log; returns the counts of outcomes.
    func run<Log: ImportLog>(_ log: inout Log) throws(Log.Failure) -> ImportResult
}

extension PendingImport {
    public var rowCount: Int { 0 }
}

/// The operations of a log that an import format uses.
///
/// Import formats do not depend on storage: this protocol is all they use of a log.
public protocol ImportLog {
    /// The error that the log throws.
    associatedtype Failure: Error

    /// The present time, by the log's clock.
    var now: Instant { get }
    /// The function that computes digests keyed with the log's secret.
    var keyedDigest: KeyedDigest { get }

    /// Calls `body` with each event of a query, in its newest layout, until `body` returns false.
    func read(_ query: Query, _ body: (RecordedEvent) throws(FoldError) -> Bool) throws(Failure)

    /// Returns the events of the commit, of any request, with an idempotency key; `nil` for none.
    func events(under key: String) throws(Failure) -> [RecordedEvent]?

    /// Returns the state of an idempotency key: new, known, or used for a different request.
    mutating func state(of key: CommandKey) throws(Failure) -> CommandKey.State

    /// Returns the state of each key, in the order of the keys; by default asks for one by one.
    mutating func states(of keys: [CommandKey]) throws(Failure) -> [CommandKey.State]

    /// Requires that no other writer appends a match of the query, if any, during the import.
    ///
    /// If one does, nothing of this run is appended, and the import runs again.
    mutating func require(noneSince query: Query?) throws(Failure)

    /// Decides a command from the events of the log and those that the import has added so far, and
    /// adds the resulting events to the import.
    ///
    /// - Parameters:
    ///   - key: the idempotency key, under which the command is appended only once; `nil` if the
    ///     command may be repeated.
    ///   - correlation: the id of the flow that the commit belongs to; empty if to no flow.
    mutating func decide(
        _ command: some Command, _ context: CommandContext, under key: CommandKey?,
        correlation: String
    ) throws(Failure) -> Outcome
}

extension ImportLog {
    public mutating func states(
        of keys: [CommandKey]
    ) throws(Failure) -> [CommandKey.State] {
        var states: [CommandKey.State] = []
        for key in keys { states.append(try state(of: key)) }
        return states
    }

    /// Returns the state of a projection after the events that match a query.
    public func state<Model: Projection>(
        of model: Model.Type, _ query: Query, from initial: Model.State = .blank
    ) throws(Failure) -> Model.State {
        var state = initial
        let reader = KindReader<Model.Event>()
        try read(query) { (event) throws(FoldError) in
            if let known = try reader.read(event) {
                Model.evolve(&state, with: known, event.envelope)
            }
            return true
        }
        return state
    }
}

/// A function that returns a digest of 32 bytes, keyed with a log's secret and a purpose.
public typealias KeyedDigest = @Sendable (_ purpose: String, _ bytes: [UInt8]) -> [UInt8]

/// An idempotency key with its request. A request sent again with its key is appended only once.
public struct CommandKey: Hashable, Sendable {
    /// The idempotency key itself, a text of at most 255 bytes of UTF-8.
    public var key: String
    /// The bytes of the request, which must be equal for equal requests and differ for others.
    ///
    /// They show whether the key was used for a different request. The log stores a digest of them,
    /// keyed with the log's secret.
    public var asked: [UInt8]

    public init(key: String, asked: [UInt8]) {
        self.key = key
        self.asked = asked
    }

    /// The state of an idempotency key in a log.
    public enum State: Hashable, Sendable {
        /// No commit in the log has the key.
        case new
        /// A commit has the key, and belongs to the same request.
        case known
        /// A commit has the key, but belongs to a different request.
        case reused
    }
}

extension Digest {
    /// Creates the keyed digest of a file; a plain one would allow guessing a short file's content.
    public init(ofFile bytes: [UInt8], _ digest: KeyedDigest) {
        self.init(first: digest("file", bytes))
    }
}
