public import Daybook
public import DaybookLog

/// Calls `body`, and converts an error in folding events to an error of the log.
package func folding<Value>(_ body: () throws(FoldError) -> Value) throws(LogError) -> Value {
    do throws(FoldError) { return try body() } catch { throw .fold(error) }
}

/// A log as of one point in time, with the catalogue that describes its events.
public struct ProjectionReading: Sendable {
    package let entities: EntityReader
    /// Called before the events of a report are read, with the memory that they may need; `nil` to
    /// call nothing.
    package var willKeepEvents: (@Sendable (MemoryNeed) -> Void)?

    public var log: EventLog { entities.log }
    public var catalogue: Catalogue { entities.catalogue }
    /// The last position that is read.
    public var through: Position { entities.through }

    /// Prepares to read a log as of a point in time; by default, everything recorded is read.
    public init(_ log: EventLog, _ catalogue: Catalogue, as moment: Moment = Moment()) throws {
        entities = try EntityReader(
            log, catalogue, through: moment.through(log), validThrough: moment.validThrough)
    }

    /// Returns the newest id of an entity, and all its events in the order of the log.
    ///
    /// - Throws: `QuestionError.unknownEntity` if the entity has no events.
    public func entity(
        of projection: ProjectionDescription, _ key: String
    ) throws -> (key: String, events: [RecordedEvent]) {
        let walk = try entities.walk(of: projection, key)
        let events = try entities.events(along: walk)
        guard !events.isEmpty else { throw noEventsError(projection, key) }
        return (walk.key ?? key, events)
    }

    /// Returns the states of one entity, or of all entities, by their newest ids.
    ///
    /// - Parameter key: any id of the entity; `nil` for all entities.
    /// - Throws: `QuestionError.unknownEntity` if the entity has no events.
    public func states(
        of projection: ProjectionDescription, _ key: String?, _ rules: RuleSet
    ) throws -> [String: Fold] {
        let walk = try entities.walk(of: projection, key)
        if let key {
            let state = try entities.state(along: walk, rules)
            guard !state.isEmpty else { throw noEventsError(projection, key) }
            return [walk.key ?? key: state.fold]
        }
        return try EntityShare.states(along: walk, rules, entities)
    }

    /// Returns the events after a position that have any of the tags.
    ///
    /// - Throws: `QuestionError.unanswered` if there are none.
    public func events(
        withAnyOf tags: [Tag], after position: Position = .origin
    ) throws -> [RecordedEvent] {
        guard let query = Query(items: tags.map { Query.Item(tags: [$0]) }) else { return [] }
        let events = try entities.events(matching: query).filter { $0.position > position }
        guard !events.isEmpty else {
            let names = tags.map(\.text).joined(separator: " or ")
            throw QuestionError.unanswered(
                "the log has no event with the tag \(names) from position \(position.next) up to "
                    + "position \(through)")
        }
        return events
    }

    /// Returns the event at a position, in its newest schema version.
    public func event(at position: UInt64) throws -> RecordedEvent {
        guard position > 0, position <= through.rawValue,
            let event = try log.reader(
                .all, ReadWindow(from: Position(position), through: Position(position))
            ).collect().first
        else { throw QuestionError.noSuchPosition(position, through: through) }
        return try catalogue.upcast(event)
    }

    /// Returns the SHA-256 of the log's first commit in hexadecimal, which identifies the log; empty
    /// for an empty log.
    func logID() throws(LogError) -> String {
        try log.commits.at(Position(1)).map { Hexadecimal.text($0.chain) } ?? ""
    }

    func noEventsError(_ projection: ProjectionDescription, _ key: String) -> QuestionError {
        .unknownEntity(noun: projection.noun, key: key, through: through)
    }
}

extension EventDescription {
    /// Returns an event's personal texts that are not erased, by the index of their field.
    func personalTexts(
        of event: RecordedEvent, in log: EventLog
    ) throws(LogError) -> [UInt32: String] {
        let count: Int
        do throws(CorruptPayload) {
            count = try unsafe seals(event.payload.contents.bytes).count
        } catch { throw .fold(.corrupt(event.position, event.kind, error)) }
        var texts: [UInt32: String] = [:]
        for field in 0..<UInt32(count) {
            texts[field] = try log.people.sealedText(at: event.position, field: field)
        }
        return texts
    }
}
