public import Daybook
public import DaybookLog

extension ProjectionReading {
    /// Feeds a report all events that it reads from the log.
    package func gather(_ report: inout some PendingReport) throws(LogError) {
        try requireKeys(for: report)
        try report.gather { (query, report) throws(LogError) in
            try announceEvents(of: query, byteCount: Self.reportBytesPerEvent)
            let hasLaterNames = try !laterNames(query).isEmpty
            let isPlain =
                query.newest.isEmpty && query.entities == nil && !hasLaterNames
                && (query.bookkeeping == nil || entities.validThrough == nil)
            guard !isPlain || report.readsPersonalTexts else {
                return try report.fold(query.events, by: self)
            }
            for event in try events(query) { try feed(event, to: &report) }
        }
    }

    /// Throws an error if a report needs names or places that a replica without keys lacks.
    func requireKeys(for report: some PendingReport) throws(LogError) {
        guard !log.hasKeys, report.holdsPersonalValues else { return }
        try log.requireKeys("this report is made of")
    }

    /// Memory that one report keeps of each event that it reads, in bytes. Measured for rankings;
    /// docs/benchmarks.md.
    private static let reportBytesPerEvent = 400

    /// Calls `willKeepEvents` with the memory for the events of a query, `byteCount` each.
    package func announceEvents(of query: ReportQuery, byteCount: Int) throws(LogError) {
        guard let willKeepEvents else { return }
        let count = try log.file.matchLimit(of: query.events)
        willKeepEvents(
            MemoryNeed("up to \(count.counted("event"))", count: count, byteCount: byteCount))
    }

    /// Feeds an event to a report, with its personal texts if the report uses them.
    func feed(_ event: RecordedEvent, to report: inout some PendingReport) throws(LogError) {
        let texts = report.readsPersonalTexts ? try personalTexts(of: event) : [:]
        try folding { () throws(FoldError) in try report.fold(event, texts: texts) }
    }

    func personalTexts(of event: RecordedEvent) throws(LogError) -> [UInt32: String] {
        try catalogue.events[event.kind]?.personalTexts(of: event, in: log) ?? [:]
    }

    package func answers(_ report: some PendingReport) throws(LogError) -> [ReportAnswer] {
        try gathered(report).answers()
    }

    /// Returns a report that has read all its events from the log.
    package func gathered<Pending: PendingReport>(_ report: Pending) throws(LogError) -> Pending {
        var report = report
        try gather(&report)
        return report
    }

    /// Returns the events that match a report's query, in their newest schema versions.
    func events(_ query: ReportQuery) throws(LogError) -> [RecordedEvent] {
        try upcasted(try recordedEvents(query), of: query) + laterNames(query)
    }

    /// Returns the later events that gave the entity of a report the id by which the report names
    /// it; none if an earlier event knows the id.
    func laterNames(_ query: ReportQuery) throws(LogError) -> [RecordedEvent] {
        guard let bookkeeping = query.bookkeeping, let id = bookkeeping.id else { return [] }
        return try entities.laterRenamings(of: bookkeeping.noun, id)
    }

    /// Returns the events that match a report's query, as recorded. These include events that
    /// happened after the reading's `validThrough`.
    private func recordedEvents(_ query: ReportQuery) throws(LogError) -> [RecordedEvent] {
        try recordedEvents(
            query, with: try log.reader(query.events, ReadWindow(through: through)).collect())
    }

    /// Returns the events that match a report's query, and the other events that the query
    /// requires.
    ///
    /// The query may require the newest events of some kinds, and all events of some entities.
    func recordedEvents(
        _ query: ReportQuery, with matching: [RecordedEvent]
    ) throws(LogError) -> [RecordedEvent] {
        var newest: [RecordedEvent] = []
        for query in query.newest {
            if let event = try newestEvent(query) { newest.add([event]) }
        }
        var found = matching
        found.add(newest)
        return try withEntityEvents(found, query)
    }

    /// Returns the last event that matches a query; `nil` if there is none.
    private func newestEvent(_ query: Query) throws(LogError) -> RecordedEvent? {
        var newest: RecordedEvent?
        let window = ReadWindow(through: through, .descending)
        try log.reader(query, window).forEach { (event) throws(LogError) in
            newest = event
            return false
        }
        return newest
    }

    /// Returns the events, together with all other events of their entities, in the order of the
    /// log. Other events are added only for the entities that the query asks for.
    func withEntityEvents(
        _ events: [RecordedEvent], _ query: ReportQuery
    ) throws(LogError) -> [RecordedEvent] {
        guard let entities = query.entities,
            entities.onlyWith.isEmpty ? true : try log.contents.hasAny(of: entities.onlyWith)
        else { return events.sorted { $0.position < $1.position } }
        return try log.contents.completing(
            events, withEntities: entities.noun, kinds: entities.kinds, through: through)
    }

    /// Returns the events in their newest schema versions, without those that the query ignores
    /// because they happened after the reading's `validThrough`.
    func upcasted(
        _ events: [RecordedEvent], of query: ReportQuery
    ) throws(LogError) -> [RecordedEvent] {
        var newest: [RecordedEvent] = []
        newest.reserveCapacity(events.count)
        for event in query.validEvents(among: events, through: entities.validThrough) {
            newest.append(try folding { () throws(FoldError) in try catalogue.upcast(event) })
        }
        return newest
    }
}

extension ProjectionReading: EventFolder {
    /// The error that reading the log throws.
    public typealias Failure = LogError

    /// Folds the events that match a query into a state.
    public func fold<Target: Projection>(
        _ projection: Target.Type, matching query: Query, into state: inout Target.State
    ) throws(LogError) {
        try log.reader(query, ReadWindow(through: through)).fold(
            projection, into: &state, validThrough: entities.validThrough, upcasting: catalogue)
    }
}

extension HistoryChanges {
    /// Returns the answers of a report on the recorded history and on the altered history.
    package func answers(
        _ report: some PendingReport
    ) throws(LogError) -> (recorded: [ReportAnswer], altered: [ReportAnswer]) {
        var altered = report
        try altered.gather { (query, report) throws(LogError) in
            let events = try events(query)
            try folding { () throws(FoldError) in
                for event in events { try report.fold(event) }
            }
        }
        return (try reading.answers(report), altered.answers())
    }

    /// Returns the events of the altered history that match a report's query.
    private func events(_ query: ReportQuery) throws(LogError) -> [RecordedEvent] {
        let window = ReadWindow(through: reading.through)
        var found = try reading.log.reader(query.events, window).collect()
        found.add(try reading.laterNames(query))
        var newest: Set<AlteredHistory.Place> = []
        for query in query.newest {
            let events = try reading.upcasted(
                try reading.log.reader(query, window).collect(), of: ReportQuery(query))
            guard let last = history.applied(to: events, query).last else { continue }
            newest.insert(last.place)
            if last.origin == .recorded { found.add([last.event]) }
        }
        guard let entities = query.entities else {
            return try placedEvents(found, query, newest, []).map(\.event)
        }
        var known: Set<Tag> = []
        while true {
            found = try reading.withEntityEvents(found, query)
            let placed = try placedEvents(found, query, newest, known)
            let fresh = Set(placed.flatMap { entities.tags($0.event) }).subtracting(known)
            guard !fresh.isEmpty else { return placed.map(\.event) }
            known.formUnion(fresh)
            // Entities about which only added events have been found.
            let missing = fresh.subtracting(found.flatMap(entities.tags))
            guard !missing.isEmpty else { continue }
            found.add(
                try reading.log.reader(
                    .any(of: entities.kinds, missing.sorted()), ReadWindow(through: reading.through)
                ).collect())
        }
    }

    /// Returns the given events as the altered history has them, and the added events that the
    /// query asks for: those in the `newest` places, and those of entities with `known` tags.
    private func placedEvents(
        _ found: [RecordedEvent], _ query: ReportQuery, _ newest: Set<AlteredHistory.Place>,
        _ known: Set<Tag>
    ) throws(LogError) -> [AlteredHistory.PlacedEvent] {
        let ordered = found.sorted { $0.position < $1.position }
        return history.applied(to: try reading.upcasted(ordered, of: query)) { placed in
            let event = placed.event
            return query.events.matches(kind: event.kind, tags: event.tags)
                || newest.contains(placed.place)
                || query.entities?.reads(event) == true
                    && event.tags.contains(where: known.contains)
        }
    }
}

extension [RecordedEvent] {
    /// Appends the events that the array does not have yet, by position.
    fileprivate mutating func add(_ events: [RecordedEvent]) {
        guard !events.isEmpty else { return }
        let positions = Set(map(\.position))
        append(contentsOf: events.filter { !positions.contains($0.position) })
    }
}
