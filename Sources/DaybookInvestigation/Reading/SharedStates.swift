import Daybook
import DaybookLibC
import DaybookLog

extension EntityShare {
    /// Number of threads that share a walk. With more than 8, each would mostly skip events.
    static var threadCount: Int { min(Threads.coreCount, 8) }

    /// Calls `body` for each share of the entities of a walk, on several threads.
    ///
    /// Each thread reads the whole log; `body` receives an iteration over the events of one share
    /// of the entities.
    ///
    /// - Returns: the result of each share.
    /// - Throws: the error at the lowest position.
    static func walks<Result: Sendable>(
        along walk: EntityWalk, _ entities: EntityReader, on count: Int = threadCount,
        _ body: @escaping @Sendable (WalkEvents, EntityReader) throws(LogError) -> Result
    ) throws(LogError) -> [Result] {
        let parts = Threads.map(count) { index -> (result: Result?, failure: LogError?) in
            let events = WalkEvents(
                along: walk.unshared, entities.catalogue, validThrough: entities.validThrough,
                EntityShare(index, of: count))
            do throws(LogError) { return (try body(events, entities), nil) } catch {
                return (nil, error)
            }
        }
        if let failure = LogError.earliest(parts.compactMap(\.failure)) { throw failure }
        return parts.compactMap(\.result)
    }

    /// Returns the states of all entities of a walk, by their newest ids. Several threads fold the
    /// states.
    static func states(
        along walk: EntityWalk, _ rules: RuleSet, _ entities: EntityReader
    ) throws(LogError) -> [String: Fold] {
        let shares = try walks(along: walk, entities) { (events, entities) throws(LogError) in
            var folds = EntityFolds<Void>(of: events.walk.projection, rules)
            try entities.fold(events) { (event, key) throws(FoldError) in
                try folds.entities[folds.number(of: key)].fold.apply(event)
            }
            return folds
        }
        return shares.reduce(into: [:]) { states, folds in
            for (key, number) in folds.numbers { states[key] = folds.entities[number].fold }
        }
    }
}
