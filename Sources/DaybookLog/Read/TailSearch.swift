import Daybook
import DaybookLMDB
import Synchronization

/// A search in the events that the stored index lacks.
struct TailSearch {
    let file: LogFile

    /// Returns the positions of the events of a range that may match one of the query items.
    ///
    /// - Parameters:
    ///   - range: positions after the stored index.
    ///   - indexed: the last position in the stored index.
    ///   - limit: the number of positions above which a scan is better.
    /// - Returns: the positions, including those of all events that do match; `nil` if a scan of
    ///   the range is better.
    func tailCandidates(
        _ items: [Query.Item], _ range: ClosedRange<UInt64>, behind indexed: UInt64,
        _ limit: UInt64, _ names: Names, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [UInt64]? {
        guard range.count >= TailIndex.minimumRangeLength else { return nil }
        var known = file.tail.withLock { tail in
            defer { tail = TailIndex() }
            return tail
        }
        defer { file.tail.withLock { if $0.through <= known.through { $0 = known } } }
        guard known.registerRead(of: range, behind: indexed) else { return nil }
        try extend(&known, through: range.upperBound, in: transaction)
        var positions: [UInt64] = []
        for item in items {
            guard let keys = known.keys(of: item, range, names) else { return nil }
            for key in keys { positions += known.positions(of: key, range) }
            guard UInt64(positions.count) <= limit else { return nil }
        }
        return positions
    }

    /// Adds events to an index in memory, from its end up to the position `last`.
    private func extend(
        _ tail: inout TailIndex, through last: UInt64,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) {
        guard tail.through < last else { return }
        // The only reference to the value, so that growing it copies nothing.
        var grown = tail
        tail = TailIndex()
        try file.tables.scanEvents(grown.through + 1...last, in: transaction) {
            (position, bytes) throws(LogError) in
            let header = try EventHeader(bytes, at: position)
            grown.add(IndexKey(kind: header.kind), position)
            try header.forEachTag(in: bytes, at: position) {
                grown.add(IndexKey(tag: $0), position)
            }
            return true
        }
        grown.extend(through: last)
        tail = grown
    }
}
