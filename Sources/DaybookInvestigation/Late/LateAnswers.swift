public import Daybook
import DaybookLog
import DaybookScenarios

/// The answers that were given, and the events that came late for them.
public struct LateAnswers: Sendable {
    /// An answer, and the event that says it was given.
    public struct Given: Sendable {
        package var publication: Publication
        public var event: RecordedEvent
    }

    private let reading: ProjectionReading
    private let zones: ZoneSource?

    /// - Parameter zones: the tz database; `nil` where none is at hand.
    public init(in reading: ProjectionReading, zones: ZoneSource?) {
        self.reading = reading
        self.zones = zones
    }

    /// The answers that were given, in the order of the log.
    ///
    /// - Parameter tag: of the events that say so, by any id of its entity; all events by default.
    /// - Throws: `QuestionError.unanswered` where none has the tag.
    public func given(with tag: Tag? = nil) throws -> [Given] {
        let kinds = Set(reading.catalogue.publications.keys)
        var query = Query(Query.Item(kinds: kinds))
        if let tag {
            let (noun, id) = (String(tag.noun), String(tag.id))
            let ids = try reading.entities.identities(noun, id).all(noun, id)
            query = .any(of: kinds, [tag] + ids.compactMap { Tag("\(noun):\($0)") })
        }
        let found = try reading.entities.events(matching: query).compactMap(given)
        if found.isEmpty, let tag {
            throw QuestionError.unanswered(
                "no answer with the tag '\(tag.text)' was given up to position \(reading.through)")
        }
        return found
    }

    private func given(_ event: RecordedEvent) throws -> Given? {
        try reading.publication(event.kind, event.tags, event.payload, at: event.position)
            .map { Given(publication: $0, event: event) }
    }

    /// The events that changed an answer after it was given.
    ///
    /// - Throws: `ReportError` for an answer that cannot be made again.
    public func events(lateFor given: Given) throws -> LateEvents {
        let publication = given.publication
        let events = try reading.events(publication.query)
        let knownAt = try reading.log.commits.at(publication.position)?.recordedAt
        return try LateEvents(
            of: publication, events, zones: zones,
            knownAt: knownAt ?? Instant(microseconds: 0), digest: InputRules.standard.digest)
    }
}
