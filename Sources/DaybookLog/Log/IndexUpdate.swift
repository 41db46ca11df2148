import Daybook
import DaybookLMDB

/// An update of the index, which is derived: it is complete up to a position stored in `meta`, and
/// later events are scanned.
///
/// Each transaction adds one batch of events.
struct IndexUpdate {
    let file: LogFile

    /// The maximum number of events that one transaction adds, so that other writers wait for a
    /// moment only.
    static let batchSize: UInt64 = 32_768

    /// Adds all events up to the newest to the index.
    ///
    /// - Parameter afresh: `true` to delete the index first and build it anew.
    func extend(afresh: Bool = false) throws(LogError) {
        var isFirst = afresh
        while try indexBatch(clearing: isFirst) { isFirst = false }
    }

    /// Adds one batch of events to the index; returns `false` if no events are left to add.
    ///
    /// - Parameter clears: `true` to delete the index first.
    func indexBatch(clearing clears: Bool) throws(LogError) -> Bool {
        let read = try rowsToIndex(clearing: clears)
        guard clears || read.after < read.last else { return false }
        let key = Meta.indexedThrough
        try file.writing { (transaction) throws(LogError) in
            // Another process may have indexed these events meanwhile.
            let indexed = clears ? 0 : try file.tables.indexedThrough(in: transaction)
            guard indexed == read.after else { return }
            if clears { try transaction.clear(file.tables.index) }
            for (kind, positions) in read.kinds {
                try file.tables.extendIndex(
                    positions[...], of: IndexKey(kind: kind), isCleared: clears,
                    in: &transaction)
            }
            try read.tags.forEachTag { (tag, positions) throws(LogError) in
                try file.tables.extendIndex(
                    positions, of: IndexKey(tag: tag), isCleared: clears, in: &transaction)
            }
            try transaction.put(read.last.bytes, for: key.rawSpan, in: file.tables.meta)
        }
        file.activity.add(Int(read.last - read.after), .eventsIndexed)
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
        let transaction = try file.beginReading()
        let after = clears ? 0 : try file.tables.indexedThrough(in: transaction)
        let head = try file.tables.lastPosition(in: transaction)
        let last = min(head, after + Self.batchSize)
        let rows = try file.tables.indexRows(from: after + 1, through: last, in: transaction)
        return (rows.tags, rows.kinds, after, last, head)
    }
}
