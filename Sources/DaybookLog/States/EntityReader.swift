package import Daybook
import Synchronization

/// A reader of the events and states of entities, up to a position and an optional time.
package struct EntityReader: Sendable {
    /// The log that is read.
    public let log: EventLog
    /// The catalogue with the projections, the upcasters and the event kinds that rename entities.
    public let catalogue: Catalogue
    /// The last position to read, inclusive.
    public let through: Position
    /// The latest `occurredAt` of the events to read, inclusive, by the devices' clocks; `nil` for
    /// no limit.
    public let validThrough: Instant?
    /// Cached digests of the behaviour of the catalogue's projections, to find valid snapshots.
    private let fingerprints: Fingerprints

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - catalogue: the catalogue to read with; the log's by default.
    ///   - through: the last position to read; the newest position by default.
    ///   - validThrough: excludes events that occurred after this time, by the devices' clocks.
    public init(
        _ log: EventLog, _ catalogue: Catalogue? = nil, through: Position? = nil,
        validThrough: Instant? = nil
    ) throws(LogError) {
        self.log = log
        self.catalogue = catalogue ?? log.catalogue
        fingerprints =
            self.catalogue === log.catalogue ? log.file.fingerprints : Fingerprints()
        if let through {
            self.through = through
        } else {
            self.through = try log.head()
        }
        self.validThrough = validThrough
    }

    /// Throws an error if states of a projection hold names or places that a replica without
    /// encryption keys lacks.
    private func requireKeys(for projection: ProjectionDescription) throws(LogError) {
        guard !log.hasKeys, projection.holdsPersonalValues else { return }
        try log.requireKeys("states of '\(projection.name)' hold")
    }

    /// Returns a walk, which selects the events of one entity or of all entities of a projection.
    ///
    /// - Parameter key: any id of the entity; `nil` for all entities.
    public func walk(
        of projection: ProjectionDescription, _ key: String?
    ) throws(LogError) -> EntityWalk {
        try requireKeys(for: projection)
        let later =
            try key.map { (key) throws(LogError) in
                try laterRenamings(of: projection.noun, key)
            } ?? []
        let few =
            try key.flatMap { (key) throws(LogError) in
                try followedRenamings(of: projection, key, later)
            }
        let events: [RecordedEvent]
        if let few {
            events = few
        } else {
            events = try renamings(of: projection, key.map { [$0] }, with: later) + later
        }
        let identities = try identities(of: events)
        guard let few else { return try walk(of: projection, key, identities) }
        return try readingAhead(
            EntityWalk(of: projection, key: key, identities)
                .readingOnly(renamingsTagged: Set(few.flatMap(\.tags))))
    }

    /// Returns the walk after it has seen which of its entities refer to renamed entities; only some
    /// walks must read their events for this.
    private func readingAhead(_ walk: EntityWalk) throws(LogError) -> EntityWalk {
        guard walk.needsReadAhead else { return walk }
        var walk = walk
        try read(walk.query(catalogue), after: .origin, through: through) { event in
            walk.readAhead(event)
            return true
        }
        return walk
    }

    /// Returns a walk for known identities, which say which ids belong to the same entity.
    ///
    /// - Parameters:
    ///   - key: any id of the entity; `nil` for all entities.
    ///   - others: events outside the log that the walk includes, such as hypothetical events.
    ///   - excluded: positions of stored events that the walk excludes.
    public func walk(
        of projection: ProjectionDescription, _ key: String?, _ identities: Identities,
        with others: [RecordedEvent] = [], without excluded: Set<Position> = []
    ) throws(LogError) -> EntityWalk {
        try requireKeys(for: projection)
        var walk = EntityWalk(of: projection, key: key, identities)
        guard walk.needsReadAhead else { return walk }
        for event in others { walk.readAhead(event) }
        try read(walk.query(catalogue), after: .origin, through: through) { event in
            if !excluded.contains(event.position) { walk.readAhead(event) }
            return true
        }
        return walk
    }

    /// Returns the events of a walk, upcast to the newest schema versions of their kinds.
    public func events(
        along walk: EntityWalk, after: Position = .origin
    ) throws(LogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        try forEachRecorded(along: walk, after: after) { (event, _) throws(LogError) in
            events.append(event)
            return true
        }
        return events
    }

    /// Calls `body` for each event of a walk and each entity that the event is about, until `body`
    /// returns `false`.
    ///
    /// An event is copied only if it must be upcast, if it belongs to several entities, or if the
    /// walk knows a renamed entity.
    ///
    /// - Parameters:
    ///   - after: the position before the first position to read.
    ///   - end: the last position to read; the reader's `through` by default.
    ///   - body: gets the event in its newest schema version, and the newest id of the entity.
    public func forEach(
        along walk: EntityWalk, after: Position = .origin, through end: Position? = nil,
        _ body: (borrowing EventView, String) throws(LogError) -> Bool
    ) throws(LogError) {
        let events = WalkEvents(along: walk, catalogue, validThrough: validThrough)
        try forEach(of: events, after: after, through: end, body)
    }

    /// Calls `body` for further events of a walk and their entities, until `body` returns `false`.
    ///
    /// - Parameter events: the walk, with the caches of earlier calls.
    public func forEach(
        of events: WalkEvents, after: Position = .origin, through end: Position? = nil,
        _ body: (borrowing EventView, String) throws(LogError) -> Bool
    ) throws(LogError) {
        let query = events.walk.query(catalogue)
        try LogScan(log).visit(query, after: after, through: min(end ?? through, through)) {
            (position, header, bytes, names) throws(LogError) in
            try events.forEachEntity(position, header, bytes, names, body)
        }
    }

    /// Calls `body` for each event of several walks along all entities, in one scan of the log.
    ///
    /// A walk ends with its first error, and the others go on.
    ///
    /// - Parameter body: gets the index of the walk, the event in its newest schema version, and the
    ///   newest id of the entity.
    /// - Returns: the error of each walk; `nil` for one that reached its end.
    public func forEach(
        ofAll walks: [WalkEvents],
        _ body: (Int, borrowing EventView, String) throws(LogError) -> Void
    ) -> [LogError?] {
        var failures = [LogError?](repeating: nil, count: walks.count)
        /// The walks that read a kind, by its row in the table `names`.
        var readers: [[Int]?] = []
        let kinds = walks.reduce(into: Set<EventKind>()) { $0.formUnion($1.walk.projection.kinds) }
        do throws(LogError) {
            let query = Query(Query.Item(kinds: kinds))
            try LogScan(log).visit(query, after: .origin, through: through) {
                (position, header, bytes, names) throws(LogError) in
                let row = Int(header.kind)
                while readers.count <= row { readers.append(nil) }
                if readers[row] == nil {
                    let kind = try names.value.kind(header.kind, at: position)
                    readers[row] = walks.indices.filter { walks[$0].reads(kind) }
                }
                for index in readers[row] ?? [] where failures[index] == nil {
                    do throws(LogError) {
                        _ = try walks[index].forEachEntity(position, header, bytes, names) {
                            (event, key) throws(LogError) in
                            try body(index, event, key)
                            return true
                        }
                    } catch { failures[index] = error }
                }
                return true
            }
        } catch {
            return failures.map { $0 ?? error }
        }
        return failures
    }

    /// Calls `body` once for each event of a walk, with a copy of the event and the newest ids of
    /// its entities, until `body` returns `false`.
    public func forEachRecorded(
        along walk: EntityWalk, after: Position = .origin, through end: Position? = nil,
        _ body: (RecordedEvent, [String]) throws(LogError) -> Bool
    ) throws(LogError) {
        try read(walk.query(catalogue), after: after, through: end ?? through) {
            (event) throws(LogError) in
            let keys = walk.keys(of: event)
            guard !keys.isEmpty else { return true }
            return try body(event, keys)
        }
    }

    /// Returns the newest id of each entity of a walk's projection, in byte order.
    ///
    /// - Returns: `nil` if the log has more than `limit` ids of the projection's noun.
    public func keys(
        along walk: EntityWalk, atMost limit: Int
    ) throws(LogError) -> [String]? {
        let projection = walk.projection
        guard let ids = try log.contents.ids(of: projection.noun, atMost: limit) else { return nil }
        return Array(Set(ids.map { walk.identities.newest(projection.noun, $0.nfc) }))
            .sortedByBytes { $0 }
    }

    /// Returns the state of the walk's only entity, folded from the newest valid snapshot on.
    ///
    /// - Parameter end: the last position to fold; the reader's `through` by default.
    public func state(
        along walk: EntityWalk, _ rules: RuleSet, through end: Position? = nil
    ) throws(LogError) -> EntityState {
        let end = min(end ?? through, through)
        var state =
            try snapshot(along: walk, rules, through: end)
            ?? EntityState(fold: walk.projection.fold(rules))
        try forEach(along: walk, after: state.checkpoint.position, through: end) {
            (event, _) throws(LogError) in
            try state.apply(event)
            return true
        }
        return state
    }

    /// Returns the state in the newest valid snapshot of the walk's only entity; `nil` if there is
    /// none.
    ///
    /// Snapshots of an entity with several ids are not used, because each was taken before the
    /// other ids were known.
    private func snapshot(
        along walk: EntityWalk, _ rules: RuleSet, through end: Position
    ) throws(LogError) -> EntityState? {
        guard let key = walk.key, walk.ids.count == 1, walk.projection.followedNouns.isEmpty,
            !walk.projection.holdsPersonalValues, try !LogSnapshots(log).isEmpty
        else { return nil }
        let fingerprint = try fingerprints.fingerprint(of: walk.projection, rules, in: catalogue)
        let latest = validThrough ?? Instant(microseconds: .max)
        let found = try LogSnapshots(log).newest(
            of: walk.projection.name, rules, key, through: end, fingerprint, validThrough: latest)
        guard let found else { return nil }
        var state = EntityState(fold: walk.projection.fold(rules))
        // An unreadable snapshot is ignored here; `verify` reports it.
        guard (try? unsafe state.fold.restore(found.state.contents.bytes)) != nil else {
            return nil
        }
        state.checkpoint = found.checkpoint
        return state
    }

    /// Returns the events that match a query, in the newest schema versions of their kinds.
    ///
    /// - Parameter noun: the noun of entities; all events of such an entity are added if one of
    ///   them matches. `nil` to add none.
    public func events(
        matching query: Query, withEntities noun: String? = nil
    ) throws(LogError) -> [RecordedEvent] {
        let found = try events(query)
        guard let noun else { return found }
        var events: [RecordedEvent] = []
        for event in try log.contents.completing(found, withEntities: noun, through: through) {
            if let newest = try newest(event) { events.append(newest) }
        }
        return events
    }

    /// Returns the event in the newest schema version of its kind; `nil` if it occurred after
    /// `validThrough`.
    private func newest(_ event: RecordedEvent) throws(LogError) -> RecordedEvent? {
        if let validThrough, event.envelope.occurredAt > validThrough { return nil }
        return try catalogue.newest(event)
    }

    /// Returns the events that match a query, within the reader's limits.
    private func events(_ query: Query) throws(LogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        try read(query, after: .origin, through: through) { (event) throws(LogError) in
            events.append(event)
            return true
        }
        return events
    }

    /// Calls `body` with each event that matches a query, in the newest schema version of its kind,
    /// until `body` returns `false`.
    func read(
        _ query: Query, after: Position, through end: Position,
        _ body: (RecordedEvent) throws(LogError) -> Bool
    ) throws(LogError) {
        let window = ReadWindow(after: after, through: min(end, through))
        try log.reader(query, window).forEach { (event) throws(LogError) in
            guard let newest = try newest(event) else { return true }
            return try body(newest)
        }
    }
}
