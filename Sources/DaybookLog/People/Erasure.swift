public import Daybook

/// The people or the event whose personal texts an erasure covers.
public enum ErasureTarget: Hashable, Sendable {
    /// All texts of people named by the tags, of entities that they own, and of events with the
    /// tags.
    ///
    /// A person with several ids may need several tags.
    case tags([Tag])
    /// The personal texts of the event at this position.
    case position(Position)
    /// The name of an actor, and all texts that belong to that actor.
    case actor(String)
}

/// The effect of an erasure that was carried out or only planned.
public struct Erasure: Hashable, Sendable {
    /// The number of texts that become unreadable.
    public var texts: UInt64 = 0
    /// The number of people who are erased completely, excluding the entities that they own.
    public var people = 0
    /// The number of encryption keys overwritten in the file; 0 for a planned erasure.
    public var slots = 0
    /// The number of texts of the same people that are kept and encrypted under new keys.
    public var rewritten: UInt64 = 0
    /// The number of texts of the event that were already missing, without a recorded erasure.
    public var unrecorded = 0
    /// The position of the event that records the erasure; `nil` if nothing was erased yet.
    public var position: Position?

    /// True if the log has nothing to erase.
    public var isNothing: Bool {
        texts == 0 && people == 0 && slots == 0 && unrecorded == 0
    }
}

/// A reason why nothing was erased.
public enum ErasureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The metadata breaks a limit of the format; the text says why.
    case unstorable(String)
    /// The log could not be read or written.
    case log(LogError)

    public var description: String {
        switch self {
        case .unstorable(let reason): reason
        case .log(let error): "\(error)"
        }
    }
}
