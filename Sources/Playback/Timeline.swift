public import EventSourcing

/// What each event did to one entity of a projection, in order.
///
/// Feed it the events that the projection's query finds for the entity.
public struct Timeline: Sendable {
    /// One event and what it changed.
    public struct Step: Sendable {
        public var event: RecordedEvent
        public var before: [FlatFields.Leaf]
        public var after: [FlatFields.Leaf]

        /// The fields that differ.
        public var changes: [FieldChange] { FieldChange.between(before, after) }

        /// The event changed nothing.
        public var isInert: Bool { before == after }
    }

    /// No event has come yet.
    public private(set) var isEmpty = true
    private var fold: Fold
    private var current: [FlatFields.Leaf]

    public init(of projection: ProjectionDescription, rules: RuleSet) {
        fold = projection.fold(rules)
        current = fold.leaves
    }

    /// The state so far, as a JSON object.
    public var json: String { fold.json }

    /// The leaves of the state so far.
    public var leaves: [FlatFields.Leaf] { current }

    /// Folds the next event.
    public mutating func advance(with event: RecordedEvent) throws(FoldError) -> Step {
        try fold.apply(event)
        isEmpty = false
        let before = current
        current = fold.leaves
        return Step(event: event, before: before, after: current)
    }

    /// All steps at once, each event in the newest layout that the catalogue knows.
    public static func steps(
        of projection: ProjectionDescription, key: String, rules: RuleSet,
        events: some Sequence<RecordedEvent>, catalogue: Catalogue
    ) throws(FoldError) -> [Step] {
        var timeline = Timeline(of: projection, rules: rules)
        var steps: [Step] = []
        let own = try EntityWalk.events(of: projection, key, among: events, in: catalogue)
        for event in own { steps.append(try timeline.advance(with: event)) }
        return steps
    }
}
