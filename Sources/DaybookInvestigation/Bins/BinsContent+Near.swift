extension BinsContent {
    /// Returns the position of the last event at or before a coordinate; of equal ones by the
    /// clock, the newest. `nil` if there is none.
    func position(near request: NearRequest) -> UInt64? {
        guard let at = Int64(exactly: min(request.at, Int128(Int64.max)))?.ordered else {
            return nil
        }
        var isWanted: [Bool]?
        if let lane = request.lane {
            let names = names(of: lane.lanes)
            guard let group = names.lane(named: lane.name) else { return nil }
            var flags = names.groups.map { $0 == group }
            flags += [Bool](repeating: false, count: 65_536 - flags.count)
            isWanted = flags
        }
        var best: (coordinate: UInt64, position: UInt64)?
        // Of equal coordinates the newest event counts, which is in the first block that has one.
        for block in blocks.reversed() {
            let bounds = block.bounds(by: request.clock)
            guard bounds.low <= at else { continue }
            if let best, min(bounds.high, at) <= best.coordinate { continue }
            let column = request.lane.map { block.column(of: $0.lanes) }
            if let isWanted, let column, !column.mayContain(isWanted) { continue }
            var found: (difference: UInt64, index: Int)?
            block.forEachDifference(by: request.clock) { index, difference in
                guard difference <= at - bounds.low, difference >= found?.difference ?? 0 else {
                    return
                }
                if let isWanted, let column, !isWanted[Int(column[index])] { return }
                found = (difference, index)
            }
            guard let found else { continue }
            let coordinate = bounds.low + found.difference
            if let best, coordinate <= best.coordinate { continue }
            best = (coordinate, block.first + UInt64(found.index))
        }
        return best?.position
    }
}
