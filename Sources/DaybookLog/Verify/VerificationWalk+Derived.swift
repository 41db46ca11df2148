import Daybook
import DaybookLMDB

// Checks of derived rows and of the number of personal texts.
extension VerificationWalk {
    /// Checks that each newest position belongs to an event with the tag or of the kind.
    ///
    /// `checkLast` has already shown that no later event has the tag or kind.
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

    /// Checks that the index contains exactly the tags and kinds of all indexed events.
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

    /// Checks that each idempotency key leads to a commit with this key.
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

    /// Checks that every stored text belongs to an event that seals it.
    ///
    /// Skipped if the log has events of unknown kinds or unreadable payloads, whose seals are
    /// unknown.
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

/// An order-independent digest of positions under tags and kinds: a count and a sum.
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
    /// True if an event exists at a position and satisfies `fits`.
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
    /// The position in a row of `tags`, `kinds` or `keysByDigest`; `nil` unless the row has 8
    /// bytes.
    fileprivate var position: UInt64? {
        byteCount == 8 ? integer(at: 0, as: UInt64.self) : nil
    }
}
