public import Daybook
public import DaybookLog

extension OrderSafety {
    /// Tests in both orders all pairs of adjacent events of each entity, and generated pairs.
    public static func testPairs(
        of projection: ProjectionDescription, _ rules: RuleSet, in reading: ProjectionReading
    ) throws(LogError) -> OrderSafety {
        var safety = OrderSafety(of: projection, rules, in: reading.catalogue)
        let walk = try reading.entities.walk(of: projection, nil)
        try reading.entities.forEachRecorded(along: walk) { (event, keys) throws(LogError) in
            try folding { () throws(FoldError) in try safety.apply(event, keys) }
            return true
        }
        try folding { () throws(FoldError) in try safety.testGeneratedEvents() }
        return safety
    }
}

extension TransitionMatrix {
    /// Counts the transitions of a state machine in the histories of all entities of a log.
    public static func countTransitions(
        _ machine: StateMachine, of projection: ProjectionDescription, _ rules: RuleSet,
        in reading: ProjectionReading
    ) throws(LogError) -> TransitionMatrix {
        let walk = try reading.entities.walk(of: projection, nil)
        let parts = try EntityShare.walks(along: walk, reading.entities) {
            (events, entities) throws(LogError) in
            var matrix = TransitionMatrix(machine, of: projection, rules: rules)
            try entities.fold(events) { (event, key) throws(FoldError) in
                try matrix.apply(event, key)
            }
            return (matrix: matrix.summary, repeatedCount: events.repeatedCount)
        }
        var matrix = TransitionMatrix(machine, of: projection, rules: rules)
        for part in parts { matrix.add(part.matrix, sharing: part.repeatedCount) }
        return matrix
    }
}
