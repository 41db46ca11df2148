import LMDB

/// Tags with positions, to be written in the order of LMDB's keys.
///
/// Each tag is kept once, in a hash table over one buffer of bytes, so that only different tags are
/// sorted, and sorting counts no references: that took most of the time of a large append.
struct TagRows {
    private struct Row {
        /// The first 24 bytes, as numbers that order as they do.
        var first: UInt64
        var second: UInt64
        var third: UInt64
        var start: Int
        var count: Int
        var hash: UInt64
        /// The tag's first and last place in `positions`.
        var head: Int
        var tail: Int
    }

    private var bytes: [UInt8] = []
    private var rows: [Row] = []
    /// Numbers of rows plus one, by their hash; 0 where there is none. A power of two of them, of
    /// which at most half are used.
    private var slots: [Int] = Array(repeating: 0, count: 64)
    /// Each with the place of the tag's next one; -1 behind the last.
    private var positions: [(position: UInt64, next: Int)] = []
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
        rows.append(
            Row(
                first: tag.word(at: 0), second: tag.word(at: 8), third: tag.word(at: 16),
                start: start, count: tag.byteCount, hash: hash, head: positions.count,
                tail: positions.count))
        positions.append((position, -1))
        slots[slot] = rows.count
        if rows.count * 2 > slots.count { grow() }
    }

    private mutating func extend(_ row: Int, _ position: UInt64) {
        let tail = rows[row].tail
        guard positions[tail].position != position else { return }
        positions[tail].next = positions.count
        rows[row].tail = positions.count
        positions.append((position, -1))
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
        guard row.count == tag.byteCount else { return false }
        let mine = bytes.rawSpan.extracting(row.start..<row.start + row.count)
        return mine.order(of: tag, from: 0) == 0
    }

    /// Shows each tag with its positions, each once, by the bytes of the tags.
    func forEachTag<Failure: Error>(
        _ body: (RawSpan, [UInt64]) throws(Failure) -> Void
    ) throws(Failure) {
        let all = bytes.rawSpan
        for row in sorted() {
            var list: [UInt64] = []
            var place = row.head
            while place >= 0 {
                list.append(positions[place].position)
                place = positions[place].next
            }
            try body(all.extracting(row.start..<row.start + row.count), list)
        }
    }

    private func sorted() -> [Row] {
        rows.sorted { a, b in
            if a.first != b.first { return a.first < b.first }
            if a.second != b.second { return a.second < b.second }
            if a.third != b.third { return a.third < b.third }
            guard a.count > 24, b.count > 24 else { return a.count < b.count }
            let all = bytes.rawSpan
            let mine = all.extracting(a.start..<a.start + a.count)
            return mine.order(of: all.extracting(b.start..<b.start + b.count), from: 24) < 0
        }
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
