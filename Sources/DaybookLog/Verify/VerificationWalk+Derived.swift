import Daybook
import DaybookLMDB

// Checks of the index, of idempotency keys and of the number of personal texts.
extension VerificationWalk {
    /// Checks each row of the index, and computes the digest of all its positions.
    mutating func readIndex(_ transaction: borrowing ReadTransaction) throws(LogError) {
        var before: (prefix: [UInt8], last: UInt64, count: UInt64) = ([], 0, 0)
        try transaction.scanRows(log.file.tables.index, from: nil as RawSpan?) {
            (rowKey, value) throws(LogError) in
            let prefixCount = max(0, rowKey.byteCount - 8)
            if prefixCount != before.prefix.count || !rowKey.begins(with: before.prefix) {
                if !before.prefix.isEmpty {
                    result.report(
                        before.last, "index",
                        "a tag or event kind has blocks in the index, but no summary after them")
                }
                before = (rowKey.extracting(..<prefixCount).copied(), 0, 0)
            }
            let last = IndexKey.position(of: rowKey)
            var ended: IndexKey?
            do throws(CorruptRecord) {
                if last == .max {
                    let summary = try IndexSummary(decoding: value)
                    guard summary == IndexSummary(last: before.last, count: before.count) else {
                        throw CorruptRecord.invalid(
                            field: "summary",
                            found: "\(summary.count) positions up to \(summary.last)",
                            expected: "\(before.count) positions up to \(before.last)")
                    }
                    // A shorter one is no key, which the digests of the index show.
                    if prefixCount >= 4 { ended = IndexKey(prefix: before.prefix) }
                    before.prefix = []
                } else {
                    guard try IndexBlock.lastOfPreviousBlock(value) == before.last else {
                        throw CorruptRecord.missing
                    }
                    _ = try IndexBlock.forEach(value, endingAt: last) { position in
                        indexTotals.digest.add(position, prefix: before.prefix)
                        before.count += 1
                        return true
                    }
                    before.last = last
                }
            } catch {
                result.report(last, "index", "\(error)")
            }
            if let key = ended {
                switch try lastPosition(of: key, transaction) {
                case before.last: indexTotals.settledKeyCount += 1
                case 0..<before.last: indexTotals.outdatedKeys.append((before.last, key))
                default: break
                }
            }
            return true
        }
        if !before.prefix.isEmpty {
            result.report(
                before.last, "index",
                "a tag or event kind has blocks in the index, but no summary after them")
        }
    }

    /// Takes over the result for the rows of the index, which a thread has checked, and compares
    /// the index with the checked events.
    mutating func addIndexResult(_ part: PartResult) {
        result.add(part.result)
        guard !part.isCutShort else { return }
        indexTotals = part.indexTotals
        let isRight = indexTotals.digest == totals.expectedIndex
        if !isRight {
            result.report(
                indexedThrough, "index",
                "the positions in the index (\(indexTotals.digest.count)) are not those of the "
                    + "tags and kinds of the events up to \(indexedThrough) "
                    + "(\(totals.expectedIndex.count))")
        }
        isIndexComplete = isRight && part.result.findings.isEmpty
        guard isIndexComplete else { return }
        for (last, key) in indexTotals.outdatedKeys {
            let name =
                key.kindRow.map { "the event kind in row \($0) of 'names'" }
                ?? "the tag \(String(decoding: key.tag, as: UTF8.self))"
            result.report(
                last, "last",
                "the index gives \(last) as the last position of \(name), but the table 'tags' or "
                    + "'kinds' gives an earlier one, or none")
        }
    }

    /// Returns the position of the newest event of a tag or event kind, from the table `tags` or
    /// `kinds`; 0 if there is none.
    private func lastPosition(
        of key: IndexKey, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> UInt64 {
        if let kind = key.kindRow {
            return try log.file.tables.lastPosition(ofKind: kind, in: transaction) ?? 0
        }
        return try log.file.tables.lastPosition(of: key, in: transaction) ?? 0
    }

    /// The number of rows of `keysByDigest` whose commits are read in one batch.
    private static let keyBatchSize = 65_536

    /// Checks that each row of `keysByDigest` has the position of a commit with its idempotency
    /// key.
    ///
    /// The rows are in the order of digests. Their commits are read batch by batch in the order of
    /// positions, which takes one lookup for each page instead of one for each row.
    mutating func readKeys(_ transaction: borrowing ReadTransaction) throws(LogError) {
        var batch: [KeyRow] = []
        try transaction.scanRows(log.file.tables.keysByDigest, from: nil as RawSpan?) {
            (key, value) throws(LogError) in
            batch.append(KeyRow(position: value.storedPosition ?? 0, digest: key.copied()))
            guard batch.count == Self.keyBatchSize else { return true }
            try checkKeys(batch, transaction)
            batch.removeAll(keepingCapacity: true)
            return true
        }
        try checkKeys(batch, transaction)
    }

    /// Checks that each of these rows has the position of a commit with its idempotency key.
    private mutating func checkKeys(
        _ rows: [KeyRow], _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let commits = log.file.tables.commits
        let order = rows.indices.sorted { rows[$0].position < rows[$1].position }
        var next = 0
        var wrong: [Int] = []
        let broken = try transaction.visit(order.lazy.map { rows[$0].position }, in: commits.table)
        {
            (first, stored) throws(LogError) in
            let row = rows[order[next]]
            next += 1
            var isRight = false
            if stored.byteCount > 0 {
                let bytes = try transaction.checked(stored, first, commits)
                isRight =
                    row.digest.count == 16
                    && CommitRecord.isCommit(bytes, withKeyDigest: row.digest)
            }
            if isRight {
                validKeyCount += 1
            } else {
                wrong.append(order[next - 1])
            }
            return true
        }
        if let broken { throw .storage(broken) }
        for index in wrong.sorted() {
            let first = rows[index].position
            result.report(
                first, "key",
                "an idempotency key leads to the commit at \(first), which does not have this key")
        }
    }

    /// Takes over the result for the table `keysByDigest`, which a thread has checked, and then
    /// checks that a lookup by idempotency key finds each commit that has a key.
    mutating func addKeysResult(
        _ part: PartResult, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        result.add(part.result)
        // Different keys lead to different commits, so that equal numbers leave none out.
        guard !part.isCutShort, part.validKeyCount != totals.keyCount else { return }
        try transaction.scanRows(log.file.tables.commits, from: nil as UInt64?) {
            (first: UInt64, stored) throws(LogError) in
            if let commit = try? CommitRecord(decoding: stored), commit.hasKey,
                try log.file.tables.firstPosition(ofKeyOf: commit, in: transaction) != first
            {
                result.report(
                    first, "key", "the idempotency key of the commit does not lead to the commit")
            }
            return true
        }
    }

    /// Checks that every stored personal text belongs to an event that contains its SHA-256.
    ///
    /// Skipped if the log has events of unknown kinds or with unreadable payloads, whose digests
    /// cannot be located.
    mutating func checkPersonalRows(_ transaction: borrowing ReadTransaction) throws(LogError) {
        var rows = 0
        try transaction.scanRows(log.file.tables.texts, from: nil as RawSpan?) { (_, _) in
            rows += 1
            return true
        }
        guard result.unknownKinds.isEmpty,
            !result.findings.contains(where: { $0.rule == "payload" })
        else { return }
        if rows != totals.textCount {
            result.report(
                0, "seal",
                "\(rows) personal texts are stored, but events contain digests of "
                    + "\(totals.textCount)")
        }
        try people.checkTextCounts(totals.textCounts, transaction, &result)
    }
}

/// A row of the table `keysByDigest`, which maps an idempotency key to the position of its commit.
private struct KeyRow {
    /// The position of the commit's first event; 0 if the row is malformed.
    var position: UInt64
    /// The first 16 bytes of the idempotency key's digest, which are the row key.
    var digest: [UInt8]
}

/// An order-independent digest of the positions at which the tags and event kinds occur.
struct IndexDigest: Equatable, Sendable {
    /// The number of positions in the digest.
    private(set) var count: UInt64 = 0
    /// The sum, modulo 2⁶⁴, of a hash of each position with its tag or event kind.
    private var sum: UInt64 = 0

    /// Adds a position of a tag or event kind to the digest.
    mutating func add(_ position: UInt64, _ key: IndexKey) { add(position, prefix: key.prefix) }

    /// Adds all positions of another digest to this one.
    mutating func add(_ other: IndexDigest) {
        count += other.count
        sum &+= other.sum
    }

    /// Adds a position of the tag or event kind with this row key prefix to the digest.
    mutating func add(_ position: UInt64, prefix: [UInt8]) {
        count += 1
        sum &+= RowChecksum.sum(position, prefix.rawSpan, RawSpan())
    }
}
