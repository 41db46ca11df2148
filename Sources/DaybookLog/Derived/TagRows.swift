import DaybookLMDB

/// A collection of tags with positions of events, which can be read in the order of LMDB's keys.
///
/// A hash table stores each distinct tag once in a shared byte buffer. Only distinct tags are
/// sorted, and sorting changes no reference counts, which would dominate the time of a large
/// append.
struct TagRows {
    /// A distinct tag, with a summary of its positions.
    private struct Row {
        /// The offset of the tag's UTF-8 in the shared byte buffer.
        var start: Int
        /// The number of bytes in the tag's UTF-8.
        var byteCount: Int
        var hash: UInt64
        /// The last position that was added for the tag.
        var lastPosition: UInt64
        /// The number of positions that were added for the tag.
        var positionCount = 1
    }

    /// The first 24 bytes of a tag as three integers, which sort like the bytes.
    private struct SortKey {
        /// Bytes 0–7 of the tag, big-endian.
        var first: UInt64
        /// Bytes 8–15 of the tag.
        var second: UInt64
        /// Bytes 16–23 of the tag.
        var third: UInt64
        /// The index of the tag in the array `rows`.
        var row: Int
    }

    /// The shared buffer with the UTF-8 of all distinct tags.
    private var bytes: [UInt8] = []
    /// The distinct tags, in the order in which they were added.
    private var rows: [Row] = []
    /// The hash table: for each slot, an index in `rows` plus 1, or 0 if the slot is free.
    ///
    /// The number of slots is a power of two, and at most half of them are used.
    private var slots: [Int] = Array(repeating: 0, count: 64)
    /// All added positions, in the order of calls, with the index of their tag in the array `rows`.
    private var positions: [(row: Int, position: UInt64)] = []
    /// The seed of the hashes; random, so that nobody can choose tags whose hashes collide.
    private let seed = UInt64.random(in: 0...(.max))

    /// Adds a position of a tag; it must not be less than earlier positions of the tag.
    mutating func add(_ tag: RawSpan, _ position: UInt64) {
        let hash = RowChecksum.sum(tag, from: seed)
        let slot = slot(of: tag, hash)
        guard slots[slot] == 0 else { return addPosition(position, toRow: slots[slot] - 1) }
        let start = bytes.count
        unsafe tag.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        positions.append((rows.count, position))
        rows.append(Row(start: start, byteCount: tag.byteCount, hash: hash, lastPosition: position))
        slots[slot] = rows.count
        if rows.count * 2 > slots.count { grow() }
    }

    /// Returns the last position that was added for a tag; `nil` if there is none.
    func lastPosition(of tag: RawSpan) -> UInt64? {
        let slot = slot(of: tag, RowChecksum.sum(tag, from: seed))
        return slots[slot] == 0 ? nil : rows[slots[slot] - 1].lastPosition
    }

    /// Returns the slot of a tag with a hash; a free slot if the tag was not added yet.
    private func slot(of tag: RawSpan, _ hash: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let row = rows[slots[slot] - 1]
            if row.hash == hash, isTag(row, tag) { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    /// Adds a position of a known tag, unless it equals the tag's last position.
    private mutating func addPosition(_ position: UInt64, toRow row: Int) {
        guard rows[row].lastPosition != position else { return }
        rows[row].lastPosition = position
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

    /// True if the tag of a row consists of these bytes.
    private func isTag(_ row: Row, _ tag: RawSpan) -> Bool {
        row.byteCount == tag.byteCount && bytes(of: row).order(of: tag, from: 0) == 0
    }

    @_lifetime(borrow self)
    private func bytes(of row: Row) -> RawSpan {
        let span = bytes.rawSpan.extracting(row.start..<row.start + row.byteCount)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Calls `body` with each tag and its distinct positions, in byte order of the tags.
    func forEachTag<Failure: Error>(
        _ body: (RawSpan, ArraySlice<UInt64>) throws(Failure) -> Void
    ) throws(Failure) {
        let keys = sortedKeys()
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

    /// Calls `body` with each tag and its last position, in byte order of the tags.
    func forEachLastPosition<Failure: Error>(
        _ body: (RawSpan, UInt64) throws(Failure) -> Void
    ) throws(Failure) {
        for key in sortedKeys() { try body(bytes(of: rows[key.row]), rows[key.row].lastPosition) }
    }

    /// Returns the sort keys of all tags, in the byte order of the tags.
    private func sortedKeys() -> [SortKey] {
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
            guard mine.byteCount > 24, others.byteCount > 24 else {
                return mine.byteCount < others.byteCount
            }
            return bytes(of: mine).order(of: bytes(of: others), from: 24) < 0
        }
        return keys
    }
}

extension RawSpan {
    /// Returns eight bytes as an integer that sorts like them; bytes after the end count as zero.
    fileprivate func word(at offset: Int) -> UInt64 {
        if offset + 8 <= byteCount { return integer(at: offset, as: UInt64.self).byteSwapped }
        guard offset < byteCount else { return 0 }
        var word: UInt64 = 0
        for index in offset..<offset + 8 {
            word = word << 8 | (index < byteCount ? UInt64(integer(at: index, as: UInt8.self)) : 0)
        }
        return word
    }

    /// Compares bytes in lexicographic order: negative if these come before `other`, 0 if equal.
    ///
    /// - Parameter start: the number of bytes at the start that are known to be equal.
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
