import CivilTime
import Crypto
public import EventSourcing

/// What a projection does, in 16 bytes: two that fold differently have different ones.
///
/// SHA-256 over the fields of the state and over every state that a fixed row of made-up events
/// leads through: each kind that it reads, in every layout that the program knows. So nobody has
/// to tell that a fold has changed, and a state that an earlier one has left is never gone on
/// from. What no made-up event shows it cannot notice; `verify` folds everything again.
public struct Fingerprint: Hashable, Sendable {
    public static let byteCount = 16

    public let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// How many histories are made up, and how long each one is.
    private static let histories: UInt64 = 8
    private static let length = 40

    public init(
        of projection: ProjectionDescription, _ rules: RuleSet, in catalogue: Catalogue
    ) throws(FoldError) {
        var hash = SHA256()
        hash.update(
            data: Array("\(projection.name) \(rules.name) \(projection.fields)".utf8))
        let kinds = Self.kinds(of: projection, in: catalogue)
        for seed in 1...Self.histories where !kinds.isEmpty {
            var sampler = Sampler(seed: seed)
            var fold = projection.fold(rules)
            for number in 1...Self.length {
                let event = Self.event(UInt64(number), kinds, &sampler)
                try fold.apply(try catalogue.upcast(event))
                hash.update(data: fold.bytes)
            }
        }
        bytes = Array(hash.finalize().prefix(Self.byteCount))
    }

    /// What makes up payloads of every kind and layout, by kind.
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

    private static func event(
        _ number: UInt64,
        _ kinds: [(kind: EventKind, sample: @Sendable (inout Sampler) -> [UInt8])],
        _ sampler: inout Sampler
    ) -> RecordedEvent {
        let (kind, sample) = kinds[sampler.below(kinds.count)]
        let envelope = Envelope(
            position: Position(number),
            occurredAt: Instant(
                microseconds: Sampler.began + Int64(sampler.below(100_000)) * 1_000_000),
            recordedAt: Instant(microseconds: Sampler.began + Int64(number) * 1_000_000),
            offsetS: [0, 32_400, -18_000][sampler.below(3)])
        return RecordedEvent(
            envelope: envelope, kind: kind, tags: [], zone: "", payload: sample(&sampler))
    }
}
