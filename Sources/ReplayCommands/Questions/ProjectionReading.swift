import CivilTime
import EventSourcing
import EventStorage

/// A log read as of the moment that a command was asked for.
struct ProjectionReading {
    let entities: EntityReader
    private let moment: MomentOptions

    var log: EventLog { entities.log }
    var catalogue: Catalogue { entities.catalogue }
    /// The last position to read.
    var through: Position { entities.through }

    init(_ log: EventLog, _ moment: MomentOptions, _ catalogue: Catalogue) throws {
        self.moment = moment
        entities = try EntityReader(
            log, catalogue, through: moment.through(log), validThrough: moment.validThrough())
    }

    /// The newest id of an entity, and its events.
    ///
    /// - Throws: what is said where there are none.
    func entity(
        of projection: ProjectionDescription, _ key: String
    ) throws -> (key: String, events: [RecordedEvent]) {
        let walk = try entities.walk(of: projection, key)
        let events = try entities.events(along: walk)
        guard !events.isEmpty else { throw nothing(of: projection.noun, key) }
        return (walk.key ?? key, events)
    }

    /// What is said of a key that is in no event.
    func nothing(of noun: String, _ key: String) -> Failure {
        Failure(
            .finding,
            "no event of \(noun) '\(key)' up to position \(through)" + moment.hint(through))
    }
}
