import Daybook
import DaybookLMDB
import Synchronization

/// The tags and kinds of events behind the index, by which a process that reads often finds its
/// own.
///
/// Events do not change, so that what was read once is good for all transactions.
struct TailIndex {
    /// It has the events behind this position, up to which the index is complete.
    private(set) var after: UInt64 = 0
    /// It has the events up to this position.
    private(set) var through: UInt64 = 0
    private var positions: [IndexKey: [UInt64]] = [:]
    /// Events that were scanned for want of it.
    private var scanned: UInt64 = 0

    /// Shorter ranges are scanned.
    static let shortest = 256
    /// It takes the time of about so many scans to make.
    private static let priceInScans: UInt64 = 4

    /// Notes that a range behind the index is to be read, and tells whether it pays to have it.
    mutating func isWorthwhile(for range: ClosedRange<UInt64>, behind indexed: UInt64) -> Bool {
        if after != indexed { self = TailIndex(after: indexed) }
        if through > after { return true }
        scanned += UInt64(range.count)
        return scanned > Self.priceInScans * (range.upperBound - indexed)
    }

    private init(after: UInt64) { (self.after, through) = (after, after) }

    init() {}

    mutating func add(_ key: IndexKey, _ position: UInt64) {
        positions[key, default: []].append(position)
    }

    mutating func extend(through position: UInt64) { through = position }

    /// The positions of a tag or kind in a range, ascending.
    func positions(of key: IndexKey, _ range: ClosedRange<UInt64>) -> ArraySlice<UInt64> {
        guard let all = positions[key] else { return [] }
        return all[all.place(of: range.lowerBound)..<all.place(of: range.upperBound + 1)]
    }
}

extension [UInt64] {
    /// The place of the first of these ascending numbers that is not below one.
    fileprivate func place(of number: UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension EventLog {
    /// Positions in a range behind the index that hold every event that matches, and maybe others.
    ///
    /// - Returns: `nil` where a scan of the range is the better way.
    func tailCandidates(
        _ items: [Query.Item], _ range: ClosedRange<UInt64>, behind indexed: UInt64,
        _ limit: UInt64, _ names: Names, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [UInt64]? {
        guard range.count >= TailIndex.shortest else { return nil }
        var known = tail.withLock { tail in
            defer { tail = TailIndex() }
            return tail
        }
        defer { tail.withLock { if $0.through <= known.through { $0 = known } } }
        guard known.isWorthwhile(for: range, behind: indexed) else { return nil }
        try extend(&known, through: range.upperBound, in: transaction)
        var positions: [UInt64] = []
        for item in items {
            guard let keys = known.keys(of: item, range, names) else { return nil }
            for key in keys { positions += known.positions(of: key, range) }
            guard UInt64(positions.count) <= limit else { return nil }
        }
        return positions
    }

    private func extend(
        _ tail: inout TailIndex, through last: UInt64,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) {
        guard tail.through < last else { return }
        // The copy in this scope is the only one, so that nothing is copied where it grows.
        var grown = tail
        tail = TailIndex()
        try scanEvents(grown.through + 1...last, in: transaction) {
            (position, bytes) throws(LogError) in
            do throws(CorruptRecord) {
                let header = try EventHeader(decoding: bytes)
                grown.add(IndexKey(kind: header.kind), position)
                try header.forEachTag(in: bytes) { grown.add(IndexKey(tag: $0), position) }
            } catch {
                throw .corrupt(table: tables.events.name, key: position, error)
            }
            return true
        }
        grown.extend(through: last)
        tail = grown
    }
}

extension TailIndex {
    /// The tag or the kinds by which an item has the fewest events in a range; `nil` for an item of
    /// neither.
    fileprivate func keys(
        of item: Query.Item, _ range: ClosedRange<UInt64>, _ names: Names
    ) -> [IndexKey]? {
        let tags = item.tags.map { IndexKey($0) }
            .map { (keys: [$0], count: positions(of: $0, range).count) }
        let fewest = tags.min { $0.count < $1.count }
        guard !item.kinds.isEmpty else { return fewest?.keys }
        let kinds = item.kinds.compactMap { names.row(of: $0).map(IndexKey.init(kind:)) }
        let count = kinds.reduce(0) { $0 + positions(of: $1, range).count }
        guard let fewest, fewest.count <= count else { return kinds }
        return fewest.keys
    }
}
