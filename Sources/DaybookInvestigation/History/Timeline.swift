public import Daybook

/// Folds the events of one entity, and finds the changes that each event makes to its state.
///
/// Pass all events of the entity to `advance(with:)`, in the order of the log.
public struct Timeline: Sendable {
    /// One event, with the changes that it made.
    public struct Step: Sendable {
        public var event: RecordedEvent
        /// Changes of the entity's fields; empty if the event changed nothing.
        package var changes: [FieldChange]
        /// True for the first event of the entity, whose changes add all fields that it sets.
        public var isFirst: Bool

        package init(event: RecordedEvent, changes: [FieldChange], isFirst: Bool = false) {
            self.event = event
            self.changes = changes
            self.isFirst = isFirst
        }

        public var isInert: Bool { changes.isEmpty }
    }

    /// True until the first event is folded.
    public private(set) var isEmpty: Bool
    private var fold: Fold
    private var comparison = FieldComparison()

    public init(of projection: ProjectionDescription, rules: RuleSet) {
        fold = projection.fold(rules)
        isEmpty = true
    }

    /// Creates a timeline that continues from a state, which is blank if `isEmpty`.
    public init(from fold: Fold, isEmpty: Bool) {
        self.fold = fold
        self.isEmpty = isEmpty
    }

    /// The state after the events so far, as a JSON object.
    public var json: String { fold.json }

    package var leaves: [FlatFields.Leaf] { fold.leaves }

    /// Folds the next event into the state, and returns the changes that it makes.
    public mutating func advance(with event: RecordedEvent) throws(FoldError) -> Step {
        var changes = try fold.step(event.view, &comparison)
        defer { isEmpty = false }
        // Nothing was there that the first event could remove.
        if isEmpty { changes.removeAll { $0.after == nil } }
        return Step(event: event, changes: changes, isFirst: isEmpty)
    }
}
