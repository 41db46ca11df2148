import Daybook

extension Query {
    /// Returns the indices of the events that match the query.
    ///
    /// Events that match only items in `newest` are left out, except the last one of each item.
    func indices(
        among events: [(kind: EventKind, tags: [Daybook.Tag])], newestOf newest: Set<Item>
    ) -> [Int] {
        let last = newest.map { item in
            events.lastIndex { item.matches(kind: $0.kind, tags: $0.tags) }
        }
        let rest = items?.filter { !newest.contains($0) }
        return events.indices.filter { place in
            let (kind, tags) = events[place]
            return last.contains(place)
                || rest?.contains { $0.matches(kind: kind, tags: tags) } ?? true
        }
    }
}
