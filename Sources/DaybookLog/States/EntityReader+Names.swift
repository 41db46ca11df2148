package import Daybook

// The ids of entities.
extension EntityReader {
    /// The maximum number of entities in a state whose renamings are read one entity at a time.
    private static let followedLimit = 64

    /// Returns the events that gave a new id to an entity, or to any entity that its state refers
    /// to.
    ///
    /// - Returns: `nil` if the projection's states refer to no other entities, if the log has no
    ///   event that renames such entities, or if the entity's state refers to more than
    ///   `followedLimit` entities.
    ///
    /// - Parameter later: later events that gave the entity its id.
    func followedRenamings(
        of projection: ProjectionDescription, _ key: String, _ later: [RecordedEvent]
    ) throws(LogError) -> [RecordedEvent]? {
        guard !projection.followedNouns.isEmpty else { return nil }
        let kinds = projection.followedNouns.flatMap(catalogue.renamingKinds).map(\.kind)
        guard try log.contents.hasAny(of: Set(kinds)) else { return nil }
        var found: [Position: RecordedEvent] = [:]
        for event in try renamings(of: projection.noun, [key], with: later) + later {
            found[event.position] = event
        }
        let own = try identities(of: found.values.sorted { $0.position < $1.position })
        let walk = EntityWalk(of: projection, key: key, own)
        var followed: [String: Set<String>] = [:]
        let items = walk.ids.map { Query.Item(kinds: projection.kinds, tags: [projection.tag($0)]) }
        try read(Query(items: items) ?? .all, after: .origin, through: through) { event in
            for entity in projection.followedEntities(in: event) {
                followed[entity.noun, default: []].insert(entity.id)
            }
            return followed.values.reduce(0) { $0 + $1.count } <= Self.followedLimit
        }
        guard followed.values.reduce(0, { $0 + $1.count }) <= Self.followedLimit else { return nil }
        for (noun, ids) in followed {
            for event in try renamings(of: noun, ids) { found[event.position] = event }
        }
        return found.values.sorted { $0.position < $1.position }
    }

    /// Returns the events that gave new ids to these entities, directly or through intermediate
    /// ids.
    ///
    /// - Parameters:
    ///   - ids: the ids to start from; `nil` for all events that rename entities of the projection.
    ///     If states of the projection refer to other entities, all such events are returned in any
    ///     case.
    ///   - others: events outside the log that may connect further ids; the result does not contain
    ///     them.
    public func renamings(
        of projection: ProjectionDescription, _ ids: Set<String>?,
        with others: [RecordedEvent] = []
    ) throws(LogError) -> [RecordedEvent] {
        guard ids == nil || !projection.followedNouns.isEmpty else {
            return try renamings(of: projection.noun, ids ?? [], with: others)
        }
        let nouns = [projection.noun] + projection.followedNouns
        let kinds = Set(nouns.flatMap(catalogue.renamingKinds).map(\.kind))
        guard try log.contents.hasAny(of: kinds) else { return [] }
        return try renamings(matching: Query(items: kinds.map { Query.Item(kinds: [$0]) }))
    }

    /// Returns the events after the reader's last position that gave an entity this id, or one of
    /// the ids that it replaced.
    ///
    /// Ids hold for all time: one that no event knows yet means the entities whose ids it replaced
    /// later. Once an event knows the id, it means what the log then knew, and nothing is returned.
    public func laterRenamings(
        of noun: String, _ id: String
    ) throws(LogError) -> [RecordedEvent] {
        let own = catalogue.renamingKinds(of: noun)
        guard try log.contents.hasAny(of: Set(own.map(\.kind))), try through < log.head() else {
            return []
        }
        let (partNoun, ids) = catalogue.renamable(noun, [id.nfc])
        let nouns = Set([partNoun] + own.map(\.foundBy))
        let tags =
            [Tag(stored: "\(noun):\(id.nfc)")]
            + nouns.sorted().flatMap { noun in
                ids.sorted().map { Tag(stored: "\(noun):\($0)") }
            }
        let window = ReadWindow(through: through)
        let known = try log.reader(
            Query(items: tags.map { Query.Item(tags: [$0]) }) ?? .all, window
        ).collect(limit: 1)
        guard known.isEmpty else { return [] }
        let all = try EntityReader(log, catalogue).renamings(of: partNoun, ids)
        let identities = try identities(of: all)
        let replaced = Set(ids.flatMap { identities.replaced(partNoun, by: $0) })
        var later: [RecordedEvent] = []
        for event in all where event.position > through {
            let renamings = try renamings(by: event)
            if renamings.contains(where: { $0.noun == partNoun && replaced.contains($0.from) }) {
                later.append(event)
            }
        }
        return later
    }

    /// Returns the events that gave new ids to entities whose tags have a noun, directly or through
    /// intermediate ids.
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
            let recorded = try renamings(matching: Query(items: items))
            for event in recorded { found[event.position] = event }
            fresh = try linkedIDs(noun, by: recorded + others, with: known)
                .subtracting(known)
        }
        return found.values.sorted { $0.position < $1.position }
    }

    /// Returns the old and the new id of each renaming in these events that involves one of the
    /// known ids.
    private func linkedIDs(
        _ noun: String, by events: [RecordedEvent], with known: Set<String>
    ) throws(LogError) -> Set<String> {
        var ids: Set<String> = []
        for event in events {
            for renaming in try renamings(by: event) where renaming.noun == noun {
                let pair: Set = [renaming.from, renaming.to]
                if !pair.isDisjoint(with: known) { ids.formUnion(pair) }
            }
        }
        return ids
    }

    /// Returns the identities to which events that rename entities lead.
    func identities(of events: [RecordedEvent]) throws(LogError) -> Identities {
        try mappingFoldErrors(try Identities(events, in: catalogue))
    }

    /// Returns the renamings by an event.
    private func renamings(by event: RecordedEvent) throws(LogError) -> [Renaming] {
        try mappingFoldErrors(try catalogue.renamings(by: event))
    }

    /// Returns the identities that connect an id of an entity with all other ids of the entity.
    public func identities(_ noun: String, _ id: String) throws(LogError) -> Identities {
        let later = try laterRenamings(of: noun, id)
        let events = try renamings(of: noun, [id], with: later) + later
        return try identities(of: events)
    }

    /// Returns the renaming events that match a query, up to the last position to read; none if
    /// `query` is `nil`.
    ///
    /// They count whenever they occurred, because ids hold for all time.
    private func renamings(matching query: Query?) throws(LogError) -> [RecordedEvent] {
        guard let query else { return [] }
        var events: [RecordedEvent] = []
        for event in try log.reader(query, ReadWindow(through: through)).collect() {
            events.append(try catalogue.newest(event))
        }
        return events
    }
}
