import Daybook
import DaybookLMDB

/// A cache of last positions from the tables `tags` and `kinds`; its memory is bounded.
struct LastPositions {
    /// The last position of each kind that was looked up, by its row in `names`.
    fileprivate var kinds: [UInt16: UInt64] = [:]
    /// The tags that were looked up, each at the index that its hash gives; empty before the first.
    private var tags: [(tag: [UInt8], last: UInt64)] = []
    /// The seed of the hashes; random, so that nobody can choose tags that displace each other.
    private let seed = UInt64.random(in: 0...(.max))
    /// The number of tags that the cache holds, a power of two.
    private static let tagCount = 256

    /// Returns the last position of a tag according to the table `tags`, from the cache if
    /// possible; 0 if the table lacks the tag.
    fileprivate mutating func last(
        of tag: RawSpan, _ log: EventLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> UInt64 {
        if tags.isEmpty { tags = Array(repeating: ([], 0), count: Self.tagCount) }
        let index = Int(
            truncatingIfNeeded: RowChecksum.sum(tag, from: seed) & UInt64(Self.tagCount - 1))
        let recent = tags[index]
        if recent.tag.rawSpan.isEqual(to: tag) { return recent.last }
        let last =
            try log.file.tables.storedPosition(tag, in: log.file.tables.tags, transaction) ?? 0
        tags[index].tag.removeAll(keepingCapacity: true)
        unsafe tag.withUnsafeBytes { unsafe tags[index].tag.append(contentsOf: $0) }
        tags[index].last = last
        return last
    }
}

// Checks of the tables `tags` and `kinds`, which contain the newest position of each tag and kind.
extension VerificationWalk {
    /// Checks that the tables contain an event's position or a later one for its tags, which are in
    /// `tags`, and for its kind.
    mutating func checkLast(
        _ position: UInt64, _ kind: UInt16, _ bytes: RawSpan,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        for (index, range) in tags.ranges.enumerated() {
            let tag = bytes.extracting(range)
            let last = try lastPositions.last(of: tag, log, transaction)
            if last < position {
                result.report(
                    position, "last",
                    "the event has the tag \(tag.tag), but the table 'tags' gives an earlier last "
                        + "position of the tag, or none")
            } else if last == position, !tags.isRepeated(index, in: bytes) {
                totals.lastCount += 1
            }
        }
        let last: UInt64
        if let known = lastPositions.kinds[kind] {
            last = known
        } else {
            last = try log.file.tables.lastPosition(ofKind: kind, in: transaction) ?? 0
            lastPositions.kinds[kind] = last
        }
        if last < position {
            result.report(
                position, "last",
                "the event is of the kind in row \(kind) of 'names', but the table 'kinds' gives an "
                    + "earlier last position of the kind, or none")
        } else if last == position {
            totals.lastCount += 1
        }
    }

    /// Checks that `tags` and `kinds` contain the position of the newest event of each tag and
    /// kind.
    ///
    /// If the index is complete, the checks of the index and of the events after it have already
    /// compared the rows that these events should have, and others are looked up only if there are
    /// more. Otherwise every row is looked up, and every indexed event is read again.
    mutating func checkLastPositions(
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let indexedThrough = indexedThrough
        guard !isIndexComplete else {
            // Each settled key, and each tag or kind at its last position, has a row of its own, so
            // that equal numbers leave no other row.
            let (indexed, later) = try log.file.countLastRows(
                indexedThrough: indexedThrough, transaction)
            if later != totals.lastCount {
                try checkLastRows(transaction) { $0 > indexedThrough }
            }
            if indexed != indexTotals.settledKeyCount {
                try checkLastRows(transaction) { $0 <= indexedThrough }
            }
            return
        }
        try checkLastRows(transaction) { _ in true }
        try transaction.scanRows(log.file.tables.events, from: nil as UInt64?) {
            (position: UInt64, bytes) throws(LogError) in
            guard position <= indexedThrough else { return false }
            // The walk along the events has found rows that cannot be read.
            guard let header = try? EventHeader(decoding: bytes),
                (try? tags.read(header, bytes)) != nil
            else { return true }
            try checkLast(position, header.kind, bytes, transaction)
            return true
        }
    }

    /// Checks rows of both tables: the event at the stored position must have the tag or be of the
    /// kind.
    ///
    /// - Parameter isWanted: true for the positions of rows that are to be checked.
    private mutating func checkLastRows(
        _ transaction: borrowing ReadTransaction, where isWanted: (UInt64) -> Bool
    ) throws(LogError) {
        try transaction.scanRows(log.file.tables.tags, from: nil as RawSpan?) {
            (key, value) throws(LogError) in
            let last = value.storedPosition ?? 0
            guard isWanted(last) else { return true }
            let tag = key.text(from: 0, byteCount: key.byteCount) ?? ""
            if try !log.file.isEvent(
                at: last, in: transaction,
                { header, bytes in
                    (try? header.tags(in: bytes))?.contains { $0.text == tag } ?? false
                })
            {
                result.report(
                    last, "last",
                    "the table 'tags' gives \(last) as the last position of the tag \(tag), but "
                        + "no event at this position has the tag")
            }
            return true
        }
        try transaction.scanRows(log.file.tables.kinds) { (kind: UInt64, value) throws(LogError) in
            let last = value.storedPosition ?? 0
            guard isWanted(last) else { return true }
            if try !log.file.isEvent(
                at: last, in: transaction, { header, _ in header.kind == kind })
            {
                result.report(
                    last, "last",
                    "the table 'kinds' gives \(last) as the last position of the event kind in "
                        + "row \(kind) of 'names', but no event at this position is of this kind")
            }
            return true
        }
    }
}

extension LogFile {
    /// Returns the numbers of rows of the tables `tags` and `kinds` that have a position up to the
    /// end of the index, or a later one.
    fileprivate func countLastRows(
        indexedThrough: UInt64, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> (indexed: UInt64, later: UInt64) {
        var counts: (indexed: UInt64, later: UInt64) = (0, 0)
        func count(_ value: RawSpan) {
            if value.storedPosition ?? 0 > indexedThrough {
                counts.later += 1
            } else {
                counts.indexed += 1
            }
        }
        try transaction.scanRows(tables.tags, from: nil as RawSpan?) { (_, value) in
            count(value)
            return true
        }
        try transaction.scanRows(tables.kinds) { (_: UInt64, value) in
            count(value)
            return true
        }
        return counts
    }

    /// True if the event at a position exists and satisfies `fits`.
    fileprivate func isEvent(
        at position: UInt64, in transaction: borrowing ReadTransaction,
        _ fits: (EventHeader, RawSpan) -> Bool
    ) throws(LogError) -> Bool {
        guard let bytes = try transaction.row(position, in: tables.events) else { return false }
        return (try? EventHeader(decoding: bytes)).map { fits($0, bytes) } ?? false
    }
}

extension RawSpan {
    /// The position in a row of `tags`, `kinds` or `keysByDigest`; `nil` unless it has 8 bytes.
    var storedPosition: UInt64? {
        byteCount == 8 ? integer(at: 0, as: UInt64.self) : nil
    }
}
