public import Daybook

/// The changes that each event made to one entity of a projection, in order.
///
/// Pass it the events that the projection's query finds for the entity.
public struct Timeline: Sendable {
    /// An event, and the changes that it made.
    public struct Step: Sendable {
        /// The event.
        public var event: RecordedEvent
        /// Changes of the entity's fields; empty if the event changed nothing.
        public var changes: [FieldChange]
        /// True for the first event of the entity, whose changes are relative to the blank state.
        public var isFirst: Bool

        public init(event: RecordedEvent, changes: [FieldChange], isFirst: Bool = false) {
            self.event = event
            self.changes = changes
            self.isFirst = isFirst
        }

        /// True if the event changed nothing.
        public var isInert: Bool { changes.isEmpty }
    }

    /// True before the first event.
    public private(set) var isEmpty: Bool
    private var fold: Fold
    private var comparison = FieldComparison()

    /// Creates a timeline that begins with the blank state.
    public init(of projection: ProjectionDescription, rules: RuleSet) {
        fold = projection.fold(rules)
        isEmpty = true
    }

    /// Creates a timeline that continues from a state.
    ///
    /// - Parameter isEmpty: `true` if the state is that before any event.
    public init(from fold: Fold, isEmpty: Bool) {
        self.fold = fold
        self.isEmpty = isEmpty
    }

    /// The state so far, as a JSON object.
    public var json: String { fold.json }

    /// The leaves of the state so far.
    public var leaves: [FlatFields.Leaf] { fold.leaves }

    /// Folds the next event, and returns its changes.
    public mutating func advance(with event: RecordedEvent) throws(FoldError) -> Step {
        let changes = try fold.step(event.view, &comparison)
        defer { isEmpty = false }
        return Step(event: event, changes: changes, isFirst: isEmpty)
    }

    /// Returns all steps of an entity, with events in their newest schema versions.
    ///
    /// - Parameter events: any events; events of other entities are ignored.
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
