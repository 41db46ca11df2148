/// A report whose answer is a file, and whose events have their personal texts.
///
///     public struct RunFile: FileExport {
///         public typealias Model = RunTrack
///         public static let name = "gpx"
///         public static let summary = "A run as GPX."
///         public static let subject = FileOption.id("run", "The run, for gpx.")
///         public var run = ""
///         // … fields, query
///         public func answer(
///             _ track: RunTrack.State, _ context: ReportContext
///         ) throws(ReportError) -> ExportedFile { … }
///     }
public protocol FileExport: Report where Answer == ExportedFile {
    /// The option of the argument that names the entity.
    static var subject: FileOption { get }
    /// Options of further arguments, each under the name of its field.
    static var options: [FileOption] { get }
    /// `true` if an export can be noted in the log.
    static var isRecorded: Bool { get }

    /// The name that the file gets in a folder.
    func fileName(_ state: Model.State, at now: Instant) -> String

    /// The command that notes in the log that a file was handed out.
    func record(
        _ file: ExportedFile, _ state: Model.State, sha256: Digest, by: Author?
    ) -> (any Command)?
}

extension FileExport {
    public static var readsPersonalTexts: Bool { true }
    public static var options: [FileOption] { [] }
    public static var isRecorded: Bool { false }

    public func record(
        _ file: ExportedFile, _ state: Model.State, sha256: Digest, by: Author?
    ) -> (any Command)? { nil }
}

/// A file to be handed out.
public struct ExportedFile: Record {
    /// The contents of the file.
    public var text = ""
    /// Number of rows or points in it.
    public var rows: Int64 = 0
    /// Remarks for whoever exports: what had to be left out.
    public var messages: [String] = []

    public static var blank: Self { Self(text: "") }

    public init(text: String, rows: Int64 = 0, messages: [String] = []) {
        self.text = text
        self.rows = rows
        self.messages = messages
    }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("text", &text, "rows", &rows, "messages", &messages)
    }
}

/// An export that waits for the events it reads, each with its personal texts.
public protocol PendingExport: PendingReport {
    /// Makes the file from the events folded so far.
    func file() -> Result<ExportedFile, ReportError>
    /// A name for the file that is made at a moment.
    func fileName(at now: Instant) -> String
    /// The command that notes the file in the log, decided at a moment.
    func record(
        _ file: ExportedFile, sha256: Digest, by: Author?, _ context: CommandContext
    ) -> (any PendingDecision)?
}

/// One format of files that are exported, as tools see it.
public struct ExportDescription: Sendable {
    /// `gpx`, as `--format` names it.
    public let name: String
    /// One line for listings.
    public let summary: String
    /// The option that names the exported entity.
    public let subject: FileOption
    /// Further options.
    public let options: [FileOption]
    /// True for an export that the log records.
    public let isRecorded: Bool
    private let prepareOne:
        @Sendable (FileOptions, InputRules, ReportContext) throws(InputError) -> any PendingExport

    public init<Body: FileExport>(_ export: Body.Type) {
        name = Body.name
        summary = Body.summary
        subject = Body.subject
        options = Body.options
        isRecorded = Body.isRecorded
        prepareOne = { (options, rules, context) throws(InputError) in
            let members = ([Body.subject] + Body.options).compactMap { option in
                options.tree(option).map { Tree.Member(key: option.name, value: $0) }
            }
            let body: Body = try TreeReader.read(from: Tree(.map(members), line: 1), rules: rules)
            return PreparedReport([body], context)
        }
    }

    /// Begins an export of what the options name.
    public func prepare(
        _ options: FileOptions, rules: InputRules, _ context: ReportContext
    ) throws(InputError) -> any PendingExport {
        try prepareOne(options, rules, context)
    }
}

/// A drawing of the entities of a projection, as SVG.
public struct PictureDescription: Sendable {
    /// The projection whose entities it draws.
    public let projection: String
    /// The picture as a file; its subject is the key of the entity.
    public let file: ExportDescription

    public init<Body: FileExport>(of projection: String, _ picture: Body.Type) {
        self.projection = projection
        file = ExportDescription(picture)
    }
}

extension PreparedReport: PendingExport where Body: FileExport {
    public func file() -> Result<ExportedFile, ReportError> {
        do throws(ReportError) {
            return .success(try reports[0].answer(state, context))
        } catch {
            return .failure(error)
        }
    }

    public func fileName(at now: Instant) -> String { reports[0].fileName(state, at: now) }

    public func record(
        _ file: ExportedFile, sha256: Digest, by: Author?, _ context: CommandContext
    ) -> (any PendingDecision)? {
        reports[0].record(file, state, sha256: sha256, by: by).map { Self.pending($0, context) }
    }

    private static func pending(
        _ command: some Command, _ context: CommandContext
    ) -> any PendingDecision {
        PendingCommand(command, context: context)
    }
}
