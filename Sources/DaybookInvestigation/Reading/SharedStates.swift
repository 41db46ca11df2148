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
            do throws(LogError) {
                return (try body(events, entities), nil)
            } catch {
                return (nil, error)
            }
        }
        let failure = parts.compactMap(\.failure).min {
            ($0.position ?? .origin) < ($1.position ?? .origin)
        }
        if let failure { throw failure }
        return parts.compactMap(\.result)
    }

    /// Returns the states of all entities of a walk, by their newest ids.
    ///
    /// Several threads fold the states.
    static func states(
        along walk: EntityWalk, _ rules: RuleSet, _ entities: EntityReader
    ) throws(LogError) -> [String: Fold] {
        let shares = try walks(along: walk, entities) { (events, entities) throws(LogError) in
            let blank = events.walk.projection.fold(rules)
            var states: [String: Fold] = [:]
            try entities.forEach(of: events) { (event, key) throws(LogError) in
                try folding { () throws(FoldError) in
                    try states[key, default: blank].apply(event)
                }
                return true
            }
            return states
        }
        return shares.dropFirst().reduce(into: shares.first ?? [:]) { states, share in
            states.merge(share) { first, _ in first }
        }
    }
}
