public import Daybook

/// Counts the transitions of a state machine, observed and declared.
public struct TransitionMatrix: Sendable {
    /// A transition, and the number of times that it happened.
    public struct Count: Sendable {
        /// The states before and after, and the event.
        public var transition: StateMachine.Transition
        /// True if the transition is declared, or if the state itself does not count it as
        /// unexpected.
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

    /// The stays of entities in a state: their number and length, by the devices' clocks.
    public struct Stay: Sendable {
        /// Name of the state.
        public var state: String
        /// Number of stays that ended, except for those that `backward` counts.
        public var ended = 0
        /// Number of entities that are still in the state.
        public var open = 0
        /// Total length of the ended stays in microseconds.
        public var totalUs: Int64 = 0
        /// Length of the longest ended stay in microseconds.
        public var longestUs: Int64 = 0
        /// Number of stays that end before they begin, by the devices' clocks; no length includes
        /// them.
        public var backward = 0
    }

    /// The state of one entity, with the time since when it has had the state.
    private struct Entity {
        /// The folded state.
        var fold: Fold
        /// Index of the current state in `states`.
        var state = 0
        /// Start of the current state, in microseconds since 1970; `nil` before any event.
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

        /// Sets the current state, and the number of unexpected events if the state has one.
        mutating func setState(_ state: Int, at nowUs: Int64, _ unexpected: String?) {
            if state != self.state { sinceUs = nowUs }
            self.state = state
            if let unexpected { self.unexpected = unexpected }
        }
    }

    /// A transition that happened, and whether it was legal then.
    ///
    /// One transition may be legal at one time and illegal at another.
    private struct Observed: Hashable, Comparable {
        /// The states before and after, and the event.
        var transition: StateMachine.Transition
        /// True if the transition was legal.
        var isLegal: Bool

        static func < (a: Observed, b: Observed) -> Bool {
            a.transition != b.transition ? a.transition < b.transition : a.isLegal && !b.isLegal
        }
    }

    /// A transition by the indices of its states in `states` and of its event in `kinds`.
    private struct TransitionIndices: Hashable {
        /// Index of the state before the event.
        var from: Int
        /// Index of the event's kind.
        var event: Int
        /// Index of the state after the event.
        var to: Int
        /// True if the transition was legal.
        var isLegal: Bool
    }

    /// The state machine.
    public let machine: StateMachine
    /// The projection whose states are folded.
    private let projection: ProjectionDescription
    /// Rule set that the states are folded with.
    private let rules: RuleSet
    /// The fields of the state that the machine reads.
    private let fields: [String]
    /// Entities so far, by their newest id.
    private var entities: [String: Entity] = [:]
    /// Names of the states met so far; the first is the beginning.
    private var states = [StateMachine.beginning]
    /// Indices in `states` of the JSON values met so far.
    private var stateValues: [(json: String, state: Int)] = [("null", 0)]
    /// Kinds of the events met so far, and their stems.
    private var kinds: [(kind: EventKind, stem: String)] = []
    /// Transitions that happened, with their numbers.
    private var counts: [TransitionIndices: Count] = [:]
    /// Ended stays, by state.
    private var stays: [String: Stay] = [:]
    /// Counts of transitions from other matrices that were added to this one.
    private var added: [Observed: Count] = [:]
    /// Numbers of entities in each state, from other matrices that were added to this one.
    private var addedOpen: [String: Int] = [:]
    /// Number of events so far.
    public private(set) var events = 0
    /// Position of the last event.
    private var last = Position.origin

    /// Creates a matrix without any event.
    public init(
        _ machine: StateMachine, of projection: ProjectionDescription, rules: RuleSet
    ) {
        self.machine = machine
        self.projection = projection
        self.rules = rules
        fields = Set([machine.field, machine.unexpected].compactMap(\.self).map(\.topLevelField))
            .sorted()
    }

    /// Number of entities so far.
    public var entityCount: Int { entities.count + addedOpen.values.reduce(0, +) }

    /// Folds an event into the state of an entity, and counts the transition.
    ///
    /// - Parameters:
    ///   - event: the next event of the projection, in its newest schema version.
    ///   - key: the newest id of an entity that the event is about.
    public mutating func apply(
        _ event: borrowing EventView, _ key: String
    ) throws(FoldError) {
        if last != event.position { events += 1 }
        last = event.position
        let (projection, rules) = (projection, rules)
        let (leaves, before) = try entities[key, default: Entity(fold: projection.fold(rules))]
            .apply(event, fields)
        let state = number(ofState: leaves.first { $0.path == machine.field }?.value ?? "null")
        var numbers = TransitionIndices(
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
        entities[key]?.setState(state, at: now, unexpected)
    }

    /// Returns the index in `states` of a state, given as JSON; a new state is appended.
    private mutating func number(ofState json: String) -> Int {
        if let known = stateValues.first(where: { $0.json == json }) { return known.state }
        let name = json.filter { $0 != "\"" }
        let state = states.firstIndex(of: name) ?? states.count
        if state == states.count { states.append(name) }
        stateValues.append((json, state))
        return state
    }

    /// Returns the index in `kinds` of an event kind; a new kind is appended.
    private mutating func number(of kind: EventKind) -> Int {
        if let known = kinds.firstIndex(where: { $0.kind == kind }) { return known }
        kinds.append((kind, String(kind.stem)))
        return kinds.count - 1
    }

    /// Returns the transition with the names of its states and its event.
    private func transition(_ numbers: TransitionIndices) -> StateMachine.Transition {
        StateMachine.Transition(
            from: states[numbers.from], event: kinds[numbers.event].stem,
            to: states[numbers.to])
    }

    /// Counts a transition of an entity.
    private mutating func count(_ numbers: TransitionIndices, _ position: Position, _ key: String) {
        if counts[numbers]?.add(at: position) != nil { return }
        var count = Count(transition: transition(numbers), isLegal: numbers.isLegal)
        count.add(at: position)
        count.key = key
        counts[numbers] = count
    }

    /// Adds a stay in a state, unless its beginning is unknown.
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

    /// Number of entities that are in each state now.
    private var open: [String: Int] {
        var open = addedOpen
        for entity in entities.values { open[states[entity.state], default: 0] += 1 }
        return open
    }

    /// Counts of the transitions that happened, in this matrix and in those that were added.
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

    /// The transitions that happened although the state machine does not allow them.
    public var illegal: [Count] { transitions.filter { !$0.isLegal } }

    /// The stays in each state, sorted by state.
    public var times: [Stay] {
        var all = stays
        for (state, count) in open { all[state, default: Stay(state: state)].open += count }
        return all.values.sorted { $0.state < $1.state }
    }
}

extension TransitionMatrix.Count {
    /// A count of the same transition that has not happened.
    fileprivate var blank: Self { Self(transition: transition, isLegal: isLegal) }

    /// Counts the transition once more.
    fileprivate mutating func add(at position: Position) {
        count += 1
        if first == nil { first = position }
        last = position
    }

    /// Adds the counts of the same transition of other entities.
    ///
    /// If both first occurrences are at one event, the entity whose id is first in byte order is
    /// kept.
    fileprivate mutating func add(_ other: Self) {
        count += other.count
        if let start = other.first, isLater(start, other.key) { (first, key) = (start, other.key) }
        last = [last, other.last].compactMap(\.self).max()
    }

    /// True if this first occurrence comes after the first occurrence of another entity.
    private func isLater(_ start: Position, _ otherKey: String) -> Bool {
        guard let first, first <= start else { return true }
        return first == start && otherKey.precedesByBytes(key)
    }
}

extension TransitionMatrix.Stay {
    /// Adds a stay between two times in microseconds.
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
