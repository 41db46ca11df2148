import Daybook
import DaybookLog

/// Another history of a story's entities: under other rules, or with hypothetical changes.
struct StoryAlternative {
    /// `rules` or `what-if`.
    let kind: String
    /// The difference from the recorded history, as plain text.
    let title: String
    /// The other rule set; `nil` if it is the same.
    let rules: RuleSet?
    /// Indices of the entities that are folded anew.
    private(set) var entities: [Int] = []
    /// Row from which each of these entities exists; -1 for never.
    private(set) var firstRows: [Int32] = []
    /// All changes of these entities.
    private(set) var changes = StoryChanges()
    /// Rows of the events that are skipped, edited and moved.
    private(set) var alteredRows: [(name: String, column: StoryColumn)] = []
    /// The edited, moved and inserted events, as columns.
    private(set) var added: [(name: String, column: StoryColumn)] = []

    /// Folds the story's entities under another rule set.
    ///
    /// - Throws: `QuestionError.invalid` if no projection of the story has its own fold for it.
    init(_ rules: RuleSet, of entities: [StoryEntity], _ folding: inout StoryFolding) throws {
        (kind, title, self.rules) = ("rules", "\(rules) rules", rules)
        let indices = entities.indices.filter {
            entities[$0].projection.rules.contains(rules)
                && entities[$0].projection.refusal(of: rules) == nil
        }
        guard !indices.isEmpty else {
            throw QuestionError.invalid(
                "no projection of the story has states of its own under the rule set '\(rules)'")
        }
        let firstRows = try folding.fold(entities, indices, rules, into: &changes)
        self.entities = indices
        self.firstRows = indices.map { firstRows[$0] ?? -1 }
    }

    /// Folds the `altered` entities of hypothetical changes, each with its index in the story.
    init(
        _ alteration: StoryOptions.Alteration,
        of altered: [(index: Int, entity: HistoryChanges.Entity)], _ rules: RuleSet,
        _ options: StoryOptions, _ names: inout StoryEvents.Names, _ folding: inout StoryFolding,
        in reading: ProjectionReading
    ) throws {
        (kind, title, self.rules) = ("what-if", alteration.title, nil)
        let history = alteration.changes.history
        var numbers: [AlteredHistory.Place: Int] = [:]
        for (number, placed) in history.placedEvents.enumerated() { numbers[placed.place] = number }
        for (index, entity) in altered {
            let events = try alteration.changes.events(along: entity.alteredWalk, after: .origin)
            let first = try folding.fold(
                events, of: entity.alteredWalk.projection, rules, numbers, entity: index,
                into: &changes)
            entities.append(index)
            firstRows.append(first)
        }
        addRows(of: history, folding.rows)
        try addEvents(of: history, options.values, &names, folding.rows, in: reading)
    }

    /// Adds the rows of the recorded events that are skipped, edited or moved.
    private mutating func addRows(of history: AlteredHistory, _ rows: StoryRows) {
        func column(_ positions: some Sequence<Position>) -> StoryColumn {
            var column = StoryColumn()
            for row in positions.compactMap({ rows.row(of: $0.rawValue) }).sorted() {
                column.append(Int64(row))
            }
            return column
        }
        let placed = history.placedEvents
        let edited = Set(placed.filter { $0.origin == .edited }.map(\.event.position))
        let moved = Set(placed.filter { $0.origin == .moved }.map(\.event.position))
        let skipped = history.removedPositions.subtracting(edited).subtracting(moved)
        alteredRows = [
            ("skipped", column(skipped)), ("edited", column(edited)), ("moved", column(moved)),
        ]
    }

    private mutating func addEvents(
        of history: AlteredHistory, _ values: ShownValues, _ names: inout StoryEvents.Names,
        _ rows: StoryRows, in reading: ProjectionReading
    ) throws(LogError) {
        var (after, origin, from) = (StoryColumn(), StoryColumn(), StoryColumn())
        var (occurred, offsets, kinds) = (StoryColumn(), StoryColumn(), StoryColumn())
        var (zones, tags, payloads) = (StoryColumn(), StoryColumn(), StoryColumn())
        var payload = JSONWriter(answer: true, values.redaction)
        for placed in history.placedEvents {
            let event = placed.event
            let position = placed.place.position.rawValue
            let (row, isOwn) = rows.row(at: position)
            after.append(Int64(placed.origin != .edited && isOwn ? row : row - 1))
            origin.append(text: placed.origin.rawValue)
            let isRecorded = placed.origin != .inserted
            from.append(Int64(isRecorded ? rows.row(of: event.position.rawValue) ?? -1 : -1))
            occurred.append(event.envelope.occurredAt.microseconds)
            offsets.append(Int64(event.envelope.offsetS))
            kinds.append(Int64(names.index(ofKind: event.kind)))
            zones.append(Int64(names.index(ofZone: event.zone)))
            tags.append(list: names.indices(of: event.tags, values))
            payload.clear()
            let isKnown = try values.write(event, in: reading.catalogue, to: &payload) {
                (field) throws(LogError) in
                isRecorded ? try reading.log.people.text(at: event.position, field: field) : nil
            }
            payloads.append(json: isKnown ? payload.text : "null")
        }
        added = [
            ("after", after), ("origin", origin), ("from", from), ("occurredUs", occurred),
            ("offsetS", offsets), ("kind", kinds), ("zone", zones), ("tags", tags),
            ("payload", payloads),
        ]
    }
}

extension StoryFolding {
    /// Folds one entity of an altered history, and returns the row from which it exists, or -1.
    mutating func fold(
        _ events: [AlteredHistory.PlacedEvent], of projection: ProjectionDescription,
        _ rules: RuleSet, _ numbers: [AlteredHistory.Place: Int], entity index: Int,
        into changes: inout StoryChanges
    ) throws(FoldError) -> Int32 {
        var comparison = newComparison()
        var paths = StoryPaths(projection.fields)
        var fold = projection.fold(rules)
        var entity = EntityChanges(entity: Int32(truncatingIfNeeded: index))
        addBlank(of: projection, rules)
        for placed in events {
            let found = try fold.step(placed.event.view, &comparison)
            let position = placed.place.position.rawValue
            let number = placed.origin == .recorded ? nil : numbers[placed.place]
            let (row, isOwn) =
                number == nil ? rows.row(at: position) : (rows.row(after: position), true)
            guard row < rows.count else { continue }
            entity.add(
                found, row, isOwn, position, by: number.map { -1 - Int64($0) }, &paths, &fields,
                into: &changes)
        }
        entity.end(&fields, &changes)
        return entity.firstRow
    }
}
