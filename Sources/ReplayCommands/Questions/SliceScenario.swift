import ArgumentParser
import CivilTime
import EventSourcing
import EventStorage
import Playback

/// How a scenario that is made of events is written.
struct SliceOptions: ParsableArguments {
    @Flag(help: "Without ids, texts and places; equal stays equal.")
    var pseudonymise = false

    @Option(help: ArgumentHelp("What the scenario is called.", valueName: "title"))
    var title: String?

    @Option(help: ArgumentHelp("The file; standard output by default.", valueName: "path"))
    var output: String?

    @Option(help: ArgumentHelp("The compiled tz database for reports.", valueName: "folder"))
    var tzdata = ZoneOptions.standardFolder

    func write(_ text: String, named name: String) throws {
        guard let output else { return Output.text(text) }
        let path = try OutputFile.write(text, to: output, "\(name).yaml")
        StandardError.message("written to \(path)")
    }
}

/// Events of a log as a scenario that expects what they make.
struct SliceScenario {
    let reading: ProjectionReading
    let rules: RuleSet
    let options: SliceOptions

    private var catalogue: Catalogue { reading.catalogue }

    /// - Parameters:
    ///   - asked: an entity that is expected to be what the events make of it, even where they are
    ///     not all of its own.
    ///   - title: unless the options have one.
    func text(
        _ events: [RecordedEvent], of asked: Capture.Entity?, _ title: String,
        refused: Capture.Refused? = nil
    ) throws -> String {
        let states = try states(of: events, asked)
        guard !states.isEmpty || refused != nil else {
            throw Failure(
                .finding, "of no entity all events are among these, so that nothing can be expected"
            )
        }
        let entities = states.keys.sorted { ($0.projection, $0.key) < ($1.projection, $1.key) }
        do {
            var capture = Capture(
                options.title ?? title, try events.map(fact), entities, rules, catalogue,
                refused: refused)
            let zones = try ZoneOptions.source(options.tzdata)
            if options.pseudonymise {
                try capture.pseudonymise { (name) in
                    do throws(UnknownZone) {
                        _ = try zones.zone(name)
                        return true
                    } catch {
                        return false
                    }
                }
            }
            return try capture.text(states: options.pseudonymise ? [:] : states, zones: zones)
        } catch let error as InputError {
            throw Failure(.finding, "no scenario tells it: \(error)")
        }
    }

    /// The states of the entities that these events are all there is of, as a fold of them has it.
    private func states(
        of events: [RecordedEvent], _ asked: Capture.Entity?
    ) throws -> [Capture.Entity: String] {
        let captured = Set(events.map(\.position))
        var states: [Capture.Entity: String] = [:]
        for description in catalogue.projections.values {
            let ids = events.filter { description.kinds.contains($0.kind) }
                .flatMap(description.keys)
            for id in Set(ids) {
                let (key, own) = try reading.entity(of: description, id)
                let isAsked = asked == Capture.Entity(projection: description.name, key: key)
                guard isAsked || own.allSatisfy({ captured.contains($0.position) }) else {
                    continue
                }
                var fold = description.fold(rules)
                for event in own where captured.contains(event.position) { try fold.apply(event) }
                states[Capture.Entity(projection: description.name, key: key)] = fold.json
            }
        }
        return states
    }

    private func fact(_ event: RecordedEvent) throws -> Capture.Fact {
        guard let description = catalogue.events[event.kind] else {
            throw Failure(.usage, "this program does not know the kind \(event.kind)")
        }
        let texts = try description.personalTexts(of: event, in: reading.log)
        return Capture.Fact(
            event: event, data: try description.json(event.payload) { texts[$0] })
    }
}

extension EventDescription {
    /// The personal texts of a recorded event that are not erased, by the number of their field.
    func personalTexts(
        of event: RecordedEvent, in log: EventLog
    ) throws -> [UInt32: String] {
        var texts: [UInt32: String] = [:]
        for field in 0..<UInt32(try unsafe seals(event.payload.span.bytes).count) {
            texts[field] = try log.personalText(at: event.position, field: field)
        }
        return texts
    }
}
