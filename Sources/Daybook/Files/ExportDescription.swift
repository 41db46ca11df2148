/// A report whose answer is a file to export.
///
/// The events of the report are read with their personal texts.
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
    /// The option that names the exported entity, read into the report's field of the same name.
    static var subject: FileOption { get }
    /// Further options, each read into the report's field of the same name; none by default.
    static var options: [FileOption] { get }
    /// True if the option `--record` can record an export in the log; false by default.
    static var isRecorded: Bool { get }

    /// Returns the file's name for an export at `now`, used if the user names only a folder.
    func fileName(_ state: Model.State, at now: Instant) -> String

    /// Returns the command that records the export in the log; `nil`, the default, for none.
    ///
    /// - Parameters:
    ///   - sha256: the keyed digest of the file, as `Digest(ofFile:_:)` computes it.
    ///   - by: the user who exports the file; `nil` if not known.
    func record(
        _ file: ExportedFile, _ state: Model.State, sha256: Digest, by: Author?
    ) -> (any Command)?
}

extension FileExport {
    /// True, because an exported file contains personal texts.
    public static var readsPersonalTexts: Bool { true }
    public static var options: [FileOption] { [] }
    public static var isRecorded: Bool { false }

    public func record(
        _ file: ExportedFile, _ state: Model.State, sha256: Digest, by: Author?
    ) -> (any Command)? { nil }
}

/// The content of an exported file, with facts about the export.
public struct ExportedFile: Record {
    /// The whole text of the file.
    public var text = ""
    /// Number of rows in the file, or of points in the file of a run.
    public var rows: Int64 = 0
    /// Remarks for the user, such as data that had to be left out.
    public var messages: [String] = []

    public static var blank: Self { Self(text: "") }

    public init(text: String, rows: Int64 = 0, messages: [String] = []) {
        self.text = text
        self.rows = rows
        self.messages = messages
    }

    /// Creates a CSV file with a row for each entry; `header` has the names of the columns.
    public init(header: [String], rows: [[CSVCell]], messages: [String] = []) {
        self.init(
            text: CSVWriter.text([header.map { .text($0) }] + rows), rows: Int64(rows.count),
            messages: messages)
    }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("text", &text, "rows", &rows, "messages", &messages)
    }
}

/// A prepared export, which makes its file once it has been fed the events of its query.
package protocol PendingExport: PendingReport {
    /// Returns the file, made from the events fed so far.
    func file() -> Result<ExportedFile, ReportError>
    /// Returns the default name of the file, for an export at `now`.
    func fileName(at now: Instant) -> String
    /// Returns the command that records the export in the log; `nil` if exports are not recorded.
    func record(
        _ file: ExportedFile, sha256: Digest, by: Author?, _ context: CommandContext
    ) -> (any PendingDecision)?
}

/// The description of an export format, with which tools prepare an export by its name.
public struct ExportDescription: Sendable {
    /// The name of the format on the command line, as in `--format gpx`.
    public let name: String
    /// A one-line description for listings.
    public let summary: String
    /// The option that names the exported entity.
    public let subject: FileOption
    /// The options of the format besides `subject`.
    public let options: [FileOption]
    /// True if the option `--record` can record an export in the log.
    public let isRecorded: Bool
    /// Reads the options' values and prepares the export, for `prepare`.
    private let prepareExport:
        @Sendable (FileOptions, InputRules, ReportContext) throws(InputError) -> any PendingExport

    /// Creates the description of an export type.
    public init<Body: FileExport>(_ export: Body.Type) {
        name = Body.name
        summary = Body.summary
        subject = Body.subject
        options = Body.options
        isRecorded = Body.isRecorded
        prepareExport = { (options, rules, context) throws(InputError) in
            let members = ([Body.subject] + Body.options).compactMap { option in
                options.argument(of: option).map { Tree.Member(key: option.name, value: $0) }
            }
            let body: Body = try TreeReader.read(from: Tree(.map(members), line: 1), rules: rules)
            return PreparedReport([body], context)
        }
    }

    /// Prepares the export of the entity in the options; throws if a value does not fit its field.
    package func prepare(
        _ options: FileOptions, rules: InputRules, _ context: ReportContext
    ) throws(InputError) -> any PendingExport {
        try prepareExport(options, rules, context)
    }
}

extension PreparedReport: PendingExport where Body: FileExport {
    package func file() -> Result<ExportedFile, ReportError> {
        Result { () throws(ReportError) in try reports[0].answer(state, context) }
    }

    package func fileName(at now: Instant) -> String { reports[0].fileName(state, at: now) }

    package func record(
        _ file: ExportedFile, sha256: Digest, by: Author?, _ context: CommandContext
    ) -> (any PendingDecision)? {
        reports[0].record(file, state, sha256: sha256, by: by)?.pending(in: context)
    }
}
