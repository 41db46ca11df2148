package import Daybook
import DaybookCryptography
import DaybookLMDB

/// A row of the table `snapshots`: the state of one entity after its events up to a position.
///
/// A snapshot contains the checkpoint of its fold: the position of the last event, the number of
/// events and a hash of their positions in order, so that a skipped event or an event folded twice
/// is detected.
///
/// The row key is the projection's name, a zero byte, the code of the rule set (0 for standard, 1
/// for source, otherwise 255, the name and a zero byte), the entity's id, a zero byte and the
/// position, 8 bytes big-endian. The value, with little-endian integers:
///
/// | offset | bytes | field |
/// |---:|---:|---|
/// | 0 | 16 | fingerprint of the fold |
/// | 16 | 8 | number of events |
/// | 24 | 8 | rolling hash of their positions |
/// | 32 | 8 | the latest `occurredAt` of the events |
/// | 40 | | the state in its binary form |
struct Snapshot: Hashable {
    /// The name of the projection.
    var projection: String
    /// The rule set with which the events were folded.
    var rules: RuleSet
    /// The id of the entity whose state this is.
    var key: String
    /// The position, the number and the hash of the events that the state covers.
    var checkpoint: Checkpoint
    /// The fingerprint of the projection that folded the state, 16 bytes.
    var fingerprint: [UInt8]
    /// The state in its binary form.
    var state: [UInt8]

    /// The size of the row's value before the state, in bytes.
    static let headerByteCount = 40

    /// Returns the row key prefix of the snapshots of a projection, or of the entity `key`.
    static func prefix(_ projection: String, _ rules: RuleSet, _ key: String? = nil) -> [UInt8] {
        var bytes = Array(projection.utf8) + [0] + rules.code
        if let key { bytes += Array(key.utf8) + [0] }
        return bytes
    }

    /// The row key of the snapshot.
    var rowKey: [UInt8] { Self.key(projection, rules, key, checkpoint.position) }

    /// Returns the row key of a snapshot of the entity with the id `key` at a position.
    static func key(
        _ projection: String, _ rules: RuleSet, _ key: String, _ position: Position
    ) -> [UInt8] {
        let bits = position.rawValue
        return prefix(projection, rules, key)
            + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    }

    /// The stored form of the snapshot without its checksum.
    var rowValue: [UInt8] {
        var bytes = fingerprint
        bytes.append(littleEndian: checkpoint.count)
        bytes.append(littleEndian: checkpoint.hash)
        bytes.append(littleEndian: UInt64(bitPattern: checkpoint.latestOccurredAt.microseconds))
        return bytes + state
    }

    /// Decodes a row of the table `snapshots`; `nil` if its key or value is malformed.
    init?(
        _ projection: String, _ rules: RuleSet, key: RawSpan, value: RawSpan
    ) {
        let start = Self.prefix(projection, rules).count
        let idCount = key.byteCount - start - 9
        guard idCount > 0, value.byteCount >= Self.headerByteCount,
            let id = key.text(from: start, byteCount: idCount)
        else { return nil }
        let position: UInt64 = key.integer(at: key.byteCount - 8)
        self.projection = projection
        self.rules = rules
        self.key = id
        fingerprint = Array(value.copied().prefix(Fingerprint.byteCount))
        checkpoint = Checkpoint(
            position: Position(position.byteSwapped), count: value.integer(at: 16),
            hash: value.integer(at: 24),
            latestOccurredAt: Instant(microseconds: Int64(bitPattern: value.integer(at: 32))))
        state = value.copied(from: Self.headerByteCount)
    }

    /// SHA-256 of the state, 32 bytes.
    var digest: [UInt8] { Self.digest(of: state) }

    /// Returns SHA-256 of a state in its binary form, 32 bytes.
    static func digest(of state: [UInt8]) -> [UInt8] { SHA256.hash(state) }

    /// Creates a snapshot of the state of a walk's only entity.
    init(_ walk: EntityWalk, _ rules: RuleSet, _ fingerprint: Fingerprint, _ state: EntityState) {
        projection = walk.projection.name
        self.rules = rules
        key = walk.key ?? ""
        checkpoint = state.checkpoint
        self.fingerprint = fingerprint.bytes
        self.state = state.fold.bytes
    }
}

extension RuleSet {
    /// The code that stands for the rule set in a row key.
    fileprivate var code: [UInt8] {
        switch name {
        case "standard": [0]
        case "source": [1]
        default: [0xFF] + Array(name.utf8) + [0]
        }
    }
}

/// The progress of a fold: the position of the last folded event, the number of folded events, and
/// a digest of their positions.
package struct Checkpoint: Hashable, Sendable {
    /// The position of the last folded event; `.origin` if there is none.
    public var position = Position.origin
    /// The number of folded events.
    public var count: UInt64 = 0
    /// A digest of the positions of the folded events, in order.
    public var hash: UInt64 = 0
    /// The latest `occurredAt` of the folded events, by the devices' clocks.
    public var latestOccurredAt = Instant(microseconds: .min)

    /// Creates the checkpoint of a fold without events.
    public init() {}

    init(position: Position, count: UInt64, hash: UInt64, latestOccurredAt: Instant) {
        self.position = position
        self.count = count
        self.hash = hash
        self.latestOccurredAt = latestOccurredAt
    }

    /// Advances the checkpoint by one folded event.
    ///
    /// The position is combined with the hash by XOR, and the result is mixed as in SplitMix64.
    public mutating func advance(past envelope: Envelope) {
        position = envelope.position
        count += 1
        latestOccurredAt = max(latestOccurredAt, envelope.occurredAt)
        hash = ((hash ^ envelope.position.rawValue) &+ UInt64.mixingStep).mixed
    }
}

/// The state of an entity after some of its events, with the progress of the fold.
package struct EntityState: Sendable {
    /// The fold that contains the entity's state.
    public var fold: Fold
    /// The last position and the number of the events that were folded.
    public var checkpoint = Checkpoint()

    init(fold: Fold) {
        self.fold = fold
    }

    /// True if no event was folded.
    public var isEmpty: Bool { checkpoint.count == 0 }

    /// Folds the next event of the entity into the state.
    mutating func apply(_ event: borrowing EventView) throws(LogError) {
        try fold.add(event)
        checkpoint.advance(past: event.envelope)
    }
}
