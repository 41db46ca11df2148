import Daybook
import DaybookLMDB

extension AppendSession {
    /// The end of the log with the commits of this transaction.
    var chainHead: Head { Head(unchecked: Position(head), lastChainValue) }

    /// Writes the changed rows of tags, kinds and people, after the last request.
    mutating func storeLastRows() throws(LogError) {
        try tagRows.forEachLastPosition { (tag, position) throws(LogError) in
            try transaction.put(position: position, for: tag, in: log.file.tables.tags)
        }
        for (kind, position) in lastPositionOfKind {
            try transaction.put(position.bytes, for: UInt64(kind), in: log.file.tables.kinds)
        }
        try people.store(in: &transaction)
    }

    /// Writes that the replica has people and texts as of the end of this transaction.
    mutating func storeReplicaState() throws(LogError) {
        guard var state = try Meta.replica(in: transaction, log.file.tables.meta) else { return }
        (state.target, state.completeThrough) = (max(state.target, head), head)
        let key = Meta.replica
        try transaction.put(state.bytes, for: key.rawSpan, in: log.file.tables.meta)
    }
}
