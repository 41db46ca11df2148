/// A walk over the events of a projection's entities that replaces each old id by the newest one.
///
/// Pass the events of `query` to `keys(of:)` in order. If `needsReadAhead` is true, pass all of
/// these events to `readAhead` first.
package struct EntityWalk: Sendable {
    /// The projection whose entities are walked.
    public private(set) var projection: ProjectionDescription
    /// Newest id of the only entity whose events are walked; `nil` for all entities.
    public private(set) var key: String?
    /// The renamings of entities that the walk takes into account.
    public let identities: Identities
    /// Tags of the renaming events that the walk reads; `nil` if it reads all renaming events.
    private var renamingTags: Set<Tag>?
    /// Newest ids of walked entities, by the newest tag of a renamed entity that they refer to.
    private var referringIDs: [Tag: Set<String>] = [:]

    /// Creates a walk along one entity, by any of its ids, or along all entities of a projection.
    public init(
        of projection: ProjectionDescription, key: String? = nil,
        _ identities: Identities = Identities()
    ) {
        self.projection = projection
        self.identities = identities
        self.key = key.map { identities.newest(projection.noun, $0.nfc) }
    }

    /// Returns a copy that walks along one entity, of which `key` is any id.
    public func narrowed(to key: String) -> EntityWalk {
        var walk = self
        walk.key = identities.newest(projection.noun, key.nfc)
        walk.renamingTags = nil
        return walk
    }

    /// True if all events must be passed to `readAhead` before the walk.
    ///
    /// A renaming may come before the events that show which entities refer to the renamed entity.
    public var needsReadAhead: Bool { !projection.followedNouns.isEmpty && !identities.isEmpty }

    /// Collects, from one event, which of the walked entities refer to renamed entities.
    public mutating func readAhead(_ event: RecordedEvent) {
        let keys = ownKeys(of: event)
        guard !keys.isEmpty else { return }
        for tag in renamedEntities(in: event) { referringIDs[tag, default: []].formUnion(keys) }
    }

    /// A copy for another thread, whose folds share no reference-counted object with other walks.
    public var unshared: EntityWalk {
        var walk = self
        walk.projection = projection.unshared
        return walk
    }

    /// Every id of the walked entity, the newest first; empty for a walk along all entities.
    public var ids: [String] { key.map { identities.all(projection.noun, $0) } ?? [] }

    /// Returns the query of the events to walk over, also renamings of entities that are followed.
    public func query(_ catalogue: Catalogue) -> Query {
        guard key != nil else { return projection.query(key: nil) }
        var items = ids.map { Query.Item(kinds: projection.kinds, tags: [projection.tag($0)]) }
        let kinds = Set(projection.followedNouns.flatMap(catalogue.renamingKinds).map(\.kind))
        guard !kinds.isEmpty, !identities.isEmpty else { return Query(items: items) ?? .all }
        if let renamingTags {
            items += renamingTags.sorted().map { Query.Item(kinds: kinds, tags: [$0]) }
        } else {
            items.append(Query.Item(kinds: kinds))
        }
        return Query(items: items) ?? .all
    }

    /// Returns a copy that reads only the renaming events with one of these tags.
    public func readingOnly(renamingsTagged tags: Set<Tag>) -> EntityWalk {
        var walk = self
        walk.renamingTags = tags
        return walk
    }

    /// Returns the newest ids of the walked entities that an event concerns, in byte order.
    ///
    /// A renaming concerns every entity that refers to the renamed entity.
    public func keys(of event: RecordedEvent) -> [String] {
        var keys = ownKeys(of: event)
        if keys.isEmpty, needsReadAhead, identities.kinds.contains(event.kind) {
            keys = Set(renamedEntities(in: event).flatMap { referringIDs[$0] ?? [] })
                .sorted { $0.precedesByBytes($1) }
        }
        guard let key else { return keys }
        return keys.contains(key) ? [key] : []
    }

    /// Returns the newest ids of the projection's entities that an event's tags name.
    private func ownKeys(of event: RecordedEvent) -> [String] {
        let ids = projection.keys(of: event)
        guard ids.count > 1 || !identities.isEmpty else { return ids }
        var keys: [String] = []
        for id in ids {
            let newest = identities.newest(projection.noun, id)
            if !keys.contains(newest) { keys.append(newest) }
        }
        return keys.sorted { $0.precedesByBytes($1) }
    }

    /// Returns the newest tags of the renamed entities that an event refers to.
    private func renamedEntities(in event: RecordedEvent) -> Set<Tag> {
        var tags: Set<Tag> = []
        for entity in projection.followedEntities(in: event)
        where identities.isRenamed(entity.noun, entity.id) {
            let newest = identities.newest(entity.noun, entity.id)
            tags.insert(Tag(stored: "\(entity.noun):\(newest)"))
        }
        return tags
    }

    /// Returns the events that concern one entity (any id of it), upcast to their newest layouts.
    public static func events(
        of projection: ProjectionDescription, _ key: String,
        among events: some Sequence<RecordedEvent>, in catalogue: Catalogue
    ) throws(FoldError) -> [RecordedEvent] {
        var newest: [RecordedEvent] = []
        var identities = Identities()
        for event in events {
            let event = try catalogue.upcast(event)
            try identities.add(event, in: catalogue)
            if projection.kinds.contains(event.kind) { newest.append(event) }
        }
        var walk = EntityWalk(of: projection, key: key, identities)
        if walk.needsReadAhead { newest.forEach { walk.readAhead($0) } }
        return newest.filter { !walk.keys(of: $0).isEmpty }
    }
}
