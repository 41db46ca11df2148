import Daybook

/// Rendered rows with the positions and keys by which they are merged.
struct RenderedRows: Sendable {
    /// Text of the rows of the first table, in UTF-8.
    var bytes: [UInt8] = []
    /// Offset in `bytes` after each row.
    private(set) var ends: [Int] = []
    /// Text of the rows of a second table, in UTF-8; empty for a row without one.
    var otherBytes: [UInt8] = []
    /// Offset in `otherBytes` after each row of the second table.
    private(set) var otherEnds: [Int] = []
    fileprivate var positions: [UInt64] = []
    fileprivate var keys: [String] = []

    func range(of row: Int) -> Range<Int> { (row == 0 ? 0 : ends[row - 1])..<ends[row] }

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        otherBytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        otherEnds.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
    }

    /// Ends a row whose text ends at an offset in `bytes`, and at one in `otherBytes` if there are
    /// two tables.
    mutating func endRow(at position: UInt64, _ key: String, end: Int, otherEnd: Int? = nil) {
        ends.append(end)
        if let otherEnd { otherEnds.append(otherEnd) }
        positions.append(position)
        keys.append(key)
    }
}

/// Rows of several threads, in the order of positions and then keys.
struct OrderedRows: Sendable {
    /// The rows of each thread, which are in this order.
    var parts: [RenderedRows]

    /// Calls `body` with the rows of each thread and the number of a row in them, in order, before
    /// the position `limit`.
    func forEach(
        before limit: UInt64 = .max, _ body: (borrowing RenderedRows, Int) throws -> Void
    ) rethrows {
        var next = Array(repeating: 0, count: parts.count)
        // Position of the next row of each part; the greatest number after the last row.
        var positions = parts.map { $0.positions.first ?? .max }
        while true {
            var (first, lowest) = (0, UInt64.max)
            for index in positions.indices where positions[index] <= lowest {
                let position = positions[index]
                if position == lowest {
                    guard position != .max,
                        parts[index].keys[next[index]]
                            .precedesByBytes(parts[first].keys[next[first]])
                    else { continue }
                }
                (first, lowest) = (index, position)
            }
            guard lowest < limit else { return }
            try body(parts[first], next[first])
            next[first] += 1
            positions[first] =
                next[first] < parts[first].positions.count
                ? parts[first].positions[next[first]] : .max
        }
    }
}
