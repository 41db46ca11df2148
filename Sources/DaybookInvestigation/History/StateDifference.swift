package import Daybook
import DaybookLog

/// The change of the state of an entity between two moments of a log.
package struct StateDifference: Sendable {
    /// The newest id of the entity at the later moment.
    package var key: String
    package var changes: [FieldChange]
    /// True if the entity had no event at the earlier moment.
    package var isNew: Bool

    /// Compares the states of an entity at two moments.
    ///
    /// - Throws: `QuestionError.unknownEntity` if the entity has no events at the later moment.
    package init(
        of projection: ProjectionDescription, _ key: String, _ rules: RuleSet,
        from earlier: ProjectionReading, to later: ProjectionReading
    ) throws {
        let states = try later.states(of: projection, key, rules)
        var before: Fold?
        do {
            before = try earlier.states(of: projection, key, rules).values.first
        } catch QuestionError.unknownEntity { before = nil }
        let after = states.values.first?.leaves ?? []
        self.key = states.keys.first ?? key
        isNew = before == nil
        changes = FieldChange.between(before?.leaves ?? [], after, KeyedLists(projection.fields))
        // Without an earlier state, what no event has set is no change.
        if isNew { changes.removeAll { ["null", "[]", "{}"].contains($0.after) } }
    }
}
