import DaybookLMDB

/// Tags with positions, to be written in the order of LMDB's keys.
///
/// Each tag is kept once, in a hash table over one buffer of bytes, so that only different tags are
/// sorted, and sorting counts no references: that took most of the time of a large append.
struct TagRows {
    private struct Row {
        var start: Int
        var count: Int
        var hash: UInt64
        var last: UInt64
        var positionCount = 1
    }

    /// The first 24 bytes of a row's tag, as numbers that order as they do.
    private struct SortKey {
        var first: UInt64
        var second: UInt64
        var third: UInt64
        var row: Int
    }

    private var bytes: [UInt8] = []
    private var rows: [Row] = []
    /// Numbers of rows plus one, by their hash; 0 where there is none. A power of two of them, of
    /// which at most half are used.
    private var slots: [Int] = Array(repeating: 0, count: 64)
    private var positions: [(row: Int, position: UInt64)] = []
    /// Unknown outside, so that no tags can be chosen that share their slots.
    private let seed = UInt64.random(in: 0...(.max))

    /// Adds a position that is not smaller than those that the tag has.
    mutating func add(_ tag: RawSpan, _ position: UInt64) {
        let hash = RowChecksum.sum(tag, from: seed)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let row = slots[slot] - 1
            if rows[row].hash == hash, isTag(rows[row], tag) { return extend(row, position) }
            slot = (slot + 1) & (slots.count - 1)
        }
        let start = bytes.count
        unsafe tag.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        positions.append((rows.count, position))
        rows.append(Row(start: start, count: tag.byteCount, hash: hash, last: position))
        slots[slot] = rows.count
        if rows.count * 2 > slots.count { grow() }
    }

    private mutating func extend(_ row: Int, _ position: UInt64) {
        guard rows[row].last != position else { return }
        rows[row].last = position
        rows[row].positionCount += 1
        positions.append((row, position))
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (index, row) in rows.enumerated() {
            var slot = Int(truncatingIfNeeded: row.hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = index + 1
        }
    }

    private func isTag(_ row: Row, _ tag: RawSpan) -> Bool {
        row.count == tag.byteCount && bytes(of: row).order(of: tag, from: 0) == 0
    }

    @_lifetime(borrow self)
    private func bytes(of row: Row) -> RawSpan {
        let span = bytes.rawSpan.extracting(row.start..<row.start + row.count)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Shows each tag with its positions, each once, by the bytes of the tags.
    func forEachTag<Failure: Error>(
        _ body: (RawSpan, ArraySlice<UInt64>) throws(Failure) -> Void
    ) throws(Failure) {
        let keys = sorted()
        // Where the next position of each row goes; in the end, where its positions end.
        var ends = [Int](repeating: 0, count: rows.count)
        var end = 0
        for key in keys {
            ends[key.row] = end
            end += rows[key.row].positionCount
        }
        var grouped = [UInt64](repeating: 0, count: end)
        for (row, position) in positions {
            grouped[ends[row]] = position
            ends[row] += 1
        }
        for key in keys {
            let (row, end) = (rows[key.row], ends[key.row])
            try body(bytes(of: row), grouped[end - row.positionCount..<end])
        }
    }

    private func sorted() -> [SortKey] {
        var keys: [SortKey] = []
        keys.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            let tag = bytes(of: row)
            keys.append(
                SortKey(
                    first: tag.word(at: 0), second: tag.word(at: 8), third: tag.word(at: 16),
                    row: index))
        }
        keys.sort { a, b in
            if a.first != b.first { return a.first < b.first }
            if a.second != b.second { return a.second < b.second }
            if a.third != b.third { return a.third < b.third }
            let (mine, others) = (rows[a.row], rows[b.row])
            guard mine.count > 24, others.count > 24 else { return mine.count < others.count }
            return bytes(of: mine).order(of: bytes(of: others), from: 24) < 0
        }
        return keys
    }
}

extension RawSpan {
    /// Eight bytes as a number that orders as they do, with zeros behind the end.
    fileprivate func word(at offset: Int) -> UInt64 {
        if offset + 8 <= byteCount { return integer(at: offset, as: UInt64.self).byteSwapped }
        guard offset < byteCount else { return 0 }
        var word: UInt64 = 0
        for index in offset..<offset + 8 {
            word = word << 8 | (index < byteCount ? UInt64(integer(at: index, as: UInt8.self)) : 0)
        }
        return word
    }

    /// Negative where these bytes come before `other`, byte by byte, of which those up to `start`
    /// are the same.
    fileprivate func order(of other: RawSpan, from start: Int) -> Int {
        var offset = start
        while offset < byteCount, offset < other.byteCount {
            let (mine, others) = (word(at: offset), other.word(at: offset))
            if mine != others { return mine < others ? -1 : 1 }
            offset += 8
        }
        return byteCount - other.byteCount
    }
}
