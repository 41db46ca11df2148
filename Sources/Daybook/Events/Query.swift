/// A selection of events, by kind and tag, that a decision or a reader depends on.
///
/// Either every event, or those that match at least one item of a list that is never empty.
/// Semantics: the Dynamic Consistency Boundary specification, dcb.events.
public struct Query: Hashable, Sendable {
    /// `nil` for every event.
    public let items: [Item]?

    /// Every event.
    public static let all = Query(unchecked: nil)

    /// Events that match one of the items.
    public init(_ first: Item, _ rest: Item...) {
        items = [first] + rest
    }

    /// `nil` for a list without items, which would match nothing by mistake.
    public init?(items: [Item]) {
        guard !items.isEmpty else { return nil }
        self.items = items
    }

    /// Events of one of these kinds that carry any of the tags.
    public static func any(of kinds: Set<EventKind>, _ tags: Tag...) -> Query {
        any(of: kinds, tags)
    }

    /// Events of one of these kinds that carry any of the tags; every event for no tags at all.
    public static func any(of kinds: Set<EventKind>, _ tags: [Tag]) -> Query {
        Query(items: tags.map { Item(kinds: kinds, tags: [$0]) }) ?? .all
    }

    private init(unchecked items: [Item]?) {
        self.items = items
    }

    /// The events of this query and those of another.
    public func union(_ other: Query) -> Query { Query.union(of: [self, other]) }

    /// The events of several queries; every event for no query at all.
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

    /// `true` if an event of this kind with these tags is selected.
    public func matches(kind: EventKind, tags: [Tag]) -> Bool {
        guard let items else { return true }
        return items.contains { $0.matches(kind: kind, tags: tags) }
    }
}

extension Query {
    /// One of these kinds, and every one of these tags.
    public struct Item: Hashable, Sendable {
        /// Empty means any kind.
        public var kinds: Set<EventKind>
        /// Empty means any tags.
        public var tags: Set<Tag>

        public init(kinds: Set<EventKind> = [], tags: Set<Tag> = []) {
            self.kinds = kinds
            self.tags = tags
        }

        /// True for an event of one of the kinds that has all the tags.
        public func matches(kind: EventKind, tags: [Tag]) -> Bool {
            (kinds.isEmpty || kinds.contains(kind)) && self.tags.allSatisfy(tags.contains)
        }
    }
}

/// Nothing that matches `query` has come after `after`.
///
/// Events at positions up to and including `after` are ignored: the decision has seen them.
public struct AppendCondition: Hashable, Sendable {
    /// The events that must not have been appended.
    public var query: Query
    /// The last position that the decision knew.
    public var after: Position

    public init(_ query: Query, after: Position = .origin) {
        self.query = query
        self.after = after
    }
}
