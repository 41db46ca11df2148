/// The description of an import format, with which tools read a file of the format.
public struct ImportDescription: Sendable {
    /// The name that `--format` takes: `babyconnect`.
    public let name: String
    /// One line for listings.
    public let summary: String
    /// The option that names the entity of the file; `nil` if the file is not about one entity.
    public let subject: FileOption?
    /// Further options.
    public let options: [FileOption]
    /// The need of the format for a time zone.
    public let zone: ZoneUse
    /// Reads a file; throws an `InputError` if the file as a whole does not have the format.
    public let prepare: @Sendable (ImportSource) throws -> any PendingImport

    /// The need of an import format for a time zone.
    public enum ZoneUse: Hashable, Sendable {
        /// A zone is optional, because the file itself gives each time as a moment.
        case optional
        /// A zone is needed to read the file's local times.
        ///
        /// If the user names no zone, it is taken from a field of the subject's state in a
        /// projection.
        case needed(projection: String, field: String)
    }

    /// Describes a format whose files `prepare` reads.
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

    /// Describes a format in which each row gives one command.
    public init(
        _ name: String, _ summary: String, subject: FileOption? = nil, options: [FileOption] = [],
        zone: ZoneUse = .optional,
        rows: @escaping @Sendable (ImportSource) throws -> [ImportedRow]
    ) {
        self.init(name, summary, subject: subject, options: options, zone: zone) { source in
            RowImport(format: name, subject: source.subject, rows: try rows(source))
        }
    }

    /// Describes a CSV format in which each row gives one command.
    ///
    ///     ImportDescription("copies-csv", "Copies of books.", columns: ["copy", "title"]) {
    ///         (row, _) throws(Refusal) in
    ///         ImportedRow.Content(Add { $0.copy = row["copy"]; $0.title = row["title"] })
    ///     }
    ///
    /// - Parameters:
    ///   - columns: the columns that the header must have.
    ///   - content: returns the command of a row, or throws the reason why the row is rejected.
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
    /// The id given for the subject option; empty for a format without a subject.
    public var subject: String
    /// The values of the format's options.
    public var options: FileOptions
    /// The zone of the file's local times, with the name it was given by; `nil` if not known.
    public var zone: (name: String, zone: Zone)?
    /// The user who imports; `nil` if not given.
    public var by: String?
    /// Rules that turn texts of the file into values.
    public var rules: InputRules
    /// The name of the file; empty for standard input.
    public var fileName: String
    /// All bytes of the file.
    public var bytes: () throws -> [UInt8]
    /// Calls `body` with each chunk of the file's bytes, in order.
    public var forEachChunk: (_ body: ([UInt8]) throws -> Void) throws -> Void

    public init(
        subject: String = "", options: FileOptions = FileOptions(),
        zone: (name: String, zone: Zone)? = nil, by: String? = nil, rules: InputRules,
        fileName: String = "", bytes: @escaping () throws -> [UInt8],
        forEachChunk: @escaping (_ body: ([UInt8]) throws -> Void) throws -> Void
    ) {
        self.subject = subject
        self.options = options
        self.zone = zone
        self.by = by
        self.rules = rules
        self.fileName = fileName
        self.bytes = bytes
        self.forEachChunk = forEachChunk
    }
}

/// A file that was read and can be imported into a log.
///
/// `run` decides the commands of the file in order, each under its key, and counts the outcomes.
/// The log appends all events in one transaction. If another writer appended conflicting events in
/// the meantime, the import runs again from the start.
public protocol PendingImport: Sendable {
    /// Decides the commands of the file on a log and counts the outcomes.
    func run<Log: ImportLog>(_ log: inout Log) throws(Log.Failure) -> ImportResult
}

/// The operations of a log that an import format uses.
///
/// Import formats do not depend on storage: this protocol is all they use of a log.
public protocol ImportLog {
    /// The error that the log throws.
    associatedtype Failure: Error

    /// The present moment, by the log's clock.
    var now: Instant { get }
    /// Computes digests that are keyed with the log's secret.
    var keyedDigest: KeyedDigest { get }

    /// Calls `body` with each matching event, in its newest layout, until `body` returns `false`.
    func read(
        _ query: Query, _ body: (RecordedEvent) throws(FoldError) -> Bool
    ) throws(Failure)

    /// Returns the events of the commit with this key; `nil` if there is no such commit.
    ///
    /// The request that the key was used for is not compared.
    func events(under key: String) throws(Failure) -> [RecordedEvent]?

    /// Returns the state of a key: new, known, or used for a different request.
    func state(of key: CommandKey) throws(Failure) -> CommandKey.State

    /// Makes the whole import fail to append if a matching event was appended since it began.
    ///
    /// `nil` adds no condition.
    mutating func require(noneSince query: Query?) throws(Failure)

    /// Decides a command on the log and the import's earlier events. A refusal adds no events.
    ///
    /// - Parameters:
    ///   - key: the key under which the command is appended only once; `nil` if it may be repeated.
    ///   - correlation: the id of the flow that the commit belongs to; empty for none.
    mutating func decide(
        _ command: some Command, _ context: CommandContext, under key: CommandKey?,
        correlation: String
    ) throws(Failure) -> Outcome
}

extension ImportLog {
    /// Returns the state of a projection after the matching events.
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

/// A function that digests bytes for a purpose, keyed with a log's secret; returns 32 bytes.
public typealias KeyedDigest = @Sendable (_ purpose: String, _ bytes: [UInt8]) -> [UInt8]

/// An idempotency key: a request that is sent again under its key is not appended again.
public struct CommandKey: Hashable, Sendable {
    /// The text of the key, at most 255 bytes of UTF-8.
    public var key: String
    /// The bytes of the request, in any form that is equal for equal requests.
    ///
    /// The log stores a digest of it, keyed with the log's secret.
    public var asked: [UInt8]

    public init(key: String, asked: [UInt8]) {
        self.key = key
        self.asked = asked
    }

    /// The state of a key in a log.
    public enum State: Hashable, Sendable {
        /// No commit has the key.
        case new
        /// The same request was appended under the key.
        case known
        /// A different request was appended under the key.
        case reused
    }
}

extension Digest {
    /// Computes the digest of a file for storage in an event.
    ///
    /// It is keyed, because a short file could be guessed from a plain digest.
    public init(ofFile bytes: [UInt8], _ digest: KeyedDigest) {
        self.init(first: digest("file", bytes))
    }
}
