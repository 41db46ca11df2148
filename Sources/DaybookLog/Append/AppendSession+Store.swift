import Daybook
import DaybookLMDB

extension AppendSession {
    /// The end of the log with the commits of this transaction.
    var chainHead: Head { Head(unchecked: Position(head), lastChainValue) }

    /// Writes that the replica has people and texts as of the end of this transaction.
    mutating func storeReplicaState() throws(LogError) {
        guard var state = try Meta.replica(in: transaction, log.tables.meta) else { return }
        (state.target, state.completeThrough) = (max(state.target, head), head)
        let key = Meta.replica
        try transaction.put(state.bytes, for: key.rawSpan, in: log.tables.meta)
    }
}

extension EventLog {
    /// Begins to keep the rows of a transaction for the store of a replica; `nil` for a log without
    /// a store.
    func capturedRows(
        in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> CapturedRows? {
        guard let link else { return nil }
        var end = try storeEnd(in: transaction)
        link.complete(&end)
        return CapturedRows(tables, for: end)
    }
}

extension EventLog {
    /// Throws an error if the log has become a replica since it was opened.
    func checkIsNoReplicaNow(in transaction: borrowing LogWriteTransaction) throws(LogError) {
        guard !isReplica else { return }
        let key = Meta.replica
        if try transaction.row(key.rawSpan, in: tables.meta) != nil { throw .replica(path: path) }
    }
}
