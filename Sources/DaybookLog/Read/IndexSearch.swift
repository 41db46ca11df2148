import Daybook
import DaybookLMDB

extension Tables {
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

/// A search for the events that may match a query.
struct IndexSearch {
    let file: LogFile

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
            try file.tables.scanMatches(filter, range, in: transaction) { (position, _, _) in
                match = position
                return false
            }
            return match
        }
        try transaction.visitRows(positions, in: file.tables.events) {
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
        let indexed = try file.tables.indexedThrough(in: transaction)
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
            if let found = try TailSearch(file: file).tailCandidates(
                items, tail, behind: indexed, limit, names, in: transaction)
            {
                positions += found
            } else {
                guard range.lowerBound <= indexed else { return nil }
                try file.tables.scanMatches(StoredFilter(query, names), tail, in: transaction) {
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
            let count = try file.tables.summary(of: key, in: transaction)?.count ?? 0
            if count < smallest { (smallest, keys) = (count, [key]) }
        }
        guard !(item.tags.isEmpty && item.kinds.isEmpty) else { return false }
        // Reading a short list of a tag is as fast as counting the positions of the kinds.
        if !item.kinds.isEmpty, smallest > Self.smallResultLimit {
            let kinds = item.kinds.compactMap { names.row(of: $0).map(IndexKey.init(kind:)) }
            if try file.tables.indexedCount(of: kinds, in: transaction) < smallest { keys = kinds }
        }
        for key in keys {
            var isWithinLimit = true
            try file.tables.forEachIndexed(key, range, in: transaction) { position in
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
