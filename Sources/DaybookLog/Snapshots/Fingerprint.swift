public import Daybook
import DaybookCryptography

/// A digest of a projection's behaviour: two that fold differently have different ones.
///
/// SHA-256 over the fields of the state and over every state that a fixed row of made-up events
/// leads through: each kind that it reads, in every layout that the program knows. So nobody has
/// to tell that a fold has changed, and a state that an earlier one has left is never gone on
/// from. What no made-up event shows it cannot notice; `verify` folds everything again.
public struct Fingerprint: Hashable, Sendable {
    public static let byteCount = 16

    public let bytes: [UInt8]

    /// How many histories are made up, and how long each one is.
    private static let histories: UInt64 = 8
    private static let length = 40

    public init(
        of projection: ProjectionDescription, _ rules: RuleSet, in catalogue: Catalogue
    ) throws(LogError) {
        bytes = try mappingFoldErrors(try Self.bytes(of: projection, rules, catalogue))
    }

    private static func bytes(
        of projection: ProjectionDescription, _ rules: RuleSet, _ catalogue: Catalogue
    ) throws(FoldError) -> [UInt8] {
        var hash = SHA256()
        hash.update(
            Array("\(projection.name) \(rules.name) \(projection.fields)".utf8))
        let kinds = kinds(of: projection, in: catalogue)
        for seed in 1...histories where !kinds.isEmpty {
            var sampler = Sampler(seed: seed)
            var fold = projection.fold(rules)
            for number in 1...length {
                let (kind, sample) = kinds[sampler.below(kinds.count)]
                let event = sampler.event(UInt64(number), kind, sample)
                try fold.apply(try catalogue.upcast(event))
                hash.update(fold.bytes)
            }
        }
        return Array(hash.finalize().prefix(byteCount))
    }

    /// Generators of payloads of every kind and layout, by kind.
    private static func kinds(
        of projection: ProjectionDescription, in catalogue: Catalogue
    ) -> [(kind: EventKind, sample: @Sendable (inout Sampler) -> [UInt8])] {
        let newest = projection.kinds.compactMap { kind in
            catalogue.events[kind].map { (kind: kind, sample: $0.sample) }
        }
        let older = catalogue.upcasters.values
            .filter { upcaster in
                catalogue.newest(upcaster.from).map(projection.kinds.contains) ?? false
            }
            .map { (kind: $0.from, sample: $0.sample) }
        return (newest + older).sorted { $0.kind < $1.kind }
    }
}
