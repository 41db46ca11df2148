/// A report whose answer is a file.
///
/// Its events are read with their personal texts.
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
    /// The option that names the exported entity; a field of the report has the same name.
    static var subject: FileOption { get }
    /// Further options, each with the name of a field of the report; none by default.
    static var options: [FileOption] { get }
    /// True if `--record` can record an export in the log; false by default.
    static var isRecorded: Bool { get }

    /// Returns the name of the file, for a user who names only a folder.
    func fileName(_ state: Model.State, at now: Instant) -> String

    /// Returns the command that records the export in the log; `nil` (the default) for none.
    ///
    /// - Parameters:
    ///   - sha256: the keyed digest of the file, as `Digest(ofFile:_:)` computes it.
    ///   - by: the user who exports.
    func record(
        _ file: ExportedFile, _ state: Model.State, sha256: Digest, by: Author?
    ) -> (any Command)?
}

extension FileExport {
    /// True: an export shows personal texts.
    public static var readsPersonalTexts: Bool { true }
    /// The default: the export has no options of its own.
    public static var options: [FileOption] { [] }
    /// The default: exports are not recorded in the log.
    public static var isRecorded: Bool { false }

    /// Returns `nil`: by default an export is not recorded.
    public func record(
        _ file: ExportedFile, _ state: Model.State, sha256: Digest, by: Author?
    ) -> (any Command)? { nil }
}

/// The content of an exported file.
public struct ExportedFile: Record {
    /// The contents of the file.
    public var text = ""
    /// Number of rows or points in the file.
    public var rows: Int64 = 0
    /// Remarks for the user, such as data that had to be left out.
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

/// A prepared export, to which the events of its query are fed with their personal texts.
package protocol PendingExport: PendingReport {
    /// Returns the file, made from the events folded so far.
    func file() -> Result<ExportedFile, ReportError>
    /// Returns the name of the file, for an export at `now`.
    func fileName(at now: Instant) -> String
    /// Returns the command that records the export in the log; `nil` for none.
    func record(
        _ file: ExportedFile, sha256: Digest, by: Author?, _ context: CommandContext
    ) -> (any PendingDecision)?
}

/// The description of an export format, with which tools prepare an export by its name.
public struct ExportDescription: Sendable {
    /// The name that `--format` takes: `gpx`.
    public let name: String
    /// One line for listings.
    public let summary: String
    /// The option that names the exported entity.
    public let subject: FileOption
    /// Further options.
    public let options: [FileOption]
    /// True if `--record` can record an export in the log.
    public let isRecorded: Bool
    /// Reads the options and prepares the export.
    private let prepareExport:
        @Sendable (FileOptions, InputRules, ReportContext) throws(InputError) -> any PendingExport

    /// Describes an export type.
    public init<Body: FileExport>(_ export: Body.Type) {
        name = Body.name
        summary = Body.summary
        subject = Body.subject
        options = Body.options
        isRecorded = Body.isRecorded
        prepareExport = { (options, rules, context) throws(InputError) in
            let members = ([Body.subject] + Body.options).compactMap { option in
                options.tree(option).map { Tree.Member(key: option.name, value: $0) }
            }
            let body: Body = try TreeReader.read(from: Tree(.map(members), line: 1), rules: rules)
            return PreparedReport([body], context)
        }
    }

    /// Prepares the export of the entity that the options name.
    ///
    /// - Throws: `InputError` if an option's value does not fit its field.
    package func prepare(
        _ options: FileOptions, rules: InputRules, _ context: ReportContext
    ) throws(InputError) -> any PendingExport {
        try prepareExport(options, rules, context)
    }
}

/// An SVG picture of an entity of a projection.
public struct PictureDescription: Sendable {
    /// The name of the projection whose entities are drawn.
    public let projection: String
    /// The export that draws the picture; its subject option takes the entity's key.
    public let file: ExportDescription

    /// Describes a picture of the entities of a projection, which is given by its name.
    public init<Body: FileExport>(of projection: String, _ picture: Body.Type) {
        self.projection = projection
        file = ExportDescription(picture)
    }
}

extension PreparedReport: PendingExport where Body: FileExport {
    /// Returns the file, made from the events folded so far.
    package func file() -> Result<ExportedFile, ReportError> {
        do throws(ReportError) {
            return .success(try reports[0].answer(state, context))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the name of the file, for an export at `now`.
    package func fileName(at now: Instant) -> String { reports[0].fileName(state, at: now) }

    /// Returns the command that records the export in the log; `nil` for none.
    package func record(
        _ file: ExportedFile, sha256: Digest, by: Author?, _ context: CommandContext
    ) -> (any PendingDecision)? {
        reports[0].record(file, state, sha256: sha256, by: by).map { Self.pending($0, context) }
    }

    /// Returns a command that is not yet decided.
    private static func pending(
        _ command: some Command, _ context: CommandContext
    ) -> any PendingDecision {
        PendingCommand(command, context: context)
    }
}
