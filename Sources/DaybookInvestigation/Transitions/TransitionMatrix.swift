public import Daybook

/// Counts how often each transition of a state machine happened, whether declared or not.
public struct TransitionMatrix: Sendable {
    public struct CountedTransition: Sendable {
        /// The states before and after the event, and the event kind.
        package var transition: StateMachine.Transition
        /// True if the transition is declared. If the state has a count of unexpected events: true
        /// if the transition did not increase this count.
        public var isLegal: Bool
        /// Number of times that the transition happened; 0 for a declared transition that never
        /// did.
        public var count = 0
        /// Position of the first occurrence; `nil` if there was none.
        public var firstPosition: Position?
        /// Position of the last occurrence; `nil` if there was none.
        public var lastPosition: Position?
        /// Newest id of the entity of the first occurrence.
        public var firstKey = ""
    }

    /// How often and how long entities stayed in one state, by the devices' clocks.
    public struct StateTimes: Sendable {
        public var state: String
        /// Number of times that an entity left the state, except for those in `backwardCount`.
        public var endedCount = 0
        /// Number of entities that are still in the state.
        public var openCount = 0
        /// Total time that entities spent in the state before they left it, in microseconds.
        public var totalUs: Int64 = 0
        /// Longest time that an entity spent in the state before it left it, in microseconds.
        public var longestUs: Int64 = 0
        /// Number of times that an entity left the state before it entered it, by the devices'
        /// clocks; `totalUs` and `longestUs` do not include them.
        public var backwardCount = 0
    }

    /// The current state of one entity in the state machine.
    private struct Current {
        /// Index in `states` of the current state of the machine.
        var stateIndex = 0
        /// Time when the entity entered this state, in microseconds since 1970; `nil` until its
        /// state first changes.
        var sinceUs: Int64?
        /// Number of unexpected events as JSON, as the folded state itself counts them.
        var unexpectedCount = "0"
        /// The only event of the entity so far, if it is kept in place of the folded state.
        var onlyEvent: KeptEvent?
    }

    /// A copy of an event, whose kind is given by its index in `kinds`.
    private struct KeptEvent {
        var envelope: Envelope
        var kindIndex: Int
        var payload: [UInt8]
    }

    /// The largest payload, in bytes, that is kept in place of the state after it. Most states are
    /// larger, and most entities of an imported log have a single event.
    private static let keptByteCount = 256

    /// A transition that happened, with its legality at that time. One transition may be legal at
    /// one time and illegal at another.
    private struct ObservedTransition: Hashable, Comparable {
        var transition: StateMachine.Transition
        var isLegal: Bool

        static func < (a: ObservedTransition, b: ObservedTransition) -> Bool {
            a.transition != b.transition ? a.transition < b.transition : a.isLegal && !b.isLegal
        }
    }

    /// A transition, given by the indices of its states in `states` and of its event in `kinds`.
    private struct TransitionIndices: Hashable {
        var from: Int
        var event: Int
        var to: Int
        var isLegal: Bool
    }

    public let machine: StateMachine
    private let projection: ProjectionDescription
    private let rules: RuleSet
    /// The fields of the state that the machine reads.
    private let fields: [String]
    private var folds: EntityFolds<Current>
    /// Names of the states met so far; the first is the state before any event.
    private var states = [StateMachine.beginning]
    /// Index in `states` of each JSON value that the field of the machine has had so far.
    private var stateValues: [(json: String, state: Int)] = [("null", 0)]
    /// Event kinds met so far, with their names without version.
    private var kinds: [(kind: EventKind, stem: String)] = []
    /// Transitions that happened, with their counts.
    private var counts: [TransitionIndices: CountedTransition] = [:]
    /// Times that entities spent in each state before they left it, by the name of the state.
    private var endedTimes: [String: StateTimes] = [:]
    /// Counts of the transitions in matrices that were added to this one.
    private var addedCounts: [ObservedTransition: CountedTransition] = [:]
    /// Number of entities in each state, in matrices that were added to this one.
    private var addedEntityCounts: [String: Int] = [:]
    /// Number of events so far; an event about several entities is counted once.
    public private(set) var eventCount = 0
    private var lastPosition = Position.origin

    public init(_ machine: StateMachine, of projection: ProjectionDescription, rules: RuleSet) {
        self.machine = machine
        self.projection = projection
        self.rules = rules
        folds = EntityFolds(of: projection, rules)
        fields = Set(
            [machine.field, machine.illegalCountField].compactMap(\.self).map(\.topLevelField)
        ).sorted()
    }

    public var entityCount: Int { folds.entities.count + addedEntityCounts.values.reduce(0, +) }

    /// Folds the next event into the state of the entity with the newest id `key`, and counts its
    /// transition.
    public mutating func apply(_ event: borrowing EventView, _ key: String) throws(FoldError) {
        if lastPosition != event.position { eventCount += 1 }
        lastPosition = event.position
        let knownCount = folds.entities.count
        let number = folds.number(of: key, Current())
        let before = folds.entities[number].note
        let kind = index(of: event.kind)
        if let first = before.onlyEvent {
            folds.entities[number].note.onlyEvent = nil
            folds.entities[number].fold = folds.blank.blank
            try unsafe folds.entities[number].fold.apply(
                EventView(
                    first.envelope, kinds[first.kindIndex].kind, first.payload.contents.bytes))
        }
        try folds.entities[number].fold.apply(event)
        let leaves = folds.entities[number].fold.leaves(only: fields)
        let state = index(ofState: leaves.first { $0.path == machine.field }?.value ?? "null")
        var numbers = TransitionIndices(
            from: before.stateIndex, event: kind, to: state, isLegal: true)
        let unexpectedCount = leaves.first { $0.path == machine.illegalCountField }?.value
        if let unexpectedCount {
            numbers.isLegal = unexpectedCount == before.unexpectedCount
        } else {
            numbers.isLegal =
                counts[numbers] != nil || machine.legalTransitions.contains(transition(numbers))
        }
        count(numbers, event.position, key)
        if state != before.stateIndex {
            let nowUs = event.envelope.occurredAt.microseconds
            addTime(in: states[before.stateIndex], from: before.sinceUs, to: nowUs)
            folds.entities[number].note.stateIndex = state
            folds.entities[number].note.sinceUs = nowUs
        }
        if let unexpectedCount, unexpectedCount != before.unexpectedCount {
            folds.entities[number].note.unexpectedCount = unexpectedCount
        }
        guard number == knownCount, event.payload.byteCount <= Self.keptByteCount else { return }
        folds.entities[number].fold = folds.blank
        folds.entities[number].note.onlyEvent = KeptEvent(
            envelope: event.envelope, kindIndex: kind,
            payload: unsafe event.payload.withUnsafeBytes { unsafe Array($0) })
    }

    /// Returns the index in `states` of a state, given as JSON; appends a new state to `states`.
    private mutating func index(ofState json: String) -> Int {
        if let known = stateValues.first(where: { $0.json == json }) { return known.state }
        let name = json.filter { $0 != "\"" }
        let state = states.firstIndex(of: name) ?? states.count
        if state == states.count { states.append(name) }
        stateValues.append((json, state))
        return state
    }

    /// Returns the index in `kinds` of an event kind; appends a new kind to `kinds`.
    private mutating func index(of kind: EventKind) -> Int {
        if let known = kinds.firstIndex(where: { $0.kind == kind }) { return known }
        kinds.append((kind, String(kind.stem)))
        return kinds.count - 1
    }

    /// Returns the transition with the names of its states and its event.
    private func transition(_ numbers: TransitionIndices) -> StateMachine.Transition {
        StateMachine.Transition(
            from: states[numbers.from], event: kinds[numbers.event].stem, to: states[numbers.to])
    }

    private mutating func count(_ numbers: TransitionIndices, _ position: Position, _ key: String) {
        if counts[numbers]?.add(at: position) != nil { return }
        var count = CountedTransition(transition: transition(numbers), isLegal: numbers.isLegal)
        count.add(at: position)
        count.firstKey = key
        counts[numbers] = count
    }

    /// Counts that an entity left a state, unless the time when it entered the state is unknown.
    private mutating func addTime(in state: String, from: Int64?, to: Int64) {
        guard let from else { return }
        endedTimes[state, default: StateTimes(state: state)].add(from: from, to: to)
    }

    /// Adds the counts of a matrix with other entities, which has `sharedCount` events in common.
    mutating func add(_ other: TransitionMatrix, sharing sharedCount: Int) {
        eventCount += other.eventCount - sharedCount
        for (transition, count) in other.observedCounts {
            addedCounts[transition, default: count.zero].add(count)
        }
        for (state, times) in other.endedTimes {
            endedTimes[state, default: StateTimes(state: state)].add(times)
        }
        addedEntityCounts.merge(other.entityCounts) { $0 + $1 }
    }

    /// A copy with the counts of this matrix, but without the states of its entities; no event can
    /// be applied to the copy.
    var summary: TransitionMatrix {
        var summary = TransitionMatrix(machine, of: projection, rules: rules)
        summary.add(self, sharing: 0)
        return summary
    }

    /// Number of entities in each state after the events so far, by the name of the state.
    private var entityCounts: [String: Int] {
        var counts = addedEntityCounts
        for entity in folds.entities { counts[states[entity.note.stateIndex], default: 0] += 1 }
        return counts
    }

    /// Counts of the transitions that happened, including the counts of matrices that were added to
    /// this one.
    private var observedCounts: [ObservedTransition: CountedTransition] {
        var all = addedCounts
        for count in counts.values {
            let observed = ObservedTransition(transition: count.transition, isLegal: count.isLegal)
            all[observed, default: count.zero].add(count)
        }
        return all
    }

    /// All transitions with their counts, including declared transitions that never happened.
    public var transitions: [CountedTransition] {
        var all = observedCounts
        for transition in machine.legalTransitions {
            let declared = ObservedTransition(transition: transition, isLegal: true)
            if all[declared] == nil {
                all[declared] = CountedTransition(transition: transition, isLegal: true)
            }
        }
        return all.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The transitions that happened although the state machine does not allow them.
    public var illegalTransitions: [CountedTransition] { transitions.filter { !$0.isLegal } }

    /// How often and how long entities stayed in each state, sorted by the name of the state.
    public var times: [StateTimes] {
        var all = endedTimes
        for (state, count) in entityCounts {
            all[state, default: StateTimes(state: state)].openCount += count
        }
        return all.values.sorted { $0.state < $1.state }
    }
}

extension TransitionMatrix.CountedTransition {
    /// A count of 0 for the same transition.
    fileprivate var zero: Self { Self(transition: transition, isLegal: isLegal) }

    fileprivate mutating func add(at position: Position) {
        count += 1
        if firstPosition == nil { firstPosition = position }
        lastPosition = position
    }

    /// Adds the count of the same transition in other entities. If both first occurrences are at
    /// the same event, `firstKey` becomes the smaller id in byte order.
    fileprivate mutating func add(_ other: Self) {
        count += other.count
        if let start = other.firstPosition, isLater(start, other.firstKey) {
            (firstPosition, firstKey) = (start, other.firstKey)
        }
        lastPosition = [lastPosition, other.lastPosition].compactMap(\.self).max()
    }

    /// True if the first occurrence in this count comes after the one in another entity, at
    /// `start`, or if there is none in this count.
    ///
    /// If both are at the same event, the greater id in byte order is the later one.
    private func isLater(_ start: Position, _ otherKey: String) -> Bool {
        guard let firstPosition, firstPosition <= start else { return true }
        return firstPosition == start && otherKey.precedesByBytes(firstKey)
    }
}

extension TransitionMatrix.StateTimes {
    /// Counts that an entity stayed in the state between two times in microseconds.
    fileprivate mutating func add(from: Int64, to: Int64) {
        guard from <= to else {
            backwardCount += 1
            return
        }
        let length = Int64(clamping: Int128(to) - Int128(from))
        endedCount += 1
        totalUs = Int64(clamping: Int128(totalUs) + Int128(length))
        longestUs = max(longestUs, length)
    }

    fileprivate mutating func add(_ other: Self) {
        endedCount += other.endedCount
        totalUs = Int64(clamping: Int128(totalUs) + Int128(other.totalUs))
        longestUs = max(longestUs, other.longestUs)
        backwardCount += other.backwardCount
    }
}
