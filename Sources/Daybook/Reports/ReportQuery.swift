/// The events that a report reads.
public struct ReportQuery: Hashable, Sendable {
    /// The events that the report reads.
    public var events: Query
    /// Queries of which only the newest event is read.
    public var newest: [Query] = []
    /// The entities whose whole histories are read with them.
    public var entities: Entities?
    /// Events of the query that are read whatever the end of valid time.
    public var bookkeeping: Bookkeeping?

    /// All entities of a noun that one of the events has a tag of.
    ///
    /// A stretch of time does not show all that made an entity: a sleep that ended this week was
    /// opened in the last one.
    public struct Entities: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The noun of the entities' tags.
        public var noun: String
        /// The kinds of the added events; empty for all.
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

    /// Events that say what something is called, and not what happened: they hold for all time,
    /// whenever they were written down.
    ///
    /// An import of old records makes its subject known today; that is no reason to know nothing of
    /// it as of the day before.
    public struct Bookkeeping: Hashable, Sendable {
        /// The noun of the tags that name what becomes known.
        public var noun: String
        /// The kinds of which the first event of each makes it known.
        public var introducing: Set<EventKind>
        /// The kinds that give it another id.
        public var renaming: Set<EventKind>

        public init(noun: String, introducing: Set<EventKind>, renaming: Set<EventKind>) {
            self.noun = noun
            self.introducing = introducing
            self.renaming = renaming
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

    /// The events that had happened by the end of valid time, and those that hold for all time.
    ///
    /// - Parameter events: in the order of the log.
    public func valid(
        _ events: [RecordedEvent], through end: Instant?
    ) -> [RecordedEvent] {
        guard let end else { return events }
        var known: Set<Tag> = []
        return events.filter { event in
            var isFirst = false
            if let bookkeeping, bookkeeping.introducing.contains(event.kind) {
                for tag in event.tags where tag.noun == bookkeeping.noun {
                    isFirst = known.insert(tag).inserted || isFirst
                }
            }
            return isFirst || event.envelope.occurredAt <= end
                || bookkeeping?.renaming.contains(event.kind) == true
        }
    }

    /// The events of this query and those of another about the same noun.
    public func union(_ other: ReportQuery) -> ReportQuery {
        ReportQuery.union(of: [self, other])
    }

    /// The events of several queries about the same noun; every event for no query at all.
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
    /// The first moment.
    public var start: Instant
    /// The moment after the last one.
    public var end: Instant

    public init(_ start: Instant, _ end: Instant) {
        self.start = start
        self.end = end
    }

    /// True if the two stretches have a moment in common.
    public func touches(_ other: TimeStretch) -> Bool {
        start <= other.end && end >= other.start
    }

    /// The stretch from the first start to the last end.
    public func union(_ other: TimeStretch) -> TimeStretch {
        TimeStretch(min(start, other.start), max(end, other.end))
    }
}
