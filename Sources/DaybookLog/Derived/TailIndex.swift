import Daybook
import DaybookLMDB
import Synchronization

/// An index in memory of the events that the stored index lacks, for processes that read often.
///
/// Events are immutable, so cached positions are valid for all transactions.
struct TailIndex {
    /// The last position in the stored index; this index begins after it.
    private(set) var after: UInt64 = 0
    /// The last position in this index.
    private(set) var through: UInt64 = 0
    /// The positions of each tag and event kind, ascending.
    private var positions: [IndexKey: [UInt64]] = [:]
    /// The number of events that reads have scanned because this index was not built yet.
    private var scannedCount: UInt64 = 0

    /// The number of events in a range below which the range is scanned instead.
    static let minimumRangeLength = 256
    /// The estimated cost of building this index, in scans of the same events.
    private static let buildCostInScans: UInt64 = 4

    /// Counts a read of a range after the stored index; returns `true` if this index is to be used.
    ///
    /// - Parameter indexed: the last position in the stored index.
    mutating func registerRead(of range: ClosedRange<UInt64>, behind indexed: UInt64) -> Bool {
        if after != indexed { self = TailIndex(after: indexed) }
        if through > after { return true }
        scannedCount += UInt64(range.count)
        return scannedCount > Self.buildCostInScans * (range.upperBound - indexed)
    }

    private init(after: UInt64) { (self.after, through) = (after, after) }

    init() {}

    /// Adds the position of an event to the positions of one of its tags or of its kind.
    mutating func add(_ key: IndexKey, _ position: UInt64) {
        positions[key, default: []].append(position)
    }

    /// Records that all events up to a position are in this index.
    mutating func extend(through position: UInt64) { through = position }

    /// Returns the positions of a tag or event kind that lie in a range, ascending.
    func positions(of key: IndexKey, _ range: ClosedRange<UInt64>) -> ArraySlice<UInt64> {
        guard let all = positions[key] else { return [] }
        return all[all.lowerBound(of: range.lowerBound)..<all.lowerBound(of: range.upperBound + 1)]
    }
}

extension [UInt64] {
    /// Returns the index of the first of ascending numbers that is not less than `number`.
    fileprivate func lowerBound(of number: UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension TailIndex {
    /// Returns the key of the item's tag with the fewest events in a range, or the keys of the
    /// item's kinds if these have fewer events.
    ///
    /// - Returns: `nil` for an item that has neither tags nor kinds.
    func keys(
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
