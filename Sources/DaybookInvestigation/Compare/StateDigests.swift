public import Daybook
import DaybookCryptography

/// Computes a SHA-256 of all entities' states, for each projection and rule set.
///
/// Equal events give equal digests, on any machine, in any zone and locale.
public struct StateDigests: Sendable {
    /// The digest of one projection with one rule set.
    public struct Row: Record {
        /// Name of the projection.
        public var projection = ""
        /// Rule set that the states were folded with.
        public var rules = RuleSet.standard
        /// Number of entities.
        public var entities: Int64 = 0
        /// SHA-256 of the states in hexadecimal, ordered by the entities' ids.
        public var sha256 = ""

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("projection", &projection, "rules", &rules)
            try field("entities", &entities, "sha256", &sha256)
        }
    }

    /// The states of all entities of one projection under one rule set.
    private struct ProjectionFold {
        /// Finds the entities that each event is about.
        var walk: EntityWalk
        /// Rule set that the states are folded with.
        var rules: RuleSet
        /// Folded states, by the newest id of the entity.
        var entities: [String: Fold] = [:]
        /// Number of events folded so far; an event counts once for each entity.
        var count = 0
    }

    /// One fold for each projection and rule set.
    private var folds: [ProjectionFold]
    /// Number of events of a projection after which a state is encoded and decoded; `nil` for never.
    private let chunk: Int?

    /// Creates digests without any event.
    ///
    /// - Parameters:
    ///   - chunk: encodes and decodes a state after every `chunk`-th event of a projection; never
    ///     by default.
    ///   - projections: returns `true` for the projections to fold; all by default.
    package init(
        _ catalogue: Catalogue, _ identities: Identities, chunk: Int? = nil,
        only projections: (ProjectionDescription) -> Bool = { _ in true }
    ) {
        self.chunk = chunk
        folds = catalogue.projections.values.filter(projections).sorted { $0.name < $1.name }
            .flatMap { projection in
                projection.rules.map {
                    ProjectionFold(walk: EntityWalk(of: projection, identities), rules: $0)
                }
            }
    }

    /// True if all events must be passed to `readAhead(_:)` before the first is passed to `apply(_:)`.
    public var needsReadAhead: Bool { folds.contains { $0.walk.needsReadAhead } }

    /// Prepares for an event that will be passed to `apply(_:)`.
    public mutating func readAhead(_ event: RecordedEvent) {
        for index in folds.indices where folds[index].walk.needsReadAhead {
            folds[index].walk.readAhead(event)
        }
    }

    /// Folds an event into the states of its entities.
    ///
    /// - Parameter event: the next event of the log, in its newest schema version.
    public mutating func apply(_ event: RecordedEvent) throws(FoldError) {
        for index in folds.indices
        where folds[index].walk.projection.kinds.contains(event.kind) {
            for key in folds[index].walk.keys(of: event) {
                var fold =
                    folds[index].entities.removeValue(forKey: key)
                    ?? folds[index].walk.projection.fold(folds[index].rules)
                try fold.apply(event)
                folds[index].count += 1
                if let chunk, folds[index].count % chunk == 0 {
                    try mappingPayloadErrors(
                        of: event, try unsafe fold.restore(fold.bytes.contents.bytes))
                }
                folds[index].entities[key] = fold
            }
        }
    }

    /// Digests of the states so far, ordered by projection.
    public var rows: [Row] {
        folds.map { fold in
            var hash = SHA256()
            let ordered = Array(fold.entities).sortedByBytes { $0.key }
            for (key, state) in ordered {
                hash.update(Array("\(key.utf8.count):\(key)\(state.json)\n".utf8))
            }
            return Row(
                projection: fold.walk.projection.name, rules: fold.rules,
                entities: Int64(fold.entities.count), sha256: Hexadecimal.text(hash.finalize()))
        }
    }
}
