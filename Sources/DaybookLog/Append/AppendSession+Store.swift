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

    /// Returns the end of the log as of a transaction, as the rows of further commits depend on it.
    func storeEnd(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> StoreEnd {
        let (head, recordedAt) = try chainHead(in: transaction)
        let lastPerson = try mappingStorageErrors(
            try transaction.lastKey(of: tables.people.table) ?? 0)
        return StoreEnd(
            head: head, recordedAt: recordedAt,
            nextName: UInt32(try names(in: transaction).rows.count) + 1,
            nextPerson: lastPerson + 1,
            nextSlot: UInt64(try tables.allocatedSlotCount(in: transaction)) + 1, epoch: 1,
            clock: clock())
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
