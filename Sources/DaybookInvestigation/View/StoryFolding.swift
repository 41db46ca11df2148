import Daybook
import DaybookLog

/// A fold of a story's entities, which finds their changes at the rows of the story.
struct StoryFolding {
    let rows: StoryRows
    var fields = StoryFields()
    var steps = StorySteps()
    var pictures = StoryPictures()
    /// The fields of each projection's states before any event, by the projection's name.
    private(set) var blanks: [String: [(path: Int32, value: Int32)]] = [:]

    /// Bytes of what the story holds beside `fields` and the changes that are being found.
    var otherByteCount: Int

    let reading: ProjectionReading
    let redaction: Redaction?
    /// Paths of each projection's fields, by the projection's name.
    private var paths: [String: StoryPaths] = [:]

    /// Largest number of entities of a projection that are read one by one; for more, all events of
    /// the projection's kinds are read at once.
    private static let separateReadLimit = 32

    /// Prepares folds of a story whose events take `otherByteCount` bytes.
    init(
        _ rows: StoryRows, besides otherByteCount: Int, in reading: ProjectionReading,
        _ values: ShownValues
    ) {
        self.rows = rows
        self.otherByteCount = otherByteCount
        self.reading = reading
        redaction = values.redaction
    }

    /// The changes of an entity, and its place in its life cycle.
    private struct Entity {
        var changes: EntityChanges
        var cycle: StorySteps.Cycle?
    }

    /// Folds the entities, adds their changes, and returns the row from which each of them exists.
    mutating func fold(
        _ entities: [StoryEntity], _ indices: [Int], _ rules: RuleSet,
        into changes: inout StoryChanges
    ) throws -> [Int: Int32] {
        var firstRows: [Int: Int32] = [:]
        let groups = Dictionary(grouping: indices) { entities[$0].projection.name }
        for (name, indices) in groups.sorted(by: { $0.key.precedesByBytes($1.key) }) {
            guard let projection = indices.first.map({ entities[$0].projection }) else { continue }
            let initial = addBlank(of: projection, rules)
            var folds = EntityFolds<Entity>(of: projection, rules)
            for index in indices {
                let number = Int32(truncatingIfNeeded: index)
                let entity = Entity(
                    changes: EntityChanges(entity: number, initial),
                    cycle: reading.catalogue.machines[name].map { machine in
                        StorySteps.Cycle(entity: number, machine, folds.blank)
                    })
                _ = folds.add(entities[index].key, entity)
            }
            var paths = self.paths[name] ?? StoryPaths(projection.fields)
            try fold(&folds, of: projection, &paths, into: &changes)
            self.paths[name] = paths
            for entity in folds.entities {
                firstRows[Int(entity.note.changes.entity)] = entity.note.changes.firstRow
            }
            guard fits(changes) else { throw StorySize.error }
        }
        return firstRows
    }

    /// Bytes of the story with the changes found so far; at most those of the whole story.
    func byteCount(_ changes: StoryChanges) -> Int {
        otherByteCount + fields.byteCount + changes.leastByteCount
    }

    /// False if the story is too large already.
    private func fits(_ changes: StoryChanges) -> Bool {
        !changes.isTooLarge && byteCount(changes) <= StorySize.limit
    }

    /// Adds the fields of a projection's blank state, once.
    ///
    /// - Returns: the fields that differ under these rules from the blank state that was added
    ///   first; the value is -1 for a field that is missing.
    @discardableResult
    mutating func addBlank(
        of projection: ProjectionDescription, _ rules: RuleSet
    ) -> [(path: Int32, value: Int32)] {
        var own = paths[projection.name] ?? StoryPaths(projection.fields)
        let blank = projection.fold(rules).leaves(redaction).map { leaf in
            (
                path: own.index(of: leaf.path, in: &fields),
                value: fields.index(ofValue: leaf.replacement ?? leaf.value)
            )
        }
        paths[projection.name] = own
        guard let known = blanks[projection.name] else {
            blanks[projection.name] = blank
            return []
        }
        let gone = known.filter { field in !blank.contains { $0.path == field.path } }
        return blank.filter { field in !known.contains { $0 == field } }
            + gone.map { ($0.path, -1) }
    }

    private mutating func fold(
        _ folds: inout EntityFolds<Entity>, of projection: ProjectionDescription,
        _ paths: inout StoryPaths, into changes: inout StoryChanges
    ) throws(LogError) {
        guard let last = rows.positions.last else { return }
        var comparison = newComparison()
        func read(_ events: WalkEvents) throws(LogError) {
            try reading.entities.forEach(of: events, through: Position(last)) {
                (event, key) throws(LogError) in
                guard let number = folds.numbers[key] else { return true }
                let found = try folding { () throws(FoldError) in
                    try folds.entities[number].fold.step(event, &comparison)
                }
                let (row, isOwn) = rows.row(at: event.position.rawValue)
                folds.entities[number].note.cycle?.add(found, row, &fields, to: &steps)
                folds.entities[number].note.changes.add(
                    found, row, isOwn, event.position.rawValue, &paths, &fields, into: &changes)
                return fits(changes)
            }
        }
        let catalogue = reading.catalogue
        let latest = reading.entities.validThrough
        if folds.entities.count <= Self.separateReadLimit {
            for key in folds.numbers.keys.sorted(by: { $0.precedesByBytes($1) }) {
                let walk = try reading.entities.walk(of: projection, key)
                try read(WalkEvents(along: walk, catalogue, validThrough: latest))
            }
        } else {
            let walk = try reading.entities.walk(of: projection, nil)
            try read(
                WalkEvents(
                    along: walk, catalogue, validThrough: latest, only: Set(folds.numbers.keys)))
        }
        let ordered = folds.entities.map(\.note.changes).sorted { $0.entity < $1.entity }
        for var entity in ordered { entity.end(&fields, &changes) }
    }
}

/// The changes of one entity or report, while they are found.
struct EntityChanges {
    let entity: Int32
    /// Row from which the entity exists; -1 before its first event.
    var firstRow: Int32 = -1
    private var carried = CarriedChanges()
    /// Fields that differ from the projection's blank state before the first event.
    private let initial: [(path: Int32, value: Int32)]

    init(entity: Int32, _ initial: [(path: Int32, value: Int32)] = []) {
        self.entity = entity
        self.initial = initial
    }

    /// Adds the changes that events after the last row's own event made.
    mutating func end(_ fields: inout StoryFields, _ changes: inout StoryChanges) {
        carried.flush(before: .max, isOwn: false, entity, &fields, into: &changes)
    }

    /// Adds the changes that an event made, of which `row` is the row, or the first row after it.
    ///
    /// - Parameter writer: writer of the changes at that row; `nil` for the event of the row.
    mutating func add(
        _ found: [FieldChange], _ row: Int, _ isOwn: Bool, _ position: UInt64,
        by writer: Int64? = nil, _ paths: inout StoryPaths, _ fields: inout StoryFields,
        into changes: inout StoryChanges
    ) {
        if firstRow < 0 {
            firstRow = Int32(truncatingIfNeeded: row)
            for (path, value) in initial {
                changes.add(
                    StoryChanges.Change(
                        row: firstRow, entity: entity, path: path, value: value,
                        writer: writer ?? 0))
            }
        }
        carried.flush(before: row, isOwn: isOwn, entity, &fields, into: &changes)
        for change in found {
            let path = paths.index(of: change.path, in: &fields)
            guard isOwn else {
                carried.add(path: path, value: change.after, writer: Int64(clamping: position))
                continue
            }
            changes.add(
                StoryChanges.Change(
                    row: Int32(truncatingIfNeeded: row), entity: entity, path: path,
                    value: fields.index(ofValue: change.after), writer: writer ?? 0))
        }
    }
}

extension StoryFolding {
    /// A comparison that hides the values that the story does not show.
    func newComparison() -> FieldComparison { FieldComparison(redaction) }
}
