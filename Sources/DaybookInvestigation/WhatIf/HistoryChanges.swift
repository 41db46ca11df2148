public import Daybook
import DaybookInput
import DaybookLog

/// Hypothetical changes of a log's history, and their effects on entities.
///
/// The log is only read.
public struct HistoryChanges: Sendable {
    let reading: ProjectionReading
    /// The log's history with all hypothetical changes made so far.
    private(set) var history = AlteredHistory()
    /// Recorded events that the changes skip, edit or move.
    private var originalEvents: [RecordedEvent] = []

    public init(in reading: ProjectionReading) { self.reading = reading }

    /// An entity in the log and in the altered history.
    ///
    /// Its ids may differ if the changes affect an event that replaces ids.
    public struct Entity: Sendable {
        var recordedWalk: EntityWalk
        var alteredWalk: EntityWalk

        /// Newest id of the entity in the altered history.
        public var key: String { alteredWalk.key ?? "" }
        /// Newest id of the entity in the log.
        public var recordedKey: String { recordedWalk.key ?? "" }
    }

    /// Returns the entity with any id `key`, or all entities that the changes affect.
    public func entities(of projection: ProjectionDescription, _ key: String?) throws -> [Entity] {
        let catalogue = reading.catalogue
        let added = history.changedEvents
        let concerned = originalEvents + added
        let renamingKinds = Set(catalogue.events.values.filter { $0.renamings != nil }.map(\.kind))
        let addedRenamings = added.filter { renamingKinds.contains($0.kind) }
        func identities(_ renamings: [RecordedEvent]) throws -> (was: Identities, would: Identities)
        {
            let query = Query(items: renamingKinds.map { Query.Item(kinds: [$0]) }) ?? .all
            let would = history.applied(to: renamings, query).map(\.event)
            return try folding { () throws(FoldError) in
                (try Identities(renamings, in: catalogue), try Identities(would, in: catalogue))
            }
        }
        var ids = key.map { [$0] } ?? []
        if key == nil {
            ids = concerned.filter { projection.kinds.contains($0.kind) }.flatMap(projection.keys)
            for event in concerned where renamingKinds.contains(event.kind) {
                let renamings = try folding { () throws(FoldError) in
                    try catalogue.renamings(by: event)
                }
                for renaming in renamings where renaming.noun == projection.noun {
                    ids += [renaming.from, renaming.to]
                }
                ids += try idsEndingInRenamed(by: renamings, of: projection)
            }
        }
        if key == nil, !projection.followedNouns.isEmpty {
            // An event may be about an entity that it does not name.
            let (was, would) = try identities(
                reading.entities.renamings(of: projection, nil, with: addedRenamings))
            let recorded = try reading.entities.walk(of: projection, nil, was)
            let altered = try walk(of: projection, nil, would, with: added)
            ids += originalEvents.flatMap(recorded.keys) + added.flatMap(altered.keys)
        }
        var pairs: [Entity] = []
        var seen: Set<[String?]> = []
        for id in Set(ids).sorted() {
            let (was, would) = try identities(
                reading.entities.renamings(of: projection, [id], with: addedRenamings))
            let pair = Entity(
                recordedWalk: try reading.entities.walk(of: projection, id, was),
                alteredWalk: try walk(of: projection, id, would, with: added))
            if seen.insert([pair.recordedWalk.key, pair.alteredWalk.key]).inserted {
                pairs.append(pair)
            }
        }
        return pairs
    }

    /// Returns the composite ids, such as `phone-1/cafe`, whose last part was renamed.
    private func idsEndingInRenamed(
        by renamings: [Renaming], of projection: ProjectionDescription
    ) throws(LogError) -> [String] {
        let parts = renamings.filter { $0.noun == projection.lastPartNoun }
            .flatMap { [$0.from, $0.to] }
        guard !parts.isEmpty else { return [] }
        let known = try reading.log.contents.ids(of: projection.noun, atMost: .max) ?? []
        return known.filter { id in parts.contains { id.hasSuffix("/\($0)") } }
    }

    /// Returns an iteration over an entity's events in the altered history.
    private func walk(
        of projection: ProjectionDescription, _ key: String?, _ identities: Identities,
        with added: [RecordedEvent]
    ) throws(LogError) -> EntityWalk {
        try reading.entities.walk(
            of: projection, key, identities, with: added, without: history.removedPositions)
    }

    /// Compares an entity with and without the changes.
    ///
    /// Both histories are folded from the first change on, or from their beginning if the changes
    /// may affect which events are about the entity.
    public func difference(of entity: Entity, _ rules: RuleSet) throws -> HistoryDifference {
        let (recorded, altered) = (entity.recordedWalk, entity.alteredWalk)
        let isSame = recorded.ids == altered.ids && recorded.projection.followedNouns.isEmpty
        let after = isSame ? history.unchangedThrough : .origin
        let start = try reading.entities.state(along: recorded, rules, through: after)
        return try HistoryDifference(
            from: (start.fold, start.isEmpty),
            reading.entities.events(along: recorded, after: after),
            events(along: altered, after: after), KeyedLists(recorded.projection.fields))
    }

    /// Returns the events of an entity in the altered history, after a position.
    func events(
        along walk: EntityWalk, after: Position
    ) throws(LogError) -> [AlteredHistory.PlacedEvent] {
        let recorded = try reading.entities.events(along: walk, after: after)
        return history.applied(to: recorded, walk.query(reading.catalogue))
            .filter { !walk.keys(of: $0.event).isEmpty }
    }

    /// Leaves out the recorded event at a position.
    public mutating func skip(_ position: UInt64) throws { omit(try reading.event(at: position)) }

    /// Leaves out a recorded event.
    mutating func omit(_ event: RecordedEvent) {
        originalEvents.append(event)
        history.skip(event.position)
    }

    /// Sets a field of the event at a position, by its path: `value.amountUl`.
    public mutating func edit(_ position: UInt64, _ field: String, to value: Tree) throws {
        let original = try reading.event(at: position)
        originalEvents.append(original)
        history.edit(try editedEvent(original, field, value))
    }

    /// Sets the time at which the event at a position happened.
    public mutating func edit(_ position: UInt64, occurredAt: Instant) throws {
        let original = try reading.event(at: position)
        originalEvents.append(original)
        var edited = original
        edited.envelope.occurredAt = occurredAt
        history.edit(edited)
    }

    /// Moves the event at a position to just after another position.
    public mutating func move(_ position: UInt64, after: UInt64) throws {
        let original = try reading.event(at: position)
        try checkPosition(after)
        originalEvents.append(original)
        history.move(original, after: Position(after))
    }

    /// Adds the event of a line, or those that its command causes, after the position `after` of
    /// the line or at the end of the log; returns the refusal of the command, if there is one.
    public mutating func insert(_ line: AppendLine) throws -> Daybook.Refusal? {
        let after = line.after.map(UInt64.init) ?? reading.through.rawValue
        try checkPosition(after)
        switch line.body {
        case .event(let event): place(event, after: Position(after))
        case .command(let decision):
            switch try decide(decision, after: Position(after)) {
            case .events(let events):
                for event in events { place(event, after: Position(after)) }
            case .refused(let refused): return refused
            }
        }
        return nil
    }

    /// Throws `noSuchPosition` for a position after the last position that is read.
    private func checkPosition(_ position: UInt64) throws {
        guard position <= reading.through.rawValue else {
            throw QuestionError.noSuchPosition(position, through: reading.through)
        }
    }

    /// Adds an event to the altered history; by default it was recorded when it happened.
    mutating func place(_ event: NewEvent, after position: Position, recordedAt: Instant? = nil) {
        history.insert(
            RecordedEvent(
                envelope: Envelope(
                    position: position, occurredAt: event.occurredAt,
                    recordedAt: recordedAt ?? event.occurredAt, offsetS: event.offsetS),
                kind: event.kind, tags: event.tags, zone: event.zone, payload: event.payload),
            after: position)
    }

    /// Decides a command on the altered history up to a position.
    func decide(_ decision: some PendingDecision, after position: Position) throws -> Outcome {
        try decide(decision, after: position, on: history)
    }

    /// Decides a command on a given history up to a position.
    func decide(
        _ decision: some PendingDecision, after position: Position, on history: AlteredHistory
    ) throws -> Outcome {
        var decision = decision
        _ = try decision.gather { (query, decision) throws in
            let window = ReadWindow(through: min(position, reading.through))
            let events = try reading.log.reader(query, window).collect()
            var newest: [RecordedEvent] = []
            for event in events { newest.append(try reading.catalogue.upcast(event)) }
            for placed in history.applied(to: newest, query) where placed.place.position <= position
            {
                try decision.fold(placed.event)
            }
        }
        return decision.outcome()
    }

    /// Returns the event with one field set, by editing its JSON.
    private func editedEvent(
        _ event: RecordedEvent, _ field: String, _ value: Tree
    ) throws -> RecordedEvent {
        guard let description = reading.catalogue.events[event.kind] else {
            throw QuestionError.invalid(
                "the event at position \(event.position) cannot be edited: this program does not "
                    + "know its kind \(event.kind)")
        }
        var edited = event
        do {
            let json = try description.json(event.payload) { _ in nil }
            var tree = try JSONParser.parse(json.utf8)
            guard tree.set(value, at: field) else {
                let known = description.fields.map(\.name).joined(separator: ", ")
                throw QuestionError.invalid(
                    "\(event.kind) has no field '\(field)'; its fields are \(known)")
            }
            let new = try description.read(tree, "", .standard.ofHistory)
            edited.payload = new.payload
            edited.tags = new.tags
        } catch let error as InputError {
            throw QuestionError.invalid("\(error)")
        } catch let error as CorruptPayload {
            throw LogError.fold(.corrupt(event.position, event.kind, error))
        }
        return edited
    }
}

extension Tree {
    /// Sets the member at a path like `rows[0].scoreM`; returns `false` if the path does not exist.
    fileprivate mutating func set(_ value: Tree, at path: String) -> Bool {
        let parts = path.split { $0 == "." || $0 == "[" }.map {
            $0.hasSuffix("]") ? $0.dropLast() : $0
        }
        return set(value, at: parts[...])
    }

    private mutating func set(_ value: Tree, at parts: ArraySlice<Substring>) -> Bool {
        guard let part = parts.first else {
            self = value
            return true
        }
        switch content {
        case .map(var members):
            guard let index = members.firstIndex(where: { $0.key == part }) else { return false }
            guard members[index].value.set(value, at: parts.dropFirst()) else { return false }
            content = .map(members)
        case .list(var elements):
            guard let index = Int(part), elements.indices.contains(index),
                elements[index].set(value, at: parts.dropFirst())
            else { return false }
            content = .list(elements)
        default: return false
        }
        return true
    }
}
