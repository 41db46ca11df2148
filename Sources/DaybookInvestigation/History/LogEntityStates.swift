public import Daybook
import DaybookLog

extension ProjectionReading: EntityStates {
    /// Maximum number of entities that are read one by one; for more, all events of the
    /// projection's kinds are read at once.
    private static let maxSeparateEntities = 2_000

    /// Returns the state of each entity by its tag; an entity without events has the blank state.
    public func states<Target: Projection>(
        _ projection: Target.Type, of tags: [Tag]
    ) throws -> [Tag: Target.State] {
        let asked = Set(tags)
        var states: [Tag: Target.State] = [:]
        for tag in asked { states[tag] = .blank }
        let renamed = try nounsWithRenamedIDs(among: asked)
        guard asked.count <= Self.maxSeparateEntities else {
            var entities: [Tag: Set<Tag>] = [:]
            let identities = try identities(of: renamed)
            for tag in asked {
                for other in Self.tags(of: tag, identities) {
                    entities[other, default: []].insert(tag)
                }
            }
            try fold(projection, Query(Query.Item(kinds: Target.kinds)), entities, into: &states)
            return states
        }
        for tag in asked.sorted() {
            let (noun, id) = (String(tag.noun), String(tag.id))
            let tags =
                renamed.contains(noun)
                ? Self.tags(of: tag, try entities.identities(noun, id)) : [tag]
            try fold(
                projection, .any(of: Target.kinds, tags),
                Dictionary(uniqueKeysWithValues: tags.map { ($0, [tag]) }), into: &states)
        }
        return states
    }

    /// Returns the nouns (`baby` in `baby:7`) of tags whose entities may have other ids in the log.
    private func nounsWithRenamedIDs(among tags: Set<Tag>) throws(LogError) -> Set<String> {
        var renamed: Set<String> = []
        for noun in Set(tags.map { String($0.noun) }) {
            let kinds = Set(catalogue.renamingKinds(of: noun).map(\.kind))
            if !kinds.isEmpty, try log.contents.hasAny(of: kinds) { renamed.insert(noun) }
        }
        return renamed
    }

    /// Finds out which ids denote the same entity, for all entities of the types that `nouns` names
    /// (`baby` in `baby:7`).
    private func identities(of nouns: Set<String>) throws(LogError) -> Identities {
        let kinds = Set(nouns.flatMap(catalogue.renamingKinds).map(\.kind))
        guard !kinds.isEmpty else { return Identities() }
        let events = try entities.events(matching: Query(Query.Item(kinds: kinds)))
        return try folding { () throws(FoldError) in try Identities(events, in: catalogue) }
    }

    /// Returns the tags of an entity, one for each id that it has had.
    private static func tags(of tag: Tag, _ identities: Identities) -> [Tag] {
        let ids = identities.all(String(tag.noun), String(tag.id))
        return Set(ids.map { Tag(stored: "\(tag.noun):\($0)".nfc) }).sorted()
    }

    /// Folds each event that matches a query into the states; `entities` has, for each tag of an
    /// event, the requested tags of the same entity.
    private func fold<Target: Projection>(
        _ projection: Target.Type, _ query: Query, _ entities: [Tag: Set<Tag>],
        into states: inout [Tag: Target.State]
    ) throws(LogError) {
        let reader = KindReader<Target.Event>()
        let latest = self.entities.validThrough
        try log.reader(query, ReadWindow(through: through)).forEach { (event) throws(LogError) in
            if let latest, event.envelope.occurredAt > latest { return true }
            let asked = Set(event.tags.flatMap { entities[$0] ?? [] })
            guard !asked.isEmpty else { return true }
            let newest = try folding { () throws(FoldError) in try catalogue.upcast(event) }
            let texts = try personalTexts(of: newest)
            try folding { () throws(FoldError) in
                guard let known = try reader.read(newest, filling: texts) else { return }
                for tag in asked {
                    Target.evolve(&states[tag, default: .blank], with: known, newest.envelope)
                }
            }
            return true
        }
    }
}
