import ArgumentParser
import CivilTime
import EventSourcing
import EventStorage
import Playback

/// Builds the altered history from what was asked.
struct HistoryChanges {
    let reading: ProjectionReading
    private(set) var history = AlteredHistory()
    /// What commands were refused for.
    private(set) var refusals: [String] = []
    private var originals: [RecordedEvent] = []

    init(reading: ProjectionReading) {
        self.reading = reading
    }

    /// Walks along the entities that the changes are about, or along one: as they were, and as
    /// they would be. Ids are other ones where a replacement is changed.
    func walks(
        of projection: ProjectionDescription, _ key: String?
    ) throws -> [(recorded: EntityWalk, altered: EntityWalk)] {
        let catalogue = reading.catalogue
        let added = history.added
        let concerned = originals + added
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
            }
        }
        if key == nil, !projection.follows.isEmpty {
            // An event may be about an entity that it does not name.
            let (was, would) = try identities(
                reading.entities.renamings(of: projection, nil, with: addedRenamings))
            let recorded = try reading.entities.walk(of: projection, nil, was)
            let altered = try walk(of: projection, nil, would, with: added)
            ids += originals.flatMap(recorded.keys) + added.flatMap(altered.keys)
        }
        var pairs: [(recorded: EntityWalk, altered: EntityWalk)] = []
        var seen: Set<[String?]> = []
        for id in Set(ids).sorted() {
            let (was, would) = try identities(
                reading.entities.renamings(of: projection, [id], with: addedRenamings))
            let pair = (
                recorded: try reading.entities.walk(of: projection, id, was),
                altered: try walk(of: projection, id, would, with: added)
            )
            if seen.insert([pair.recorded.key, pair.altered.key]).inserted { pairs.append(pair) }
        }
        return pairs
    }

    /// A walk along the altered history.
    private func walk(
        of projection: ProjectionDescription, _ key: String?, _ identities: Identities,
        with added: [RecordedEvent]
    ) throws(LogError) -> EntityWalk {
        try reading.entities.walk(
            of: projection, key, identities, with: added, without: history.removed)
    }

    /// What they make of an entity; only what comes after the first change is folded for it.
    func difference(
        _ recorded: EntityWalk, _ altered: EntityWalk, _ rules: RuleSet
    ) throws -> HistoryDifference {
        let isSame = recorded.ids == altered.ids && recorded.projection.follows.isEmpty
        let after = isSame ? history.unchangedThrough : .origin
        let start = try reading.entities.state(along: recorded, rules, through: after)
        return try HistoryDifference(
            from: (start.fold, start.isEmpty),
            reading.entities.events(along: recorded, after: after),
            events(along: altered, after: after))
    }

    /// The events along a walk, as they would stand.
    private func events(
        along walk: EntityWalk, after: Position
    ) throws(LogError) -> [AlteredHistory.Placed] {
        let recorded = try reading.entities.events(along: walk, after: after)
        return history.applied(to: recorded, walk.query(reading.catalogue))
            .filter { !walk.keys(of: $0.event).isEmpty }
    }

    mutating func skip(_ position: UInt64) throws {
        leaveOut(try event(at: position, "--skip"))
    }

    mutating func leaveOut(_ event: RecordedEvent) {
        originals.append(event)
        history.skip(event.position)
    }

    mutating func edit(_ text: String) throws {
        guard let colon = text.firstIndex(of: ":"), let position = UInt64(text[..<colon]),
            let equals = text[colon...].firstIndex(of: "="),
            equals > text.index(after: colon)
        else {
            throw ValidationError(
                "--edit: expected POSITION:FIELD=VALUE like 5:distanceMm=1000, found '\(text)'.")
        }
        let field = String(text[text.index(after: colon)..<equals])
        let value = String(text[text.index(after: equals)...])
        let original = try event(at: position, "--edit")
        originals.append(original)
        history.edit(try edited(original, field, value, text))
    }

    mutating func move(_ text: String) throws {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let from = UInt64(parts[0]), let after = UInt64(parts[1]) else {
            throw ValidationError(
                "--move: expected POSITION:POSITION like 5:2, found '\(text)'.")
        }
        let original = try event(at: from, "--move")
        guard after <= reading.through.rawValue else { throw beyond(after, "--move") }
        originals.append(original)
        history.move(original, after: Position(after))
    }

    mutating func insert(linesOf path: String) throws {
        let name = path == "-" ? "standard input" : path
        let reader = AppendLineReader(
            catalogue: reading.catalogue, rules: .standard.ofHistory)
        try reader.forEachLine(of: path) { line, _ in
            let after = line.after.map(UInt64.init) ?? reading.through.rawValue
            guard after <= reading.through.rawValue else {
                throw beyond(after, "\(name):\(line.number): \"after\"")
            }
            switch line.body {
            case .event(let event): place(event, after: Position(after))
            case .command(let decision):
                switch try decide(decision, after: Position(after)) {
                case .events(let events):
                    for event in events { place(event, after: Position(after)) }
                case .refused(let refused):
                    refusals.append(
                        "\(name):\(line.number): would be refused: \(refused.message) "
                            + "(\(refused.code))")
                }
            }
        }
    }

    /// - Parameter recordedAt: when it would be appended; when it happened by default.
    mutating func place(
        _ event: NewEvent, after position: Position, recordedAt: Instant? = nil
    ) {
        history.insert(
            RecordedEvent(
                envelope: Envelope(
                    position: position, occurredAt: event.occurredAt,
                    recordedAt: recordedAt ?? event.occurredAt, offsetS: event.offsetS),
                kind: event.kind, tags: event.tags, zone: event.zone, payload: event.payload),
            after: position)
    }

    /// Decides a command on the altered history up to a position.
    func decide(
        _ decision: some PendingDecision, after position: Position
    ) throws -> Outcome {
        try decide(decision, after: position, on: history)
    }

    func decide(
        _ decision: some PendingDecision, after position: Position, on history: AlteredHistory
    ) throws -> Outcome {
        var decision = decision
        _ = try decision.gather { (query, decision) throws in
            let events = try reading.log.events(query, through: min(position, reading.through))
            var newest: [RecordedEvent] = []
            for event in events { newest.append(try reading.catalogue.upcast(event)) }
            for placed in history.applied(to: newest, query) where placed.order.position <= position
            {
                try decision.fold(placed.event)
            }
        }
        return decision.outcome()
    }

    private func event(at position: UInt64, _ option: String) throws -> RecordedEvent {
        guard position > 0, position <= reading.through.rawValue,
            let event = try reading.log.events(
                after: Position(position - 1), through: Position(position)
            ).first
        else { throw beyond(position, option) }
        return try reading.catalogue.upcast(event)
    }

    func beyond(_ position: UInt64, _ option: String) -> Failure {
        Failure(
            .usage, "\(option) \(position): the log has no such position up to \(reading.through)")
    }

    /// The event with one field set, by way of its JSON.
    private func edited(
        _ event: RecordedEvent, _ field: String, _ value: String, _ text: String
    ) throws -> RecordedEvent {
        var edited = event
        if field == "occurredAt" {
            edited.envelope.occurredAt = try MomentOptions.time(value, "--edit \(text)")
            return edited
        }
        guard let description = reading.catalogue.events[event.kind] else {
            throw Failure(
                .usage, "--edit \(text): this program does not know the kind \(event.kind)")
        }
        do {
            let json = try description.json(event.payload) { _ in nil }
            var tree = try JSONParser.parse(json.utf8)
            guard tree.set(value.asTree, at: field) else {
                let known = description.fields.map(\.name).joined(separator: ", ")
                throw ValidationError(
                    "--edit \(text): \(event.kind) has no field '\(field)'; it has \(known).")
            }
            let new = try description.read(tree, "", .standard.ofHistory)
            edited.payload = new.payload
            edited.tags = new.tags
        } catch let error as InputError {
            throw ValidationError("--edit \(text): \(error).")
        } catch let error as CorruptPayload {
            throw Failure(.log, "event \(event.position), \(event.kind): \(error)")
        }
        return edited
    }
}

extension String {
    /// What is JSON as that, everything else as a text.
    var asTree: Tree {
        do throws(InputError) {
            return try JSONParser.parse(utf8)
        } catch {
            return Tree(.text(self), line: 1)
        }
    }
}

extension Tree {
    /// Sets the member at a path like `value.amountUl` or `rows[0].scoreM`; `false` where there is
    /// none.
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
