public import Daybook
import DaybookCryptography

/// SHA-256 over every entity's state, for each projection and rule set of a catalogue.
///
/// Equal events give equal digests, on any machine, in any zone and locale.
public struct StateDigests: Sendable {
    public struct Row: Record {
        public var projection = ""
        public var rules = RuleSet.standard
        public var entities: Int64 = 0
        /// Hexadecimal.
        public var sha256 = ""

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("projection", &projection, "rules", &rules)
            try field("entities", &entities, "sha256", &sha256)
        }
    }

    private struct Fold {
        var walk: EntityWalk
        var rules: RuleSet
        var entities: [String: Daybook.Fold] = [:]
        /// Events folded so far.
        var count = 0
    }

    private var folds: [Fold]
    private let chunk: Int?

    /// - Parameters:
    ///   - chunk: round-trips states through their bytes every `chunk` events; never by default.
    ///   - projections: selects projections of the catalogue.
    package init(
        _ catalogue: Catalogue, _ identities: Identities, chunk: Int? = nil,
        only projections: (ProjectionDescription) -> Bool = { _ in true }
    ) {
        self.chunk = chunk
        folds = catalogue.projections.values.filter(projections).sorted { $0.name < $1.name }
            .flatMap { projection in
                projection.rules.map {
                    Fold(walk: EntityWalk(of: projection, identities), rules: $0)
                }
            }
    }

    /// `true` if all events must be preloaded before they are folded.
    public var needsForesight: Bool { folds.contains { $0.walk.needsForesight } }

    /// - Parameter event: one of those that will be taken.
    public mutating func foresee(_ event: RecordedEvent) {
        for index in folds.indices where folds[index].walk.needsForesight {
            folds[index].walk.foresee(event)
        }
    }

    /// - Parameter event: the next of the log, in its newest layout.
    public mutating func take(_ event: RecordedEvent) throws(FoldError) {
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

    public var rows: [Row] {
        folds.map { fold in
            var hash = SHA256()
            let ordered = fold.entities.sorted {
                $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
            }
            for (key, state) in ordered {
                hash.update(Array("\(key.utf8.count):\(key)\(state.json)\n".utf8))
            }
            return Row(
                projection: fold.walk.projection.name, rules: fold.rules,
                entities: Int64(fold.entities.count), sha256: Hexadecimal.text(hash.finalize()))
        }
    }
}
