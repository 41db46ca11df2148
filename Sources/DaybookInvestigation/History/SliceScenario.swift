public import Daybook
import DaybookLog

/// Writes events of a log as a scenario that expects the states which the events produce.
public struct SliceScenario: Sendable {
    private let reading: ProjectionReading
    private let rules: RuleSet
    private let zones: ZoneSource
    /// True if ids and texts are replaced with meaningless names, and the coordinates are shifted.
    private let isPseudonymised: Bool

    private var catalogue: Catalogue { reading.catalogue }

    public init(
        in reading: ProjectionReading, _ rules: RuleSet, zones: ZoneSource, isPseudonymised: Bool
    ) {
        self.reading = reading
        self.rules = rules
        self.zones = zones
        self.isPseudonymised = isPseudonymised
    }

    /// Returns the text of the scenario, which expects the state of `asked` even if it lacks
    /// events.
    ///
    /// - Throws: `QuestionError.unanswered` if no scenario can represent the events.
    public func text(
        _ events: [RecordedEvent], of asked: Capture.Entity?, title: String,
        refused: Capture.RefusedCommand? = nil
    ) throws -> String {
        let events = try adding(renamingsOf: asked, to: events)
        let states = try states(of: events, asked)
        guard !states.isEmpty || refused != nil else {
            throw QuestionError.unanswered(
                "the events are not the whole history of any entity, so that the scenario can "
                    + "expect no state")
        }
        let entities = states.keys.sorted { ($0.projection, $0.key) < ($1.projection, $1.key) }
        do {
            var capture = Capture(
                title, try events.map(fact), entities, rules, catalogue, refused: refused)
            if isPseudonymised {
                try capture.pseudonymise { (name) in
                    do throws(UnknownZone) {
                        _ = try zones.zone(name)
                        return true
                    } catch { return false }
                }
            }
            return try capture.text(states: isPseudonymised ? [:] : states, zones: zones)
        } catch let error as InputError {
            throw QuestionError.unanswered("the events cannot be written as a scenario: \(error)")
        }
    }

    /// Returns the events, with the events that renamed the last part of the entity's composite id.
    /// A composite id is one like `phone-1/cafe`.
    private func adding(
        renamingsOf asked: Capture.Entity?, to events: [RecordedEvent]
    ) throws -> [RecordedEvent] {
        guard let asked, let projection = catalogue.projections[asked.projection],
            projection.lastPartNoun != nil
        else { return events }
        let captured = Set(events.map(\.position))
        let renamings = try reading.entities.renamings(of: projection, [asked.key])
            .filter { !captured.contains($0.position) }
        return (events + renamings).sorted { $0.position < $1.position }
    }

    /// Returns the states of entities whose events are all among `events`, and of the entity
    /// `asked`. The states are folded from these events only.
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

    /// Returns an event as a fact of the scenario, with its personal texts in plain text.
    private func fact(_ event: RecordedEvent) throws -> Capture.Fact {
        guard let description = catalogue.events[event.kind] else {
            throw QuestionError.invalid(
                "the event at position \(event.position) cannot be part of a scenario: this "
                    + "program does not know its kind \(event.kind)")
        }
        let texts = try description.personalTexts(of: event, in: reading.log)
        return Capture.Fact(
            event: event, payloadJSON: try description.json(event.payload) { texts[$0] })
    }
}
