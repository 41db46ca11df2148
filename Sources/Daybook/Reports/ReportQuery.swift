/// A description of the events that a report needs, for the reader that feeds them to the report.
public struct ReportQuery: Hashable, Sendable {
    /// The main query; all events that match it are read.
    public var events: Query
    /// Additional queries, for each of which only the newest matching event is read.
    public var newest: [Query] = []
    /// The entities that the matching events name and whose other events are read too, if any.
    public var entities: Entities?
    /// The events read even if they occurred after the time that a report is about; `nil` for none.
    public var bookkeeping: Bookkeeping?

    /// The entities that the tags of matching events name, and whose other events are read too.
    ///
    /// The query for a span of time may not match all events of an entity: a sleep that ended this
    /// week may have begun last week.
    public struct Entities: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The noun of the tags that name these entities, such as `baby` in `baby:7`.
        public var noun: String
        /// The event kinds of the additional events; empty for all kinds.
        public var kinds: Set<EventKind>
        /// Event kinds of which the log must have one for these events to be read; may be empty.
        public var onlyWith: Set<EventKind>

        public init(_ noun: String, kinds: Set<EventKind>, onlyWith: Set<EventKind> = []) {
            self.noun = noun
            self.kinds = kinds
            self.onlyWith = onlyWith
        }

        /// Creates a description of the entities with a noun, with events of all kinds.
        public init(stringLiteral noun: String) { self.init(noun, kinds: []) }
    }

    /// The events that introduce or rename an entity, read even if later than the report's time.
    ///
    /// An import of old records introduces its entity today, but a report as of an earlier day must
    /// still find the entity. Of the events that introduce an entity, under any of its ids, only the
    /// one that occurred first is read for this.
    public struct Bookkeeping: Hashable, Sendable {
        /// The noun of the tags that name the introduced entities, such as `baby` in `baby:7`.
        public var noun: String
        /// The event kinds that introduce an entity.
        public var introducing: Set<EventKind>
        /// The event kinds that give an entity a new id.
        public var renaming: Set<EventKind>
        /// The id by which the report names its entity; `nil` if it names none.
        ///
        /// If no event that is read knows the id, it means the entities whose ids it replaced later.
        public var id: String?

        public init(
            noun: String, introducing: Set<EventKind>, renaming: Set<EventKind>, id: String? = nil
        ) {
            self.noun = noun
            self.introducing = introducing
            self.renaming = renaming
            self.id = id
        }

        /// Returns the positions of the events that introduced an entity after a point in time, by
        /// the devices' clocks: of each entity, the one that occurred first.
        fileprivate func introductions(
            among events: [RecordedEvent], after end: Instant
        ) -> Set<Position> {
            var newer: [Tag: Tag] = [:]
            func entity(_ tag: Tag) -> Tag {
                var tag = tag
                while let other = newer[tag] { tag = other }
                return tag
            }
            for event in events where renaming.contains(event.kind) {
                let tags = event.tags.filter { $0.noun == noun }
                for (one, other) in zip(tags, tags.dropFirst()) where entity(one) != entity(other) {
                    newer[entity(one)] = entity(other)
                }
            }
            var first: [Tag: RecordedEvent] = [:]
            for event in events where introducing.contains(event.kind) {
                for tag in event.tags where tag.noun == noun {
                    let known = first[entity(tag)]?.envelope.occurredAt
                    guard known.map({ event.envelope.occurredAt < $0 }) ?? true else { continue }
                    first[entity(tag)] = event
                }
            }
            return Set(first.values.filter { $0.envelope.occurredAt > end }.map(\.position))
        }
    }

    public init(
        _ events: Query, newest: [Query] = [], entities: Entities? = nil,
        bookkeeping: Bookkeeping? = nil
    ) {
        self.events = events
        self.newest = newest
        self.entities = entities
        self.bookkeeping = bookkeeping
    }

    /// Returns the events, in the order of the log, that had occurred by `end`, and `bookkeeping`.
    ///
    /// - Parameter end: a point in time, by the devices' clocks; `nil` to return all events.
    public func validEvents(
        among events: [RecordedEvent], through end: Instant?
    ) -> [RecordedEvent] {
        guard let end else { return events }
        let introductions = bookkeeping?.introductions(among: events, after: end) ?? []
        return events.filter { event in
            event.envelope.occurredAt <= end || introductions.contains(event.position)
                || bookkeeping?.renaming.contains(event.kind) == true
        }
    }

    /// Returns a query for the events of both queries. Their `entities` must have the same noun.
    public func union(_ other: ReportQuery) -> ReportQuery { ReportQuery.union(of: [self, other]) }

    /// Returns a query for the events of several queries. Their `entities` must have the same noun.
    ///
    /// If `queries` is empty, the result matches every event.
    public static func union(of queries: [ReportQuery]) -> ReportQuery {
        var union = ReportQuery(Query.union(of: queries.map(\.events)))
        var known: Set<Query> = []
        union.bookkeeping = queries.lazy.compactMap(\.bookkeeping).first
        union.newest = queries.flatMap(\.newest).filter { known.insert($0).inserted }
        for entities in queries.compactMap(\.entities) {
            guard let own = union.entities else {
                union.entities = entities
                continue
            }
            union.entities?.kinds = own.kinds.union(entities.kinds)
            // Histories that one of them always needs are always read.
            union.entities?.onlyWith =
                own.onlyWith.isEmpty || entities.onlyWith.isEmpty
                ? [] : own.onlyWith.union(entities.onlyWith)
        }
        return union
    }

    /// Returns those of all events of the log, in order, that a report with this query needs.
    public func events(among events: [RecordedEvent]) -> [RecordedEvent] {
        var isRead = events.map { self.events.matches(kind: $0.kind, tags: $0.tags) }
        for query in newest {
            let last = events.lastIndex { query.matches(kind: $0.kind, tags: $0.tags) }
            if let last { isRead[last] = true }
        }
        if let entities {
            let own = events.indices.filter { entities.reads(events[$0]) }
            var known: Set<Tag> = []
            let read = events.indices.filter { isRead[$0] }
            var fresh = Set(read.flatMap { entities.tags(events[$0]) })
            while !fresh.isEmpty {
                known.formUnion(fresh)
                fresh = []
                for index in own where !isRead[index] {
                    let tags = entities.tags(events[index])
                    guard tags.contains(where: known.contains) else { continue }
                    isRead[index] = true
                    fresh.formUnion(tags.filter { !known.contains($0) })
                }
            }
        }
        return events.indices.filter { isRead[$0] }.map { events[$0] }
    }
}

extension ReportQuery.Entities {
    /// True if `kinds` includes the kind of an event, or is empty.
    public func reads(_ event: RecordedEvent) -> Bool {
        kinds.isEmpty || kinds.contains(event.kind)
    }

    /// Returns the tags of an event that name entities with this noun.
    public func tags(_ event: RecordedEvent) -> [Tag] { event.tags.filter { $0.noun == noun } }
}

/// A span of time from one point in time to another, both included.
public struct TimeStretch: Hashable, Sendable {
    /// The first microsecond of the span.
    public var start: Instant
    /// The last microsecond of the span, which is included.
    public var end: Instant

    public init(_ start: Instant, _ end: Instant) {
        self.start = start
        self.end = end
    }

    /// True if the two spans have at least one point in time in common.
    public func touches(_ other: TimeStretch) -> Bool { start <= other.end && end >= other.start }

    /// Returns the span from the earlier start to the later end.
    public func union(_ other: TimeStretch) -> TimeStretch {
        TimeStretch(min(start, other.start), max(end, other.end))
    }
}
