public import Daybook

/// The reason why a store did not do what it was asked.
public enum StoreError: Error, Hashable, Sendable {
    /// The text is not the address of a log or a database; the reason has no part that may be a
    /// password.
    case address(reason: String)
    /// The store cannot be reached, or answers too late; nothing was written.
    case unreachable(name: String, reason: String)
    /// The connection was lost during an append, so that its commits may be written or not.
    case unknown(name: String, reason: String)
    /// The store refuses the call, with its own code and reason; nothing was written.
    case refused(name: String, code: String, reason: String)
    /// The store has no log with this name.
    case noLog(name: String)
    /// The store's log and the replica have different histories from a position on.
    case parted(name: String, at: Position)
    /// The store's log ends before the head of the replica: it was restored to an earlier state.
    case restored(name: String, end: Position, replica: Position)
    /// An answer needs personal texts, names or places, but the store was opened without keys.
    ///
    /// `need` says what needs them, such as `an audit judges`.
    case keysNotHere(name: String, need: String)
    /// Keys are missing, or do not open what the store has.
    case keys(name: String, reason: String)
    /// The store returned bytes that no log has.
    case damaged(name: String, reason: String)
}
