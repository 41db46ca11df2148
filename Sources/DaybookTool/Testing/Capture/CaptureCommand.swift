import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog
import DaybookScenarios

/// The command `capture`, which turns events of a log into a scenario. A scenario is a recorded
/// story with its expected outcome.
struct CaptureCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Turn part of a log into a scenario that expects the recorded state.",
        discussion: """
            The events of the entity become the given events, and its state the expectation. The \
            states of other entities are expected too if all their events are included. --tag \
            takes every event with one of the tags instead. The scenario is run before it is \
            written; '\(Program.name) shrink' makes a smaller one. --pseudonymise replaces ids and \
            texts with neutral names and shifts coordinates; times, amounts, versions and zones stay.
            """)

    @Argument(
        help: .text("Name of the projection.", "projection"), completion: Completions.projections)
    var projection: String?

    @Argument(
        help: .text("Id of the entity: a launch, a run, …", "key"),
        completion: Completions.entityKeys, transform: identifier)
    var key: String?

    @Option(
        help: .text("Take every event with this tag, such as user:kim; may be repeated.", "tag"))
    var tag: [String] = []

    @Option(help: .text("With --tag: only events after this position.", "position"))
    var after: UInt64 = 0

    @Option(help: "Rule set to fold with.", completion: Completions.rules)
    var rules = RulesOption(.standard)

    @OptionGroup(title: "Scenario") var scenarioOptions: ScenarioOutputOptions
    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    mutating func validate() throws {
        (projection, key) = try EntityWords.pair(projection, key)
        guard tag.isEmpty == (projection != nil && key != nil), projection == nil || tag.isEmpty
        else { throw ValidationError("Give a projection and a key, or tags with --tag.") }
        guard after == 0 || !tag.isEmpty else {
            throw ValidationError(
                "--after requires --tag: a captured entity is checked by its state, which needs all "
                    + "its events.")
        }
    }

    func run() throws {
        try scenarioOptions.checkOutput()
        let catalogue = catalogue()
        let log = try log.open(.read)
        try mappingLogErrors { try log.requireKeys("a scenario holds") }
        let zones = try moment.zones.source()
        let about =
            try tags().first
            ?? projection.flatMap { catalogue.projections[$0] }.flatMap { key.map($0.tag) }
        let (text, name) = try moment.answer(log, catalogue, about: about) { reading in
            let scenario = SliceScenario(
                in: reading, rules.rules, zones: zones,
                isPseudonymised: scenarioOptions.pseudonymise)
            guard let projection, let key else {
                return (try taggedScenario(reading, scenario), "captured")
            }
            let description = try ProjectionOptions.description(
                of: projection, key, [rules.rules], as: moment, in: catalogue
            ) { log }
            let (newest, events) = try reading.entity(of: description, key)
            let entity = Capture.Entity(projection: projection, key: newest)
            let title = "\(projection) \(scenarioOptions.pseudonymise ? "captured" : newest)"
            let text = try scenario.text(events, of: entity, title: scenarioOptions.title ?? title)
            return (text, projection)
        }
        try scenarioOptions.write(text, named: name)
    }

    private func tags() throws -> [Daybook.Tag] {
        try tag.map { try Daybook.Tag(of: "--tag", $0, expected: "a tag like user:kim") }
    }

    /// Returns the scenario of all events with one of the tags.
    private func taggedScenario(
        _ reading: ProjectionReading, _ scenario: SliceScenario
    ) throws -> String {
        let tags = try tags()
        try ReadStart(Position(after)).check(in: reading.log)
        try KnownNames(reading.log, reading.catalogue).check(nounsOf: tags, "--tag")
        let events = try reading.events(withAnyOf: tags, after: Position(after))
        let title = scenarioOptions.pseudonymise ? "captured" : tag.joined(separator: ", ")
        return try scenario.text(events, of: nil, title: scenarioOptions.title ?? title)
    }

    static var examples: [String] {
        let names = ExampleNames.current
        return ["capture \(names.name) \(names.key) --pseudonymise --output story.yaml"]
    }
}
