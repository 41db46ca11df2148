public import Daybook
import DaybookInput
import DaybookLog

/// Finds the published answers of reports, and the events that changed an answer afterwards.
public struct LateAnswers: Sendable {
    /// A published answer, and the event that records the publication.
    public struct PublishedAnswer: Sendable {
        /// The answer that was published.
        package var publication: Publication
        public var event: RecordedEvent
    }

    private let reading: ProjectionReading
    private let zones: ZoneSource?

    public init(in reading: ProjectionReading, zones: ZoneSource?) {
        self.reading = reading
        self.zones = zones
    }

    /// Returns the published answers that can be computed again, in the order of the log.
    ///
    /// - Parameter tag: selects only publications with this tag, or with another id of the same
    ///   entity; `nil` selects all publications.
    /// - Throws: `QuestionError.unanswered` if no such publication has the tag.
    public func publishedAnswers(with tag: Tag? = nil) throws -> [PublishedAnswer] {
        let kinds = Set(reading.catalogue.publications.keys)
        var query = Query(Query.Item(kinds: kinds))
        if let tag {
            let (noun, id) = (String(tag.noun), String(tag.id))
            let ids = try reading.entities.identities(noun, id).all(noun, id)
            query = .any(of: kinds, [tag] + ids.compactMap { Tag("\(noun):\($0)") })
        }
        let found = try reading.entities.events(matching: query).compactMap { event in
            // No answer: it cannot be computed again.
            try reading.publication(event.kind, event.tags, event.payload, at: event.position)
                .map { PublishedAnswer(publication: $0, event: event) }
        }
        if found.isEmpty, let tag {
            throw QuestionError.unanswered(
                "no published report has the tag '\(tag.text)' up to position \(reading.through)")
        }
        return found
    }

    /// Returns the events that changed an answer after its publication.
    ///
    /// - Throws: `ReportError` if the answer cannot be computed again.
    public func events(lateFor answer: PublishedAnswer) throws -> LateEvents {
        let publication = answer.publication
        let events = try reading.events(publication.query)
        let knownAt = try reading.log.commits.at(publication.position)?.recordedAt
        return try LateEvents(
            of: publication, events, names: try names(of: publication), zones: zones,
            knownAt: knownAt ?? Instant(microseconds: 0), digest: InputRules.standard.digest)
    }

    /// Returns the later events that gave the entity of a publication the id by which it was named;
    /// none if an event up to the publication's position knows the id.
    private func names(of publication: Publication) throws(LogError) -> [RecordedEvent] {
        guard let bookkeeping = publication.query.bookkeeping, let id = bookkeeping.id else {
            return []
        }
        let then = try EntityReader(reading.log, reading.catalogue, through: publication.position)
        return try then.laterRenamings(of: bookkeeping.noun, id)
    }
}
