import Daybook
import DaybookLog

/// The rows of a story: the events of its subject, and the events that caused them. A first pass
/// over the log finds their positions, and which entities they change.
struct StorySelection {
    /// Positions of the rows, ascending.
    private(set) var positions: [UInt64] = []
    /// Positions of the rows that are only there because they caused another row.
    private(set) var contextPositions: Set<UInt64> = []
    /// The entities of the story: those of its subject first.
    private(set) var entities: [StoryEntity] = []
    /// Tags of the subject's events.
    private(set) var tags: Set<Tag> = []
    /// The time of each of the subject's events; at most `timeLimit` times.
    private(set) var ownTimes: [EventTime] = []
    /// True if entities are left out because there are too many.
    private(set) var leavesOutEntities = false
    /// Number of the subject's entities at the beginning of `entities`.
    private(set) var ownEntityCount = 0

    private let reading: ProjectionReading
    private let options: StoryOptions
    private let window: ReadWindow
    /// Selects the events of the subject that meet the conditions, and possibly others.
    private let filter: EventFilter
    /// Walks of the subject's entities; empty if `query` alone selects the events.
    private var walks: [EntityWalk] = []
    /// Tags of the subject's entities.
    private let ownTags: Set<Tag>

    /// Largest number of times that are kept.
    private static let timeLimit = 1_000
    /// Largest number of entities that are not the subject's.
    private static let otherEntityLimit = 2_000

    init(_ options: StoryOptions, in reading: ProjectionReading) throws {
        self.reading = reading
        self.options = options
        let last = min(options.through ?? reading.through, reading.through)
        window = ReadWindow(from: options.from, through: last)
        let query: Query
        switch options.subject {
        case .entities(let projection, let keys):
            walks = try keys.map { try reading.entities.walk(of: projection, $0) }
            let tags = walks.flatMap { $0.ids.map(projection.tag) }
            ownTags = Set(tags)
            // Events of other areas about the entity have its tag too.
            let items = walks.flatMap { $0.query(reading.catalogue).items ?? [] }
            query = Query(items: items + tags.map { Query.Item(tags: [$0]) }) ?? .all
        case .projection(let projection):
            walks = [try reading.entities.walk(of: projection, nil)]
            query = projection.query(key: nil)
            ownTags = []
        case .tag(let tag):
            let (noun, id) = (String(tag.noun), String(tag.id))
            let ids = try reading.entities.identities(noun, id).all(noun, id)
            ownTags = Set([tag] + ids.compactMap { Tag("\(noun):\($0)") })
            query = Query(items: ownTags.sorted().map { Query.Item(tags: [$0]) }) ?? .all
        case .events:
            query = .all
            ownTags = []
        }
        var filter = options.conditions
        filter.query = query
        self.filter = filter
        guard window.from <= last else { return }
        try findRows()
    }

    /// True if an event, in its newest schema version, is one of the subject's.
    private func isOwn(_ newest: RecordedEvent) -> Bool {
        if walks.isEmpty { return true }
        if walks.contains(where: { !$0.keys(of: newest).isEmpty }) { return true }
        return newest.tags.contains(where: ownTags.contains)
    }

    /// Calls `body` with each event of the subject, as recorded and newest, and its commit.
    func forEachOwnEvent(
        _ body: (RecordedEvent, RecordedEvent, RecordedCommit) throws(LogError) -> Void
    ) throws(LogError) {
        guard window.through ?? .origin >= window.from else { return }
        let reader = FilteredReader(reading.log, filter, window, describedBy: reading.catalogue)
        try reader.forEachInFull { (event, commit, _) throws(LogError) in
            guard reading.includes(event) else { return true }
            let newest = try folding { () throws(FoldError) in try reading.catalogue.upcast(event) }
            if isOwn(newest) { try body(event, newest, commit) }
            return true
        }
    }

    /// Finds the rows, the entities that they change, and the events that caused them.
    private mutating func findRows() throws {
        var own: [UInt64] = []
        var causes: Set<UInt64> = []
        var found = FoundEntities(options, in: reading)
        var tags: Set<Tag> = []
        var times: [EventTime] = []
        try forEachOwnEvent { (_, newest, commit) throws(LogError) in
            own.append(newest.position.rawValue)
            tags.formUnion(newest.tags)
            if times.count < Self.timeLimit {
                let envelope = newest.envelope
                times.append(EventTime(at: envelope.occurredAt, offsetS: envelope.offsetS))
            }
            if let cause = commit.metadata.causation, cause > .origin, cause < newest.position {
                causes.insert(cause.rawValue)
            }
            try found.add(newest)
        }
        self.tags = tags
        ownTimes = times
        causes.subtract(own)
        contextPositions = try adding(causesOf: causes, but: Set(own))
        positions = (own + contextPositions).sorted()
        let mainKeys = walks.compactMap(\.key)
        (entities, ownEntityCount, leavesOutEntities) = found.entities(
            mainKeys, limit: Self.otherEntityLimit)
    }

    /// Adds to positions those of the events that caused them, directly or through others.
    private func adding(
        causesOf positions: Set<UInt64>, but known: Set<UInt64>
    ) throws(LogError) -> Set<UInt64> {
        var all: Set<UInt64> = []
        var fresh = positions
        while !fresh.isEmpty {
            var causes: Set<UInt64> = []
            for position in fresh.sorted() {
                try forEvent(at: position) { (event, _, commit) throws(LogError) in
                    all.insert(position)
                    guard let cause = commit.metadata.causation, cause > .origin,
                        cause < event.position
                    else { return }
                    causes.insert(cause.rawValue)
                }
            }
            fresh = causes.subtracting(all).subtracting(known)
        }
        return all
    }

    /// Calls `body` with the event at a position; not at all if the reading leaves it out.
    func forEvent(
        at position: UInt64,
        _ body: (RecordedEvent, RecordedEvent, RecordedCommit) throws(LogError) -> Void
    ) throws(LogError) {
        let window = ReadWindow(from: Position(position), through: Position(position))
        guard Position(position) <= reading.through else { return }
        try reading.log.reader(.all, window).forEachInFull { (event, commit, _) throws(LogError) in
            guard reading.includes(event) else { return true }
            let newest = try folding { () throws(FoldError) in try reading.catalogue.upcast(event) }
            try body(event, newest, commit)
            return true
        }
    }
}

/// An entity of a story.
struct StoryEntity {
    var projection: ProjectionDescription
    /// Newest id of the entity.
    var key: String
}

/// The entities that the events of a story change.
private struct FoundEntities {
    /// A projection with the entities that were found, in the order of their first events.
    private struct Group {
        let walk: EntityWalk
        var keys: [String] = []
        var known: Set<String> = []
    }

    private let reading: ProjectionReading
    /// Name of the only projection whose entities are found; `nil` for all projections.
    private let mainProjection: String?
    /// Projections by the kinds that they fold.
    private var projections: [EventKind: [String]] = [:]
    private var groups: [String: Group] = [:]

    init(_ options: StoryOptions, in reading: ProjectionReading) {
        self.reading = reading
        switch options.subject {
        case .entities(let projection, _), .projection(let projection):
            mainProjection = projection.name
        case .tag, .events: mainProjection = nil
        }
        for projection in reading.catalogue.projections.values {
            for kind in projection.kinds { projections[kind, default: []].append(projection.name) }
        }
    }

    /// Adds the entities that an event is about.
    mutating func add(_ event: RecordedEvent) throws(LogError) {
        for name in projections[event.kind] ?? [] {
            if groups[name] == nil, let projection = reading.catalogue.projections[name] {
                groups[name] = Group(walk: try reading.entities.walk(of: projection, nil))
            }
            for key in groups[name]?.walk.keys(of: event) ?? [] {
                guard groups[name]?.known.insert(key).inserted == true else { continue }
                groups[name]?.keys.append(key)
            }
        }
    }

    /// Returns the entities, those of the subject first, which has these `keys` or all of its
    /// projection; the others follow by projection, unless there are more than `limit`.
    func entities(
        _ keys: [String], limit: Int
    ) -> (entities: [StoryEntity], ownCount: Int, leavesOut: Bool) {
        var own: [StoryEntity] = []
        var others: [StoryEntity] = []
        for (name, group) in groups.sorted(by: { $0.key.precedesByBytes($1.key) }) {
            let isMain = mainProjection.map { $0 == name } ?? true
            for key in group.keys {
                let entity = StoryEntity(projection: group.walk.projection, key: key)
                if isMain, keys.isEmpty || keys.contains(key) {
                    own.append(entity)
                } else {
                    others.append(entity)
                }
            }
        }
        guard others.count <= limit else { return (own, own.count, true) }
        return (own + others, own.count, false)
    }
}

/// The time at which an event happened.
struct EventTime {
    var at: Instant
    /// The offset of its device's clock, in seconds east of UTC.
    var offsetS: Int32

    /// Returns the day by the clock of a zone; by that of the device for `nil`.
    func day(in zone: Zone?) -> CivilDate {
        if let zone { return zone.day(at: at) }
        let second = at.second.addingReportingOverflow(Int64(offsetS)).partialValue
        let day = second / 86_400
        return CivilDate(daysSince1970: Int(second % 86_400 < 0 ? day - 1 : day))
    }
}
