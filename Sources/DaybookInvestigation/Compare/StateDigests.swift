public import Daybook
import DaybookCryptography

/// Computes one SHA-256 of the states of all entities, for each projection and rule set.
///
/// Equal events give equal digests, on any machine, in any zone and locale.
public struct StateDigests: Sendable {
    /// The digest of one projection with one rule set.
    public struct Row: Record {
        public var projection = ""
        public var rules = RuleSet.standard
        public var entityCount: Int64 = 0
        /// SHA-256 in hexadecimal of the states in the order of the entities' ids.
        public var sha256 = ""

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("projection", &projection, "rules", &rules)
            try field("entities", &entityCount, "sha256", &sha256)
        }
    }

    /// The states of all entities of one projection under one rule set.
    private struct ProjectionFold {
        var walk: EntityWalk
        var rules: RuleSet
        var states: EntityFolds<Void>
        /// Number of events folded so far; an event is counted once for each of its entities.
        var eventCount = 0
    }

    private var folds: [ProjectionFold]
    /// After every `recodingInterval`-th event of a projection, the changed state is encoded and
    /// decoded, which must not affect the digests; `nil` for never.
    private let recodingInterval: Int?

    /// Creates the digests of blank states; `projections` selects those to fold, all by default.
    package init(
        _ catalogue: Catalogue, _ identities: Identities, recodingInterval: Int? = nil,
        only projections: (ProjectionDescription) -> Bool = { _ in true }
    ) {
        self.recodingInterval = recodingInterval
        folds = catalogue.projections.values.filter(projections).sorted { $0.name < $1.name }
            .flatMap { projection in
                projection.rules.map {
                    ProjectionFold(
                        walk: EntityWalk(of: projection, identities), rules: $0,
                        states: EntityFolds(of: projection, $0))
                }
            }
    }

    /// True if all events must be passed to `readAhead(_:)` before the first is passed to
    /// `apply(_:)`.
    public var needsReadAhead: Bool { folds.contains { $0.walk.needsReadAhead } }

    /// Reads an event ahead, to learn which entities later events are about.
    ///
    /// If `needsReadAhead` is true, all events must be read ahead before the first `apply(_:)`.
    public mutating func readAhead(_ event: RecordedEvent) {
        for index in folds.indices where folds[index].walk.needsReadAhead {
            folds[index].walk.readAhead(event)
        }
    }

    /// Folds the next event of the log, in its newest schema version.
    public mutating func apply(_ event: RecordedEvent) throws(FoldError) {
        for index in folds.indices where folds[index].walk.projection.kinds.contains(event.kind) {
            for key in folds[index].walk.keys(of: event) {
                let number = folds[index].states.number(of: key)
                try folds[index].states.entities[number].fold.apply(event)
                folds[index].eventCount += 1
                if let recodingInterval, folds[index].eventCount % recodingInterval == 0 {
                    let bytes = folds[index].states.entities[number].fold.bytes
                    try mappingPayloadErrors(
                        of: event,
                        try unsafe folds[index].states.entities[number].fold.restore(
                            bytes.contents.bytes))
                }
            }
        }
    }

    public var rows: [Row] {
        folds.map { fold in
            var hash = SHA256()
            for (key, number) in Array(fold.states.numbers).sortedByBytes(of: \.key) {
                let json = fold.states.entities[number].fold.json
                hash.update(Array("\(key.utf8.count):\(key)\(json)\n".utf8))
            }
            return Row(
                projection: fold.walk.projection.name, rules: fold.rules,
                entityCount: Int64(fold.states.entities.count),
                sha256: Hexadecimal.text(hash.finalize()))
        }
    }
}
