public import Daybook
import Synchronization

/// Reads of a log what projections need, as of a moment on either clock.
public struct EntityReader: Sendable {
    public let log: EventLog
    public let catalogue: Catalogue
    /// The last position to read.
    public let through: Position
    /// The end of valid time, by the devices' clocks; `nil` for none.
    public let validThrough: Instant?
    private let fingerprints: Fingerprints

    public init(
        _ log: EventLog, _ catalogue: Catalogue? = nil, through: Position? = nil,
        validThrough: Instant? = nil
    ) throws(LogError) {
        self.log = log
        self.catalogue = catalogue ?? log.catalogue
        fingerprints =
            self.catalogue === log.catalogue ? log.fingerprints : Fingerprints()
        if let through {
            self.through = through
        } else {
            self.through = try log.head()
        }
        self.validThrough = validThrough
    }

    /// Fingerprints that were computed before; they hold for all reads.
    final class Fingerprints: Sendable {
        private let known = Mutex<[[String]: Fingerprint]>([:])

        func of(
            _ projection: ProjectionDescription, _ rules: RuleSet, in catalogue: Catalogue
        ) throws(LogError) -> Fingerprint {
            let key = [projection.name, rules.name]
            if let fingerprint = known.withLock({ $0[key] }) { return fingerprint }
            let fingerprint = try Fingerprint(of: projection, rules, in: catalogue)
            known.withLock { $0[key] = fingerprint }
            return fingerprint
        }
    }

    /// A walk along one entity, by any of its ids, or along all.
    public func walk(
        of projection: ProjectionDescription, _ key: String?
    ) throws(LogError) -> EntityWalk {
        let few = key == nil ? nil : try followedRenamings(of: projection, key ?? "")
        let events: [RecordedEvent]
        if let few {
            events = few
        } else {
            events = try renamings(of: projection, key.map { [$0] })
        }
        let identities: Identities
        identities = try mappingFoldErrors(try Identities(events, in: catalogue))
        guard let few else { return try walk(of: projection, key, identities) }
        return try foreseen(
            EntityWalk(of: projection, key: key, identities)
                .reading(renamings: Set(few.flatMap(\.tags))))
    }

    /// More followed entities than these are looked up in all renamings of the log at once.
    private static let fewFollowed = 64

    /// The renamings of one entity and of those that it follows; `nil` for a projection that
    /// follows none, and for an entity that follows many.
    private func followedRenamings(
        of projection: ProjectionDescription, _ key: String
    ) throws(LogError) -> [RecordedEvent]? {
        guard !projection.follows.isEmpty else { return nil }
        let kinds = projection.follows.flatMap(catalogue.renamingKinds).map(\.kind)
        guard try log.contents.hasAny(of: Set(kinds)) else { return nil }
        var found: [Position: RecordedEvent] = [:]
        for event in try renamings(of: projection.noun, [key]) { found[event.position] = event }
        let own: Identities
        own = try mappingFoldErrors(
            try Identities(found.values.sorted { $0.position < $1.position }, in: catalogue))
        let walk = EntityWalk(of: projection, key: key, own)
        var followed: [String: Set<String>] = [:]
        let items = walk.ids.map { Query.Item(kinds: projection.kinds, tags: [projection.tag($0)]) }
        try read(Query(items: items) ?? .all, after: .origin, through: through) { event in
            for entity in projection.followed(by: event) {
                followed[entity.noun, default: []].insert(entity.id)
            }
            return followed.values.reduce(0) { $0 + $1.count } <= Self.fewFollowed
        }
        guard followed.values.reduce(0, { $0 + $1.count }) <= Self.fewFollowed else { return nil }
        for (noun, ids) in followed {
            for event in try renamings(of: noun, ids) { found[event.position] = event }
        }
        return found.values.sorted { $0.position < $1.position }
    }

    /// The walk once it knows which of its entities a renaming is about.
    private func foreseen(_ walk: EntityWalk) throws(LogError) -> EntityWalk {
        guard walk.needsForesight else { return walk }
        var walk = walk
        try read(walk.query(catalogue), after: .origin, through: through) { event in
            walk.foresee(event)
            return true
        }
        return walk
    }

    /// The same, where it is known which ids mean the same entity.
    ///
    /// - Parameters:
    ///   - others: events that are not in the log, and are walked over as well.
    ///   - left: events that are not walked over.
    public func walk(
        of projection: ProjectionDescription, _ key: String?, _ identities: Identities,
        with others: [RecordedEvent] = [], without left: Set<Position> = []
    ) throws(LogError) -> EntityWalk {
        var walk = EntityWalk(of: projection, key: key, identities)
        guard walk.needsForesight else { return walk }
        for event in others { walk.foresee(event) }
        try read(walk.query(catalogue), after: .origin, through: through) { event in
            if !left.contains(event.position) { walk.foresee(event) }
            return true
        }
        return walk
    }

    /// The events that renamed these entities, and those that took part in it; or all of them.
    ///
    /// - Parameter others: events that are not in the log, and count as well.
    public func renamings(
        of projection: ProjectionDescription, _ ids: Set<String>?,
        with others: [RecordedEvent] = []
    ) throws(LogError) -> [RecordedEvent] {
        guard ids == nil || !projection.follows.isEmpty else {
            return try renamings(of: projection.noun, ids ?? [], with: others)
        }
        let nouns = [projection.noun] + projection.follows
        let kinds = Set(nouns.flatMap(catalogue.renamingKinds).map(\.kind))
        guard try log.contents.hasAny(of: kinds) else { return [] }
        return try events(Query(items: kinds.map { Query.Item(kinds: [$0]) }))
    }

    /// The events that renamed entities of a noun, and those that took part in it.
    private func renamings(
        of noun: String, _ ids: Set<String>, with others: [RecordedEvent] = []
    ) throws(LogError) -> [RecordedEvent] {
        let own = catalogue.renamingKinds(of: noun)
        guard try log.contents.hasAny(of: Set(own.map(\.kind))) || !others.isEmpty else {
            return []
        }
        let (noun, ids) = catalogue.renamable(noun, ids)
        var fresh = ids
        var found: [Position: RecordedEvent] = [:]
        var known: Set<String> = []
        while !fresh.isEmpty {
            known.formUnion(fresh)
            let items = own.flatMap { kind in
                fresh.sorted().map {
                    Query.Item(kinds: [kind.kind], tags: [Tag(stored: "\(kind.foundBy):\($0)".nfc)])
                }
            }
            let recorded = try events(Query(items: items))
            for event in recorded { found[event.position] = event }
            fresh = try named(noun, by: recorded + others, with: known)
                .subtracting(known)
        }
        return found.values.sorted { $0.position < $1.position }
    }

    /// The ids that events replaced or gave, where one of `known` is among them.
    private func named(
        _ noun: String, by events: [RecordedEvent], with known: Set<String>
    ) throws(LogError) -> Set<String> {
        var ids: Set<String> = []
        do throws(FoldError) {
            for event in events {
                for renaming in try catalogue.renamings(by: event) where renaming.noun == noun {
                    let pair: Set = [renaming.from, renaming.to]
                    if !pair.isDisjoint(with: known) { ids.formUnion(pair) }
                }
            }
        } catch {
            throw .fold(error)
        }
        return ids
    }

    /// The events along a walk, in their newest layouts.
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

    /// Shows the events along a walk one by one, each for every entity it is about, until `body`
    /// returns `false`.
    ///
    /// The events are not copied, where they need not be.
    public func forEach(
        along walk: EntityWalk, after: Position = .origin, through end: Position? = nil,
        _ body: (borrowing EventView, String) throws(LogError) -> Bool
    ) throws(LogError) {
        let events = WalkEvents(along: walk, catalogue, validThrough: validThrough)
        try forEach(of: events, after: after, through: end, body)
    }

    /// The same of a walk that is gone on with, from where it was.
    public func forEach(
        of events: WalkEvents, after: Position = .origin, through end: Position? = nil,
        _ body: (borrowing EventView, String) throws(LogError) -> Bool
    ) throws(LogError) {
        let query = events.walk.query(catalogue)
        try log.visit(query, after: after, through: min(end ?? through, through)) {
            (position, header, bytes, names) throws(LogError) in
            try events.show(position, header, bytes, names, body)
        }
    }

    /// The same, with the events copied, each once with all the entities it is about.
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

    /// The newest ids of all entities of a walk along all, in the order of their bytes; `nil` where
    /// there are more than `limit`.
    public func keys(
        along walk: EntityWalk, atMost limit: Int
    ) throws(LogError) -> [String]? {
        let projection = walk.projection
        guard let ids = try log.ids(of: projection.noun, atMost: limit) else { return nil }
        return Set(ids.map { walk.identities.newest(projection.noun, $0.nfc) })
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Folds the entity of a walk, from the newest snapshot that holds.
    ///
    /// - Parameter end: after the events up to this position; to the reader's own by default.
    public func state(
        along walk: EntityWalk, _ rules: RuleSet, through end: Position? = nil
    ) throws(LogError) -> EntityState {
        let end = min(end ?? through, through)
        var state =
            try snapshot(along: walk, rules, through: end)
            ?? EntityState(fold: walk.projection.fold(rules))
        try forEach(along: walk, after: state.checkpoint.position, through: end) {
            (event, _) throws(LogError) in
            try state.take(event)
            return true
        }
        return state
    }

    /// The newest state that was kept of the entity of a walk.
    ///
    /// An entity of several ids has none: whoever kept one did not know of the others yet.
    private func snapshot(
        along walk: EntityWalk, _ rules: RuleSet, through end: Position
    ) throws(LogError) -> EntityState? {
        guard let key = walk.key, walk.ids.count == 1, walk.projection.follows.isEmpty,
            !walk.projection.holdsPersonalValues, try log.hasSnapshots
        else { return nil }
        let fingerprint = try fingerprints.of(walk.projection, rules, in: catalogue)
        let latest = validThrough ?? Instant(microseconds: .max)
        let found = try log.snapshot(
            of: walk.projection.name, rules, key, through: end, fingerprint, validThrough: latest)
        guard let found else { return nil }
        var state = EntityState(fold: walk.projection.fold(rules))
        do throws(CorruptPayload) {
            try unsafe state.fold.restore(found.state.contents.bytes)
        } catch {
            // A state that cannot be read is none; `verify` tells of it.
            return nil
        }
        state.checkpoint = found.checkpoint
        return state
    }

    /// The events of a query, in their newest layouts.
    ///
    /// - Parameter noun: with all events of the entities that they are about, by their tags.
    public func events(
        matching query: Query, withEntities noun: String? = nil
    ) throws(LogError) -> [RecordedEvent] {
        let found = try events(query)
        guard let noun else { return found }
        var events: [RecordedEvent] = []
        for event in try log.complete(found, withEntities: noun, through: through) {
            if let newest = try newest(event) { events.append(newest) }
        }
        return events
    }

    /// Finds the ids that mean the same entity as this one.
    public func identities(_ noun: String, _ id: String) throws(LogError) -> Identities {
        let events = try renamings(of: noun, [id])
        return try mappingFoldErrors(try Identities(events, in: catalogue))
    }

    /// The event in its newest layout; `nil` where it had not happened by the end of valid time.
    private func newest(_ event: RecordedEvent) throws(LogError) -> RecordedEvent? {
        if let validThrough, event.envelope.occurredAt > validThrough { return nil }
        return try catalogue.newest(event)
    }

    /// The events of a query, as of the moment; none for no query.
    private func events(_ query: Query?) throws(LogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        guard let query else { return events }
        try read(query, after: .origin, through: through) { (event) throws(LogError) in
            events.append(event)
            return true
        }
        return events
    }

    private func read(
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
