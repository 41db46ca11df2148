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
        var state = StateMachine.beginning
        var sinceUs: Int64?
        /// Number of unexpected events, as the state itself counts them.
        var unexpected = "0"
    }

    /// A transition and whether it was legal, because it may fit at one time and not at another.
    private struct Observed: Hashable, Comparable {
        var transition: StateMachine.Transition
        var isLegal: Bool

        static func < (a: Observed, b: Observed) -> Bool {
            a.transition != b.transition ? a.transition < b.transition : a.isLegal && !b.isLegal
        }
    }

    /// The state machine.
    public let machine: StateMachine
    private let projection: ProjectionDescription
    private let rules: RuleSet
    /// The fields of the state that the machine reads.
    private let fields: Set<String>
    private var entities: [String: Entity] = [:]
    private var counts: [Observed: Count] = [:]
    private var stays: [String: Stay] = [:]
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
    }

    /// Number of entities so far.
    public var entityCount: Int { entities.count }

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
        var entity = entities.removeValue(forKey: key) ?? Entity(fold: projection.fold(rules))
        try entity.fold.apply(event)
        let leaves = entity.fold.leaves(only: fields)
        let state =
            leaves.first { $0.path == machine.field && $0.value != "null" }
            .map { $0.value.filter { $0 != "\"" } } ?? StateMachine.beginning
        let transition = StateMachine.Transition(
            from: entity.state, event: String(event.kind.stem), to: state)
        var isLegal = machine.legal.contains(transition)
        if let unexpected = leaves.first(where: { $0.path == machine.unexpected })?.value {
            isLegal = unexpected == entity.unexpected
            entity.unexpected = unexpected
        }
        count(Observed(transition: transition, isLegal: isLegal), event.position, key)
        let now = event.envelope.occurredAt.microseconds
        if state != entity.state {
            addStay(in: entity.state, from: entity.sinceUs, to: now)
            entity.sinceUs = now
        }
        entity.state = state
        entities[key] = entity
    }

    private mutating func count(
        _ observed: Observed, _ position: Position, _ key: String
    ) {
        var count =
            counts[observed]
            ?? Count(transition: observed.transition, isLegal: observed.isLegal)
        count.count += 1
        if count.first == nil {
            count.first = position
            count.key = key
        }
        count.last = position
        counts[observed] = count
    }

    private mutating func addStay(in state: String, from: Int64?, to: Int64) {
        guard let from else { return }
        var stay = stays[state] ?? Stay(state: state)
        defer { stays[state] = stay }
        guard from <= to else {
            stay.backward += 1
            return
        }
        let length = Int64(clamping: Int128(to) - Int128(from))
        stay.ended += 1
        stay.totalUs = Int64(clamping: Int128(stay.totalUs) + Int128(length))
        stay.longestUs = max(stay.longestUs, length)
    }

    /// All transitions that happened, and the declared transitions that never happened.
    public var transitions: [Count] {
        var all = counts
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
        for entity in entities.values {
            all[entity.state, default: Stay(state: entity.state)].open += 1
        }
        return all.values.sorted { $0.state < $1.state }
    }
}
