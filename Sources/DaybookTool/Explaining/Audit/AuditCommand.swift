import ArgumentParser
import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog

/// The command `audit`, which finds events that break a rule or contradict each other.
struct AuditCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Find events that break a rule or contradict each other.",
        discussion: """
            Each finding names the rule, the event that shows it, and the expected and the \
            recorded value. The exit code is 0 without findings, otherwise 1. '\(Program.name) \
            verify' checks the file itself.
            """)

    @Option(
        name: .customLong("rule"),
        help: .text("Only this rule, such as B7; may be repeated.", "code"),
        completion: Completions.auditRules)
    var codes: [String] = []

    @Option(
        help: .text("Only this entity, such as baby:b, user:u or run:r.", "tag"),
        transform: identifier)
    var of: String?

    @Option(
        help: ArgumentHelp("The same as --of baby:ID.", valueName: "id", visibility: .hidden),
        transform: identifier)
    var baby: String?

    @Option(
        help: ArgumentHelp("The same as --of user:ID.", valueName: "id", visibility: .hidden),
        transform: identifier)
    var user: String?

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp("The same as --of run:ID.", valueName: "id", visibility: .hidden),
        transform: identifier)
    var runId: String?

    @Option(
        help: .text(
            "Folder of an older tz database. A report that used its zone is computed with it, and the "
                + "days that today's zone moves are listed; may be repeated.", "folder"),
        completion: .directory)
    var oldTzdata: [String] = []

    @Flag(help: "Show all findings; by default at most 20 of each rule.")
    var all = false

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: GateOptions

    func run() throws {
        let catalogue = catalogue()
        try checkRules(codes, catalogue.audits.values.sorted { $0.name < $1.name }.flatMap(\.rules))
        let source = try moment.zones.source()
        var context = AuditContext(
            zones: source, zone: moment.zones.zone, only: try tag(),
            digest: InputRules.standard.digest)
        context.olderZones = try olderZones()
        let log = try log.open(.read)
        try mappingLogErrors {
            try log.requireKeys("an audit judges")
            try KeptStates.detailed.announce(for: log)
        }
        let audit = try moment.answer(log, catalogue, about: try tag()) { reading in
            try checkTag(reading)
            return try LogAudit(context, in: reading)
        }
        var findings = audit.result.findings
        if !codes.isEmpty { findings.removeAll { !codes.contains($0.rule) } }
        for note in audit.result.notes { StandardError.message("\(note)") }
        try show(findings, audit.rules, audit.eventCount)
        if !findings.isEmpty { throw Failure(.finding) }
    }

    private func olderZones() throws -> [ZoneSource] {
        try oldTzdata.map { folder in
            do throws(ZoneFilesError) { return try ZoneFiles.source(folder: folder) } catch {
                throw Failure(.usage, "--old-tzdata: \(error)")
            }
        }
    }

    /// Throws a usage error for a code that no rule has.
    private func checkRules(_ codes: [String], _ rules: [AuditRule]) throws {
        guard let unknown = codes.first(where: { code in !rules.contains { $0.code == code } })
        else { return }
        let known = rules.map { "  \($0.code)  \($0.sentence)" }.joined(separator: "\n")
        let hint = NearestNames.hint(for: unknown, in: rules.map(\.code))
        throw ValidationError("There is no audit rule '\(unknown)'\(hint) The rules are:\n\(known)")
    }

    /// Returns the tag that `--of`, `--baby`, `--user` or `--run` gives; `nil` without them.
    private func tag() throws -> Daybook.Tag? {
        let tagged = [("baby", baby), ("user", user), ("run", runId)].compactMap { noun, id in
            id.map { ("--\(noun): expected an id, found '\($0)'.", "\(noun):\($0)") }
        }
        let given = of.map { [("--of: expected a tag like baby:b, found '\($0)'.", $0)] } ?? []
        guard let (message, text) = (given + tagged).first else { return nil }
        guard given.count + tagged.count == 1 else {
            throw ValidationError("Give only one of --of, --baby, --user and --run.")
        }
        guard let tag = Daybook.Tag(text) else { throw ValidationError(message) }
        return tag
    }

    /// Throws an error if no event has the tag, because a mistyped id has no findings either.
    private func checkTag(_ reading: ProjectionReading) throws {
        guard let only = try tag() else { return }
        try KnownNames(reading.log, reading.catalogue).check(nounsOf: [only], "--of")
        let tags = Set([only] + reading.catalogue.people.tags(naming: only))
        guard let query = Query(items: tags.map { Query.Item(tags: [$0]) }),
            try reading.log.reader(query, ReadWindow(through: reading.through))
                .collect(limit: 1).isEmpty
        else { return }
        throw QuestionError.unknownEntity(
            noun: String(only.noun), key: String(only.id), through: reading.through)
    }

    /// Prints the findings by rule; `events` is the number of events that were checked.
    private func show(_ findings: [Finding], _ rules: [AuditRule], _ events: Int64) throws {
        switch output.form {
        case .text: break
        case .json:
            for finding in findings { Output.answer(finding) }
            return
        case .junit, .sarif, .annotations:
            let rules = codes.isEmpty ? rules : rules.filter { codes.contains($0.code) }
            return GateReport(of: findings, rules, events)
                .print(as: output.form, of: try self.log.path())
        }
        var broken = 0
        for rule in rules {
            let found = findings.filter { $0.rule == rule.code }
            guard !found.isEmpty else { continue }
            if broken > 0 { Output.line() }
            broken += 1
            let heading = "\(rule.code)  \(rule.sentence): \(found.count)"
            Output.lines(
                Terminal.wrapped(heading, into: Terminal.layoutWidth, indent: rule.code.count + 2))
            showTable(all ? found : Array(found.prefix(20)))
            if !all, found.count > 20 {
                Output.line("  … \(found.count - 20) more; --all shows them")
            }
        }
        if broken > 0 { Output.line() }
        let events = events.counted("event")
        guard !findings.isEmpty else { return Output.line("no findings in \(events)") }
        Output.line(
            "\(findings.count.counted("finding")) of "
                + "\(broken.counted("rule")) in \(events)")
    }

    /// Prints findings as a table, or on several lines each if the terminal is too narrow.
    private func showTable(_ findings: [Finding]) {
        var table = Table(.trailing, .leading, .leading, .leading)
        table.add("position", "entity", "expected", "found")
        for finding in findings {
            table.add("\(finding.position)", finding.entity, finding.expected, finding.found)
        }
        let (lines, columns) = (table.lines, Terminal.layoutWidth)
        guard lines.contains(where: { Terminal.columnCount(of: $0.visible) > columns }) else {
            return Output.lines(lines)
        }
        for finding in findings { showBlock(finding, into: columns) }
    }

    private func showBlock(_ finding: Finding, into columns: Int) {
        Output.line("  \(finding.position)  \(finding.entity)")
        for (name, text) in [("expected", finding.expected), ("found   ", finding.found)] {
            let line = "    \(name)  \(text.visible)"
            Output.lines(Terminal.wrapped(line, into: columns, indent: 14))
        }
    }

    static var examples: [String] { ["audit", "audit --of \(ExampleNames.current.tag) --all"] }

    static var answers: [any Answer.Type] { [Finding.self] }

    var isPaged: Bool { true }
}

extension Finding: Answer {
    package init() { self = .blank }

    package static let name = "audit"
    package static let summary = "A finding."
}

extension GateReport {
    fileprivate init(of findings: [Daybook.Finding], _ rules: [AuditRule], _ eventCount: Int64) {
        let files = SourceFiles()
        self.init(
            command: "audit",
            rules: rules.map {
                Rule(id: $0.code, sentence: $0.sentence, place: files.place(of: $0.place))
            },
            findings: findings.map { finding in
                Finding(
                    rule: finding.rule, entity: finding.entity,
                    message: "position \(finding.position), expected \(finding.expected), "
                        + "found \(finding.found)",
                    identity: "\(finding.rule)/\(finding.entity)/\(finding.position)")
            },
            summary: "no findings in \(eventCount.counted("event"))")
    }
}
