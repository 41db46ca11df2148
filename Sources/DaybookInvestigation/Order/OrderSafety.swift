public import Daybook

/// Tests, for each pair of event kinds, whether the order of two such events affects the state.
///
/// Two adjacent events of an entity, or two generated events, are folded in both orders.
public struct OrderSafety: Sendable {
    /// The results for two event kinds, which may be the same.
    public struct Pair: Sendable {
        /// The event kind whose name comes first.
        public var first: EventKind
        /// The event kind whose name comes second.
        public var second: EventKind
        /// Counts of the trials with adjacent events of an entity in the history.
        public var recordedTrials = Trials()
        /// Counts of the trials with generated events.
        public var generatedTrials = Trials()
        /// Positions of the first two adjacent events whose order mattered, and the fields that
        /// differed; `nil` if there are none.
        package var example: (positions: [Position], changes: [FieldChange])?

        /// True if the order did not matter in any trial.
        public var commutes: Bool {
            recordedTrials.differingCount == 0 && generatedTrials.differingCount == 0
        }
    }

    /// The number of trials, and of those in which the order mattered.
    public struct Trials: Record {
        public var count: Int64
        /// Number of trials in which the order mattered.
        public var differingCount: Int64

        public init(count: Int64 = 0, differingCount: Int64 = 0) {
            self.count = count
            self.differingCount = differingCount
        }

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tries", &count, "differed", &differingCount)
        }
    }

    /// The last event of an entity so far.
    private struct LastEvent {
        /// State before the last event.
        var stateBefore: Fold
        var event: RecordedEvent?
    }

    private let projection: ProjectionDescription
    private let catalogue: Catalogue
    private var folds: EntityFolds<LastEvent>
    /// Results by the two event kinds, which are sorted by name.
    private var pairsByKinds: [[EventKind]: Pair] = [:]
    private var comparison = FieldComparison()

    public init(of projection: ProjectionDescription, _ rules: RuleSet, in catalogue: Catalogue) {
        self.projection = projection
        self.catalogue = catalogue
        folds = EntityFolds(of: projection, rules)
    }

    /// The tested pairs of event kinds, sorted by the names of the kinds.
    public var pairs: [Pair] {
        pairsByKinds.values.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    }

    /// Folds the next event of entities with newest ids, testing both orders with the one before.
    public mutating func apply(_ event: RecordedEvent, _ keys: [String]) throws(FoldError) {
        for key in keys {
            let number = folds.numbers[key] ?? folds.add(key, LastEvent(stateBefore: folds.blank))
            let (before, last) = (folds.entities[number].fold, folds.entities[number].note)
            try folds.entities[number].fold.apply(event)
            folds.entities[number].note = LastEvent(stateBefore: before, event: event)
            if let lastEvent = last.event {
                try compare(
                    lastEvent, event, from: last.stateBefore, to: folds.entities[number].fold,
                    isRecorded: true)
            }
        }
    }

    /// Tests every pair of event kinds with generated events after generated histories.
    public mutating func testGeneratedEvents(trialsPerPair: Int = 400) throws(FoldError) {
        let kinds = projection.kinds.sorted()
        var sampler = Sampler(seed: 1)
        for (index, first) in kinds.enumerated() {
            for second in kinds[index...] {
                for _ in 0..<trialsPerPair {
                    var fold = folds.blank
                    let length = sampler.below(8)
                    for number in 0..<length {
                        let kind = kinds[sampler.below(kinds.count)]
                        try fold.apply(event(kind, number + 1, &sampler))
                    }
                    let (a, b) = (
                        event(first, length + 1, &sampler), event(second, length + 2, &sampler)
                    )
                    var now = fold
                    try now.apply(a)
                    try now.apply(b)
                    try compare(a, b, from: fold, to: now, isRecorded: false)
                }
            }
        }
    }

    /// Returns a generated event of a kind, at the position `number`.
    private func event(
        _ kind: EventKind, _ number: Int, _ sampler: inout Sampler
    ) -> RecordedEvent {
        sampler.event(UInt64(number), kind, catalogue.events[kind]?.sample ?? { _ in [] })
    }

    /// Folds `b` and then `a` from the state `before`, and counts whether the result differs from
    /// `now`.
    private mutating func compare(
        _ a: RecordedEvent, _ b: RecordedEvent, from before: Fold, to now: Fold, isRecorded: Bool
    ) throws(FoldError) {
        var other = before
        try other.apply(b)
        try other.apply(a)
        let changes = now.changes(to: other, &comparison)
        let kinds = [a.kind, b.kind].sorted()
        var pair = pairsByKinds[kinds] ?? Pair(first: kinds[0], second: kinds[1])
        let differs: Int64 = changes.isEmpty ? 0 : 1
        if isRecorded {
            pair.recordedTrials.count += 1
            pair.recordedTrials.differingCount += differs
            if pair.example == nil, differs == 1 {
                pair.example = ([a.position, b.position], changes)
            }
        } else {
            pair.generatedTrials.count += 1
            pair.generatedTrials.differingCount += differs
        }
        pairsByKinds[kinds] = pair
    }
}
