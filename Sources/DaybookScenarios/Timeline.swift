public import Daybook

/// The changes that each event made to one entity of a projection, in order.
///
/// Feed it the events that the projection's query finds for the entity.
public struct Timeline: Sendable {
    /// One event and what it changed.
    public struct Step: Sendable {
        public var event: RecordedEvent
        public var changes: [FieldChange]
        /// `true` for the first event of an entity, whose changes are what it began with.
        public var isFirst: Bool

        public init(event: RecordedEvent, changes: [FieldChange], isFirst: Bool = false) {
            self.event = event
            self.changes = changes
            self.isFirst = isFirst
        }

        /// The event changed nothing.
        public var isInert: Bool { changes.isEmpty }
    }

    /// No event has come yet.
    public private(set) var isEmpty: Bool
    private var fold: Fold
    private var comparison = FieldComparison()

    public init(of projection: ProjectionDescription, rules: RuleSet) {
        fold = projection.fold(rules)
        isEmpty = true
    }

    /// Goes on from a state.
    ///
    /// - Parameter isEmpty: no event has led to it.
    public init(from fold: Fold, isEmpty: Bool) {
        self.fold = fold
        self.isEmpty = isEmpty
    }

    /// The state so far, as a JSON object.
    public var json: String { fold.json }

    /// The leaves of the state so far.
    public var leaves: [FlatFields.Leaf] { fold.leaves }

    /// Folds the next event.
    public mutating func advance(with event: RecordedEvent) throws(FoldError) -> Step {
        let changes = try fold.step(event.view, &comparison)
        defer { isEmpty = false }
        return Step(event: event, changes: changes, isFirst: isEmpty)
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
