import LMDB

/// Tags with positions, to be written in the order of LMDB's keys.
///
/// One buffer holds the bytes of all tags, and each row the first sixteen of its own, so that
/// sorting counts no references: that took most of the time of a large append.
struct TagRows {
    private struct Row {
        var first: UInt64
        var second: UInt64
        var start: Int
        var count: Int
        var position: UInt64
    }

    private var bytes: [UInt8] = []
    private var rows: [Row] = []

    mutating func add(_ tag: RawSpan, _ position: UInt64) {
        let start = bytes.count
        unsafe tag.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        rows.append(
            Row(
                first: tag.word(at: 0), second: tag.word(at: 8), start: start,
                count: tag.byteCount, position: position))
    }

    /// Shows each tag with its positions, each once, by the bytes of the tags.
    func forEachTag<Failure: Error>(
        _ body: (RawSpan, [UInt64]) throws(Failure) -> Void
    ) throws(Failure) {
        let all = bytes.rawSpan
        let rows = sorted()
        var index = 0
        while index < rows.count {
            let tag = all.extracting(rows[index].start..<rows[index].start + rows[index].count)
            var positions: [UInt64] = []
            while index < rows.count {
                let row = rows[index]
                let isSame =
                    row.count == tag.byteCount
                    && !all.extracting(row.start..<row.start + row.count).precedes(tag)
                    && !tag.precedes(all.extracting(row.start..<row.start + row.count))
                guard isSame else { break }
                if positions.last != row.position { positions.append(row.position) }
                index += 1
            }
            try body(tag, positions)
        }
    }

    private func sorted() -> [Row] {
        rows.sorted { a, b in
            if a.first != b.first { return a.first < b.first }
            if a.second != b.second { return a.second < b.second }
            if a.count > 16 || b.count > 16 || a.count != b.count {
                let all = bytes.rawSpan
                let mine = all.extracting(a.start..<a.start + a.count)
                let others = all.extracting(b.start..<b.start + b.count)
                if mine.precedes(others) { return true }
                if others.precedes(mine) { return false }
            }
            return a.position < b.position
        }
    }
}

extension RawSpan {
    /// Eight bytes as a number that orders as they do, with zeros behind the end.
    fileprivate func word(at offset: Int) -> UInt64 {
        if offset + 8 <= byteCount { return integer(at: offset, as: UInt64.self).byteSwapped }
        var word: UInt64 = 0
        for index in offset..<offset + 8 {
            word = word << 8 | (index < byteCount ? UInt64(integer(at: index, as: UInt8.self)) : 0)
        }
        return word
    }

    /// Whether these bytes come before `other`, byte by byte.
    fileprivate func precedes(_ other: RawSpan) -> Bool {
        let common = min(byteCount, other.byteCount)
        for index in 0..<common {
            let mine = integer(at: index, as: UInt8.self)
            let others = other.integer(at: index, as: UInt8.self)
            if mine != others { return mine < others }
        }
        return byteCount < other.byteCount
    }
}
