import Daybook
import DaybookLMDB

// Rows derived from commits and events, and personal texts.
extension VerificationWalk {
    /// Each last position is that of an event with the tag or of the kind; that none lies behind
    /// it, the events have shown.
    mutating func checkLastPositions(
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        try transaction.scanRows(log.tables.tags, from: nil as RawSpan?) {
            (key, value) throws(LogError) in
            let tag = key.text(from: 0, byteCount: key.byteCount) ?? ""
            let last = value.position ?? 0
            if try !log.isEvent(
                at: last, in: transaction,
                { header, bytes in
                    (try? header.tags(in: bytes))?.contains { $0.text == tag } ?? false
                })
            {
                result.find(last, "last", "no event at \(last) has the tag \(tag)")
            }
            return true
        }
        try transaction.scanRows(log.tables.kinds) { (kind: UInt64, value) throws(LogError) in
            let last = value.position ?? 0
            if try !log.isEvent(at: last, in: transaction, { header, _ in header.kind == kind }) {
                result.find(last, "last", "no event at \(last) is of kind row \(kind)")
            }
            return true
        }
    }

    /// The index holds the positions of all indexed events under their tags and kinds, and no
    /// others.
    mutating func checkIndex(_ transaction: borrowing ReadTransaction) throws(LogError) {
        var before: (prefix: [UInt8], last: UInt64, count: UInt64) = ([], 0, 0)
        try transaction.scanRows(log.tables.index, from: nil as RawSpan?) {
            (rowKey, value) throws(LogError) in
            let prefix = Array(rowKey.copied().dropLast(8))
            if prefix != before.prefix {
                if !before.prefix.isEmpty {
                    result.find(before.last, "index", "blocks have no summary behind them")
                }
                before = (prefix, 0, 0)
            }
            let last = IndexKey.position(of: rowKey)
            do throws(CorruptRecord) {
                if last == .max {
                    let summary = try IndexSummary(decoding: value)
                    guard summary == IndexSummary(last: before.last, count: before.count) else {
                        throw CorruptRecord.invalid(
                            field: "summary",
                            found: "\(summary.count) positions to \(summary.last)",
                            expected: "\(before.count) to \(before.last)")
                    }
                    before.prefix = []
                    return true
                }
                guard try IndexBlock.previous(value) == before.last else {
                    throw CorruptRecord.missing
                }
                _ = try IndexBlock.forEach(value, endingAt: last) { position in
                    foundIndex.add(position, prefix: prefix)
                    before.count += 1
                    return true
                }
                before.last = last
            } catch {
                result.find(last, "index", "\(error)")
            }
            return true
        }
        if !before.prefix.isEmpty {
            result.find(before.last, "index", "blocks have no summary behind them")
        }
        if foundIndex != expectedIndex {
            result.find(
                indexedThrough, "index",
                "the index holds \(foundIndex.count) rows, and the events up to "
                    + "\(indexedThrough) have \(expectedIndex.count), or others")
        }
    }

    /// Each key leads to a commit that has it.
    mutating func checkKeys(_ transaction: borrowing ReadTransaction) throws(LogError) {
        try transaction.scanRows(log.tables.keysByDigest, from: nil as RawSpan?) {
            (key, value) throws(LogError) in
            let first = value.position ?? 0
            var known: [UInt8]?
            if let stored = try transaction.row(first, in: log.tables.commits),
                let commit = try? CommitRecord(decoding: stored)
            {
                known = Array(commit.keyDigest.prefix(16))
            }
            if known != key.copied() {
                result.find(first, "key", "the commit at \(first) does not have its key")
            }
            return true
        }
    }

    /// No text lies there that no event has sealed. Texts of kinds the catalogue does not know
    /// cannot be told from those, so that their log is not held to it.
    mutating func checkPersonalRows(_ transaction: borrowing ReadTransaction) throws(LogError) {
        var rows = 0
        try transaction.scanRows(log.tables.texts, from: nil as RawSpan?) { (_, _) in
            rows += 1
            return true
        }
        guard result.unknownKinds.isEmpty,
            !result.findings.contains(where: { $0.rule == "payload" })
        else { return }
        if rows != personalRows {
            result.find(
                0, "seal", "\(rows) personal texts are there, and events seal \(personalRows)")
        }
        try checkTextCounts(transaction)
    }
}

/// A set of positions under tags and kinds, as a count and a sum that no order changes.
struct IndexDigest: Equatable {
    private(set) var count: UInt64 = 0
    private var sum: UInt64 = 0

    mutating func add(_ position: UInt64, _ key: IndexKey) { add(position, prefix: key.prefix) }

    mutating func add(_ position: UInt64, prefix: [UInt8]) {
        count += 1
        sum &+= RowChecksum.sum(position, prefix.rawSpan, RawSpan())
    }
}

extension EventLog {
    /// True where there is an event at a position, and it fits.
    fileprivate func isEvent(
        at position: UInt64, in transaction: borrowing ReadTransaction,
        _ fits: (EventHeader, RawSpan) -> Bool
    ) throws(LogError) -> Bool {
        guard let bytes = try transaction.row(position, in: tables.events) else { return false }
        do throws(CorruptRecord) {
            return fits(try EventHeader(decoding: bytes), bytes)
        } catch {
            return false
        }
    }
}

extension RawSpan {
    /// The position that a row of `tags`, `kinds` or `keysByDigest` holds; `nil` if it is not 8 bytes.
    fileprivate var position: UInt64? {
        byteCount == 8 ? integer(at: 0, as: UInt64.self) : nil
    }
}
