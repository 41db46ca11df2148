import Daybook

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
