import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog
import DaybookScenarios

/// The command `shrink`, which finds the fewest events that still show an effect.
struct ShrinkCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "shrink",
        abstract: "Find the fewest events that still show an effect, as a scenario.",
        discussion: """
            The effect is one of: an expression that holds for an entity (--until), a state that \
            differs under other rules (--other-rules) or in another build (--against), a command \
            that is refused (--refused, a line as '\(Program.name) append' reads it), or the first \
            failure of a scenario file (--scenario). Events are removed as long as the effect \
            remains; removing any remaining event would make it disappear.
            """)

    @Argument(
        help: .text("Name of the projection.", "projection"), completion: Completions.projections)
    var projection: String?

    @Argument(
        help: .text("Id of the entity: a launch, a run, …", "key"),
        completion: Completions.entityKeys, transform: identifier)
    var key: String?

    @Option(help: .text("Expression that holds at the end.", "expression"))
    var until: String?

    @Option(help: "Rule set to fold with.", completion: Completions.rules)
    var rules = RulesOption(.standard)

    @Option(help: "Rule set under which the state differs.", completion: Completions.rules)
    var otherRules: RulesOption?

    @Option(
        help: .text("Another build, in which the state differs.", "program"), completion: .file())
    var against: String?

    @Option(
        help: .text("File with the command that is refused; '-' is standard input.", "file"),
        completion: .file())
    var refused: String?

    @Option(help: .text("Scenario that fails.", "file"), completion: .file())
    var scenario: String?

    @Flag(help: "Only keep histories whose transitions are all declared.")
    var declared = false

    @OptionGroup(title: "Scenario") var scenarioOptions: ScenarioOutputOptions
    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    mutating func validate() throws {
        (projection, key) = try EntityWords.pair(projection, key)
        let asked = [
            until != nil, otherRules != nil, against != nil, refused != nil, scenario != nil,
        ].count { $0 }
        guard asked == 1 else {
            throw ValidationError(
                (asked == 0 ? "Give the effect to show: " : "Give only one effect to show: ")
                    + "--until, --other-rules, --against, --refused or --scenario.")
        }
        let isOfEntity = refused == nil && scenario == nil
        guard isOfEntity || !declared else {
            throw ValidationError("--declared cannot be combined with --refused or --scenario.")
        }
        guard isOfEntity == (projection != nil), isOfEntity == (key != nil) else {
            throw ValidationError(
                isOfEntity
                    ? "Give the projection and the key of an entity."
                    : "--refused and --scenario take no projection and no key.")
        }
    }

    func run() throws {
        try scenarioOptions.checkOutput()
        let catalogue = catalogue()
        if let scenario {
            let zones = try moment.zones.source()
            let text = String(decoding: try InputFile.bytes(of: scenario), as: UTF8.self)
            let shrunk = try ScenarioShrinking(catalogue, zones: zones).shrink(text, at: scenario)
            printRemaining(
                shrunk.stepCount, of: shrunk.originalStepCount, "steps", shrunk.probeCount)
            return try scenarioOptions.write(shrunk.text, named: "shrunk")
        }
        let log = try log.open(.read)
        try mappingLogErrors { try log.requireKeys("a scenario holds") }
        let tag = projection.flatMap { catalogue.projections[$0] }.flatMap { key.map($0.tag) }
        let (text, name) = try moment.answer(log, catalogue, about: tag) { reading in
            refused == nil ? try shrinkEntity(reading) : (try shrinkRefusal(reading), "refused")
        }
        try scenarioOptions.write(text, named: name)
    }

    /// Prints how many events or steps remain, and how many histories were tried.
    private func printRemaining(_ left: Int, of all: Int, _ noun: String, _ probeCount: Int) {
        StandardError.message(
            "\(left) of \(all) \(noun), after \(probeCount.counted("try", "tries"))")
    }

    /// Returns the name and the scenario with the fewest events that show the effect.
    private func shrinkEntity(_ reading: ProjectionReading) throws -> (text: String, name: String) {
        let description = try ProjectionOptions.description(
            of: projection ?? "", key, [rules.rules, otherRules?.rules ?? rules.rules],
            as: moment, in: reading.catalogue
        ) { reading.log }
        let shows = try effect(of: description, reading.catalogue)
        var tries = 0
        let machine = try declared ? machine(of: description, reading.catalogue) : nil
        let (newest, shrunk) = try HistoryShrinking(in: reading).smallest(
            of: description, key ?? "", keepingTo: machine, rules.rules
        ) { key, events in
            tries += 1
            Progress.setCount(tries, "histories tried")
            return try shows(key, events)
        }
        printRemaining(
            shrunk.events.count, of: shrunk.originalEventCount, "events", shrunk.probeCount)
        let title = "\(description.name) \(scenarioOptions.pseudonymise ? "shrunk" : newest)"
        let text = try scenarioWriter(reading).text(
            shrunk.events, of: Capture.Entity(projection: description.name, key: newest),
            title: scenarioOptions.title ?? title)
        return (text, description.name)
    }

    /// Returns the life cycle of the projection, to which `--declared` restricts the histories.
    private func machine(
        of description: ProjectionDescription, _ catalogue: Catalogue
    ) throws -> StateMachine {
        guard let machine = catalogue.machines[description.name] else {
            let known = catalogue.machines.keys.sorted().joined(separator: ", ")
            throw ValidationError(
                "--declared: the projection '\(description.name)' has no life cycle. Projections with "
                    + "a life cycle: \(known).")
        }
        return machine
    }

    private func scenarioWriter(_ reading: ProjectionReading) throws -> SliceScenario {
        SliceScenario(
            in: reading, rules.rules, zones: try moment.zones.source(),
            isPseudonymised: scenarioOptions.pseudonymise)
    }

    /// Returns a function that tells whether the events passed to it still show the effect.
    private func effect(
        of description: ProjectionDescription, _ catalogue: Catalogue
    ) throws -> (String, [RecordedEvent]) throws -> Bool {
        let fold = { (events: [RecordedEvent], rules: RuleSet) throws -> Fold in
            var fold = description.fold(rules)
            for event in events { try fold.apply(event) }
            return fold
        }
        if let until {
            let expression = try ProjectionOptions.expression(until, over: description, "--until")
            return { expression.isTrue(for: try fold($1, rules.rules)) }
        }
        if let otherRules {
            return { try fold($1, rules.rules).leaves != fold($1, otherRules.rules).leaves }
        }
        let other = OtherBuild(program: against ?? "")
        try other.check()
        return { try other.differs(on: description, $0, rules.rules, $1, catalogue) }
    }

    /// Returns the scenario with the fewest events for which the command is still refused.
    private func shrinkRefusal(_ reading: ProjectionReading) throws -> String {
        let path = refused ?? "-"
        let bytes = try InputFile.bytes(of: path)
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.count == 1, let line = lines.first.map(Array.init) else {
            throw Failure(
                .usage,
                "\(path): expected one line with a command, found \(lines.count.counted("line"))")
        }
        let (command, decision) = try self.command(line, path, reading.catalogue)
        let (reason, shrunk) = try HistoryShrinking(in: reading).smallest(refusing: decision)
        printRemaining(
            shrunk.events.count, of: shrunk.originalEventCount, "events", shrunk.probeCount)
        var refused = command
        refused.code = reason.code
        return try scenarioWriter(reading).text(
            shrunk.events, of: nil, title: scenarioOptions.title ?? "\(command.command) is refused",
            refused: refused)
    }

    /// Returns the command of a line as a step of a scenario, and as a decision to make.
    private func command(
        _ line: [UInt8], _ path: String, _ catalogue: Catalogue
    ) throws -> (Capture.RefusedCommand, any PendingDecision) {
        let now = Instant.now
        do {
            let read = try AppendLineReader(catalogue, zones: { ZoneOptions.machineDatabase })
                .read(line, line: 1, now: now)
            let tree = try JSONParser.parse(line, line: 1)
            guard case .command(let decision) = read.body,
                case .text(let name)? = tree["command"]?.content, let data = tree["data"]
            else {
                throw Failure(
                    .usage, "\(path):1: --refused expects a line with a command, not with an event")
            }
            var at = now
            if case .text(let text)? = tree["at"]?.content {
                // The line was read, so the time is valid.
                at = Timestamp.parse(text)?.instant ?? now
            }
            let refused = Capture.RefusedCommand(
                command: name, inputJSON: data.canonicalText, at: at, code: "")
            return (refused, decision)
        } catch let error as InputError {
            throw Failure(.usage, "\(error.inFile(path))")
        }
    }

    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "shrink \(names.name) \(names.key) --until '\(names.field) != null' --output least.yaml",
            "shrink --refused command.json --output refused.yaml",
        ]
    }
}
