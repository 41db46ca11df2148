/// Finds among events in memory those that may match a query, without looking at all of them.
public struct QueryIndex: Sendable {
    // An item is looked up by its tag or by its kinds, whichever has fewer events.
    private var byTag: [Tag: [Int]] = [:]
    private var byKind: [EventKind: [Int]] = [:]

    public init() {}

    /// - Parameter place: of the event; places ascend.
    public mutating func add(_ kind: EventKind, _ tags: [Tag], at place: Int) {
        for tag in tags { byTag[tag, default: []].append(place) }
        byKind[kind, default: []].append(place)
    }

    /// The places of events that may match, ascending; `nil` for all of them.
    ///
    /// - Parameter first: places before it are passed over.
    public func places(for query: Query, from first: Int = 0) -> [Int]? {
        guard let items = query.items else { return nil }
        var places: Set<Int> = []
        for item in items {
            let tagged = item.tags.map { (byTag[$0] ?? []).from(first) }
                .min { $0.count < $1.count }
            let kinds = item.kinds.map { (byKind[$0] ?? []).from(first) }
            let ofKinds = kinds.reduce(0) { $0 + $1.count }
            if let tagged, item.kinds.isEmpty || tagged.count <= ofKinds {
                places.formUnion(tagged)
            } else if item.kinds.isEmpty {
                return nil
            } else {
                for kind in kinds { places.formUnion(kind) }
            }
        }
        return places.sorted()
    }

    /// The last place of an event that matches an item; `nil` where there is none.
    ///
    /// - Parameter matches: of the event at a place that has one of the item's tags or kinds.
    public func newest(of item: Query.Item, where matches: (Int) -> Bool) -> Int? {
        if let tagged = item.tags.map({ byTag[$0] ?? [] }).min(by: { $0.count < $1.count }) {
            return tagged.last(where: matches)
        }
        return item.kinds.compactMap { byKind[$0]?.last(where: matches) }.max()
    }
}

extension [Int] {
    /// The numbers from one on, of those that ascend.
    fileprivate func from(_ first: Int) -> ArraySlice<Int> {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < first { low = middle + 1 } else { high = middle }
        }
        return self[low...]
    }
}
