public import EventSourcing
public import EventStorage

extension ProjectionReading {
    /// The ids of all entities that a report can be made of, in order.
    public func subjects(_ subject: ReportSubject) throws(LogError) -> [String] {
        var ids: Set<String> = []
        let query = Query(Query.Item(kinds: subject.kinds))
        try log.read(query, through: through) { (event) throws(LogError) in
            for tag in event.tags where tag.noun == subject.noun { ids.insert(String(tag.id)) }
            return true
        }
        return ids.sorted()
    }

    /// Shows many reports all that they read, in one pass for all of them.
    ///
    /// - Parameter reports: each about another entity.
    public func gather(_ reports: inout [any PendingReport]) throws(LogError) {
        var queries = reports.map(\.firstQuery)
        var growing = Array(reports.indices)
        while !growing.isEmpty {
            let events = try events(ReportQuery.union(of: growing.map { queries[$0] }))
            let index = EventIndex(events)
            var grown: [Int] = []
            for number in growing {
                for event in index.events(of: queries[number]) {
                    try feed(event, to: &reports[number])
                }
                let wider = queries[number].union(reports[number].query)
                guard wider != queries[number] else { continue }
                queries[number] = wider
                reports[number].restart()
                grown.append(number)
            }
            growing = grown
        }
    }
}

/// Events in memory, found by the tags of a query without a look at all of them.
private struct EventIndex {
    private let events: [RecordedEvent]
    private var index = QueryIndex()
    private var byTag: [Tag: [Int]] = [:]

    /// - Parameter events: in the order of the log.
    init(_ events: [RecordedEvent]) {
        self.events = events
        for (place, event) in events.enumerated() {
            index.add(event.kind, event.tags, at: place)
            for tag in event.tags { byTag[tag, default: []].append(place) }
        }
    }

    /// The events that the query asks for, with those of their entities.
    func events(of query: ReportQuery) -> [RecordedEvent] {
        guard var places = index.places(for: query.events).map(Set.init) else {
            return query.events(among: events)
        }
        for newest in query.newest { places.formUnion(index.places(for: newest) ?? []) }
        if let entities = query.entities {
            var fresh = Set(places.flatMap { entities.tags(events[$0]) })
            var known: Set<Tag> = []
            while !fresh.isEmpty {
                known.formUnion(fresh)
                let more = fresh.flatMap { byTag[$0] ?? [] }
                places.formUnion(more)
                fresh = Set(more.flatMap { entities.tags(events[$0]) }).subtracting(known)
            }
        }
        return query.events(among: places.sorted().map { events[$0] })
    }
}
