import ArgumentParser
import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog
import Synchronization

/// The command `import`, which appends the rows of another program's file.
struct ImportCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import the rows of a file of another program.",
        discussion: """
            Each row becomes one commit with an idempotency key, so that importing a file again, \
            or an overlapping file later, adds only new rows. Rejected rows are listed with the \
            reason; all others are appended in one transaction.

            The format cloudevents reads the events that 'export' wrote. If there is no log, it \
            becomes a copy with the same head, like one of 'pull', which shows personal texts, names \
            and places only with --texts; another log gets each commit \
            once, under the idempotency key LOGID/POSITION. Events of other programs, whose type \
            is a kind of event, are appended under 'SOURCE ID'.
            """)

    @Option(help: .text("Format of the file.", "format"), completion: Completions.importFormats)
    var format: FormatArgument

    @OptionGroup(title: "Zone") var zones: ZoneOptions
    @OptionGroup(title: "Format") var options: DeclaredOptions<Formats>

    @Option(help: .text("User who imports.", "user"), transform: identifier)
    var by: String?

    @Flag(help: "Decide everything and write nothing to the log.")
    var dryRun = false

    @Flag(help: "Import even if the newest commit is over a day ahead of this machine's clock.")
    var force = false

    @Argument(help: .text("File to read; '-' is standard input.", "file"), completion: .file())
    var file: String

    @OptionGroup(title: "CloudEvents") var cloudEvents: CloudEventsImportOptions

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    /// Name of the format for CloudEvents, which every program has.
    static let cloudEvents = "cloudevents"

    /// Options of all import formats, and those that name the entity to import into, such as
    /// `--baby`.
    enum Formats: OptionProviding {
        /// Options of all formats in the order of the help, each name once.
        static var options: [FileOption] {
            let subjects = Program.imports.compactMap(\.subject)
            return (subjects + Program.imports.flatMap(\.options)).unique
        }
        /// Empty: `validate` requires the id that the format needs.
        static let requiredNames: Set<String> = []
    }

    /// Value of `--format`: a format of the program's areas, or that for CloudEvents.
    enum FormatArgument: ExpressibleByArgument {
        case declared(ImportDescription)
        case cloudEvents

        init?(argument: String) {
            if let known = Program.imports.first(where: { $0.name == argument }) {
                self = .declared(known)
            } else if argument == ImportCommand.cloudEvents {
                self = .cloudEvents
            } else {
                return nil
            }
        }

        static var allValueStrings: [String] {
            Program.imports.map(\.name) + [ImportCommand.cloudEvents]
        }

        static var allValueDescriptions: [String: String] {
            let all =
                Program.imports.map { ($0.name, $0.summary) } + [
                    (
                        ImportCommand.cloudEvents,
                        "Events as CloudEvents 1.0, one JSON object per line."
                    )
                ]
            return Dictionary(all) { first, _ in first }
        }
    }

    /// Id of the entity that the file belongs to; empty if the format has none.
    private func subject(_ description: ImportDescription) -> String {
        description.subject.flatMap { options.values[$0] } ?? ""
    }

    func validate() throws {
        try options.values.checkChoices(Formats.options)
        guard case .declared(let description) = format else {
            let zone = zones.zone == nil ? nil : "--zone"
            let given =
                zone ?? (by == nil ? nil : "--by")
                ?? Formats.options.first(where: options.values.has).map { "--\($0.name)" }
            guard let given else { return }
            throw ValidationError("\(given) cannot be used with the format cloudevents.")
        }
        if let given = cloudEvents.givenName {
            throw ValidationError("\(given) can only be used with the format cloudevents.")
        }
        let others = Program.imports.compactMap(\.subject)
            .filter { $0.name != description.subject?.name }
        if let option = description.subject {
            guard let id = options.values[option] else {
                throw ValidationError(
                    "Give --\(option.name), the id of the \(option.name) to which the file belongs."
                )
            }
            // The idempotency key of a row contains the id and 64 digits of a digest.
            guard !id.isEmpty, id.utf8.count <= 128 else {
                throw ValidationError(
                    "--\(option.name): an id must have 1 to 128 bytes; this one has "
                        + "\(id.utf8.count).")
            }
        }
        guard !others.contains(where: options.values.has) else {
            throw ValidationError(
                description.subject.map { "For a file of this format, give only --\($0.name)." }
                    ?? "For a file of this format, omit --\(others.map(\.name).joined(separator: ", --"))."
            )
        }
        try checkOptions(of: description)
    }

    /// Throws a usage error for an option of another format, which would be ignored.
    private func checkOptions(of description: ImportDescription) throws {
        let own = Set(
            description.options.map(\.name) + [description.subject?.name].compactMap(\.self))
        guard
            let other = Formats.options.first(where: {
                !own.contains($0.name) && options.values.has($0)
            })
        else { return }
        throw ValidationError(
            "--\(other.name): the format \(description.name) does not have this option.")
    }

    func run() throws {
        switch format {
        case .declared(let description): try run(description)
        case .cloudEvents: try importCloudEvents()
        }
    }

    private func importCloudEvents() throws {
        let file = try CloudEventsImport(file, cloudEvents, isTrial: dryRun, catalogue())
        let result = try file.run(into: log, force: force)
        try show(result.outcome, file.name, head: result.head, hasTexts: result.hasTexts)
    }

    private func run(_ description: ImportDescription) throws {
        try log.requireKeys(dryRun ? "a trial of an import" : "an import")
        let values = try options.values.readingTimes(description.options)
        try values.check(description.options)
        let catalogue = catalogue()
        let source = ImportSource(
            subject: subject(description), options: values,
            zone: try zone(of: description, catalogue),
            zones: description.zone == .optional ? nil : try zones.source(), by: by,
            rules: .standard,
            fileName: file == "-" ? "" : file.split(separator: "/").last.map(String.init) ?? "",
            bytes: { try InputFile.bytes(of: file) },
            forEachChunk: { try InputFile.forEachChunk(of: file, $0) })
        let pending: any PendingImport
        do {
            pending = try description.prepare(source)
        } catch let error as InputError {
            throw Failure(.usage, "\(error.inFile(file)); nothing was imported")
        }
        Self.kept.withLock { $0 = pending }
        KeptStates.announce(pending)
        switch try decide(pending, catalogue) {
        case .done(let outcome): try show(outcome, file)
        case .refused(let reason): throw Failure(.finding, "\(file): \(reason)")
        }
    }

    /// The import of this process, with which it ends: to free the rows one by one takes longer than
    /// to store their index.
    private static let kept = Mutex<(any PendingImport)?>(nil)

    /// Decides the rows on the log; with `--dry-run` and no log, on an empty temporary log.
    private func decide(_ file: any PendingImport, _ catalogue: Catalogue) throws -> ImportResult {
        guard dryRun else {
            let log = try log.open(.create, force: force)
            try mappingLogErrors { try log.reindex() }
            return try decideRows(of: file, on: log, catalogue)
        }
        guard try !log.exists() else {
            return try decideRows(of: file, on: try log.open(.read), catalogue)
        }
        // Without a log, a trial is decided on an empty temporary log.
        let folder = try TemporaryFolder()
        let log = try LogOptions.open(folder.path(of: "log"), .create)
        return try decideRows(of: file, on: log, catalogue)
    }

    private func decideRows(
        of file: some PendingImport, on log: EventLog, _ catalogue: Catalogue
    ) throws -> ImportResult {
        do throws(AppendError) {
            return try log.decide(file, actor: by ?? "", catalogue: catalogue, isTrial: dryRun)
        } catch { throw error.failureOfAttempts("nothing was imported") }
    }

    /// Returns the zone of `--zone`, else that of the file's entity; `nil` if none is needed.
    private func zone(
        of description: ImportDescription, _ catalogue: Catalogue
    ) throws -> (name: String, zone: Zone)? {
        let subject = subject(description)
        guard case .needed(let projection, let field) = description.zone else {
            return try zones.zone.map { ($0, try ZoneOptions.zone($0, try zones.source())) }
        }
        let source = try zones.source()
        guard let name = try zones.zone ?? knownZone(of: subject, projection, field, catalogue)
        else {
            let noun = description.subject?.name ?? "entity"
            throw Failure(
                .usage,
                "the log has no zone for \(noun) '\(subject)': set the zone of the file's times "
                    + "with --zone, such as Europe/Berlin")
        }
        return (name, try ZoneOptions.zone(name, source))
    }

    /// Returns the name of the zone in a field of the entity's state; `nil` if there is none.
    private func knownZone(
        of subject: String, _ projection: String, _ field: String, _ catalogue: Catalogue
    ) throws -> String? {
        let projection = try ProjectionOptions.description(of: projection, in: catalogue)
        try ProjectionOptions.check(subject, of: projection)
        guard try log.exists() else { return nil }
        let log = try log.open(.read)
        return try mappingLogErrors {
            let reading = try ProjectionReading(log, catalogue)
            do {
                let fold = try reading.states(of: projection, subject, .standard).values.first
                let leaf = fold?.leaves.first { $0.path == field }
                guard case .text(let name)? = leaf?.value.asTree.content else { return nil }
                return name
            } catch QuestionError.unknownEntity {
                return nil
            }
        }
    }

    /// Prints the counts of the rows of the file `name`, and a message for each rejected row.
    private func show(
        _ outcome: ImportOutcome, _ name: String, head: Head? = nil, hasTexts: Bool = true
    ) throws {
        if !dryRun { Output.note(outcome: "the import is done") }
        if output.json {
            var answer = ImportAnswer(outcome, isTrial: dryRun)
            answer.head = head.map { "\($0)" }
            answer.hasTexts = head == nil ? nil : hasTexts
            Output.answer(answer)
        } else {
            Output.line(outcome.summary + (dryRun ? "; nothing was written" : ""))
            if let head { Output.line("head \(head)") }
            if !hasTexts {
                StandardError.message(
                    "personal texts, names, places and earlier idempotency keys are not here "
                        + "(--texts)")
            }
        }
        for message in outcome.messages(about: name) { StandardError.message(message) }
        if !outcome.rejected.isEmpty { throw Failure(.finding) }
    }

    static var examples: [String] {
        Program.imports.prefix(2).map { item in
            let subject = item.subject.map { " --\($0.name) \($0.name)-1" } ?? ""
            let zone = item.zone == .optional ? "" : " --zone Europe/Berlin"
            return "import --format \(item.name)\(subject)\(zone) --dry-run file"
        } + ["import --format cloudevents events.jsonl"]
    }

    static var answers: [any Answer.Type] { [ImportAnswer.self] }
}

extension [FileOption] {
    /// The options in the order of their first mention, each name once.
    var unique: [FileOption] {
        var names: Set<String> = []
        return filter { names.insert($0.name).inserted }
    }
}

extension Completions {
    static let importFormats = CompletionKind.custom { _, _, prefix in
        names(prefix) { $0.imports.map(\.name) + [ImportCommand.cloudEvents] }
    }
}
