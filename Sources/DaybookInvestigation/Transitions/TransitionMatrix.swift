public import Daybook

/// The observed and the declared transitions of a state machine.
public struct TransitionMatrix: Sendable {
    /// A transition, and the number of times that it happened.
    public struct Count: Sendable {
        /// The states before and after, and the event.
        public var transition: StateMachine.Transition
        /// True if the transition fits the state machine.
        public var isLegal: Bool
        /// Number of times; 0 for a declared transition that never happened.
        public var count = 0
        /// Position of the first occurrence; `nil` if there was none.
        public var first: Position?
        /// Position of the last occurrence; `nil` if there was none.
        public var last: Position?
        /// Id of the entity of the first occurrence.
        public var key = ""
    }

    /// The time that entities spent in a state, by the devices' clocks.
    public struct Stay: Sendable {
        /// Name of the state.
        public var state: String
        /// Number of stays that ended, without the stays in `backward`.
        public var ended = 0
        /// Number of entities that are still in the state.
        public var open = 0
        /// Total length of the ended stays in microseconds.
        public var totalUs: Int64 = 0
        /// Length of the longest ended stay in microseconds.
        public var longestUs: Int64 = 0
        /// Number of stays that end before they begin, according to the devices' clocks.
        ///
        /// No length includes them.
        public var backward = 0
    }

    private struct Entity {
        var fold: Fold
        /// Index of the current state in `states`.
        var state = 0
        var sinceUs: Int64?
        /// Number of unexpected events, as the state itself counts them.
        var unexpected = "0"

        /// Applies an event to the state.
        ///
        /// - Returns: the leaves of some fields after the event, and the entity before it.
        mutating func apply(
            _ event: borrowing EventView, _ fields: [String]
        ) throws(FoldError) -> (
            leaves: [FlatFields.Leaf], before: (state: Int, sinceUs: Int64?, unexpected: String)
        ) {
            try fold.apply(event)
            return (fold.leaves(only: fields), (state, sinceUs, unexpected))
        }

        /// Notes the state after an event, and the number of unexpected events if there is one.
        mutating func enter(_ state: Int, at nowUs: Int64, _ unexpected: String?) {
            if state != self.state { sinceUs = nowUs }
            self.state = state
            if let unexpected { self.unexpected = unexpected }
        }
    }

    /// A transition and whether it was legal, because it may fit at one time and not at another.
    private struct Observed: Hashable, Comparable {
        var transition: StateMachine.Transition
        var isLegal: Bool

        static func < (a: Observed, b: Observed) -> Bool {
            a.transition != b.transition ? a.transition < b.transition : a.isLegal && !b.isLegal
        }
    }

    /// A transition by the indices of its states and its event.
    private struct Numbers: Hashable {
        var from: Int
        var event: Int
        var to: Int
        var isLegal: Bool
    }

    /// The state machine.
    public let machine: StateMachine
    private let projection: ProjectionDescription
    private let rules: RuleSet
    /// The fields of the state that the machine reads.
    private let fields: [String]
    private var entities: [String: Entity] = [:]
    /// Names of the states met so far; the first is the beginning.
    private var states = [StateMachine.beginning]
    /// Indices in `states` of the JSON values met so far.
    private var stateValues: [(json: String, state: Int)] = [("null", 0)]
    /// Kinds of the events met so far, and their stems.
    private var kinds: [(kind: EventKind, stem: String)] = []
    private var counts: [Numbers: Count] = [:]
    private var stays: [String: Stay] = [:]
    /// Transitions of the matrices that were added.
    private var added: [Observed: Count] = [:]
    /// Numbers of entities in each state in the matrices that were added.
    private var addedOpen: [String: Int] = [:]
    /// Number of events so far.
    public private(set) var events = 0
    private var last = Position.origin

    /// Creates a matrix without any event.
    public init(
        _ machine: StateMachine, of projection: ProjectionDescription, rules: RuleSet
    ) {
        self.machine = machine
        self.projection = projection
        self.rules = rules
        fields = Set([machine.field, machine.unexpected].compactMap(\.self).map(\.ownField))
            .sorted()
    }

    /// Number of entities so far.
    public var entityCount: Int { entities.count + addedOpen.values.reduce(0, +) }

    /// Folds an event into the state of an entity, and counts the transition.
    ///
    /// - Parameters:
    ///   - event: the next event of the projection, in its newest schema version.
    ///   - key: an entity that the event is about.
    public mutating func take(
        _ event: borrowing EventView, _ key: String
    ) throws(FoldError) {
        if last != event.position { events += 1 }
        last = event.position
        let (projection, rules) = (projection, rules)
        let (leaves, before) = try entities[key, default: Entity(fold: projection.fold(rules))]
            .apply(event, fields)
        let state = number(ofState: leaves.first { $0.path == machine.field }?.value ?? "null")
        var numbers = Numbers(
            from: before.state, event: number(of: event.kind), to: state, isLegal: true)
        let unexpected = leaves.first { $0.path == machine.unexpected }?.value
        if let unexpected {
            numbers.isLegal = unexpected == before.unexpected
        } else {
            numbers.isLegal = counts[numbers] != nil || machine.legal.contains(transition(numbers))
        }
        count(numbers, event.position, key)
        let now = event.envelope.occurredAt.microseconds
        if state != before.state {
            addStay(in: states[before.state], from: before.sinceUs, to: now)
        }
        guard state != before.state || unexpected ?? before.unexpected != before.unexpected else {
            return
        }
        entities[key]?.enter(state, at: now, unexpected)
    }

    private mutating func number(ofState json: String) -> Int {
        if let known = stateValues.first(where: { $0.json == json }) { return known.state }
        let name = json.filter { $0 != "\"" }
        let state = states.firstIndex(of: name) ?? states.count
        if state == states.count { states.append(name) }
        stateValues.append((json, state))
        return state
    }

    private mutating func number(of kind: EventKind) -> Int {
        if let known = kinds.firstIndex(where: { $0.kind == kind }) { return known }
        kinds.append((kind, String(kind.stem)))
        return kinds.count - 1
    }

    private func transition(_ numbers: Numbers) -> StateMachine.Transition {
        StateMachine.Transition(
            from: states[numbers.from], event: kinds[numbers.event].stem,
            to: states[numbers.to])
    }

    private mutating func count(_ numbers: Numbers, _ position: Position, _ key: String) {
        if counts[numbers]?.add(at: position) != nil { return }
        var count = Count(transition: transition(numbers), isLegal: numbers.isLegal)
        count.add(at: position)
        count.key = key
        counts[numbers] = count
    }

    private mutating func addStay(in state: String, from: Int64?, to: Int64) {
        guard let from else { return }
        stays[state, default: Stay(state: state)].add(from: from, to: to)
    }

    /// Adds the transitions of another matrix of the same state machine.
    ///
    /// - Parameters:
    ///   - other: a matrix of other entities of the same log.
    ///   - count: the number of its events that this matrix has counted too.
    mutating func add(_ other: TransitionMatrix, sharing count: Int) {
        events += other.events - count
        for (observed, count) in other.observed { added[observed, default: count.blank].add(count) }
        for (state, stay) in other.stays { stays[state, default: Stay(state: state)].add(stay) }
        addedOpen.merge(other.open) { $0 + $1 }
    }

    /// This matrix without the states of its entities, so that it can only be added to another.
    var summary: TransitionMatrix {
        var summary = TransitionMatrix(machine, of: projection, rules: rules)
        summary.add(self, sharing: 0)
        return summary
    }

    /// Numbers of entities in each state.
    private var open: [String: Int] {
        var open = addedOpen
        for entity in entities.values { open[states[entity.state], default: 0] += 1 }
        return open
    }

    /// The transitions that happened.
    private var observed: [Observed: Count] {
        var all = added
        for count in counts.values {
            let observed = Observed(transition: count.transition, isLegal: count.isLegal)
            all[observed, default: count.blank].add(count)
        }
        return all
    }

    /// All transitions that happened, and the declared transitions that never happened.
    public var transitions: [Count] {
        var all = observed
        for transition in machine.legal {
            let declared = Observed(transition: transition, isLegal: true)
            if all[declared] == nil { all[declared] = Count(transition: transition, isLegal: true) }
        }
        return all.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The transitions that do not fit the state machine.
    public var illegal: [Count] { transitions.filter { !$0.isLegal } }

    /// The lengths of stays in each state, sorted by state.
    public var times: [Stay] {
        var all = stays
        for (state, count) in open { all[state, default: Stay(state: state)].open += count }
        return all.values.sorted { $0.state < $1.state }
    }
}

extension TransitionMatrix.Count {
    /// A count of the same transition that has not happened.
    fileprivate var blank: Self { Self(transition: transition, isLegal: isLegal) }

    fileprivate mutating func add(at position: Position) {
        count += 1
        if first == nil { first = position }
        last = position
    }

    /// Adds the same transition of other entities.
    ///
    /// Of two entities that begin with one event, the first in byte order is kept.
    fileprivate mutating func add(_ other: Self) {
        count += other.count
        if let start = other.first, isLater(start, other.key) { (first, key) = (start, other.key) }
        last = [last, other.last].compactMap(\.self).max()
    }

    /// True if the first occurrence comes after an event of another entity.
    private func isLater(_ start: Position, _ otherKey: String) -> Bool {
        guard let first, first <= start else { return true }
        return first == start && otherKey.precedesByBytes(key)
    }
}

extension TransitionMatrix.Stay {
    fileprivate mutating func add(from: Int64, to: Int64) {
        guard from <= to else {
            backward += 1
            return
        }
        let length = Int64(clamping: Int128(to) - Int128(from))
        ended += 1
        totalUs = Int64(clamping: Int128(totalUs) + Int128(length))
        longestUs = max(longestUs, length)
    }

    /// Adds the stays of other entities in the same state.
    fileprivate mutating func add(_ other: Self) {
        ended += other.ended
        totalUs = Int64(clamping: Int128(totalUs) + Int128(other.totalUs))
        longestUs = max(longestUs, other.longestUs)
        backward += other.backward
    }
}
