import CivilTime
import EventSourcing
import EventStorage

/// What a fold finds wrong is wrong with the log that it reads.
func folding<Value>(_ body: () throws(FoldError) -> Value) throws(LogError) -> Value {
    do throws(FoldError) {
        return try body()
    } catch {
        throw .fold(error)
    }
}

/// Reads of a log what projections need, as of a moment on either clock.
struct ProjectionReading {
    let log: EventLog
    let catalogue: Catalogue
    /// The last position to read.
    let through: Position
    /// The end of valid time; `nil` for none.
    let validThrough: Instant?
    private let moment: MomentOptions

    init(_ log: EventLog, _ moment: MomentOptions, _ catalogue: Catalogue) throws {
        self.log = log
        self.catalogue = catalogue
        self.moment = moment
        through = try moment.through(log)
        validThrough = try moment.validThrough()
    }

    /// A walk along one entity, by any of its ids, or along all.
    func walk(
        of projection: ProjectionDescription, _ key: String?
    ) throws(LogError) -> EntityWalk {
        let events = try renamings(of: projection, key.map { [$0] })
        return EntityWalk(
            of: projection, key: key,
            try folding { () throws(FoldError) in try Identities(events, in: catalogue) })
    }

    /// The events that renamed these entities, and those that took part in it; or all of them.
    ///
    /// - Parameter others: events that are not in the log, and count as well.
    func renamings(
        of projection: ProjectionDescription, _ ids: Set<String>?,
        with others: [RecordedEvent] = []
    ) throws(LogError) -> [RecordedEvent] {
        let own = catalogue.renamingKinds(of: projection.noun)
        let followed = projection.follows.flatMap(catalogue.renamingKinds)
        guard try log.hasAny(Set((own + followed).map(\.kind))) || !others.isEmpty else {
            return []
        }
        guard var fresh = ids, followed.isEmpty else {
            return try events(Query(items: (own + followed).map { .init(kinds: [$0.kind]) }))
        }
        var found: [Position: RecordedEvent] = [:]
        var known: Set<String> = []
        while !fresh.isEmpty {
            known.formUnion(fresh)
            let items = own.flatMap { kind in
                fresh.sorted().map {
                    Query.Item(
                        kinds: [kind.kind], tags: [Tag(stored: "\(kind.foundBy):\($0)")])
                }
            }
            let recorded = try events(Query(items: items))
            for event in recorded { found[event.position] = event }
            let named = try folding { () throws(FoldError) in
                var ids: Set<String> = []
                for event in recorded + others {
                    let renamings = try catalogue.renamings(by: event)
                    for renaming in renamings where renaming.noun == projection.noun {
                        let pair: Set = [renaming.from, renaming.to]
                        if !pair.isDisjoint(with: known) { ids.formUnion(pair) }
                    }
                }
                return ids
            }
            fresh = named.subtracting(known)
        }
        return found.values.sorted { $0.position < $1.position }
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

    /// The events along a walk, in their newest layouts.
    func events(along walk: EntityWalk) throws(LogError) -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        var walk = walk
        try forEach(along: &walk) { (event, _) throws(LogError) in
            events.append(event)
            return true
        }
        return events
    }

    /// The newest id of an entity, and its events.
    ///
    /// - Throws: what is said where there are none.
    func entity(
        of projection: ProjectionDescription, _ key: String
    ) throws -> (key: String, events: [RecordedEvent]) {
        let walk = try walk(of: projection, key)
        let events = try events(along: walk)
        guard !events.isEmpty else { throw nothing(of: projection.noun, key) }
        return (walk.key ?? key, events)
    }

    /// What is said of a key that is in no event.
    func nothing(of noun: String, _ key: String) -> Failure {
        Failure(
            .finding,
            "no event of \(noun) '\(key)' up to position \(through)" + moment.hint(through))
    }

    /// Shows the events along a walk one by one, each with the entities it is about, until `body`
    /// returns `false`.
    func forEach(
        along walk: inout EntityWalk, after: Position = .origin, through end: Position? = nil,
        _ body: (RecordedEvent, [String]) throws(LogError) -> Bool
    ) throws(LogError) {
        try read(walk.query(catalogue), after: after, through: end ?? through) {
            (event) throws(LogError) in
            let keys = walk.keys(of: event)
            guard !keys.isEmpty else { return true }
            return try body(event, keys)
        }
    }

    private func read(
        _ query: Query, after: Position, through end: Position,
        _ body: (RecordedEvent) throws(LogError) -> Bool
    ) throws(LogError) {
        try log.read(query, after: after, through: min(end, through)) { (event) throws(LogError) in
            if let validThrough, event.envelope.occurredAt > validThrough { return true }
            let newest = try folding { () throws(FoldError) in
                try catalogue.upcast(event)
            }
            return try body(newest)
        }
    }
}

/// Prints what an event did: itself, who, and what changed.
struct StepPrinter {
    let log: EventLog

    /// ` by ann on phone-1`, as far as the commit says so.
    func who(_ event: RecordedEvent) throws(LogError) -> String {
        let commit = try log.commit(at: event.position)
        return [("by", commit?.metadata.actor ?? ""), ("on", commit?.metadata.device ?? "")]
            .filter { !$0.1.isEmpty }.map { " \($0) \($1)" }.joined()
    }

    func headline(_ event: RecordedEvent) throws(LogError) -> String {
        let who = try who(event)
        return "\(event.position)  \(Timestamp.text(event.envelope.occurredAt))  \(event.kind)"
            + (who.isEmpty ? "" : " " + who)
    }

    static func line(_ change: FieldChange) -> String {
        let (before, after) = (change.before ?? "–", change.after ?? "–")
        return "    \(change.path): \(readable(before, change.path)) → "
            + readable(after, change.path)
    }

    /// The members that tell an event and its commit.
    func members(_ event: RecordedEvent, _ writer: inout JSONWriter) throws(LogError) {
        let commit = try log.commit(at: event.position)
        writer.member("position", Int64(event.position.rawValue))
        writer.member("kind", event.kind.name)
        writer.member("occurredAt", Timestamp.text(event.envelope.occurredAt))
        writer.member("recordedAt", Timestamp.text(event.envelope.recordedAt))
        writer.member("commit", commit.map { Int64($0.first.rawValue) })
        writer.member("actor", commit?.metadata.actor)
        writer.member("device", commit?.metadata.device)
    }

    /// An object whose members may have to be looked up.
    func json(
        _ body: (inout JSONWriter) throws(LogError) -> Void
    ) throws(LogError) -> String {
        var writer = JSONWriter()
        try writer.object(body)
        return writer.text
    }

    static func changes(_ changes: [FieldChange], _ writer: inout JSONWriter) {
        writer.name("changes")
        writer.array { writer in
            for change in changes {
                writer.object { writer in
                    writer.member("field", change.path)
                    writer.name("before")
                    writer.raw(change.before ?? "null")
                    writer.name("after")
                    writer.raw(change.after ?? "null")
                }
            }
        }
    }
}
