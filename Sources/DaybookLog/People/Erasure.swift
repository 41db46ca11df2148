public import Daybook

/// Whose or which personal texts are to be erased.
public enum ErasureTarget: Hashable, Sendable {
    /// All of the people that the tags name, of the entities that they own, and of all events with
    /// one of the tags. One person may have several, where it was given another id.
    case tags([Tag])
    /// Those of one event.
    case position(Position)
    /// The name of somebody who gave commands, and the texts kept under it.
    case actor(String)
}

/// The loss that an erasure caused, or would cause.
public struct Erasure: Hashable, Sendable {
    /// Texts that nobody can read any more.
    public var texts: UInt64 = 0
    /// People whose names and texts are gone as a whole, without the entities that they own.
    public var people = 0
    /// Keys overwritten in the file.
    public var slots = 0
    /// Texts of the same people that stay, and were encrypted anew.
    public var rewritten: UInt64 = 0
    /// Fields of the event whose texts were gone before, with no erasure on record.
    public var unrecorded = 0
    /// The event that records the erasure; `nil` where none was made.
    public var position: Position?

    /// True where the log holds nothing to erase.
    public var isNothing: Bool {
        texts == 0 && people == 0 && slots == 0 && unrecorded == 0
    }
}

/// Why nothing was erased.
public enum ErasureError: Error, Hashable, Sendable, CustomStringConvertible {
    case unstorable(String)
    case log(LogError)

    public var description: String {
        switch self {
        case .unstorable(let reason): reason
        case .log(let error): "\(error)"
        }
    }
}
