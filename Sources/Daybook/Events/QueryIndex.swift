/// An index of events in memory, which finds candidates for a query without visiting every event.
package struct QueryIndex: Sendable {
    // An item is looked up by a tag or by its kinds, whichever has fewer events.
    /// The numbers by which the caller finds the events with a tag, ascending.
    private var byTag: [Tag: [Int]] = [:]
    /// The numbers by which the caller finds the events of an event kind, ascending.
    private var byKind: [EventKind: [Int]] = [:]

    /// Creates an empty index.
    public init() {}

    /// Adds an event under a number greater than those before, by which the caller finds it.
    public mutating func add(_ kind: EventKind, _ tags: [Tag], at place: Int) {
        for tag in tags { byTag[tag, default: []].append(place) }
        byKind[kind, default: []].append(place)
    }

    /// Returns the places (the caller's numbers) of the events that may match, in ascending order.
    ///
    /// `nil` if every event may match. `first` is the least place to return.
    public func places(for query: Query, from first: Int = 0) -> [Int]? {
        guard let items = query.items else { return nil }
        var lists: [ArraySlice<Int>] = []
        for item in items {
            let tagged = fewest(withTagOf: item, from: first)
            if let tagged, item.kinds.isEmpty || tagged.count < Self.few {
                if !tagged.isEmpty { lists.append(tagged) }
                continue
            }
            guard !item.kinds.isEmpty else { return nil }
            let start = lists.count
            var count = 0
            for kind in item.kinds {
                guard let places = byKind[kind]?.from(first), !places.isEmpty else { continue }
                lists.append(places)
                count += places.count
            }
            if let tagged, tagged.count <= count {
                lists.replaceSubrange(start..., with: CollectionOfOne(tagged))
            }
        }
        guard lists.count > 1 else { return lists.first.map { Array($0) } ?? [] }
        return Set(lists.joined()).sorted()
    }

    /// The number of events with a tag from which on the kinds of an item are looked up too.
    private static let few = 8

    /// Returns the places from `first` up of the events with one tag of an item, of which there are
    /// fewest; `nil` for an item without tags.
    private func fewest(withTagOf item: Query.Item, from first: Int) -> ArraySlice<Int>? {
        var fewest: ArraySlice<Int>?
        for tag in item.tags {
            let tagged = byTag[tag]?.from(first) ?? []
            if tagged.count < fewest?.count ?? .max { fewest = tagged }
        }
        return fewest
    }

    /// Returns the place of the last event that matches an item; `nil` if there is none.
    ///
    /// The item must have tags or kinds. `matches` is called only for events with one of them.
    public func newest(of item: Query.Item, where matches: (Int) -> Bool) -> Int? {
        if let tagged = item.tags.map({ byTag[$0] ?? [] }).min(by: { $0.count < $1.count }) {
            return tagged.last(where: matches)
        }
        return item.kinds.compactMap { byKind[$0]?.last(where: matches) }.max()
    }
}

extension [Int] {
    /// Returns the elements from `first` up; the array must be ascending.
    fileprivate func from(_ first: Int) -> ArraySlice<Int> {
        self[indices.partitionIndex { self[$0] >= first }...]
    }
}
