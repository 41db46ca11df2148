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

    private struct Side {
        /// State on the second side; `nil` once the states have differed.
        var fold: Fold?
        var eventCount = 0
    }

    /// Compares the states of one share of the entities under the two rule sets.
    private init(
        of events: WalkEvents, _ rules: [RuleSet], _ entities: EntityReader
    ) throws(LogError) {
        let projection = events.walk.projection
        let blank = Side(fold: projection.fold(rules[1]))
        var folds = EntityFolds<Side>(of: projection, rules[0])
        try entities.fold(events) { (event, key) throws(FoldError) in
            let number = folds.numbers[key] ?? folds.add(key, blank)
            guard try folds.entities[number].note.fold?.apply(event) != nil else { return }
            try folds.entities[number].fold.apply(event)
            folds.entities[number].note.eventCount += 1
            let (first, second) = (folds.entities[number].fold, folds.entities[number].note.fold)
            guard second.map(first.hasEqualState) != true else { return }
            folds.entities[number].fold = folds.blank
            folds.entities[number].note.fold = nil
        }
        for (key, number) in folds.numbers {
            let side = folds.entities[number].note
            if side.fold == nil {
                unequalKeys.insert(key)
            } else {
                equalEntityCount += 1
                equalEventCount += side.eventCount
            }
        }
    }
}
