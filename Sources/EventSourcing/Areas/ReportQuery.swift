public import CivilTime

/// The events that a report reads.
public struct ReportQuery: Hashable, Sendable {
    public var events: Query
    /// Queries of which only the newest event is read.
    public var newest: [Query] = []
    /// The entities whose whole histories are read with them.
    public var entities: Entities?

    /// All entities of a noun that one of the events has a tag of.
    ///
    /// A stretch of time does not show all that made an entity: a sleep that ended this week was
    /// opened in the last one.
    public struct Entities: Hashable, Sendable, ExpressibleByStringLiteral {
        public var noun: String
        public var kinds: Set<EventKind>
        /// Left out in a log that has none of these kinds. Empty: never left out.
        public var onlyWith: Set<EventKind>

        public init(
            _ noun: String, kinds: Set<EventKind>, onlyWith: Set<EventKind> = []
        ) {
            self.noun = noun
            self.kinds = kinds
            self.onlyWith = onlyWith
        }

        /// Whole histories of all kinds.
        public init(stringLiteral noun: String) { self.init(noun, kinds: []) }
    }

    public init(_ events: Query, newest: [Query] = [], entities: Entities? = nil) {
        self.events = events
        self.newest = newest
        self.entities = entities
    }

    /// The events of this query and those of another about the same noun.
    public func union(_ other: ReportQuery) -> ReportQuery {
        ReportQuery.union(of: [self, other])
    }

    /// The events of several queries about the same noun; every event for no query at all.
    public static func union(of queries: [ReportQuery]) -> ReportQuery {
        var union = ReportQuery(Query.union(of: queries.map(\.events)))
        var known: Set<Query> = []
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

    /// The events of the query among others, which are in the order of the log.
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
    /// True for an event that may be part of a history.
    public func reads(_ event: RecordedEvent) -> Bool {
        kinds.isEmpty || kinds.contains(event.kind)
    }

    /// The tags of the entities that an event is about.
    public func tags(_ event: RecordedEvent) -> [Tag] {
        event.tags.filter { $0.noun == noun }
    }
}

/// Times from one moment to another, both included; none where the end is before the start.
public struct TimeStretch: Hashable, Sendable {
    public var start: Instant
    public var end: Instant

    public init(_ start: Instant, _ end: Instant) {
        self.start = start
        self.end = end
    }

    public func touches(_ other: TimeStretch) -> Bool {
        start <= other.end && end >= other.start
    }

    /// The stretch from the first start to the last end.
    public func union(_ other: TimeStretch) -> TimeStretch {
        TimeStretch(min(start, other.start), max(end, other.end))
    }
}
