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

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let name, let reason):
            "\(name): the store cannot be reached, so nothing was written: \(reason)"
        case .unknown(let name, let reason):
            "\(name): the answer of the store was lost, so that the events may be written or not: "
                + "\(reason); read the log before you try again, or use an idempotency key"
        case .address(let reason): reason
        case .refused(let name, let code, let reason) where Self.isOfDatabase(code):
            "\(name): the store refuses the call (\(code)): \(reason)"
        case .refused(let name, _, let reason): "\(name): \(reason)"
        case .noLog(let name): "\(name): the store has no such log"
        case .parted(let name, let position):
            "\(name): the histories of the store and of the replica part at position \(position): "
                + "one of them was rewritten"
        case .restored(let name, let end, let replica):
            "\(name): the store's log ends at position \(end), but the replica at position "
                + "\(replica): the store was restored to an earlier state"
        case .keysNotHere(let name, let need):
            "\(name): \(need) personal texts, names or places, which are not here without the keys "
                + "of the log"
        case .keys(let name, let reason): "\(name): \(reason)"
        case .damaged(let name, let reason):
            "\(name): the store returned bytes that no log has: \(reason)"
        }
    }
    /// True for a code of the database itself, such as 42501.
    private static func isOfDatabase(_ code: String) -> Bool {
        code.utf8.count == 5 && !code.utf8.contains { $0 >= UInt8(ascii: "a") }
    }
}
