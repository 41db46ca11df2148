public import Daybook
import DaybookLibC
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
    /// Counts the transitions of state machines in the histories of all entities of a log.
    ///
    /// Each of several threads reads the whole log once, for its share of the entities.
    ///
    /// - Returns: for each machine its matrix, or the error of the first event that cannot be folded.
    public static func countTransitions(
        _ machines: [(machine: StateMachine, projection: ProjectionDescription)],
        _ rules: RuleSet, in reading: ProjectionReading
    ) -> [Result<TransitionMatrix, LogError>] {
        let entities = reading.entities
        let walks = machines.map { machine in
            Result { () throws(LogError) in try entities.walk(of: machine.projection, nil) }
        }
        let blanks = machines.map { TransitionMatrix($0.machine, of: $0.projection, rules: rules) }
        let readable = walks.indices.filter { (try? walks[$0].get()) != nil }
        let count = EntityShare.threadCount
        let shares = Threads.map(count) { share in
            let events = walks.compactMap { try? $0.get() }.map { walk in
                WalkEvents(
                    along: walk.unshared, entities.catalogue, validThrough: entities.validThrough,
                    EntityShare(share, of: count))
            }
            var matrices = readable.map { blanks[$0] }
            let failures = entities.forEach(ofAll: events) { (index, event, key) throws(LogError) in
                try folding { () throws(FoldError) in try matrices[index].apply(event, key) }
            }
            return matrices.indices.map { index in
                TransitionShare(
                    matrix: matrices[index].summary, repeatedCount: events[index].repeatedCount,
                    failure: failures[index])
            }
        }
        var results = zip(walks, blanks).map { walk, blank in walk.map { _ in blank } }
        for (index, machine) in readable.enumerated() {
            let parts = shares.map { $0[index] }
            if let failure = LogError.earliest(parts.compactMap(\.failure)) {
                results[machine] = .failure(failure)
                continue
            }
            var matrix = blanks[machine]
            for part in parts { matrix.add(part.matrix, sharing: part.repeatedCount) }
            results[machine] = .success(matrix)
        }
        return results
    }
}

/// The transitions of a share of the entities, as one thread counts them.
private struct TransitionShare: Sendable {
    var matrix: TransitionMatrix
    var repeatedCount: Int
    var failure: LogError?
}
