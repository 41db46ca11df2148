/// One format of files that are imported, as tools see it.
public struct ImportDescription: Sendable {
    /// `babyconnect`, as `--format` names it.
    public let name: String
    /// One line for listings.
    public let summary: String
    /// The option that names whose file it is; `nil` for a file about no one entity.
    public let subject: FileOption?
    /// Further options.
    public let options: [FileOption]
    /// The use that the format makes of a zone.
    public let zone: ZoneUse
    /// Reads a file; throws an `InputError` for one that is not of the format as a whole.
    public let prepare: @Sendable (ImportSource) throws -> any PendingImport

    /// The zone of an import's local times.
    public enum ZoneUse: Hashable, Sendable {
        /// The file says itself when everything happened.
        case optional
        /// Local times are read in it. Where none is given, it is a field of the state that a
        /// projection has of the subject.
        case needed(projection: String, field: String)
    }

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

    /// A format each of whose rows is one command.
    public init(
        _ name: String, _ summary: String, subject: FileOption? = nil, options: [FileOption] = [],
        zone: ZoneUse = .optional,
        rows: @escaping @Sendable (ImportSource) throws -> [ImportedRow]
    ) {
        self.init(name, summary, subject: subject, options: options, zone: zone) { source in
            RowImport(format: name, subject: source.subject, rows: try rows(source))
        }
    }

    /// A file of comma-separated values each of whose rows is one command.
    ///
    ///     ImportDescription("copies-csv", "Copies of books.", columns: ["copy", "title"]) {
    ///         (row, _) throws(Refusal) in
    ///         ImportedRow.Content(Add { $0.copy = row["copy"]; $0.title = row["title"] })
    ///     }
    ///
    /// - Parameters:
    ///   - columns: those that the header must have.
    ///   - content: makes the command of a row, or throws the reason why it gives none.
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
                        try row.checkCount()
                        return try content(row, source)
                    }
                }
            })
    }
}

/// A file to be imported, and how it is to be read.
public struct ImportSource {
    /// The id that the option of the subject names; empty for a format without one.
    public var subject: String
    /// The options as they were given.
    public var options: FileOptions
    /// The zone as it was named, and what its name means.
    public var zone: (name: String, zone: Zone)?
    /// The user who imports.
    public var by: String?
    /// Rules for values that come in.
    public var rules: InputRules
    /// The name of the file; empty for standard input.
    public var fileName: String
    /// All bytes of the file.
    public var bytes: () throws -> [UInt8]
    /// Shows the bytes of the file as they come.
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

/// A file that was read and waits for the log.
///
/// It decides its commands one after the other, each under its key, and counts the outcomes. All of them
/// are appended in one transaction; where another writer came between, it runs again from the start.
public protocol PendingImport: Sendable {
    /// Decides the rows on a log.
    func run<Log: ImportLog>(_ log: inout Log) throws(Log.Failure) -> ImportResult
}

/// A log that a file is imported into.
///
/// Formats know no storage, and decide on a log through this alone.
public protocol ImportLog {
    associatedtype Failure: Error

    /// The moment of the import.
    var now: Instant { get }
    /// Digests under the log's secret.
    var keyedDigest: KeyedDigest { get }

    /// Shows the events that match, in their newest layouts, until `body` returns `false`.
    func read(
        _ query: Query, _ body: (RecordedEvent) throws(FoldError) -> Bool
    ) throws(Failure)

    /// The events of the commit that was recorded under a key, whatever was asked under it.
    func events(under key: String) throws(Failure) -> [RecordedEvent]?

    /// The state of a key: new, known, or used for another request.
    func state(of key: CommandKey) throws(Failure) -> CommandKey.State

    /// Appends nothing where an event that matches has come since.
    mutating func require(noneSince query: Query?) throws(Failure)

    /// Decides a command on the log and on the commands before it. A refusal adds nothing.
    ///
    /// - Parameters:
    ///   - key: makes the command's commit unique; `nil` for one that may be given again.
    ///   - correlation: the flow that the commit belongs to.
    mutating func decide(
        _ command: some Command, _ context: CommandContext, under key: CommandKey?,
        correlation: String
    ) throws(Failure) -> Outcome
}

extension ImportLog {
    /// The state of a projection after the events that match.
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

/// A digest under a log's secret, of a purpose and of bytes; 32 bytes.
public typealias KeyedDigest = @Sendable (_ purpose: String, _ bytes: [UInt8]) -> [UInt8]

/// A key under which the same request is appended once, however often it is sent.
public struct CommandKey: Hashable, Sendable {
    /// At most 255 bytes of UTF-8.
    public var key: String
    /// The request, in any form that is equal for equal requests. It is kept as a digest under the
    /// log's secret.
    public var asked: [UInt8]

    public init(key: String, asked: [UInt8]) {
        self.key = key
        self.asked = asked
    }

    /// The knowledge that a log has of a key.
    public enum State: Hashable, Sendable {
        /// No commit has the key.
        case new
        /// The same request was appended under it.
        case known
        /// Another request was appended under it.
        case reused
    }
}

extension Digest {
    /// The digest of a file that an event keeps: a short file could be guessed by a plain one.
    public init(ofFile bytes: [UInt8], _ digest: KeyedDigest) {
        self.init(first: digest("file", bytes))
    }
}
