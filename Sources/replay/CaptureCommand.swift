import ArgumentParser
import CivilTime
import EventSourcing
import EventStorage
import Playback

struct CaptureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Turn a slice of a log into a scenario that expects what it shows.",
        discussion: """
            All events of an entity become given facts, and its state what is expected; so do other \
            entities all of whose events are there. The scenario is run before it is written. With \
            --until it is shrunk to the fewest events after which the expression still holds. \
            --pseudonymise puts names of no meaning in the place of ids and personal texts.
            """)

    @OptionGroup var projection: ProjectionOptions

    @Argument(
        help: ArgumentHelp("The entity: a launch, a run, …", valueName: "key"),
        transform: identifier)
    var key: String

    @Option(
        help: ArgumentHelp("Only as many events as this needs to hold.", valueName: "expression"))
    var until: String?

    @Flag(help: "Without ids and personal texts; equal stays equal.")
    var pseudonymise = false

    @Option(help: ArgumentHelp("What the scenario is called.", valueName: "title"))
    var title: String?

    @Option(help: ArgumentHelp("The file; standard output by default.", valueName: "path"))
    var output: String?

    @Option(help: ArgumentHelp("The compiled tz database for reports.", valueName: "folder"))
    var tzdata = ZoneOptions.standardFolder

    @OptionGroup var log: LogOptions
    @OptionGroup var moment: MomentOptions

    func run() throws {
        let catalogue = try catalogue()
        let description = try projection.description(in: catalogue)
        try projection.check(key, of: description)
        let expression = try until.map {
            try projection.expression($0, over: description, "--until")
        }
        let log = try log.open(.read)
        let text = try answering {
            let reading = try ProjectionReading(log, moment, catalogue)
            var (key, events) = try reading.entity(of: description, key)
            if let expression { events = try shrink(events, description, expression) }
            let states = try states(of: events, key, reading, catalogue)
            return try scenario(key, events, states, reading, catalogue)
        }
        if let output {
            let path = try OutputFile.write(text, to: output, "\(projection.projection).yaml")
            StandardError.write("replay: written to \(path)")
        } else {
            print(text, terminator: "")
        }
    }

    private func shrink(
        _ events: [RecordedEvent], _ description: ProjectionDescription,
        _ expression: Expression
    ) throws -> [RecordedEvent] {
        let holds = { (events: [RecordedEvent]) throws -> Bool in
            var fold = description.fold(projection.rules)
            for event in events { try fold.apply(event) }
            return expression.holds(for: fold)
        }
        guard try holds(events) else {
            throw Failure(.finding, "it does not hold at the end, so there is nothing to shrink")
        }
        let (smallest, probes) = try Shrinking.smallest(events, holds)
        StandardError.write(
            "replay: \(smallest.count) of \(events.count) events, after \(probes) tries")
        guard !smallest.isEmpty else {
            throw Failure(.finding, "it holds without any event")
        }
        return smallest
    }

    /// The states of the entities that these events are all there is of, as a fold of them has it.
    private func states(
        of events: [RecordedEvent], _ asked: String, _ reading: ProjectionReading,
        _ catalogue: Catalogue
    ) throws -> [Capture.Entity: String] {
        let captured = Set(events.map(\.position))
        var states: [Capture.Entity: String] = [:]
        for description in catalogue.projections.values {
            let ids = events.filter { description.kinds.contains($0.kind) }
                .flatMap(description.keys)
            for id in Set(ids) {
                let (key, own) = try reading.entity(of: description, id)
                let isAsked = description.name == projection.projection && key == asked
                guard isAsked || own.allSatisfy({ captured.contains($0.position) }) else {
                    continue
                }
                var fold = description.fold(projection.rules)
                for event in own where captured.contains(event.position) { try fold.apply(event) }
                states[Capture.Entity(projection: description.name, key: key)] = fold.json
            }
        }
        return states
    }

    private func scenario(
        _ key: String, _ events: [RecordedEvent], _ states: [Capture.Entity: String],
        _ reading: ProjectionReading, _ catalogue: Catalogue
    ) throws -> String {
        let facts = try events.map { event in
            guard let description = catalogue.events[event.kind] else {
                throw Failure(.usage, "this program does not know the kind \(event.kind)")
            }
            var texts: [UInt32: String] = [:]
            for field in 0..<UInt32(try description.seals(event).count) {
                texts[field] = try reading.log.personalText(at: event.position, field: field)
            }
            return Capture.Fact(
                event: event, data: try description.json(event.payload) { texts[$0] })
        }
        let entities = states.keys.sorted { ($0.projection, $0.key) < ($1.projection, $1.key) }
        var capture = Capture(
            title ?? "\(projection.projection) \(pseudonymise ? "captured" : key)", facts,
            entities, projection.rules, catalogue)
        do {
            if pseudonymise { try capture.pseudonymise() }
            return try capture.text(
                states: pseudonymise ? [:] : states, zones: try ZoneOptions.source(tzdata))
        } catch let error as InputError {
            throw Failure(.finding, "no scenario tells it: \(error)")
        }
    }
}

extension EventDescription {
    /// The seals of an event's personal texts.
    fileprivate func seals(_ event: RecordedEvent) throws(CorruptPayload) -> [[UInt8]] {
        try unsafe seals(event.payload.span.bytes)
    }
}
