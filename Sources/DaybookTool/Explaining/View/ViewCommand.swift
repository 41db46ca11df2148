import ArgumentParser
import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog
import DaybookView

/// The command `view`, which shows the past on a page: one that it serves, or writes to a file.
struct ViewCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Show the past of a log or an entity on a page, in a browser or as a file.",
        discussion: """
            The page shows the events on a timeline, the states at any moment, who wrote each \
            field, life cycles, findings and late answers. Without a projection, it is about all \
            events, or those with a tag.

            Without --output and --json, the command serves the page to browsers of this machine, \
            and prints its address; keep the address secret, since whoever has it can read the log. \
            The served page shows a log of any size, new events as they are appended, and answers \
            to questions as in a terminal, texts included. It never writes to the log. Ctrl-C ends \
            the command.

            With --output, the page is one file, which works without a network and can be attached \
            to a ticket. --json writes the page's data without the page.

            --other-rules shows the states under two rule sets. --skip, --edit, --move and --insert \
            show them beside an altered history, as in '\(Program.name) what-if'. --report adds a \
            report with its answer after each event; reports about the only baby, user … of the \
            events are added anyway, for a few days. Without --texts, the page shows 'redacted' in \
            place of personal texts and users' names, and null in place of locations. A page above \
            25 MB is refused.
            """)

    @Argument(
        help: .text("Name of the projection; by default all.", "projection"),
        completion: Completions.projections)
    var projection: String?

    @Argument(
        help: .text("Id of the entity: a launch, a run, …; all by default.", "key"),
        completion: Completions.entityKeys, transform: identifier)
    var key: String?

    @Option(
        help: .text("Only the events with this tag, such as baby:b.", "tag"), transform: identifier)
    var tag: String?

    @Option(
        help: .text(
            "First position of the events, or time from which they were recorded.", "position|time")
    )
    var from: String?

    @Option(
        help: .text(
            "Last position of the events, or time up to which they were recorded.", "position|time")
    )
    var to: String?

    @OptionGroup(title: "Condition") var conditions: EventFilterOptions

    @Option(help: "Rule set to fold with.", completion: Completions.rules)
    var rules = RulesOption(.standard)

    @Option(help: "Rule set to compare with.", completion: Completions.rules)
    var otherRules: RulesOption?

    @OptionGroup(title: "What if") var changed: HistoryChangeOptions
    @OptionGroup(title: "Report") var report: ReportSelectionOptions

    @Option(
        help: .text("File to write in place of serving the page; '-' is standard output.", "path"),
        completion: .file())
    var output: String?

    @Flag(help: "Write the data of the page as one JSON object.")
    var json = false

    @Flag(help: "Open the served page in the browser of this machine.")
    var open = false

    @Flag(help: "Replace an existing file that --output names.")
    var force = false

    @Flag(
        help: """
            Show personal texts, users' names and locations too; an erasure does not reach the file.
            """)
    var texts = false

    @Flag(help: "Replace ids and users' names by pseudonyms, the same as in an export.")
    var pseudonymise = false

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    /// True if the page is served, false if it is written.
    var isLive: Bool { output == nil && !json }
    /// Path of the file to write; `nil` for standard output.
    private var path: String? { output == "-" ? nil : output }

    mutating func validate() throws {
        (projection, key) = try EntityWords.pair(projection, key)
        guard isLive || !open else {
            throw ValidationError("--open opens the served page; omit --output and --json.")
        }
        guard !isLive || changed.insert == nil else {
            throw ValidationError("--insert can only be used together with --output or --json.")
        }
        guard !texts || !pseudonymise else {
            throw ValidationError(
                "--texts and --pseudonymise contradict each other: texts name people.")
        }
        guard tag == nil || projection == nil else {
            throw ValidationError("Give a projection or --tag, not both.")
        }
        if changed.isGiven, projection == nil {
            throw ValidationError("--skip, --edit, --move and --insert need a projection.")
        }
        if let from = from.flatMap({ UInt64($0) }),
            from == 0 || from > to.flatMap({ UInt64($0) }) ?? .max
        {
            throw ValidationError("--from: expected a position from 1 up to --to, found \(from).")
        }
        if report.report == nil, !report.with.isEmpty {
            throw ValidationError("--with can only be used together with --report.")
        }
    }

    func run() throws {
        if let path { try OutputFile.check(path, over: OutputFile.Existing(force: force)) }
        let catalogue = catalogue()
        let description = try projection.map {
            try ProjectionOptions.description(
                of: $0, key, [rules.rules], as: moment, in: catalogue
            ) { try self.log.open(.read) }
        }
        let about = try tag.map(parsedTag) ?? key.flatMap { key in description?.tag(key) }
        let log = try log.open(.read)
        if CommandTime.needsZone(from, to) { try CommandTime.setZone(ofEntity: about, in: log) }
        try mappingLogErrors { try log.requireKeys("a page has") }
        if isLive { try LiveView(self).run(log, catalogue) }
        try moment.answer(log, catalogue, about: about) { reading in
            try KeptStates.detailed.announce(for: log)
            if let tag {
                try KnownNames(log, catalogue).check(nounsOf: [try parsedTag(tag)], "--tag")
            }
            let story = try Story(try options(description, in: reading), in: reading)
            try write(story)
        }
        if let path { StandardError.message("written to \(path)") }
    }

    private func parsedTag(_ text: String) throws -> Daybook.Tag {
        try Daybook.Tag(of: "--tag", text, expected: "a tag like baby:b")
    }

    var privacy: ExportPrivacy { texts ? .texts : pseudonymise ? .pseudonyms : .ids }

    func values(of log: EventLog, _ catalogue: Catalogue, _ zones: ZoneSource?) -> ShownValues {
        ShownValues(privacy, of: log, catalogue) { name in
            zones.map { (try? $0.zone(name)) != nil } ?? false
        }
    }

    private func options(
        _ description: ProjectionDescription?, in reading: ProjectionReading
    ) throws -> StoryOptions {
        let zones = try ZoneOptions.optionalSource(moment.zones.tzdata)
        let values = values(of: reading.log, reading.catalogue, zones)
        var subject = StoryOptions.Subject.events
        if let tag { subject = .tag(try parsedTag(tag)) }
        if let description {
            subject = key.map { .entities(description, keys: [$0]) } ?? .projection(description)
        }
        var alteration: StoryOptions.Alteration?
        if changed.isGiven, let description {
            var changes = HistoryChanges(in: reading)
            for refusal in try changed.apply(to: &changes, reading) {
                StandardError.message(refusal)
            }
            alteration = StoryOptions.Alteration(
                changes, title: ViewWords(self, values).changesTitle)
            if key == nil {
                let entities = try changes.entities(of: description, nil)
                guard !entities.isEmpty else {
                    throw Failure(
                        .finding,
                        "the projection '\(description.name)' uses none of the changed events")
                }
                subject = .entities(description, keys: entities.map(\.recordedKey))
            }
        }
        var options = StoryOptions(subject, values, digest: InputRules.standard.digest)
        options.alteration = alteration
        if let from {
            // A time means the first event that was recorded then or later.
            options.from =
                try UInt64(from).map { Position($0) }
                ?? reading.log.commits.position(
                    asOf: Instant(
                        microseconds: CommandTime.instant(from, "--from").microseconds - 1)
                ).next
        }
        options.through = try to.map { to in
            try UInt64(to).map { Position($0) }
                ?? reading.log.commits.position(asOf: CommandTime.instant(to, "--to", .end))
        }
        options.conditions = try conditions.filter(.all, reading.log, reading.catalogue)
        options.conditionClause = conditions.shown(by: values).clause()
        options.rules = rules.rules
        options.otherRules = otherRules?.rules
        options.zones = zones
        options.knownAt = try moment.knownAt(reading.log)
        if let name = report.report {
            let description = try ReportOptions.description(of: name, in: reading.catalogue)
            let arguments = try report.arguments(of: description, as: moment, in: reading.log)
            options.reports = [StoryOptions.ReportChoice(description, arguments)]
        }
        options.labels = ViewWords(self, values).labels
        return options
    }

    /// Writes the page, or its data, after its size is known.
    private func write(_ story: Story) throws {
        let body = { (append: ([UInt8]) throws -> Void) throws in
            if json {
                try story.write(to: append)
            } else {
                try StoryPage.shared.write(story: story.write, to: append)
            }
        }
        var byteCount = 0
        try body { byteCount += $0.count }
        guard byteCount <= Story.sizeLimit else { throw Story.tooLarge }
        try StreamedFile.write(
            to: path, over: OutputFile.Existing(force: force), isPrivate: texts, body)
    }

    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "view --open", "view \(names.name) \(names.key) --output past.html",
            "view --tag \(names.noun):\(names.key) --pseudonymise --output past.html",
            "view \(names.name) \(names.key) --skip 12 --output what-if.html",
        ]
    }

    var isWaiting: Bool { isLive }
}
