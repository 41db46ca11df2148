/// A walk over the events of a projection's entities, each known by its newest id.
///
/// Feed it what `query` finds, in order.
public struct EntityWalk: Sendable {
    public let projection: ProjectionDescription
    /// The newest id of the entity that is walked along; `nil` for all of them.
    public let key: String?
    public let identities: Identities
    /// By id of a renamed entity that the projection follows: who had an event that is about it.
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
        self.key = key.map { identities.newest(projection.noun, $0) }
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
        if !kinds.isEmpty, !identities.isEmpty { items.append(Query.Item(kinds: kinds)) }
        return Query(items: items) ?? .all
    }

    /// The entities that the next event is about, in the order of its tags.
    public mutating func keys(of event: RecordedEvent) -> [String] {
        var keys: [String] = []
        guard !identities.isEmpty else {
            keys = projection.keys(of: event)
            return keys.count < 2 && key == nil ? keys : keys.asked(key)
        }
        for id in projection.keys(of: event) {
            let newest = identities.newest(projection.noun, id)
            if !keys.contains(newest) { keys.append(newest) }
        }
        for tag in event.tags where projection.follows.contains(String(tag.noun)) {
            guard identities.isRenamed(String(tag.noun), String(tag.id)) else { continue }
            // One entity, one mention, by whichever of its ids.
            let newest = Tag(
                stored: "\(tag.noun):\(identities.newest(String(tag.noun), String(tag.id)))")
            if keys.isEmpty { keys = mentions[newest, default: []].sorted() }
            mentions[newest, default: []].formUnion(keys)
        }
        return keys.asked(key)
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
        return newest.filter { !walk.keys(of: $0).isEmpty }
    }
}

extension [String] {
    /// Each once, and only the one that is asked for.
    fileprivate func asked(_ key: String?) -> [String] {
        if let key { return contains(key) ? [key] : [] }
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
