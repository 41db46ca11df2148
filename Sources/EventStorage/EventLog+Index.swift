public import EventSourcing
import LMDB

// `tagIndex` and `kindIndex` are derived: they are complete up to a position that `meta` names,
// and events behind it are scanned.
extension EventLog {
    /// Events behind the indexes at which an append brings them up to date.
    static let indexLag: UInt64 = 32_768
    /// Events that one catching-up transaction takes.
    private static let indexBatch: UInt64 = 100_000

    /// The position up to which the indexes are complete.
    public func indexedThrough() throws(LogError) -> Position {
        let transaction = try beginReading()
        return Position(try indexedThrough(in: transaction))
    }

    func indexedThrough(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64 {
        let key = Meta.indexedThrough
        do throws(LMDBError) {
            guard let bytes = try transaction.bytes(for: key.rawSpan, in: tables.meta),
                bytes.byteCount == 8
            else { return 0 }
            return bytes.integer(at: 0)
        } catch {
            throw .storage(error)
        }
    }

    /// Brings the indexes up to the newest event, in large transactions.
    ///
    /// - Parameter afresh: throws the indexes away first.
    public func reindex(afresh: Bool = false) throws(LogError) {
        var isFirst = afresh
        while try indexBatch(clearing: isFirst) { isFirst = false }
    }

    /// Indexes one batch. `false` once there is nothing left.
    private func indexBatch(clearing: Bool) throws(LogError) -> Bool {
        do throws(LogError) {
            var transaction = try beginWriting()
            let indexed = clearing ? 0 : try indexedThrough(in: transaction)
            let head = try lastPosition(in: transaction)
            let last = min(head, indexed + Self.indexBatch)
            guard clearing || indexed < head else { return false }
            let rows = try indexRows(from: indexed + 1, through: last, in: transaction)
            do throws(LMDBError) {
                if clearing {
                    try transaction.clear(tables.tagIndex)
                    try transaction.clear(tables.kindIndex)
                }
                try rows.tags.forEachSorted { (tag, position) throws(LMDBError) in
                    try transaction.add(position, to: tag, in: tables.tagIndex)
                }
                for (kind, positions) in rows.kinds {
                    for position in positions {
                        try transaction.add(position, to: UInt64(kind), in: tables.kindIndex)
                    }
                }
                let (key, value) = (Meta.indexedThrough, last.bytes)
                try transaction.put(value.rawSpan, for: key.rawSpan, in: tables.meta)
                try transaction.commit()
            } catch {
                throw .storage(error)
            }
            return last < head
        } catch .storage(.mapFull) {
            do throws(LMDBError) {
                try environment.growMap()
            } catch {
                throw .storage(error)
            }
            return true
        }
    }

    func beginWriting() throws(LogError) -> WriteTransaction {
        do throws(LMDBError) {
            return try WriteTransaction(in: environment)
        } catch {
            throw .storage(error)
        }
    }

    /// What the events of a range add to the indexes, in the order of their keys.
    private func indexRows(
        from first: UInt64, through last: UInt64, in transaction: borrowing WriteTransaction
    ) throws(LogError) -> (
        tags: TagRows, kinds: [(key: UInt16, value: [UInt64])]
    ) {
        var tags = TagRows()
        var kinds: [UInt16: [UInt64]] = [:]
        let broken = try transaction.scan(tables.events, from: first) {
            (position: UInt64, bytes) throws(LogError) in
            guard position <= last else { return false }
            do throws(CorruptRecord) {
                let header = try EventHeader(decoding: bytes)
                kinds[header.kind, default: []].append(position)
                try header.forEachTag(in: bytes) { tag in
                    tags.add(tag, position)
                }
            } catch {
                throw .corrupt(table: "events", key: position, error)
            }
            return true
        }
        if let broken { throw .storage(broken) }
        return (tags, kinds.sorted { $0.key < $1.key })
    }
}

extension EventLog {
    /// The first event in (after, through] that matches the item.
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
        let broken = try transaction.visit(positions, in: tables.events) {
            (position, bytes) throws(LogError) in
            match = try filter.match(position, bytes).map { _ in position }
            return match == nil
        }
        if let broken { throw .storage(broken) }
        return match
    }

    /// Positions in the range that hold every event that matches, and maybe others, in order.
    ///
    /// - Parameter share: of how many events one may match before a scan is the better way.
    /// - Returns: `nil` where a scan of the range is the better way.
    func candidates(
        _ query: Query, _ range: ClosedRange<UInt64>, _ names: Names,
        in transaction: borrowing some Transaction & ~Copyable, share: UInt64 = 8
    ) throws(LogError) -> [UInt64]? {
        guard let items = query.items else { return nil }
        let indexed = try indexedThrough(in: transaction)
        guard range.lowerBound <= indexed else { return nil }
        let limit = UInt64(range.count) / share
        var positions: [UInt64] = []
        for item in items {
            let complete = try collect(
                item, range.lowerBound...min(range.upperBound, indexed), limit, names,
                in: transaction, into: &positions)
            guard complete else { return nil }
        }
        if items.count > 1 || items.contains(where: { $0.tags.isEmpty }) {
            positions.sort()
            positions.removeRepetitions()
        }
        if range.upperBound > indexed {
            try scanMatches(
                StoredFilter(query, names), (indexed + 1)...range.upperBound, in: transaction
            ) { (position, _, _) in
                positions.append(position)
                return true
            }
        }
        return positions
    }

    /// Adds the positions of one item from the indexes. `false` if there are more than `limit`.
    private func collect(
        _ item: Query.Item, _ range: ClosedRange<UInt64>, _ limit: UInt64, _ names: Names,
        in transaction: borrowing some Transaction & ~Copyable, into positions: inout [UInt64]
    ) throws(LogError) -> Bool {
        do throws(LMDBError) {
            var keys: [(key: [UInt8], table: Table)] = []
            var smallest = Int.max
            for tag in item.tags {
                let count = try unsafe transaction.count(
                    of: tag.text.utf8.span.bytes, in: tables.tagIndex)
                if count < smallest {
                    smallest = count
                    keys = [(Array(tag.text.utf8), tables.tagIndex)]
                }
            }
            if item.tags.isEmpty {
                guard !item.kinds.isEmpty else { return false }
                for row in item.kinds.compactMap({ names.row(of: $0) }) {
                    keys.append((UInt64(row).bytes, tables.kindIndex))
                }
            }
            for (key, table) in keys {
                var isWithinLimit = true
                let broken = transaction.scanSet(
                    of: key.rawSpan, in: table, from: range.lowerBound
                ) { position in
                    guard position <= range.upperBound else { return false }
                    positions.append(position)
                    isWithinLimit = UInt64(positions.count) <= max(limit, 1_024)
                    return isWithinLimit
                }
                if let broken { throw broken }
                guard isWithinLimit else { return false }
            }
            return true
        } catch {
            throw .storage(error)
        }
    }

    /// Scans a range and shows what matches, until `body` returns `false`.
    func scanMatches(
        _ filter: StoredFilter, _ range: ClosedRange<UInt64>, _ order: ScanOrder = .ascending,
        in transaction: borrowing some Transaction & ~Copyable,
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        let start = order == .ascending ? range.lowerBound : range.upperBound
        let broken = try transaction.scan(tables.events, order, from: start) {
            (position: UInt64, bytes) throws(LogError) in
            guard range.contains(position) else { return false }
            guard let header = try filter.match(position, bytes) else { return true }
            return try body(position, header, bytes)
        }
        if let broken { throw .storage(broken) }
    }
}

extension [UInt64] {
    /// Keeps one of each of these ascending numbers.
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
