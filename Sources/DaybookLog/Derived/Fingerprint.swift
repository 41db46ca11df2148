package import Daybook
import DaybookCryptography
import Synchronization

/// A digest of a projection's behaviour, to detect that its fold has changed.
///
/// The digest is SHA-256 over the fields of the state and over every state of a fold of generated
/// events. The events are the same in every run and cover each kind that the projection reads, in
/// every schema version that the program knows. A changed fold therefore gets another fingerprint
/// without a version number, and folding never resumes from a snapshot of an earlier fold. A change
/// that no generated event exposes is not detected; `verify` folds all events again.
package struct Fingerprint: Hashable, Sendable {
    /// The size of a fingerprint, in bytes.
    public static let byteCount = 16

    /// The first 16 bytes of the SHA-256 digest.
    public let bytes: [UInt8]

    /// The number of generated sequences of events.
    private static let historyCount: UInt64 = 8
    /// The number of events in each generated sequence.
    private static let eventsPerHistory = 40

    /// Computes the fingerprint of a projection under a rule set.
    ///
    /// - Throws: `.fold` if the projection cannot fold a generated event.
    public init(
        of projection: ProjectionDescription, _ rules: RuleSet, in catalogue: Catalogue
    ) throws(LogError) {
        bytes = try Self.bytes(of: projection, rules, catalogue)
    }

    /// Computes the digest and returns its first 16 bytes.
    private static func bytes(
        of projection: ProjectionDescription, _ rules: RuleSet, _ catalogue: Catalogue
    ) throws(LogError) -> [UInt8] {
        var hash = SHA256()
        hash.update(
            Array("\(projection.name) \(rules.name) \(projection.fields)".utf8))
        let kinds = sampledKinds(of: projection, in: catalogue)
        for seed in 1...historyCount where !kinds.isEmpty {
            var sampler = Sampler(seed: seed)
            var fold = projection.fold(rules)
            for number in 1...eventsPerHistory {
                let (kind, sample) = kinds[sampler.below(kinds.count)]
                let event = sampler.event(UInt64(number), kind, sample)
                try fold.add(try catalogue.newest(event).view)
                hash.update(fold.bytes)
            }
        }
        return Array(hash.finalize().prefix(byteCount))
    }

    /// Returns each kind that the projection reads, in each schema version, with a generator of
    /// sample payloads, sorted by kind.
    private static func sampledKinds(
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

/// A cache of the fingerprints of one catalogue's projections, by projection and rule set.
final class Fingerprints: Sendable {
    private let cached = Mutex<[[String]: Fingerprint]>([:])

    /// Returns the fingerprint of a projection under a rule set, which is computed only once.
    func fingerprint(
        of projection: ProjectionDescription, _ rules: RuleSet, in catalogue: Catalogue
    ) throws(LogError) -> Fingerprint {
        let key = [projection.name, rules.name]
        if let fingerprint = cached.withLock({ $0[key] }) { return fingerprint }
        let fingerprint = try Fingerprint(of: projection, rules, in: catalogue)
        cached.withLock { $0[key] = fingerprint }
        return fingerprint
    }
}
