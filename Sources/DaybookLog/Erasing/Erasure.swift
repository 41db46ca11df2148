public import Daybook

/// The people or the event whose personal texts are to be erased.
public enum ErasureTarget: Hashable, Sendable {
    /// All texts of the people whom the tags identify, of entities that these people own, and of
    /// events with one of the tags.
    ///
    /// A person who has several ids may need a tag for each of them.
    case tags([Tag])
    /// The personal texts of the event at this position.
    case position(Position)
    /// The name of this actor, and all texts that belong to the actor.
    case actor(String)
}

/// The effect of an erasure, which was carried out or is only planned.
public struct Erasure: Hashable, Sendable {
    /// The number of personal texts that become unreadable.
    public var texts: UInt64 = 0
    /// The number of people who are erased completely, not counting entities that they own.
    public var people = 0
    /// The number of encryption keys that were overwritten in the file, or dropped from the store; 0
    /// for a planned erasure.
    public var slots = 0
    /// The number of other texts that were encrypted again, because the keys of their owners were
    /// overwritten.
    public var rewritten: UInt64 = 0
    /// The number of texts to erase that were already missing, although no erasure was recorded.
    public var unrecorded = 0
    /// The position of the event that records the erasure; `nil` if nothing was erased yet.
    public var position: Position?
    /// How far the erasure reaches beyond the tables of the log's store; `nil` for a log in a file, and
    /// for a planned erasure.
    public var reach: ErasureReach?

    /// True if the log has no data that the erasure would erase.
    public var isNothing: Bool {
        texts == 0 && people == 0 && slots == 0 && unrecorded == 0
    }
}
