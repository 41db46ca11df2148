package import Daybook

/// A comparison of two traces, which finds the first difference of each entity.
///
/// Traces of one log are matched by entity and position. Traces of different logs are matched by
/// the ordinal number of an event within its entity. The comparison keeps the states of the
/// entities that have not differed yet in memory.
public struct TraceComparison: Sendable {
    /// The first difference between two traces of one entity.
    public struct Divergence: Sendable {
        /// Newest id of the entity.
        public var key: String
        /// Position of the event in the first trace, or in the second if the first lacks it.
        public var position: Int64
        public var kind: String
        /// Differences from the first trace to the second.
        package var changes: [FieldChange]
        /// The trace that has the event, or `both`.
        public var presence: Presence
        /// Positions and kinds of the entity's last events in the first trace, at most five.
        public var recentEvents: [String]
        /// Paths of the fields that are maps, without element indices and map keys.
        var pathsOfMaps: Set<String> = []

        /// Text by which divergences with the same probable cause are grouped: the event kind and
        /// the paths of the fields that differ.
        ///
        /// The paths have no element indices and no map keys.
        public var cause: String {
            let fields = Set(changes.map { $0.path.generalized(pathsOfMaps) }).sorted()
            let missing = presence == .both ? "" : " is only in the \(presence.rawValue) one;"
            return "\(kind)\(missing) \(fields.joined(separator: ", "))"
        }
    }

    /// The traces that have an event or a period.
    public enum Presence: String, Sendable {
        case both
        case first
        case second
    }

    /// A difference that is declared as expected.
    public struct Expectation: Equatable, Sendable {
        /// Path of a field, which stands for the field and all fields within it, or the beginning
        /// of a path followed by `*`.
        public var field: String
        /// Kind of the event, with or without its version; `nil` for any kind.
        public var kind: String?
        /// Id of the entity; `nil` for any entity.
        public var key: String?
        public var reason: String

        public init(field: String, kind: String? = nil, key: String? = nil, reason: String) {
            self.field = field
            self.kind = kind
            self.key = key
            self.reason = reason
        }

        /// True if the expectation covers a change of an entity by an event of this kind.
        func covers(_ change: FieldChange, _ entity: String, _ kindName: String) -> Bool {
            let path = change.path
            let fits =
                field.hasSuffix("*")
                ? path.hasPrefix(field.dropLast())
                : path == field || path.withoutIndices == field || path.hasPrefix(field + ".")
                    || path.hasPrefix(field + "[")
            return fits && (key == nil || key == entity)
                && (kind == nil || kindName == kind || kindName.hasPrefix((kind ?? "") + "."))
        }
    }

    private let expectations: [Expectation]
    private let fields: [FieldDescription]
    /// Values of the fields before any event, by path.
    private let blankValues: [String: String]
    private let pathsOfMaps: Set<String>
    private let keyedLists: KeyedLists
    /// True for the path of each point in time, of the paths that differed so far.
    private var momentPaths: [String: Bool] = [:]
    /// Names of the projection's fields, in order.
    let names: [String]
    /// The names of the fields as UTF-8, in order.
    let nameBytes: [[UInt8]]
    /// The most recently parsed line.
    var line = TraceLine()
    /// Names of the event kinds met so far, by their UTF-8.
    private var kinds: [(bytes: [UInt8], name: String)] = []
    /// Entities whose states have not differed so far, by their newest id.
    var undivergedEntities: [String: ComparedEntity] = [:]
    /// Newest ids of the entities whose states differ.
    var divergedKeys: Set<String> = []
    /// The first difference of each entity that differs; sorted by position after `finish`.
    public private(set) var divergences: [Divergence] = []
    /// Newest ids of the entities with expected differences, by the expectation's reason.
    public private(set) var expectedKeysByReason: [String: Set<String>] = [:]
    /// Number of events that both traces have; an event is counted once for each of its entities.
    public internal(set) var matchedCount = 0

    /// Creates a comparison; `fields` tells which fields are maps, `blank` is the first state.
    package init(
        expecting expectations: [Expectation] = [], over fields: [FieldDescription] = [],
        from blank: [FlatFields.Leaf] = []
    ) {
        self.expectations = expectations
        self.fields = fields
        blankValues = Dictionary(
            blank.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
        pathsOfMaps = Self.mapPaths(fields, "")
        keyedLists = KeyedLists(fields)
        names = fields.map(\.name)
        nameBytes = names.map { Array($0.utf8) }
    }

    /// Returns the paths of a record's fields that are maps, without element indices and map keys.
    static func mapPaths(_ fields: [FieldDescription], _ path: String) -> Set<String> {
        var found: Set<String> = []
        for field in fields {
            let own = path.isEmpty ? field.name : "\(path).\(field.name)"
            let inner: String
            if field.form.hasPrefix("{") {
                found.insert(own)
                inner = own + ".*"
            } else {
                inner = field.form.hasPrefix("[") ? own + "[]" : own
            }
            found.formUnion(mapPaths(field.fields, inner))
        }
        return found
    }

    /// Number of entities whose states are equal and were not compared entry by entry.
    private var equalEntityCount = 0

    /// Number of entities compared.
    public var entityCount: Int { equalEntityCount + undivergedEntities.count + divergedKeys.count }

    /// Adds to the counts the entities whose states are equal after every event, and their events.
    mutating func addEqual(entityCount: Int, eventCount: Int) {
        equalEntityCount += entityCount
        matchedCount += eventCount
    }

    /// Adds a line that both traces of one log contain with equal bytes.
    ///
    /// - Returns: `false` if the line must be parsed and passed to `add(_:_:)` instead.
    public mutating func addEqual(_ bytes: [UInt8]) -> Bool {
        guard line.read(bytes, nameBytes) else { return false }
        if !divergedKeys.isEmpty, divergedKeys.contains(line.key) { return true }
        let kind = kindName(bytes[line.kindRange])
        guard
            undivergedEntities[line.key, default: ComparedEntity()]
                .addEqual(line, bytes, at: line.position, kind, names.count)
        else {
            return false
        }
        matchedCount += 1
        return true
    }

    /// True if the line is about an entity that has already diverged, so that it may be skipped.
    public func isAboutDivergedEntity(_ bytes: [UInt8]) -> Bool {
        if divergedKeys.isEmpty { return false }
        var line = TraceLine()
        return line.readHead(bytes) && divergedKeys.contains(line.key)
    }

    /// Returns the text of an event kind, given as UTF-8; each kind is decoded only once.
    mutating func kindName(_ bytes: ArraySlice<UInt8>) -> String {
        for kind in kinds where kind.bytes[...] == bytes { return kind.name }
        let name = String(decoding: bytes, as: UTF8.self)
        kinds.append((Array(bytes), name))
        return name
    }

    /// Compares the entries of two traces of one log for the same event and entity.
    ///
    /// The entry is `nil` for a trace that does not have it.
    public mutating func add(_ first: Trace.Entry?, _ second: Trace.Entry?) {
        guard let key = first?.key ?? second?.key, !divergedKeys.contains(key) else { return }
        var entity = undivergedEntities.removeValue(forKey: key) ?? ComparedEntity()
        if first != nil, second != nil { matchedCount += 1 }
        compare(first, second, key, &entity)
    }

    /// Ends the comparison, and sorts the differences by position.
    public mutating func finish() {
        divergences.sort { ($0.position, $0.key) < ($1.position, $1.key) }
    }

    /// Applies both entries to the entity's states, and stores a divergence if they then differ.
    mutating func compare(
        _ first: Trace.Entry?, _ second: Trace.Entry?, _ key: String, _ entity: inout ComparedEntity
    ) {
        if let first { entity.addRecent(first.position, first.kind) }
        if entity.isNew, let first, let second, let changes = firstChanges(first, second),
            diverge(changes, first, second, key, entity)
        {
            return
        }
        entity.splitState(names)
        let touched = apply([first, second], to: &entity)
        var changes: [FieldChange] = []
        var seen: Set<String> = []
        for path in touched where seen.insert(path).inserted {
            let sides = entity.states.indices.map { side in
                entity.hasBegun[side] ? entity.states[side][path] ?? blankValues[path] : nil
            }
            guard sides[0] != sides[1] else { continue }
            changes.append(change(path, sides[0], sides[1]))
        }
        if changes.contains(where: { keyedLists.contains($0.path) }) {
            changes = FieldChange.between(leaves(entity, 0), leaves(entity, 1), keyedLists)
        }
        if !diverge(changes, first, second, key, entity) { undivergedEntities[key] = entity }
    }

    /// Applies the entries of both traces to the entity's states; returns the paths that they change.
    private func apply(
        _ entries: [Trace.Entry?], to entity: inout ComparedEntity
    ) -> [String] {
        var touched: [String] = []
        for (index, entry) in entries.enumerated() {
            guard let entry else { continue }
            entity.hasBegun[index] = true
            for path in entry.replacedPaths {
                // Sorted, so that the order does not depend on the hash seed.
                let held = entity.states[index].paths(within: path)
                    .sorted { $0.precedesByBytes($1) }
                for path in held { remove(path, from: &entity.states[index]) }
                touched += held
            }
            for path in entry.removedPaths { remove(path, from: &entity.states[index]) }
            for leaf in entry.newLeaves { entity.states[index][leaf.path] = leaf.value }
            touched += entry.removedPaths + entry.newLeaves.map(\.path)
        }
        return touched
    }

    /// Returns the differences after the first event of an entity, without building its states.
    ///
    /// - Returns: `nil` if this needs states: with removed values, many values, or keyed lists.
    private mutating func firstChanges(
        _ first: Trace.Entry, _ second: Trace.Entry
    ) -> [FieldChange]? {
        guard first.removedPaths.isEmpty, second.removedPaths.isEmpty,
            max(first.newLeaves.count, second.newLeaves.count) <= 64
        else { return nil }
        var changes: [FieldChange] = []
        var place = 0
        for leaf in first.newLeaves {
            let other = second.value(at: leaf.path, from: &place) ?? blankValues[leaf.path]
            if leaf.value != other { changes.append(change(leaf.path, leaf.value, other)) }
        }
        place = 0
        for leaf in second.newLeaves where first.value(at: leaf.path, from: &place) == nil {
            let own = blankValues[leaf.path]
            if own != leaf.value { changes.append(change(leaf.path, own, leaf.value)) }
        }
        return changes.contains { keyedLists.contains($0.path) } ? nil : changes
    }

    private mutating func change(
        _ path: String, _ before: String?, _ after: String?
    ) -> FieldChange {
        let isMoment = momentPaths[path] ?? fields.hasMoment(at: path)
        // The limit keeps the cache from growing with the keys of maps.
        if momentPaths.count < 1_024 { momentPaths[path] = isMoment }
        return FieldChange(path: path, before: before, after: after, isMoment: isMoment)
    }

    /// Stores a divergence, unless all changes are expected; returns true if it is stored.
    private mutating func diverge(
        _ changes: [FieldChange], _ first: Trace.Entry?, _ second: Trace.Entry?, _ key: String,
        _ entity: ComparedEntity
    ) -> Bool {
        guard let entry = first ?? second else { return false }
        var changes = changes.filter { change in
            let rule = expectations.first { $0.covers(change, key, entry.kind) }
            if let rule { expectedKeysByReason[rule.reason, default: []].insert(key) }
            return rule == nil
        }
        changes = changes.withoutEmptied
        guard !changes.isEmpty else { return false }
        divergedKeys.insert(key)
        let presence: Presence = second == nil ? .first : first == nil ? .second : .both
        divergences.append(
            Divergence(
                key: key, position: entry.position, kind: entry.kind, changes: changes,
                presence: presence,
                recentEvents: entity.recentEvents.map { "\($0.position) \($0.kind)" },
                pathsOfMaps: pathsOfMaps))
        return true
    }

    /// Returns all values of the entity's state in one trace (0 or 1), with lists in order.
    private func leaves(_ entity: ComparedEntity, _ side: Int) -> [FlatFields.Leaf] {
        guard entity.hasBegun[side] else { return [] }
        let state = entity.states[side]
        let paths = Set(state.paths()).union(blankValues.keys).sorted {
            $0.sortKey.precedesByBytes($1.sortKey)
        }
        return paths.compactMap { path in
            (state[path] ?? blankValues[path]).map { value in
                FlatFields.Leaf(path: path, value: value, isMoment: fields.hasMoment(at: path))
            }
        }
    }

    /// Removes the value at a path from a state. If the blank state has a value there, the removal
    /// is stored as `.some(nil)`.
    private func remove(_ path: String, from state: inout PathValues) {
        state[path] = blankValues[path] == nil ? .none : .some(nil)
    }

    /// Divergences grouped by probable cause, the most frequent cause first.
    public var causes: [(cause: String, divergences: [Divergence])] {
        Dictionary(grouping: divergences, by: \.cause)
            .map { ($0.key, $0.value) }
            .sorted { ($1.1.count, $0.0) < ($0.1.count, $1.0) }
    }
}

extension Trace.Entry {
    /// Returns the new value at a path; the search begins at `place` and moves it past the value.
    fileprivate func value(at path: String, from place: inout Int) -> String? {
        for index in newLeaves.indices {
            let candidate = (place + index) % newLeaves.count
            guard newLeaves[candidate].path == path else { continue }
            place = candidate + 1
            return newLeaves[candidate].value
        }
        return nil
    }
}
