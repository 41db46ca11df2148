public import Daybook
import DaybookLMDB

// `index` is derived: it is complete up to a position stored in `meta`, and later events are
// scanned.
extension EventLog {
    /// The number of events missing from the index at which an append updates the index.
    static let indexLag: UInt64 = 32_768
    /// The maximum number of events that one transaction adds to the index.
    private static let indexBatchSize: UInt64 = 100_000

    /// Returns the position of the last event that the index covers; `.origin` without an index.
    public func indexedThrough() throws(LogError) -> Position {
        let transaction = try beginReading()
        return Position(try indexedThrough(in: transaction))
    }

    /// Returns the position of the last event that the stored index covers; 0 without an index.
    ///
    /// - Throws: `.damaged` if the stored position is after the newest event.
    func indexedThrough(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64 {
        let key = Meta.indexedThrough
        guard let indexed = try storedPosition(key.rawSpan, in: tables.meta, transaction) else {
            return 0
        }
        guard try indexed <= lastPosition(in: transaction) else {
            throw .damaged(
                table: tables.meta.name, row: key,
                .invalid(
                    field: "position", found: "\(indexed)", expected: "the position of an event"))
        }
        return indexed
    }

    /// Adds all events up to the newest to the index, and all commits to the tree for proofs, in
    /// large transactions.
    ///
    /// - Parameter afresh: `true` to delete index and tree first and build them anew; `false` to
    ///   add nothing to a tree that the log does not have yet.
    public func reindex(afresh: Bool = false) throws(LogError) {
        var isFirst = afresh
        while try indexBatch(clearing: isFirst) { isFirst = false }
        try extendTree(afresh: afresh)
    }

    /// Adds one batch of events to the index; returns `false` if no events are left to add.
    ///
    /// - Parameter clears: `true` to delete the index first.
    private func indexBatch(clearing clears: Bool) throws(LogError) -> Bool {
        do throws(LogError) {
            var transaction = try beginWriting()
            let indexed = clears ? 0 : try indexedThrough(in: transaction)
            let head = try lastPosition(in: transaction)
            let last = min(head, indexed + Self.indexBatchSize)
            guard clears || indexed < head else { return false }
            let rows = try indexRows(from: indexed + 1, through: last, in: transaction)
            if clears { try transaction.clear(tables.index) }
            for (kind, positions) in rows.kinds {
                try extendIndex(
                    positions[...], of: IndexKey(kind: kind), isCleared: clears,
                    in: &transaction)
            }
            try rows.tags.forEachTag { (tag, positions) throws(LogError) in
                try extendIndex(
                    positions, of: IndexKey(tag: tag), isCleared: clears, in: &transaction)
            }
            let key = Meta.indexedThrough
            try transaction.put(last.bytes, for: key.rawSpan, in: tables.meta)
            try transaction.commit()
            activity.add(Int(last - min(last, indexed)), .eventsIndexed)
            return last < head
        } catch .storage(.mapFull) {
            try growMap()
            return try indexBatch(clearing: clears)
        }
    }

    /// Appends blocks with the positions of one tag or event kind to the index, and updates its
    /// summary.
    ///
    /// - Parameters:
    ///   - positions: the positions, ascending and after all indexed ones.
    ///   - isCleared: `true` if the table was cleared, so that no summary is read.
    private func extendIndex(
        _ positions: ArraySlice<UInt64>, of key: IndexKey, isCleared: Bool,
        in transaction: inout LogWriteTransaction
    ) throws(LogError) {
        let place = key.summaryKey
        let known = isCleared ? nil : try summary(toExtend: key, at: place, in: transaction)
        var summary = known ?? IndexSummary(last: 0, count: 0)
        var rest = positions
        if let first = rest.first, first <= summary.last {
            throw .damaged(
                table: tables.index.name, row: place,
                .invalid(
                    field: "last", found: "\(summary.last)",
                    expected: "a position before \(first)"))
        }
        while let last = rest.prefix(IndexBlock.maxPositions).last {
            let block = rest.prefix(IndexBlock.maxPositions)
            let value = IndexBlock.bytes(block, after: summary.last)
            try transaction.put(value, for: key.key(endingAt: last).rawSpan, in: tables.index)
            summary = IndexSummary(last: last, count: summary.count + UInt64(block.count))
            rest = rest.dropFirst(block.count)
        }
        try transaction.put(summary.bytes, for: place.rawSpan, in: tables.index)
    }

    /// Returns the index summary of a tag or event kind; `nil` if it has no indexed positions.
    func summary(
        of key: IndexKey, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> IndexSummary? {
        guard let bytes = try transaction.row(key.summaryKey.rawSpan, in: tables.index) else {
            guard
                try lastPosition(of: key, in: transaction) ?? .max
                    > indexedThrough(in: transaction)
            else {
                throw .damaged(table: tables.index.name, row: key.summaryKey, .missing)
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
        if let bytes = try transaction.row(place.rawSpan, in: tables.index) {
            return try summary(bytes, at: place)
        }
        let broken = try transaction.forEachNeighbour(of: place.rawSpan, in: tables.index.table) {
            (rowKey, _) throws(LogError) in
            guard !rowKey.begins(with: key.prefix) else {
                throw .damaged(table: tables.index.name, row: place, .missing)
            }
        }
        if let broken { throw .storage(broken) }
        return nil
    }

    /// Decodes an index summary; throws `.damaged` with the row key if it is malformed.
    private func summary(_ bytes: RawSpan, at key: [UInt8]) throws(LogError) -> IndexSummary {
        do throws(CorruptRecord) {
            return try IndexSummary(decoding: bytes)
        } catch {
            throw .damaged(table: tables.index.name, row: key, error)
        }
    }

    /// Returns the position of the newest event of a tag or event kind; `nil` if there is none.
    func lastPosition(
        of key: IndexKey, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        guard let row = key.kindRow else {
            return try storedPosition(key.tag.rawSpan, in: tables.tags, transaction)
        }
        return try lastPosition(ofKind: row, in: transaction)
    }

    /// Returns the position of the newest event of a kind, by its row in `names`; `nil` if there is
    /// none.
    func lastPosition(
        ofKind row: UInt16, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        guard let value = try transaction.row(UInt64(row), in: tables.kinds) else { return nil }
        guard value.byteCount == 8 else {
            throw .corrupt(
                table: tables.kinds.name, key: UInt64(row),
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
        try transaction.scanRows(tables.index, from: start.rawSpan) {
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
                throw .damaged(table: tables.index.name, row: rowKey.copied(), error)
            }
            before = last
            return !isOver
        }
        guard isOver else {
            throw .damaged(table: tables.index.name, row: key.summaryKey, .missing)
        }
    }

    /// Returns the tags and event kinds of a range of events, with their positions.
    ///
    /// - Returns: `kinds` is sorted by the kind's row in `names`.
    private func indexRows(
        from first: UInt64, through last: UInt64, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> (
        tags: TagRows, kinds: [(key: UInt16, value: [UInt64])]
    ) {
        var tags = TagRows()
        var kinds: [UInt16: [UInt64]] = [:]
        guard first <= last else { return (tags, []) }
        try scanEvents(first...last, in: transaction) { (position, bytes) throws(LogError) in
            do throws(CorruptRecord) {
                let header = try EventHeader(decoding: bytes)
                kinds[header.kind, default: []].append(position)
                try header.forEachTag(in: bytes) { tag in tags.add(tag, position) }
            } catch {
                throw .corrupt(table: tables.events.name, key: position, error)
            }
            return true
        }
        return (tags, kinds.sorted { $0.key < $1.key })
    }
}

extension EventLog {
    /// Returns the position of the first stored event that matches a query item; `nil` if there is
    /// none.
    ///
    /// - Parameters:
    ///   - after: the position before the first position to search.
    ///   - through: the last position to search, inclusive.
    func firstMatch(
        _ item: Query.Item, after: UInt64, through: UInt64, _ names: Names,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        guard through > after else { return nil }
        let query = Query(item)
        let range = (after + 1)...through
        let filter = StoredFilter(query, names)
        var match: UInt64?
        guard let positions = try candidates(query, range, names, in: transaction) else {
            try scanMatches(filter, range, in: transaction) { (position, _, _) in
                match = position
                return false
            }
            return match
        }
        try transaction.visitRows(positions, in: tables.events) {
            (position, bytes) throws(LogError) in
            match = try filter.match(position, bytes).map { _ in position }
            return match == nil
        }
        return match
    }

    /// Looks up in the index which events of a range may match a query.
    ///
    /// - Parameter minimumSpacing: the index is used if the positions that it gives are on average
    ///   at least this many events apart.
    /// - Returns: the positions, ascending, including those of all events that do match; `nil` if a
    ///   scan of the range is faster.
    func candidates(
        _ query: Query, _ range: ClosedRange<UInt64>, _ names: Names,
        in transaction: borrowing some Transaction & ~Copyable, minimumSpacing: UInt64 = 8
    ) throws(LogError) -> [UInt64]? {
        guard let items = query.items else { return nil }
        let indexed = try indexedThrough(in: transaction)
        let limit = max(UInt64(range.count) / minimumSpacing, Self.smallResultLimit)
        var positions: [UInt64] = []
        if range.lowerBound <= indexed {
            let range = range.lowerBound...min(range.upperBound, indexed)
            for item in items {
                let complete = try collectCandidates(
                    item, range, limit, names, in: transaction, into: &positions)
                guard complete else { return nil }
            }
        }
        if range.upperBound > indexed {
            let tail = max(range.lowerBound, indexed + 1)...range.upperBound
            if let found = try tailCandidates(
                items, tail, behind: indexed, limit, names, in: transaction)
            {
                positions += found
            } else {
                guard range.lowerBound <= indexed else { return nil }
                try scanMatches(StoredFilter(query, names), tail, in: transaction) {
                    (position, _, _) in
                    positions.append(position)
                    return true
                }
            }
        }
        if items.count > 1 || items.contains(where: { !$0.kinds.isEmpty }) {
            positions.sort()
            positions.removeRepetitions()
        }
        return positions
    }

    /// Appends to `positions` the indexed positions of a range that may match one item of a query.
    ///
    /// - Returns: `false` if `positions` gets longer than `limit`, or the item has neither tags nor
    ///   kinds.
    private func collectCandidates(
        _ item: Query.Item, _ range: ClosedRange<UInt64>, _ limit: UInt64, _ names: Names,
        in transaction: borrowing some Transaction & ~Copyable, into positions: inout [UInt64]
    ) throws(LogError) -> Bool {
        var keys: [IndexKey] = []
        var smallest = UInt64.max
        for tag in item.tags {
            let key = IndexKey(tag)
            let count = try summary(of: key, in: transaction)?.count ?? 0
            if count < smallest { (smallest, keys) = (count, [key]) }
        }
        guard !(item.tags.isEmpty && item.kinds.isEmpty) else { return false }
        // Reading a short list of a tag is as fast as counting the positions of the kinds.
        if !item.kinds.isEmpty, smallest > Self.smallResultLimit {
            let kinds = item.kinds.compactMap { names.row(of: $0).map(IndexKey.init(kind:)) }
            if try indexedCount(of: kinds, in: transaction) < smallest { keys = kinds }
        }
        for key in keys {
            var isWithinLimit = true
            try forEachIndexed(key, range, in: transaction) { position in
                positions.append(position)
                isWithinLimit = UInt64(positions.count) <= limit
                return isWithinLimit
            }
            guard isWithinLimit else { return false }
        }
        return true
    }

    /// The number of positions up to which the index is used, however close together they are.
    private static let smallResultLimit: UInt64 = 1_024

    /// Returns the sum of the numbers of indexed positions of several tags or event kinds.
    func indexedCount(
        of keys: [IndexKey], in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64 {
        var count: UInt64 = 0
        for key in keys { count += try summary(of: key, in: transaction)?.count ?? 0 }
        return count
    }

    /// Scans a range and calls `body` with each event that passes the filter, until `body` returns
    /// `false`.
    ///
    /// - Parameter body: gets the position, the header and the stored event.
    func scanMatches(
        _ filter: StoredFilter, _ range: ClosedRange<UInt64>, _ order: ScanOrder = .ascending,
        in transaction: borrowing some Transaction & ~Copyable,
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        try scanEvents(range, order, in: transaction) { (position, bytes) throws(LogError) in
            guard let header = try filter.match(position, bytes) else { return true }
            return try body(position, header, bytes)
        }
    }
}

extension [UInt64] {
    /// Removes repeated numbers; the numbers must be ascending.
    fileprivate mutating func removeRepetitions() {
        guard let first else { return }
        var (count, last) = (1, first)
        for index in indices.dropFirst() where self[index] != last {
            last = self[index]
            self[count] = last
            count += 1
        }
        removeSubrange(count...)
    }
}
