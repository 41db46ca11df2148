package import Daybook
import DaybookLog

/// Lookup of the zone of an entity in a log, such as the zone of a baby's profile.
package struct EntityZone {
    private let reading: ProjectionReading
    private let source: ZoneSource

    /// Largest number of events to search, newest first.
    private static let maxEvents = 1_000

    package init(_ reading: ProjectionReading, _ source: ZoneSource) {
        self.reading = reading
        self.source = source
    }

    /// Returns the zone of the entity; `nil` if the log has no zone for it. It is the entity's own
    /// zone; else the device's zone in the newest event with a zone.
    package func zone(of tag: Tag) throws -> Zone? {
        if let own = try ownZone(of: tag) { return own }
        let tags = reading.catalogue.people.tags(naming: tag)
        guard let query = Query(items: tags.map { Query.Item(tags: [$0]) }) else { return nil }
        var left = Self.maxEvents
        var zone: Zone?
        try reading.log.reader(query, ReadWindow(.descending)).forEach { event in
            left -= 1
            if !event.zone.isEmpty {
                zone = try? source.zone(event.zone)
            } else if event.envelope.offsetS != 0 {
                zone = Zone(fixedOffset: Timestamp.offset(Int(event.envelope.offsetS)))
            }
            return zone == nil && left > 0
        }
        return zone
    }

    /// Returns the zone in the field of the entity's state that an import format declares for it;
    /// `nil` if it names none.
    func ownZone(of tag: Tag) throws -> Zone? {
        let nouns = Set(reading.catalogue.people.tags(naming: tag).map { String($0.noun) })
        for (projection, field) in declared where nouns.contains(projection.noun) {
            do {
                let fold = try reading.states(of: projection, String(tag.id), .standard).values
                    .first
                let leaf = fold?.leaves.first { $0.path == field }
                guard let value = leaf.flatMap({ try? JSONParser.parse($0.value.utf8) }),
                    case .text(let name) = value.content
                else { continue }
                if let zone = try? source.zone(name) { return zone }
            } catch QuestionError.unknownEntity {
                continue
            }
        }
        return nil
    }

    /// Returns the own zones of at most `limit` entities that tags name, without repetitions.
    func ownZones(of tags: some Sequence<Tag>, limit: Int) throws -> [Zone] {
        let nouns = Set(declared.map(\.projection.noun))
        // A baby's zone is in its profile, which has a tag of its own.
        let people = reading.catalogue.people
        let named = Set(
            tags.lazy.compactMap { tag in
                people.tags(naming: tag).first { nouns.contains(String($0.noun)) }
            })
        var zones: [Zone] = []
        for tag in named.sorted().prefix(limit) {
            guard let zone = try ownZone(of: tag), !zones.contains(where: { $0.name == zone.name })
            else { continue }
            zones.append(zone)
        }
        return zones
    }

    /// The projections whose states name a zone, each with its field.
    private var declared: [(projection: ProjectionDescription, field: String)] {
        reading.catalogue.imports.compactMap { format in
            guard case .needed(let name, let field) = format.zone,
                let projection = reading.catalogue.projections[name]
            else { return nil }
            return (projection, field)
        }
    }
}
