import DaybookLMDB

/// A collection of tags with positions, for writing in the order of LMDB's keys.
///
/// A hash table stores each distinct tag once in a shared byte buffer. Only distinct tags are
/// sorted, and sorting changes no reference counts, which would dominate the time of a large
/// append.
struct TagRows {
    /// One distinct tag.
    private struct Row {
        /// The offset of the tag's UTF-8 in the shared buffer.
        var start: Int
        /// Bytes of the tag's UTF-8.
        var count: Int
        var hash: UInt64
        /// The last added position.
        var last: UInt64
        /// The number of added positions.
        var positionCount = 1
    }

    /// The first 24 bytes of a row's tag, as integers with the same order.
    private struct SortKey {
        /// Bytes 0–7 of the tag, big-endian.
        var first: UInt64
        /// Bytes 8–15 of the tag.
        var second: UInt64
        /// Bytes 16–23 of the tag.
        var third: UInt64
        /// The index of the tag in `rows`.
        var row: Int
    }

    /// The shared buffer with the UTF-8 of all distinct tags.
    private var bytes: [UInt8] = []
    /// The distinct tags, in the order in which they were added.
    private var rows: [Row] = []
    /// Row numbers plus one, by hash; 0 for a free slot.
    ///
    /// The size is a power of two, and at most half of the slots are used.
    private var slots: [Int] = Array(repeating: 0, count: 64)
    /// All added positions, in the order of calls, with the index of their tag in `rows`.
    private var positions: [(row: Int, position: UInt64)] = []
    /// A random seed, so that nobody can choose tags whose hashes collide.
    private let seed = UInt64.random(in: 0...(.max))

    /// Adds a position, which must not be smaller than earlier positions of the tag.
    mutating func add(_ tag: RawSpan, _ position: UInt64) {
        let hash = RowChecksum.sum(tag, from: seed)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let row = slots[slot] - 1
            if rows[row].hash == hash, isTag(rows[row], tag) {
                return addPosition(position, toRow: row)
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        let start = bytes.count
        unsafe tag.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        positions.append((rows.count, position))
        rows.append(Row(start: start, count: tag.byteCount, hash: hash, last: position))
        slots[slot] = rows.count
        if rows.count * 2 > slots.count { grow() }
    }

    /// Adds a position to a known tag, unless it is the tag's last position.
    private mutating func addPosition(_ position: UInt64, toRow row: Int) {
        guard rows[row].last != position else { return }
        rows[row].last = position
        rows[row].positionCount += 1
        positions.append((row, position))
    }

    /// Doubles the number of slots of the hash table.
    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for (index, row) in rows.enumerated() {
            var slot = Int(truncatingIfNeeded: row.hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = index + 1
        }
    }

    /// True if a row's tag has these bytes.
    private func isTag(_ row: Row, _ tag: RawSpan) -> Bool {
        row.count == tag.byteCount && bytes(of: row).order(of: tag, from: 0) == 0
    }

    @_lifetime(borrow self)
    private func bytes(of row: Row) -> RawSpan {
        let span = bytes.rawSpan.extracting(row.start..<row.start + row.count)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Calls `body` with each tag and its distinct positions, in byte order of the tags.
    func forEachTag<Failure: Error>(
        _ body: (RawSpan, ArraySlice<UInt64>) throws(Failure) -> Void
    ) throws(Failure) {
        let keys = sorted()
        // The index for the next position of each row; at last, the end of the row's positions.
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

    /// Returns the sort keys of all tags, in byte order.
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
    /// Returns eight bytes as an integer with the same order, with zeros after the end.
    fileprivate func word(at offset: Int) -> UInt64 {
        if offset + 8 <= byteCount { return integer(at: offset, as: UInt64.self).byteSwapped }
        guard offset < byteCount else { return 0 }
        var word: UInt64 = 0
        for index in offset..<offset + 8 {
            word = word << 8 | (index < byteCount ? UInt64(integer(at: index, as: UInt8.self)) : 0)
        }
        return word
    }

    /// Compares bytes in lexicographic order; negative if these bytes come before `other`.
    ///
    /// - Parameter start: the number of bytes that are known to be equal.
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
