public import Daybook

/// The pairs of event kinds, and whether the order of their events affects the state.
///
/// Adjacent events of a history, and generated events, are folded in both orders.
public struct OrderSafety: Sendable {
    /// Two kinds, which may be the same.
    public struct Pair: Sendable {
        /// The kind whose name comes first.
        public var first: EventKind
        /// The kind whose name comes second.
        public var second: EventKind
        /// Trials with adjacent events of the history.
        public var recorded = Tries()
        /// Trials with generated events.
        public var generated = Tries()
        /// Positions of the first adjacent events whose order mattered, and the fields that
        /// differed.
        public var example: (positions: [Position], changes: [FieldChange])?

        /// True if the order mattered in no trial.
        public var commutes: Bool { recorded.differed == 0 && generated.differed == 0 }
    }

    /// Numbers of trials.
    public struct Tries: Record {
        /// Number of trials.
        public var count: Int64
        /// Number of trials in which the order mattered.
        public var differed: Int64

        /// Creates numbers of trials.
        public init(count: Int64 = 0, differed: Int64 = 0) {
            self.count = count
            self.differed = differed
        }

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("tries", &count, "differed", &differed)
        }
    }

    private struct Entity {
        /// State before the last event.
        var before: Fold
        var last: RecordedEvent?
        var now: Fold
    }

    private let projection: ProjectionDescription
    private let rules: RuleSet
    private let catalogue: Catalogue
    private var entities: [String: Entity] = [:]
    /// Results of the pairs that were tried, by the two event kinds.
    private var found: [[EventKind]: Pair] = [:]
    private var comparison = FieldComparison()

    /// Creates an analysis without any trial.
    public init(
        of projection: ProjectionDescription, _ rules: RuleSet, in catalogue: Catalogue
    ) {
        self.projection = projection
        self.rules = rules
        self.catalogue = catalogue
    }

    /// The tested pairs, sorted by the names of their kinds.
    public var pairs: [Pair] {
        found.values.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    }

    /// Folds the next event of a history, and also tests it in the order before its predecessor.
    ///
    /// - Parameter keys: the entities that the event is about.
    public mutating func take(_ event: RecordedEvent, _ keys: [String]) throws(FoldError) {
        for key in keys {
            let fresh = projection.fold(rules)
            var entity = entities.removeValue(forKey: key) ?? Entity(before: fresh, now: fresh)
            let before = entity.now
            try entity.now.apply(event)
            if let last = entity.last {
                try compare(last, event, from: entity.before, to: entity.now, isRecorded: true)
            }
            entity.before = before
            entity.last = event
            entities[key] = entity
        }
    }

    /// Tests every pair of kinds with generated events after generated histories.
    ///
    /// - Parameter tries: the number of trials for each pair.
    public mutating func generate(tries: Int = 400) throws(FoldError) {
        let kinds = projection.kinds.sorted()
        var sampler = Sampler(seed: 1)
        for (index, first) in kinds.enumerated() {
            for second in kinds[index...] {
                for _ in 0..<tries {
                    var fold = projection.fold(rules)
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

    private func event(
        _ kind: EventKind, _ number: Int, _ sampler: inout Sampler
    ) -> RecordedEvent {
        sampler.event(UInt64(number), kind, catalogue.events[kind]?.sample ?? { _ in [] })
    }

    private mutating func compare(
        _ a: RecordedEvent, _ b: RecordedEvent, from before: Fold, to now: Fold, isRecorded: Bool
    ) throws(FoldError) {
        var other = before
        try other.apply(b)
        try other.apply(a)
        let changes = now.changes(to: other, &comparison)
        let kinds = [a.kind, b.kind].sorted()
        var pair = found[kinds] ?? Pair(first: kinds[0], second: kinds[1])
        let differs: Int64 = changes.isEmpty ? 0 : 1
        if isRecorded {
            pair.recorded.count += 1
            pair.recorded.differed += differs
            if pair.example == nil, differs == 1 {
                pair.example = ([a.position, b.position], changes)
            }
        } else {
            pair.generated.count += 1
            pair.generated.differed += differs
        }
        found[kinds] = pair
    }
}
