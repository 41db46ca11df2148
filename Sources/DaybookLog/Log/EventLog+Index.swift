public import Daybook
import DaybookLMDB

// `index` is derived: it is complete up to a position stored in `meta`, and later events are
// scanned.
extension EventLog {
    /// The number of events missing from the index at which an append updates the index, and the
    /// maximum number that one transaction adds, so that other writers wait for a moment only.
    static let indexLag: UInt64 = 32_768

    /// Returns the position of the last event that the index covers; `.origin` without an index.
    public func indexedThrough() throws(LogError) -> Position {
        let transaction = try beginReading()
        return Position(try tables.indexedThrough(in: transaction))
    }

    /// Adds all events up to the newest to the index, and all commits to the tree for proofs.
    ///
    /// Events are read without keeping out other writers, which get in between two transactions.
    ///
    /// - Parameter afresh: `true` to delete index and tree first and build them anew; `false` to
    ///   add nothing to a tree that the log does not have yet.
    public func reindex(afresh: Bool = false) throws(LogError) {
        var isFirst = afresh
        while try IndexUpdate(log: self).indexBatch(clearing: isFirst) { isFirst = false }
        try extendTree(afresh: afresh)
    }
}

/// The steps of an update of the index: one batch of events a transaction.
struct IndexUpdate {
    let log: EventLog

    /// Adds one batch of events to the index; returns `false` if no events are left to add.
    ///
    /// - Parameter clears: `true` to delete the index first.
    func indexBatch(clearing clears: Bool) throws(LogError) -> Bool {
        let read = try rowsToIndex(clearing: clears)
        guard clears || read.after < read.last else { return false }
        let key = Meta.indexedThrough
        try log.writing { (transaction) throws(LogError) in
            // Another process may have indexed these events meanwhile.
            let indexed = clears ? 0 : try log.tables.indexedThrough(in: transaction)
            guard indexed == read.after else { return }
            if clears { try transaction.clear(log.tables.index) }
            for (kind, positions) in read.kinds {
                try log.tables.extendIndex(
                    positions[...], of: IndexKey(kind: kind), isCleared: clears,
                    in: &transaction)
            }
            try read.tags.forEachTag { (tag, positions) throws(LogError) in
                try log.tables.extendIndex(
                    positions, of: IndexKey(tag: tag), isCleared: clears, in: &transaction)
            }
            try transaction.put(read.last.bytes, for: key.rawSpan, in: log.tables.meta)
        }
        log.activity.add(Int(read.last - read.after), .eventsIndexed)
        return read.last < read.head
    }

    /// Reads the events that one transaction adds to the index.
    ///
    /// - Parameter clears: `true` to begin with the first event.
    /// - Returns: the tags and kinds of the events after `after` up to `last`, and the newest position.
    private func rowsToIndex(
        clearing clears: Bool
    ) throws(LogError) -> (
        tags: TagRows, kinds: [(key: UInt16, value: [UInt64])], after: UInt64, last: UInt64,
        head: UInt64
    ) {
        let transaction = try log.beginReading()
        let after = clears ? 0 : try log.tables.indexedThrough(in: transaction)
        let head = try log.tables.lastPosition(in: transaction)
        let last = min(head, after + EventLog.indexLag)
        let rows = try log.tables.indexRows(from: after + 1, through: last, in: transaction)
        return (rows.tags, rows.kinds, after, last, head)
    }
}
