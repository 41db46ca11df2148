import ArgumentParser
import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog

/// The command `export`, which writes the log, or part of it, in the format of other programs.
struct ExportCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the log, or part of it, in the format of other programs.",
        discussion: """
            The file goes to standard output, or to --output, which appears only when it is \
            complete. The format sql holds the whole log for sqlite3, DuckDB or PostgreSQL. Without \
            --texts, it shows 'redacted' in place of personal texts and users' names, and null in \
            place of locations.
            """)

    @Option(help: .text("Format of the file.", "format"), completion: Completions.exportFormats)
    var format: FormatArgument

    @OptionGroup(title: "Format") var options: DeclaredOptions<Formats>

    @Option(
        help: .text(
            "File to write, or for the formats of the app a folder; by default standard output.",
            "path"), completion: .file())
    var output: String?

    @Flag(help: "Replace an existing file that --output names.")
    var force = false

    @Flag(help: "Record in the log that the data was exported.")
    var record = false

    @Option(help: .text("User who exports, for --record.", "user"), transform: identifier)
    var by: String?

    @OptionGroup(title: "Whole log") var whole: LogExportOptions

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    enum Formats: OptionProviding {
        /// Options of all formats in the order of the help, each name once.
        static var options: [FileOption] {
            (Program.exports.map(\.subject) + Program.exports.flatMap(\.options)).unique
        }
        /// Empty: `validate` requires the id that the format needs.
        static let requiredNames: Set<String> = []
    }

    /// Value of `--format`: a format of the program's areas, or a format for whole logs.
    enum FormatArgument: ExpressibleByArgument {
        case declared(ExportDescription)
        case log(LogFormat)

        init?(argument: String) {
            if let known = Program.exports.first(where: { $0.name == argument }) {
                self = .declared(known)
            } else if let format = LogFormat(rawValue: argument) {
                self = .log(format)
            } else {
                return nil
            }
        }

        static var allValueStrings: [String] {
            Program.exports.map(\.name) + LogFormat.allCases.map(\.rawValue)
        }

        static var allValueDescriptions: [String: String] {
            let declared = Program.exports.map { ($0.name, $0.summary) }
            return Dictionary(declared + LogFormat.allCases.map { ($0.rawValue, $0.summary) }) {
                first, _ in first
            }
        }
    }

    func validate() throws {
        try options.values.checkChoices(Formats.options)
        let subjects = Program.exports.map(\.subject)
        switch format {
        case .declared(let description):
            let others = subjects.filter { $0.name != description.subject.name }
            guard options.values.has(description.subject),
                !others.contains(where: options.values.has)
            else {
                throw ValidationError(
                    "For the format \(description.name), give --\(description.subject.name) and "
                        + "no other id.")
            }
            if let name = whole.givenName {
                let formats = LogFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("\(name) can only be used with the formats \(formats).")
            }
        case .log(let format):
            if let given = Formats.options.first(where: options.values.has) {
                throw ValidationError(
                    "--\(given.name) cannot be used with the format \(format.rawValue), which holds "
                        + "the whole log.")
            }
            try check(format)
        }
        if whole.keyPath != nil {
            guard case .log(.cloudEvents) = format, whole.texts else {
                throw ValidationError(
                    "A file for keys can only be given with --texts and the format cloudevents.")
            }
        }
        var isRecorded = false
        if case .declared(let description) = format { isRecorded = description.isRecorded }
        guard !record || isRecorded else {
            let recorded = Program.exports.filter(\.isRecorded).map(\.name)
            throw ValidationError(
                recorded.isEmpty
                    ? "--record: no export format of this program has an event that records an export."
                    : "--record can only be used with \(recorded.joined(separator: ", ")).")
        }
    }

    /// Throws a usage error for an option that CloudEvents do not have.
    private func check(_ format: LogFormat) throws {
        guard format == .cloudEvents else { return }
        if whole.texts, whole.keyPath == nil {
            throw ValidationError(
                "For the format cloudevents, --texts needs the file for the keys: --texts FILE.")
        }
        if let keys = whole.keyPath, let output, LogFiles.isSame(keys, output) {
            throw ValidationError("--texts and --output name the same file.")
        }
        let given =
            whole.projection.isEmpty ? (whole.noHistory ? "--no-history" : nil) : "--projection"
        let moment = moment.at == nil ? (moment.validAt == nil ? nil : "--valid-at") : "--at"
        if let given = given ?? moment {
            throw ValidationError(
                "\(given) cannot be used with the format cloudevents, which holds all events.")
        }
    }

    func run() throws {
        if let output { try OutputFile.check(output, over: OutputFile.Existing(force: force)) }
        switch format {
        case .declared(let description): try write(description)
        case .log(let format): try write(format)
        }
    }

    private func write(_ format: LogFormat) throws {
        let catalogue = catalogue()
        let log = try log.open(.read)
        try mappingLogErrors { try log.requireKeys("an export has") }
        try moment.answer(log, catalogue) { reading in
            try StreamedFile.write(
                to: output, over: OutputFile.Existing(force: force),
                isPrivate: whole.texts && whole.keyPath == nil
            ) { try format.write(reading, whole, to: $0) }
        }
        if let output { StandardError.message("written to \(output)") }
    }

    private func write(_ description: ExportDescription) throws {
        let existing = OutputFile.Existing(force: force)
        let values = try options.values.readingTimes(description.options)
        try values.check(description.options)
        let catalogue = catalogue()
        let log = try log.open(record ? .write : .read)
        if let id = values[description.subject] {
            let noun = description.subject.name
            try moment.setZoneIfNeeded(ofEntity: Daybook.Tag("\(noun):\(id)"), in: log)
        }
        try mappingLogErrors { try log.requireKeys("an export has") }
        let export = try ExportReading(log, catalogue, moment).gathered(description, values)
        let file = try export.file().get(orFailWith: .finding)
        for message in file.messages { StandardError.message(message) }
        let now = Instant.now
        if let output {
            let path = try OutputFile.write(
                file.text, to: output, export.fileName(at: now), over: existing)
            StandardError.message("written to \(path)")
        } else {
            Output.text(file.text)
        }
        guard record else { return }
        Output.makeDurable()
        let sha256 = Digest(ofFile: Array(file.text.utf8)) { log.keyedDigest($0, of: $1) }
        let noted = export.record(
            file, sha256: sha256, by: by.map { Author($0) }, CommandContext(now: now))
        if let noted { try decideOrFail(noted, on: log, by: by, catalogue) }
    }

    static var examples: [String] {
        let declared = Program.exports.prefix(2).map {
            "export --format \($0.name) --\($0.subject.name) \($0.subject.name)-1 --output file"
        }
        return declared + ["export --format sql --output log.sql"]
    }
}

extension Completions {
    static let exportFormats = CompletionKind.custom { _, _, prefix in
        names(prefix) { $0.exports.map(\.name) + LogFormat.allCases.map(\.rawValue) }
    }
}
