public import Daybook
import DaybookScenarios

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
        /// Position in the first trace, or in the second if the first lacks the event.
        public var position: Int64
        /// Kind of the event.
        public var kind: String
        /// Differences from the first trace to the second.
        public var changes: [FieldChange]
        /// Traces that have the event: both, or only one.
        public var isIn: Presence
        /// Positions and kinds of the entity's last events in the first trace, at most five.
        public var events: [String]
        /// Paths of the fields that are maps.
        var maps: Set<String> = []

        /// Text that groups divergences of one cause: the event's kind and the paths of the fields.
        ///
        /// The paths have no element indices and no map keys.
        public var cause: String {
            let fields = Set(changes.map { $0.path.generalized(maps) }).sorted()
            let missing = isIn == .both ? "" : " is only in the \(isIn.rawValue) one;"
            return "\(kind)\(missing) \(fields.joined(separator: ", "))"
        }
    }

    /// The traces that have an event or a period.
    public enum Presence: String, Sendable {
        /// Both traces.
        case both
        /// Only the first trace.
        case first
        /// Only the second trace.
        case second
    }

    /// A difference that is declared as expected.
    public struct Expectation: Hashable, Sendable {
        /// Path of a field, which includes the fields within it, or a prefix followed by `*`.
        public var field: String
        /// Kind of the event, with or without its version; `nil` for any kind.
        public var kind: String?
        /// Id of the entity; `nil` for any entity.
        public var key: String?
        /// Reason why the difference is expected.
        public var reason: String

        public init(field: String, kind: String? = nil, key: String? = nil, reason: String) {
            self.field = field
            self.kind = kind
            self.key = key
            self.reason = reason
        }

        /// True if the difference is the expected one.
        ///
        /// - Parameters:
        ///   - entity: the id of the entity.
        ///   - kindName: the kind of the event, with its version.
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

    /// The states of one entity in the two traces, until they differ.
    private struct Entity {
        /// JSON of each field by its index, as long as all lines of the two traces are equal.
        ///
        /// `nil` once two lines differ; `states` then has the values.
        var commonFields: [String?]? = []
        /// State of each trace by path, once two lines differ.
        ///
        /// A removed field that has a value in the blank state is stored as `nil`.
        var states = [PathValues(), PathValues()]
        /// True for each trace that has an event of the entity so far.
        ///
        /// Without any event, an entity has no state, not a blank state.
        var hasBegun = [false, false]
        /// Entries of each trace that the other trace does not have so far.
        var waiting: [[Trace.Entry]] = [[], []]
        /// The last events of the first trace.
        var recent: [(position: Int64, kind: String)] = []

        /// Adds an event of the first trace to the last five.
        mutating func addRecent(_ position: Int64, _ kind: String) {
            recent.append((position, kind))
            if recent.count > 5 { recent.removeFirst() }
        }

        /// Applies a line that is equal in both traces.
        ///
        /// - Parameter count: the number of fields.
        /// - Returns: `false` if each trace has a separate state already.
        mutating func addEqual(
            _ line: TraceLine, _ bytes: [UInt8], _ kind: String, _ count: Int
        ) -> Bool {
            guard commonFields != nil else { return false }
            if commonFields?.isEmpty == true { commonFields = Array(repeating: nil, count: count) }
            for (field, json) in line.setFields {
                commonFields?[field] = String(decoding: bytes[json], as: UTF8.self)
            }
            addRecent(line.position, kind)
            return true
        }

        /// Copies the common fields to a separate state for each trace.
        mutating func splitState(_ names: [String]) {
            guard let fields = commonFields else { return }
            commonFields = nil
            guard !fields.isEmpty else { return }
            hasBegun = [true, true]
            var state = PathValues()
            for (name, json) in zip(names, fields) {
                guard let json, let tree = try? JSONParser.parse(json.utf8) else { continue }
                for leaf in tree.leaves(name) { state[leaf.path] = leaf.value }
            }
            states = [state, state]
        }
    }

    /// Differences that are expected, and not reported.
    private let expectations: [Expectation]
    /// Descriptions of the projection's fields.
    private let fields: [FieldDescription]
    /// Values of the fields before any event, by path.
    private let blank: [String: String]
    /// Paths of the fields that are maps.
    private let maps: Set<String>
    /// Lists whose elements are matched by a key.
    private let lists: KeyedLists
    /// Names of the projection's fields, in order.
    private let names: [String]
    /// The same names as UTF-8.
    private let nameBytes: [[UInt8]]
    /// The line that was parsed last.
    private var line = TraceLine()
    /// Names of the event kinds met so far, by their UTF-8.
    private var kinds: [(bytes: [UInt8], name: String)] = []
    /// Entities whose states have not differed so far, by their newest id.
    private var undiverged: [String: Entity] = [:]
    /// Ids of the entities whose states differ.
    private var diverged: Set<String> = []
    /// The first difference of each entity that differs; sorted by position after `finish`.
    public private(set) var divergences: [Divergence] = []
    /// Entities with expected differences, by the reason of the expectation.
    public private(set) var expected: [String: Set<String>] = [:]
    /// Number of events that both traces have.
    public private(set) var matched = 0

    /// Creates a comparison without any entry.
    ///
    /// - Parameters:
    ///   - fields: descriptions of the projection's fields, which show which fields are maps.
    ///   - blank: the projection's state before any event.
    public init(
        expecting expectations: [Expectation] = [], over fields: [FieldDescription] = [],
        from blank: [FlatFields.Leaf] = []
    ) {
        self.expectations = expectations
        self.fields = fields
        self.blank = Dictionary(
            blank.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
        maps = Self.mapPaths(fields, "")
        lists = KeyedLists(fields)
        names = fields.map(\.name)
        nameBytes = names.map { Array($0.utf8) }
    }

    /// Returns the paths of the fields that are maps, without element indices and map keys.
    ///
    /// - Parameter path: the path of the record that has the fields; empty for the state.
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

    /// Number of entities that were counted with `addEqual(entities:events:)`.
    private var equalCount = 0

    /// Number of entities compared.
    public var entities: Int { equalCount + undiverged.count + diverged.count }

    /// Counts entities whose states are equal after every event, and their events.
    mutating func addEqual(entities: Int, events: Int) {
        equalCount += entities
        matched += events
    }

    /// Adds a line whose bytes are the same in both traces of one log.
    ///
    /// - Returns: `false` if the line must be passed to `add` as an entry instead.
    public mutating func addEqual(_ bytes: [UInt8]) -> Bool {
        guard line.read(bytes, nameBytes) else { return false }
        if !diverged.isEmpty, diverged.contains(line.key) { return true }
        let kind = kind(bytes[line.kind])
        guard undiverged[line.key, default: Entity()].addEqual(line, bytes, kind, names.count)
        else {
            return false
        }
        matched += 1
        return true
    }

    /// True if the line's entity has already diverged, so that the line may be skipped.
    public func isSettled(_ bytes: [UInt8]) -> Bool {
        if diverged.isEmpty { return false }
        var line = TraceLine()
        return line.readHead(bytes) && diverged.contains(line.key)
    }

    /// Returns an event kind as text.
    private mutating func kind(_ bytes: ArraySlice<UInt8>) -> String {
        for kind in kinds where kind.bytes[...] == bytes { return kind.name }
        let name = String(decoding: bytes, as: UTF8.self)
        kinds.append((Array(bytes), name))
        return name
    }

    /// Adds the entries of two traces of one log for the same event and entity.
    ///
    /// `nil` means that the trace does not have the entry.
    public mutating func add(_ first: Trace.Entry?, _ second: Trace.Entry?) {
        guard let key = first?.key ?? second?.key, !diverged.contains(key) else { return }
        var entity = undiverged.removeValue(forKey: key) ?? Entity()
        if first != nil, second != nil { matched += 1 }
        compare(first, second, key, &entity)
    }

    /// Adds the next entry of one of two different logs, whose events are matched in order.
    public mutating func add(_ entry: Trace.Entry, isSecond: Bool) {
        guard !diverged.contains(entry.key) else { return }
        var entity = undiverged.removeValue(forKey: entry.key) ?? Entity()
        let (own, other) = isSecond ? (1, 0) : (0, 1)
        guard !entity.waiting[other].isEmpty else {
            entity.waiting[own].append(entry)
            undiverged[entry.key] = entity
            return
        }
        let match = entity.waiting[other].removeFirst()
        matched += 1
        compare(isSecond ? match : entry, isSecond ? entry : match, entry.key, &entity)
    }

    /// Ends the comparison. Entries that still wait for a match are in only one trace.
    public mutating func finish() {
        for key in undiverged.keys.sorted() {
            guard var entity = undiverged[key] else { continue }
            while let first = entity.waiting[0].first ?? entity.waiting[1].first {
                let isFirst = !entity.waiting[0].isEmpty
                entity.waiting[isFirst ? 0 : 1].removeFirst()
                undiverged[key] = nil
                compare(isFirst ? first : nil, isFirst ? nil : first, key, &entity)
                guard let left = undiverged[key] else { break }
                entity = left
            }
        }
        divergences.sort { ($0.position, $0.key) < ($1.position, $1.key) }
    }

    /// Applies both entries to the entity, and reports a divergence if its states then differ.
    private mutating func compare(
        _ first: Trace.Entry?, _ second: Trace.Entry?, _ key: String, _ entity: inout Entity
    ) {
        entity.splitState(names)
        if let first { entity.addRecent(first.position, first.kind) }
        var touched: [String] = []
        for (index, entry) in [first, second].enumerated() {
            guard let entry else { continue }
            entity.hasBegun[index] = true
            for path in entry.replaced {
                // Sorted, so that the order does not depend on the hash seed.
                let held = entity.states[index].paths(within: path)
                    .sorted { $0.precedesByBytes($1) }
                for path in held { remove(path, from: &entity.states[index]) }
                touched += held
            }
            for path in entry.gone { remove(path, from: &entity.states[index]) }
            for leaf in entry.set { entity.states[index][leaf.path] = leaf.value }
            touched += entry.gone + entry.set.map(\.path)
        }
        guard let entry = first ?? second else { return }
        var changes: [FieldChange] = []
        var seen: Set<String> = []
        for path in touched where seen.insert(path).inserted {
            let sides = entity.states.indices.map { side in
                entity.hasBegun[side] ? entity.states[side][path] ?? blank[path] : nil
            }
            guard sides[0] != sides[1] else { continue }
            changes.append(
                FieldChange(
                    path: path, before: sides[0], after: sides[1],
                    isMoment: fields.hasMoment(at: path)))
        }
        if changes.contains(where: { lists.contains($0.path) }) {
            changes = FieldChange.between(leaves(entity, 0), leaves(entity, 1), lists)
        }
        changes = changes.filter { change in
            let rule = expectations.first { $0.covers(change, key, entry.kind) }
            if let rule { expected[rule.reason, default: []].insert(key) }
            return rule == nil
        }
        changes = changes.withoutEmptied
        guard !changes.isEmpty else {
            undiverged[key] = entity
            return
        }
        diverged.insert(key)
        let presence: Presence = second == nil ? .first : first == nil ? .second : .both
        divergences.append(
            Divergence(
                key: key, position: entry.position, kind: entry.kind, changes: changes,
                isIn: presence, events: entity.recent.map { "\($0.position) \($0.kind)" },
                maps: maps))
    }

    /// Returns the whole state of one side, with the elements of lists in order.
    private func leaves(_ entity: Entity, _ side: Int) -> [FlatFields.Leaf] {
        guard entity.hasBegun[side] else { return [] }
        let state = entity.states[side]
        let paths = Set(state.paths()).union(blank.keys).sorted {
            $0.sortKey.precedesByBytes($1.sortKey)
        }
        return paths.compactMap { path in
            (state[path] ?? blank[path]).map { value in
                FlatFields.Leaf(path: path, value: value, isMoment: fields.hasMoment(at: path))
            }
        }
    }

    /// Removes a field of a state. A field that has a value in the blank state is stored as `nil`.
    private func remove(_ path: String, from state: inout PathValues) {
        state[path] = blank[path] == nil ? .none : .some(nil)
    }

    /// Divergences by cause, the most frequent cause first.
    public var causes: [(cause: String, divergences: [Divergence])] {
        Dictionary(grouping: divergences, by: \.cause)
            .map { ($0.key, $0.value) }
            .sorted { ($1.1.count, $0.0) < ($0.1.count, $1.0) }
    }
}
