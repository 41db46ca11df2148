/// The number of events of a range on each lane.
struct LaneCounts: Sendable {
    private(set) var counts = [UInt32](repeating: 0, count: 65_536)
    private(set) var total = 0
    /// Lowest and highest position of the events; `nil` without events.
    private(set) var positions: ClosedRange<UInt64>?
    /// Indices of the blocks that have events of the range.
    private(set) var blocks: [Int] = []

    init(_ content: BinsContent, by clock: BinsClock, on lanes: BinsLanes, in scale: BinScale) {
        var found = [UInt16](repeating: 0, count: BinBlock.length)
        for (index, block) in content.blocks.enumerated() {
            let bounds = block.bounds(by: clock)
            guard bounds.low <= scale.high, bounds.high >= scale.low else { continue }
            let column = block.column(of: lanes)
            if bounds.low >= scale.low, bounds.high <= scale.high {
                column.addCounts(block.count, to: &counts)
                add(index, block.count, block.first...block.last)
                continue
            }
            let count = block.find(in: scale, by: clock, &found)
            guard count > 0 else { continue }
            for index in found[..<count] { counts[Int(column[Int(index)])] &+= 1 }
            add(
                index, count,
                block.first + UInt64(found[0])...block.first + UInt64(found[count - 1]))
        }
    }

    private mutating func add(_ block: Int, _ count: Int, _ range: ClosedRange<UInt64>) {
        blocks.append(block)
        total += count
        positions = (positions?.lowerBound ?? range.lowerBound)...range.upperBound
    }
}

/// The number of events, and the newest event, in each bin of each shown lane.
struct BinGrid: Sendable {
    private(set) var scale: BinScale
    let rowCount: Int
    /// The number of events by cell: all bins of the first row, then those of the next one.
    private(set) var counts: [UInt32]
    /// The highest position of the events by cell; 0 without events.
    private(set) var newest: [UInt32]

    /// Counts the events of a range, given the blocks that have some and the row of each lane
    /// number.
    init(
        _ content: BinsContent, _ blocks: [Int], by clock: BinsClock, on lanes: BinsLanes,
        in scale: BinScale, rows: [UInt32], rowCount: Int
    ) {
        self.scale = scale
        self.rowCount = rowCount
        var counts = [UInt32](repeating: 0, count: rowCount * scale.count)
        var newest = counts
        var cells = [UInt32](repeating: 0, count: BinBlock.length)
        let starts = rows.map { $0 * UInt32(scale.count) }
        for index in blocks {
            let block = content.blocks[index]
            block.column(of: lanes).expand(starts, block.count, into: &cells)
            unsafe counts.withUnsafeMutableBufferPointer { counts in
                unsafe newest.withUnsafeMutableBufferPointer { newest in
                    unsafe Self.add(block, clock, scale, cells, counts, newest)
                }
            }
        }
        self.counts = counts
        self.newest = newest
    }

    /// Adds the events of a block that are in the range; `starts` has the first cell of each
    /// event's row.
    private static func add(
        _ block: BinBlock, _ clock: BinsClock, _ scale: BinScale, _ starts: [UInt32],
        _ counts: UnsafeMutableBufferPointer<UInt32>, _ newest: UnsafeMutableBufferPointer<UInt32>
    ) {
        let bounds = block.bounds(by: clock)
        let start = bounds.low &- scale.low
        let first = UInt32(truncatingIfNeeded: block.first)
        if bounds.low >= scale.low, bounds.high <= scale.high {
            let bin = scale.bin(at: start)
            if bin == scale.bin(at: bounds.high - scale.low) {
                for index in 0..<block.count {
                    let cell = Int(starts[index]) + bin
                    unsafe counts[cell] &+= 1
                    unsafe newest[cell] = first &+ UInt32(truncatingIfNeeded: index)
                }
                return
            }
        }
        block.forEachDifference(by: clock) { index, difference in
            // A coordinate before the range wraps to a number after it.
            guard start &+ difference <= scale.lastDifference else { return }
            let cell = Int(starts[index]) + scale.bin(at: start &+ difference)
            unsafe counts[cell] &+= 1
            unsafe newest[cell] = first &+ UInt32(truncatingIfNeeded: index)
        }
    }

    /// Joins each two bins; returns `false`, and joins none, if their number is odd.
    mutating func halve() -> Bool {
        guard let half = scale.halved else { return false }
        scale = half
        // The rows lie one after the other and have even lengths, so that all pairs are alike.
        for cell in 0..<rowCount * half.count {
            counts[cell] = counts[2 * cell] + counts[2 * cell + 1]
            newest[cell] = max(newest[2 * cell], newest[2 * cell + 1])
        }
        counts.removeLast(counts.count - rowCount * half.count)
        newest.removeLast(newest.count - rowCount * half.count)
        return true
    }

    /// Least size of all cells in an answer, in bytes: their numbers and commas, of kinds one digit.
    var leastByteCount: Int {
        var byteCount = 0
        for row in 0..<rowCount {
            var before = 0
            for bin in 0..<scale.count {
                let count = counts[row * scale.count + bin]
                guard count > 0 else { continue }
                byteCount += Self.digitCount(bin - before) + Self.digitCount(Int(count)) + 4
                before = bin
            }
        }
        return byteCount
    }

    private static func digitCount(_ number: Int) -> Int {
        var (count, rest) = (1, number)
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        return count
    }
}

extension BinBlock {
    /// Finds the indices of the events of a range, ascending, and returns their number; `found` has
    /// room for a full block.
    func find(in scale: BinScale, by clock: BinsClock, _ found: inout [UInt16]) -> Int {
        let start = bounds(by: clock).low &- scale.low
        let lastDifference = scale.lastDifference
        var count = 0
        unsafe found.withUnsafeMutableBufferPointer { found in
            // Without a branch for each event. A coordinate before the range wraps to a number
            // after it.
            forEachDifference(by: clock) { index, difference in
                unsafe found[count] = UInt16(truncatingIfNeeded: index)
                count &+= start &+ difference <= lastDifference ? 1 : 0
            }
        }
        return count
    }
}
