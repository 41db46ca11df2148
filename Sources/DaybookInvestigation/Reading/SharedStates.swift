import Daybook
import DaybookLibC
import DaybookLog

extension EntityShare {
    /// Largest number of threads: more threads would mostly skip events.
    private static let mostThreads = 8

    /// Returns the states of all entities of a walk by their newest ids, folded by several threads.
    ///
    /// Each thread reads the whole log, and folds the events of its share of the entities.
    static func states(
        along walk: EntityWalk, _ rules: RuleSet, _ entities: EntityReader
    ) throws(LogError) -> [String: Fold] {
        let count = min(Threads.coreCount, mostThreads)
        let shares = Threads.map(count) { index in
            EntityShare(index, of: count).states(along: walk.unshared, rules, entities)
        }
        // One thread would meet the error of the earliest event.
        let failure = shares.compactMap(\.failure).min {
            ($0.position ?? .origin) < ($1.position ?? .origin)
        }
        if let failure { throw failure }
        return shares.dropFirst().reduce(into: shares.first?.states ?? [:]) { states, share in
            states.merge(share.states) { first, _ in first }
        }
    }

    /// Returns the states of the entities of this share, and the error that ended the fold, if any.
    private func states(
        along walk: EntityWalk, _ rules: RuleSet, _ entities: EntityReader
    ) -> (states: [String: Fold], failure: LogError?) {
        let events = WalkEvents(
            along: walk, entities.catalogue, validThrough: entities.validThrough, self)
        var states: [String: Fold] = [:]
        do throws(LogError) {
            try entities.forEach(of: events) { (event, key) throws(LogError) in
                try folding { () throws(FoldError) in
                    try states[key, default: walk.projection.fold(rules)].apply(event)
                }
                return true
            }
        } catch {
            return (states, error)
        }
        return (states, nil)
    }
}
