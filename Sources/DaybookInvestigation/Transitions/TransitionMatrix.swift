public import Daybook

/// The transitions of a state machine that a log shows, beside those that are declared.
public struct TransitionMatrix: Sendable {
    /// How often a transition happened.
    public struct Count: Sendable {
        public var transition: StateMachine.Transition
        public var isLegal: Bool
        /// 0 for one that is declared and never happened.
        public var count = 0
        /// Positions.
        public var first: Position?
        public var last: Position?
        /// An entity that made it first.
        public var key = ""
    }

    /// How long entities were in a state, by the devices' clocks.
    public struct Stay: Sendable {
        public var state: String
        /// Stays that ended.
        public var ended = 0
        /// Entities that are there still.
        public var open = 0
        /// Total length of the stays that ended.
        public var totalUs: Int64 = 0
        public var longestUs: Int64 = 0
        /// Stays whose end is told with an earlier time than their begin; they count in no length.
        public var backward = 0
    }

    private struct Entity {
        var fold: Fold
        var state = StateMachine.beginning
        var sinceUs: Int64?
        /// Events that did not fit, as its state counts them.
        var unexpected = "0"
    }

    /// A transition, by its legality: the same one may fit at one time and not at another.
    private struct Observed: Hashable, Comparable {
        var transition: StateMachine.Transition
        var isLegal: Bool

        static func < (a: Observed, b: Observed) -> Bool {
            a.transition != b.transition ? a.transition < b.transition : a.isLegal && !b.isLegal
        }
    }

    public let machine: StateMachine
    private let projection: ProjectionDescription
    private let rules: RuleSet
    /// The fields of the state that the machine reads.
    private let fields: Set<String>
    private var entities: [String: Entity] = [:]
    private var counts: [Observed: Count] = [:]
    private var stays: [String: Stay] = [:]
    public private(set) var events = 0
    private var last = Position.origin

    public init(
        _ machine: StateMachine, of projection: ProjectionDescription, rules: RuleSet
    ) {
        self.machine = machine
        self.projection = projection
        self.rules = rules
        fields = Set([machine.field, machine.unexpected].compactMap(\.self).map(\.ownField))
    }

    public var entityCount: Int { entities.count }

    /// - Parameters:
    ///   - event: the next of the projection's, in its newest layout.
    ///   - key: an entity it is about.
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
            stay(in: entity.state, from: entity.sinceUs, to: now)
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

    private mutating func stay(in state: String, from: Int64?, to: Int64) {
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

    /// Everything that happened, and what is declared and never did.
    public var transitions: [Count] {
        var all = counts
        for transition in machine.legal {
            let declared = Observed(transition: transition, isLegal: true)
            if all[declared] == nil { all[declared] = Count(transition: transition, isLegal: true) }
        }
        return all.sorted { $0.key < $1.key }.map(\.value)
    }

    public var illegal: [Count] { transitions.filter { !$0.isLegal } }

    public var times: [Stay] {
        var all = stays
        for entity in entities.values {
            all[entity.state, default: Stay(state: entity.state)].open += 1
        }
        return all.values.sorted { $0.state < $1.state }
    }
}
