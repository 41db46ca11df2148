public import EventSourcing

/// Finds the first event and field in which two traces of a projection differ, for each entity.
///
/// Entries are matched by entity and by position, or by their number within the entity where the
/// traces are of different logs. Memory is that of the states of all entities, and of entries that
/// wait for their match.
public struct TraceComparison: Sendable {
    /// What two traces say of one entity from some event on.
    public struct Divergence: Sendable {
        public var key: String
        /// Of the first trace; of the second where the first has no such event.
        public var position: Int64
        public var kind: String
        /// From the first trace to the second.
        public var changes: [FieldChange]
        /// Which trace has the event: both, or only one.
        public var isIn: Presence
        /// Positions and kinds of the entity's events up to it, the last ones.
        public var events: [String]
        /// Where a rule says that all of it was to be expected, why.
        public var expected: String?

        /// What divergences of one cause have in common: the kind, and the fields without numbers
        /// of elements.
        public var cause: String {
            let fields = Set(changes.map { $0.path.withoutIndices }).sorted()
            let missing = isIn == .both ? "" : " is only in the \(isIn.rawValue) one;"
            return "\(kind)\(missing) \(fields.joined(separator: ", "))"
        }
    }

    public enum Presence: String, Sendable {
        case both
        case first
        case second
    }

    /// A difference that somebody has declared to be right.
    public struct Expectation: Hashable, Sendable {
        /// A path, or the start of one with `*` behind it.
        public var field: String
        /// The stem or the whole of a kind; `nil` for any.
        public var kind: String?
        public var key: String?
        public var reason: String

        public init(field: String, kind: String? = nil, key: String? = nil, reason: String) {
            self.field = field
            self.kind = kind
            self.key = key
            self.reason = reason
        }

        func covers(_ change: FieldChange, of divergence: Divergence) -> Bool {
            let path = change.path
            let fits =
                field.hasSuffix("*")
                ? path.hasPrefix(field.dropLast())
                : path == field || path.withoutIndices == field || path.hasPrefix(field + ".")
                    || path.hasPrefix(field + "[")
            return fits && (key == nil || key == divergence.key)
                && (kind == nil || divergence.kind == kind
                    || divergence.kind.hasPrefix((kind ?? "") + "."))
        }
    }

    private enum Match: Hashable {
        case position(String, Int64)
        case number(String, Int)
    }

    private struct Side {
        var states: [String: [String: String]] = [:]
        var order: [String: [String]] = [:]
        var counts: [String: Int] = [:]
        var waiting: [Match: (entry: Trace.Entry, leaves: [FlatFields.Leaf])] = [:]
    }

    private let byPosition: Bool
    private let expectations: [Expectation]
    private var sides = [Side(), Side()]
    private var recent: [String: [String]] = [:]
    private var diverged: Set<String> = []
    public private(set) var divergences: [Divergence] = []
    /// Entries that both traces have.
    public private(set) var matched = 0
    public private(set) var entities: Set<String> = []

    /// - Parameter byPosition: whether both are of the same log.
    public init(byPosition: Bool, expecting expectations: [Expectation] = []) {
        self.byPosition = byPosition
        self.expectations = expectations
    }

    /// - Parameter isSecond: which trace the entry is of; both come in their own order.
    public mutating func take(_ entry: Trace.Entry, isSecond: Bool) {
        entities.insert(entry.key)
        guard !diverged.contains(entry.key) else { return }
        let (own, other) = isSecond ? (1, 0) : (0, 1)
        sides[own].apply(entry)
        let number = sides[own].counts[entry.key, default: 0]
        sides[own].counts[entry.key] = number + 1
        let match: Match =
            byPosition ? .position(entry.key, entry.position) : .number(entry.key, number)
        if !isSecond { remember(entry) }
        guard let waiting = sides[other].waiting.removeValue(forKey: match) else {
            sides[own].waiting[match] = (entry, sides[own].leaves(of: entry.key))
            return
        }
        matched += 1
        let leaves = sides[own].leaves(of: entry.key)
        let (first, second) = isSecond ? (waiting.leaves, leaves) : (leaves, waiting.leaves)
        let changes = FieldChange.between(first, second)
        let isSameKind = waiting.entry.kind == entry.kind
        guard !changes.isEmpty || (!isSameKind && !byPosition) else { return }
        diverge(isSecond ? waiting.entry : entry, changes, .both)
    }

    /// Nothing more comes: what still waits is in one trace only.
    public mutating func finish() {
        var left: [(Trace.Entry, [FlatFields.Leaf], Presence)] = []
        for (side, presence) in zip(sides, [Presence.first, .second]) {
            for waiting in side.waiting.values {
                left.append((waiting.entry, waiting.leaves, presence))
            }
        }
        left.sort { ($0.0.position, $0.0.key) < ($1.0.position, $1.0.key) }
        for (entry, leaves, presence) in left where !diverged.contains(entry.key) {
            let other = sides[presence == .first ? 1 : 0].leaves(of: entry.key)
            let changes =
                presence == .first
                ? FieldChange.between(leaves, other) : FieldChange.between(other, leaves)
            // An event that one side does not fold, and that changes nothing, is no difference.
            guard !changes.isEmpty else { continue }
            diverge(entry, changes, presence)
        }
        divergences.sort { ($0.position, $0.key) < ($1.position, $1.key) }
    }

    /// Divergences by what they have in common, the most frequent first.
    public var causes: [(cause: String, divergences: [Divergence])] {
        Dictionary(grouping: divergences, by: \.cause)
            .map { ($0.key, $0.value) }
            .sorted { ($1.1.count, $0.0) < ($0.1.count, $1.0) }
    }

    public var unexpected: Int { divergences.count { $0.expected == nil } }

    private mutating func remember(_ entry: Trace.Entry) {
        var events = recent[entry.key] ?? []
        events.append("\(entry.position) \(entry.kind)")
        recent[entry.key] = events.suffix(5)
    }

    private mutating func diverge(
        _ entry: Trace.Entry, _ changes: [FieldChange], _ presence: Presence
    ) {
        diverged.insert(entry.key)
        var divergence = Divergence(
            key: entry.key, position: entry.position, kind: entry.kind, changes: changes,
            isIn: presence, events: recent[entry.key] ?? [], expected: nil)
        let reasons = changes.map { change in
            expectations.first { $0.covers(change, of: divergence) }?.reason
        }
        if !reasons.contains(nil) { divergence.expected = reasons.first ?? nil }
        divergences.append(divergence)
        for index in sides.indices {
            sides[index].states[entry.key] = nil
            sides[index].order[entry.key] = nil
            sides[index].waiting = sides[index].waiting.filter { $0.value.entry.key != entry.key }
        }
        recent[entry.key] = nil
    }
}

extension TraceComparison.Side {
    fileprivate mutating func apply(_ entry: Trace.Entry) {
        for path in entry.gone {
            states[entry.key]?[path] = nil
            order[entry.key]?.removeAll { $0 == path }
        }
        for leaf in entry.set {
            if states[entry.key, default: [:]].updateValue(leaf.value, forKey: leaf.path) == nil {
                order[entry.key, default: []].append(leaf.path)
            }
        }
    }

    fileprivate func leaves(of key: String) -> [FlatFields.Leaf] {
        let state = states[key] ?? [:]
        return (order[key] ?? []).map { FlatFields.Leaf(path: $0, value: state[$0] ?? "null") }
    }
}

extension String {
    /// A path without the numbers of elements: `rows[].scoreM`.
    fileprivate var withoutIndices: String {
        var text = ""
        var isIndex = false
        for character in self {
            if character == "]" { isIndex = false }
            if !isIndex { text.append(character) }
            if character == "[" { isIndex = true }
        }
        return text
    }
}
