/// A walk over the events of a projection's entities, each known by its newest id.
///
/// Feed it what `query` finds, in order; all of it to `foresee` first, where it `needsForesight`.
public struct EntityWalk: Sendable {
    /// The projection whose entities are walked.
    public private(set) var projection: ProjectionDescription
    /// Newest id of the entity whose events are walked; `nil` for all entities.
    public private(set) var key: String?
    /// The ids of the entities, as far as they are known.
    public let identities: Identities
    /// Tags of the renamings that the entity of the walk needs; `nil` where all are read.
    private var renamings: Set<Tag>?
    /// Entities with events about a renamed entity that the projection follows, by its newest id.
    private var mentions: [Tag: Set<String>] = [:]

    /// - Parameters:
    ///   - key: by any of its ids.
    ///   - identities: as far as the walk will see them.
    public init(
        of projection: ProjectionDescription, key: String? = nil,
        _ identities: Identities = Identities()
    ) {
        self.projection = projection
        self.identities = identities
        self.key = key.map { identities.newest(projection.noun, $0.nfc) }
    }

    /// A copy of the walk along one of the entities.
    public func narrowed(to key: String) -> EntityWalk {
        var walk = self
        walk.key = identities.newest(projection.noun, key.nfc)
        walk.renamings = nil
        return walk
    }

    /// `true` if all events must be preloaded: a renaming may come before the events that show
    /// which entities refer to the renamed one.
    public var needsForesight: Bool { !projection.follows.isEmpty && !identities.isEmpty }

    /// Notes the entities that an event connects with renamed ones.
    public mutating func foresee(_ event: RecordedEvent) {
        let keys = ownKeys(of: event)
        guard !keys.isEmpty else { return }
        for tag in renamed(by: event) { mentions[tag, default: []].formUnion(keys) }
    }

    /// A copy whose folds share no reference-counted object with other walks.
    public var unshared: EntityWalk {
        var walk = self
        walk.projection = projection.unshared
        return walk
    }

    /// Every id of the entity, the newest first; none for a walk along all.
    public var ids: [String] {
        key.map { identities.all(projection.noun, $0) } ?? []
    }

    /// The events to walk over.
    ///
    /// - Parameter catalogue: whose kinds rename what the projection follows.
    public func query(_ catalogue: Catalogue) -> Query {
        guard key != nil else { return projection.query(key: nil) }
        var items = ids.map {
            Query.Item(kinds: projection.kinds, tags: [projection.tag($0)])
        }
        let kinds = Set(projection.follows.flatMap(catalogue.renamingKinds).map(\.kind))
        guard !kinds.isEmpty, !identities.isEmpty else { return Query(items: items) ?? .all }
        if let renamings {
            items += renamings.sorted().map { Query.Item(kinds: kinds, tags: [$0]) }
        } else {
            items.append(Query.Item(kinds: kinds))
        }
        return Query(items: items) ?? .all
    }

    /// A copy that reads no other renamings than those with one of the tags.
    public func reading(renamings: Set<Tag>) -> EntityWalk {
        var walk = self
        walk.renamings = renamings
        return walk
    }

    /// The entities that an event is about, in the order of their ids' bytes.
    public func keys(of event: RecordedEvent) -> [String] {
        var keys = ownKeys(of: event)
        if keys.isEmpty, needsForesight, identities.kinds.contains(event.kind) {
            keys = Set(renamed(by: event).flatMap { mentions[$0] ?? [] })
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        guard let key else { return keys }
        return keys.contains(key) ? [key] : []
    }

    /// The entities that an event names, by their newest ids.
    private func ownKeys(of event: RecordedEvent) -> [String] {
        let ids = projection.keys(of: event)
        guard ids.count > 1 || !identities.isEmpty else { return ids }
        var keys: [String] = []
        for id in ids {
            let newest = identities.newest(projection.noun, id)
            if !keys.contains(newest) { keys.append(newest) }
        }
        return keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The followed entities of an event that have several ids, by the newest of them.
    private func renamed(by event: RecordedEvent) -> Set<Tag> {
        var tags: Set<Tag> = []
        for entity in projection.followed(by: event)
        where identities.isRenamed(entity.noun, entity.id) {
            let newest = identities.newest(entity.noun, entity.id)
            tags.insert(Tag(stored: "\(entity.noun):\(newest)"))
        }
        return tags
    }
}

extension EntityWalk {
    /// The events of one entity among others, in their newest layouts.
    ///
    /// - Parameter key: any of its ids.
    public static func events(
        of projection: ProjectionDescription, _ key: String,
        among events: some Sequence<RecordedEvent>, in catalogue: Catalogue
    ) throws(FoldError) -> [RecordedEvent] {
        var newest: [RecordedEvent] = []
        var identities = Identities()
        for event in events {
            let event = try catalogue.upcast(event)
            try identities.take(event, in: catalogue)
            if projection.kinds.contains(event.kind) { newest.append(event) }
        }
        var walk = EntityWalk(of: projection, key: key, identities)
        if walk.needsForesight { newest.forEach { walk.foresee($0) } }
        return newest.filter { !walk.keys(of: $0).isEmpty }
    }
}
