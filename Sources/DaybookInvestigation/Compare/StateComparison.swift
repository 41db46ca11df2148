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

    /// The number of events after which the two states of an entity were equal.
    private struct Comparison {
        var eventCount = 0
        /// True once the states have differed.
        var isUnequal = false
    }

    /// Compares the states of one share of the entities under the two rule sets.
    ///
    /// States that are equal after an event are kept once, and both folds go on from them.
    private init(
        of events: WalkEvents, _ rules: [RuleSet], _ entities: EntityReader
    ) throws(LogError) {
        let projection = events.walk.projection
        let other = projection.fold(rules[1])
        var folds = EntityFolds<Comparison>(of: projection, rules[0])
        let batch = folds.blank.emptyBatch
        guard !folds.blank.isSameFold(as: other) else {
            // Equal folds of the same events have equal states, which need not be known.
            var keys: Set<String> = []
            try entities.fold(events) { (event, key) throws(FoldError) in
                keys.insert(key)
                equalEventCount += 1
                try other.check(event, batch)
            }
            equalEntityCount = keys.count
            return
        }
        var encodings = StateEncodings()
        try entities.fold(events) { (event, key) throws(FoldError) in
            let number = folds.number(of: key, Comparison())
            let known = folds.entities[number].note
            guard !known.isUnequal else { return }
            folds.entities[number].note.eventCount += 1
            var second =
                known.eventCount == 0
                ? other.blank : other.continuing(from: folds.entities[number].fold)
            try folds.entities[number].fold.apply(event, alongside: &second, batch)
            guard !folds.entities[number].fold.hasEqualState(to: second, &encodings) else { return }
            folds.entities[number].fold = folds.blank
            folds.entities[number].note.isUnequal = true
        }
        for (key, number) in folds.numbers {
            let comparison = folds.entities[number].note
            if comparison.isUnequal {
                unequalKeys.insert(key)
            } else {
                equalEntityCount += 1
                equalEventCount += comparison.eventCount
            }
        }
    }
}
