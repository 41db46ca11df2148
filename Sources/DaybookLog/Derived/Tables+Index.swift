import Daybook
import DaybookLMDB

extension Tables {
    /// Returns the position of the last event that the stored index covers; 0 without an index.
    ///
    /// - Throws: `.damaged` if the stored position is after the newest event.
    func indexedThrough(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64 {
        let key = Meta.indexedThrough
        guard let indexed = try storedPosition(key.rawSpan, in: meta, transaction) else {
            return 0
        }
        guard try indexed <= lastPosition(in: transaction) else {
            throw .damaged(
                table: meta.name, row: key,
                .invalid(
                    field: "position", found: "\(indexed)", expected: "the position of an event"))
        }
        return indexed
    }

    /// Appends blocks with the positions of one tag or event kind to the index, and updates its
    /// summary.
    ///
    /// - Parameters:
    ///   - positions: the positions, ascending and after all indexed ones.
    ///   - isCleared: `true` if the table was cleared, so that no summary is read.
    func extendIndex(
        _ positions: ArraySlice<UInt64>, of key: IndexKey, isCleared: Bool,
        in transaction: inout LogWriteTransaction
    ) throws(LogError) {
        let place = key.summaryKey
        let known = isCleared ? nil : try summary(toExtend: key, at: place, in: transaction)
        var summary = known ?? IndexSummary(last: 0, count: 0)
        var rest = positions
        if let first = rest.first, first <= summary.last {
            throw .damaged(
                table: index.name, row: place,
                .invalid(
                    field: "last", found: "\(summary.last)",
                    expected: "a position before \(first)"))
        }
        while let last = rest.prefix(IndexBlock.maxPositions).last {
            let block = rest.prefix(IndexBlock.maxPositions)
            let value = IndexBlock.bytes(block, after: summary.last)
            try transaction.put(value, for: key.key(endingAt: last).rawSpan, in: index)
            summary = IndexSummary(last: last, count: summary.count + UInt64(block.count))
            rest = rest.dropFirst(block.count)
        }
        try transaction.put(summary.bytes, for: place.rawSpan, in: index)
    }

    /// Returns the index summary of a tag or event kind; `nil` if it has no indexed positions.
    func summary(
        of key: IndexKey, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> IndexSummary? {
        guard let bytes = try transaction.row(key.summaryKey.rawSpan, in: index) else {
            guard
                try lastPosition(of: key, in: transaction) ?? .max
                    > indexedThrough(in: transaction)
            else {
                throw .damaged(table: index.name, row: key.summaryKey, .missing)
            }
            return nil
        }
        return try summary(bytes, at: key.summaryKey)
    }

    /// Returns the index summary of a tag or event kind, before new positions are indexed for it.
    ///
    /// - Returns: `nil` if the tag or kind has no index blocks yet.
    /// - Throws: `.damaged` if it has blocks but no summary.
    private func summary(
        toExtend key: IndexKey, at place: [UInt8], in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> IndexSummary? {
        if let bytes = try transaction.row(place.rawSpan, in: index) {
            return try summary(bytes, at: place)
        }
        let broken = try transaction.forEachNeighbour(of: place.rawSpan, in: index.table) {
            (rowKey, _) throws(LogError) in
            guard !rowKey.begins(with: key.prefix) else {
                throw .damaged(table: index.name, row: place, .missing)
            }
        }
        if let broken { throw .storage(broken) }
        return nil
    }

    /// Decodes an index summary; throws `.damaged` with the row key if it is malformed.
    private func summary(_ bytes: RawSpan, at key: [UInt8]) throws(LogError) -> IndexSummary {
        try IndexSummary(bytes, at: key.rawSpan)
    }

    /// Returns the position of the newest event of a tag or event kind; `nil` if there is none.
    func lastPosition(
        of key: IndexKey, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        guard let row = key.kindRow else {
            return try storedPosition(key.tag.rawSpan, in: tags, transaction)
        }
        return try lastPosition(ofKind: row, in: transaction)
    }

    /// Returns the position of the newest event of a kind, by its row in `names`; `nil` if there is
    /// none.
    func lastPosition(
        ofKind row: UInt16, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        guard let value = try transaction.row(UInt64(row), in: kinds) else { return nil }
        guard value.byteCount == 8 else {
            throw .corrupt(
                table: kinds.name, key: UInt64(row),
                .size("position", value.byteCount, expected: 8))
        }
        return value.integer(at: 0, as: UInt64.self)
    }

    /// Calls `body` with the indexed positions of a tag or event kind that lie in a range,
    /// ascending, until `body` returns `false`.
    ///
    /// - Throws: `.damaged` if a block of the index is missing, because each block and the summary of
    ///   the index name the last position of the block before.
    func forEachIndexed(
        _ key: IndexKey, _ range: ClosedRange<UInt64>,
        in transaction: borrowing some Transaction & ~Copyable,
        _ body: (UInt64) -> Bool
    ) throws(LogError) {
        guard let summary = try summary(of: key, in: transaction),
            summary.last >= range.lowerBound
        else { return }
        var before: UInt64?
        var isOver = false
        let start = key.key(endingAt: range.lowerBound)
        try transaction.scanRows(index, from: start.rawSpan) {
            (rowKey, value) throws(LogError) in
            guard rowKey.begins(with: key.prefix), rowKey.byteCount == start.count else {
                return false
            }
            let last = IndexKey.position(of: rowKey)
            guard last != .max else {
                isOver = before == summary.last
                return false
            }
            do throws(CorruptRecord) {
                let previous = try IndexBlock.lastOfPreviousBlock(value)
                guard before.map({ $0 == previous }) ?? (previous < range.lowerBound) else {
                    throw CorruptRecord.missing
                }
                let goesOn = try IndexBlock.forEach(value, endingAt: last) { position in
                    if position < range.lowerBound { return true }
                    return position <= range.upperBound && body(position)
                }
                isOver = !goesOn || last >= range.upperBound
            } catch {
                throw .damaged(table: index.name, row: rowKey.copied(), error)
            }
            before = last
            return !isOver
        }
        guard isOver else {
            throw .damaged(table: index.name, row: key.summaryKey, .missing)
        }
    }

    /// Returns the tags and event kinds of a range of events, with their positions.
    ///
    /// - Returns: `kinds` is sorted by the kind's row in `names`.
    func indexRows(
        from first: UInt64, through last: UInt64, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> (
        tags: TagRows, kinds: [(key: UInt16, value: [UInt64])]
    ) {
        var tags = TagRows()
        var kinds: [UInt16: [UInt64]] = [:]
        guard first <= last else { return (tags, []) }
        try scanEvents(first...last, in: transaction) { (position, bytes) throws(LogError) in
            let header = try EventHeader(bytes, at: position)
            kinds[header.kind, default: []].append(position)
            try header.forEachTag(in: bytes, at: position) { tag in tags.add(tag, position) }
            return true
        }
        return (tags, kinds.sorted { $0.key < $1.key })
    }

    /// Returns the sum of the numbers of indexed positions of several tags or event kinds.
    func indexedCount(
        of keys: [IndexKey], in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64 {
        var count: UInt64 = 0
        for key in keys { count += try summary(of: key, in: transaction)?.count ?? 0 }
        return count
    }

    /// Returns a number that the number of indexed events that match an item does not exceed; `nil`
    /// for an item that every event matches.
    func indexedLimit(
        of item: Query.Item, _ names: Names,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        var limit: UInt64?
        for tag in item.tags {
            limit = min(limit ?? .max, try indexedCount(of: [IndexKey(tag)], in: transaction))
        }
        guard !item.kinds.isEmpty else { return limit }
        let keys = item.kinds.compactMap { names.row(of: $0).map(IndexKey.init(kind:)) }
        return min(limit ?? .max, try indexedCount(of: keys, in: transaction))
    }
}
