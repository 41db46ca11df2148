import Daybook

/// The steps of a story's entities in their life cycles: one for each event about an entity, also
/// if the event keeps the state.
struct StorySteps: Sendable {
    private struct Step: Sendable {
        /// Row of the event, or the first row after an event that is not in the story.
        var row: Int32
        var entity: Int32
        /// Index of the state before, among the story's values; -1 before the first event.
        var from: Int32
        /// Index of the state after, among the story's values; -1 for none.
        var to: Int32
    }

    private var all: [Step] = []

    /// The present state of one entity in its life cycle.
    struct Cycle {
        private let entity: Int32
        /// Path of the field that has the state.
        private let path: String
        /// The state before any event as the projection has it, as JSON.
        private let blank: String?
        /// Index of the state among the story's values; -1 before the first event.
        private var state: Int32 = -1
        private var isBlank = true

        init(entity: Int32, _ machine: StateMachine, _ fold: Fold) {
            self.entity = entity
            path = machine.field
            let field = fold.leaves(only: [machine.field.topLevelField])
                .first { $0.path == machine.field }
            blank = field.map(\.value)
        }

        /// Adds the step of an event, which changed fields of the entity.
        mutating func add(
            _ found: [FieldChange], _ row: Int, _ fields: inout StoryFields,
            to steps: inout StorySteps
        ) {
            let from = state
            if let change = found.last(where: { $0.path == path }) {
                state = Self.index(of: change.after, in: &fields)
            } else if isBlank {
                state = Self.index(of: blank, in: &fields)
            }
            isBlank = false
            steps.all.append(
                Step(row: Int32(truncatingIfNeeded: row), entity: entity, from: from, to: state))
        }

        /// Returns the index of a state that is given as JSON.
        private static func index(of json: String?, in fields: inout StoryFields) -> Int32 {
            json == "null" ? -1 : fields.index(ofValue: json)
        }
    }

    /// Removes the steps of entities that the story does not keep; renumbers those at `kept`.
    mutating func keep(_ kept: [Int]) {
        var places: [Int32: Int32] = [:]
        for (place, entity) in kept.enumerated() {
            places[Int32(truncatingIfNeeded: entity)] = Int32(truncatingIfNeeded: place)
        }
        all = all.compactMap { step in
            guard let place = places[step.entity] else { return nil }
            var step = step
            step.entity = place
            return step
        }
    }

    /// Returns the steps as columns in the order of the rows, without those after `rowCount` rows.
    func columns(rowCount: Int) -> [(name: String, column: StoryColumn)] {
        var (rows, entities) = (StoryColumn(), StoryColumn())
        var (from, to) = (StoryColumn(), StoryColumn())
        let ordered = all.indices.filter { all[$0].row < rowCount }
            .sorted { (all[$0].row, $0) < (all[$1].row, $1) }
        for index in ordered {
            let step = all[index]
            rows.append(difference: Int64(step.row))
            entities.append(Int64(step.entity))
            from.append(Int64(step.from))
            to.append(Int64(step.to))
        }
        return [("event", rows), ("entity", entities), ("from", from), ("to", to)]
    }
}
