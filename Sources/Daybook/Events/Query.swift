/// A selection of events, by kind and tag, that a decision or a reader depends on.
///
/// A query selects every event, or the events that match at least one of its items.
/// Semantics: the Dynamic Consistency Boundary specification, dcb.events.
public struct Query: Hashable, Sendable {
    /// The items, of which an event must match one or more, never empty; `nil` selects all events.
    public let items: [Item]?

    /// The query of every event.
    public static let all = Query(unchecked: nil)

    /// Creates the query of the events that match at least one of the items.
    public init(_ first: Item, _ rest: Item...) { items = [first] + rest }

    /// Creates the query of the events that match at least one of the items.
    ///
    /// `nil` if there are no items, because such a query would match no event, probably by mistake.
    public init?(items: [Item]) {
        guard !items.isEmpty else { return nil }
        self.items = items
    }

    /// Returns the query of the events of these kinds that have at least one of the tags.
    ///
    /// Without tags, the query selects every event of every kind.
    public static func any(of kinds: Set<EventKind>, _ tags: Tag...) -> Query {
        any(of: kinds, tags)
    }

    /// Returns the query of the events of these kinds that have at least one of the tags.
    ///
    /// Without tags, the query selects every event of every kind.
    public static func any(of kinds: Set<EventKind>, _ tags: [Tag]) -> Query {
        Query(items: tags.map { Item(kinds: kinds, tags: [$0]) }) ?? .all
    }

    /// Creates a query from a list of at least one item, or from `nil` for every event.
    private init(unchecked items: [Item]?) { self.items = items }

    /// Returns the query of the events that match this query or `other`.
    public func union(_ other: Query) -> Query { Query.union(of: [self, other]) }

    /// Returns the query of the events that match at least one query; `all` if there are none.
    static func union(of queries: [Query]) -> Query {
        guard !queries.isEmpty else { return .all }
        var known: Set<Item> = []
        var union: [Item] = []
        for query in queries {
            guard let items = query.items else { return .all }
            union += items.filter { known.insert($0).inserted }
        }
        return Query(unchecked: union)
    }

    /// True if the query selects an event of this kind with these tags.
    public func matches(kind: EventKind, tags: [Tag]) -> Bool {
        guard let items else { return true }
        return items.contains { $0.matches(kind: kind, tags: tags) }
    }

    /// A condition on an event: one of the kinds, and all of the tags.
    public struct Item: Hashable, Sendable {
        /// The event kinds, of which the event must have one; empty to match any kind.
        public var kinds: Set<EventKind>
        /// The tags that the event must all have, possibly among others; empty to match any tags.
        ///
        /// They are different and sorted. Most items have one tag, for which a set costs more than
        /// all else in an item.
        public let tags: [Tag]

        /// Creates an item; without kinds and tags, it matches every event.
        public init(kinds: Set<EventKind> = [], tags: [Tag] = []) {
            self.kinds = kinds
            self.tags = tags.count > 1 ? Set(tags).sorted() : tags
        }

        /// Hashes the tags and the number of the kinds.
        ///
        /// The kinds themselves are left out, because many items share the same kinds, and hashing
        /// their names takes most of the time of a look-up.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(tags)
            hasher.combine(kinds.count)
        }

        /// True if an event of this kind with these tags matches the item.
        public func matches(kind: EventKind, tags: [Tag]) -> Bool {
            (kinds.isEmpty || kinds.contains(kind)) && self.tags.allSatisfy(tags.contains)
        }
    }
}

/// A condition for appending events: no event after a given position may match a query.
///
/// Events at positions up to and including `after` are ignored, because the decision has seen them.
public struct AppendCondition: Hashable, Sendable {
    /// The query that no event after the position may match.
    public var query: Query
    /// The last position that the decision has seen.
    public var after: Position

    /// Creates a condition; by default, no event of the whole log may match the query.
    public init(_ query: Query, after: Position = .origin) {
        self.query = query
        self.after = after
    }
}
