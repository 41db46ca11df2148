import Daybook
import DaybookLog

/// Compares the folded states of two sides that read the same events of one log.
///
/// Entities whose states are equal after every event have equal traces, so only the other entities
/// need a trace to find and show the difference.
struct StateComparison: Sendable {
    /// Newest ids of the entities whose states differ after some event.
    private(set) var unequalKeys: Set<String> = []
    /// Number of entities whose states are equal after every event.
    private(set) var equalEntityCount = 0
    /// Number of events of the equal entities; an event is counted once for each of its entities.
    private(set) var equalEventCount = 0

    /// Compares two sides; `nil` if they do not read the same events of all entities, or if an
    /// event cannot be folded.
    ///
    /// Several threads each fold the events of a share of the entities under both rule sets.
    init?(of first: LogTrace, and second: LogTrace) {
        let (entities, other) = (first.reading.entities, second.reading.entities)
        guard entities.log === other.log, entities.catalogue === other.catalogue,
            entities.through == other.through, entities.validThrough == other.validThrough,
            first.walk.key == nil, second.walk.key == nil
        else { return nil }
        let rules = [first.rules, second.rules]
        let shares = try? EntityShare.walks(along: first.walk, entities) {
            (events, entities) throws(LogError) in try Self(of: events, rules, entities)
        }
        guard let shares else { return nil }
        for share in shares {
            unequalKeys.formUnion(share.unequalKeys)
            equalEntityCount += share.equalEntityCount
            equalEventCount += share.equalEventCount
        }
    }

    /// The states of one entity on both sides, which have been equal so far.
    private struct Pair {
        /// State on the first side.
        var first: Fold
        /// State on the second side.
        var second: Fold
        /// Number of events applied to both states.
        var eventCount = 0

        /// Applies an event to both states. Returns `false` if the states differ afterwards.
        mutating func apply(_ event: borrowing EventView) throws(FoldError) -> Bool {
            try first.apply(event)
            try second.apply(event)
            eventCount += 1
            return first.hasEqualState(to: second)
        }
    }

    /// Compares the states of one share of the entities.
    ///
    /// - Parameter rules: the rule sets of the two sides.
    private init(
        of events: WalkEvents, _ rules: [RuleSet], _ entities: EntityReader
    ) throws(LogError) {
        let projection = events.walk.projection
        let blank = Pair(first: projection.fold(rules[0]), second: projection.fold(rules[1]))
        var pairs: [String: Pair] = [:]
        var unequalKeys: Set<String> = []
        try entities.forEach(of: events) { (event, key) throws(LogError) in
            guard !unequalKeys.contains(key) else { return true }
            let isEqual = try folding { () throws(FoldError) in
                try pairs[key, default: blank].apply(event)
            }
            if !isEqual {
                unequalKeys.insert(key)
                pairs[key] = nil
            }
            return true
        }
        self.unequalKeys = unequalKeys
        equalEntityCount = pairs.count
        equalEventCount = pairs.values.reduce(0) { $0 + $1.eventCount }
    }
}
