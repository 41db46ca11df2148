public import EventSourcing
import LMDB

/// The progress of an upgrade.
public struct UpgradeProgress: Hashable, Sendable {
    /// Rows up to this position have checksums.
    public var through: Position
    /// The last position whose row had none.
    public var last: Position
}

extension EventLog {
    /// Gives the rows that a program of format version 1 wrote their checksums, in batches.
    ///
    /// The chain and its head stay as they are. An upgrade that was stopped is resumed by the next.
    /// Run `verify` first: a checksum says what a row is now, and not what it was.
    ///
    /// - Parameter progress: called after each batch.
    public func upgrade(
        progress: (UpgradeProgress) -> Void = { _ in }
    ) throws(LogError) {
        while let reached = try upgradeBatch() { progress(reached) }
    }

    /// Positions that one transaction takes.
    private static let upgradeBatch: UInt64 = 50_000

    /// Upgrades one batch; `nil` once no row is left.
    private func upgradeBatch() throws(LogError) -> UpgradeProgress? {
        var reached: UpgradeProgress?
        try writing { (transaction) throws(LogError) in
            reached = nil
            let rows = transaction.rows
            guard rows.areMixed else { return }
            let last = min(
                rows.uncheckedThrough, rows.uncheckedAfter + Self.upgradeBatch)
            var batch = UpgradeBatch(after: rows.uncheckedAfter, through: last, tables)
            try batch.read(from: transaction)
            try batch.write(to: &transaction)
            let key = Meta.unchecked
            var left = rows
            left.uncheckedAfter = last
            if left.areMixed {
                try transaction.put(left.bytes, for: key.rawSpan, in: tables.meta)
            } else {
                try transaction.remove(key.rawSpan, from: tables.meta)
            }
            reached = UpgradeProgress(
                through: Position(last), last: Position(rows.uncheckedThrough))
        }
        return reached
    }
}

/// Rows without checksums, on their way to be written with them.
private struct UpgradeBatch {
    let after: UInt64
    let through: UInt64
    let tables: Tables
    var byPosition: [(table: LogTable, key: UInt64, value: [UInt8])] = []
    var byBytes: [(table: LogTable, key: [UInt8], value: [UInt8])] = []

    init(after: UInt64, through: UInt64, _ tables: Tables) {
        self.after = after
        self.through = through
        self.tables = tables
    }

    /// Reads the events and commits of the batch, and the rows that they lead to.
    mutating func read(from transaction: borrowing LogWriting) throws(LogError) {
        var kinds: Set<UInt64> = []
        var tags: Set<[UInt8]> = []
        try transaction.scanRows(tables.events, from: after + 1) {
            (position: UInt64, value) throws(LogError) in
            guard position <= through else { return false }
            byPosition.append((tables.events, position, value.copied()))
            do throws(CorruptRecord) {
                let header = try EventHeader(decoding: value)
                kinds.insert(UInt64(header.kind))
                try header.forEachTag(in: value) { tags.insert($0.copied()) }
            } catch {
                throw .corrupt(table: tables.events.name, key: position, error)
            }
            return true
        }
        var keys: Set<[UInt8]> = []
        try transaction.scanRows(tables.commits, from: after + 1) {
            (position: UInt64, value) throws(LogError) in
            guard position <= through else { return false }
            byPosition.append((tables.commits, position, value.copied()))
            do throws(CorruptRecord) {
                let key = try CommitRecord(decoding: value).key
                if !key.isEmpty { keys.insert(Array(key.utf8)) }
            } catch {
                throw .corrupt(table: tables.commits.name, key: position, error)
            }
            return true
        }
        for kind in kinds.sorted() {
            guard let value = try transaction.row(kind, in: tables.kinds) else {
                throw .corrupt(table: tables.kinds.name, key: kind, .missing)
            }
            byPosition.append((tables.kinds, kind, value.copied()))
        }
        for (table, found) in [(tables.tags, tags), (tables.keys, keys)] {
            for key in found.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                guard let value = try transaction.row(key.rawSpan, in: table) else {
                    throw .damaged(table: table.name, .missing)
                }
                byBytes.append((table, key, value.copied()))
            }
        }
        try readPersonal(from: transaction)
    }

    private mutating func readPersonal(
        from transaction: borrowing LogWriting
    ) throws(LogError) {
        let (start, end) = (PersonalRow.key(after + 1, 0), PersonalRow.key(through + 1, 0))
        try transaction.scanRows(tables.personal, from: start.rawSpan) { (rowKey, value) in
            let key = rowKey.copied()
            guard key.lexicographicallyPrecedes(end) else { return false }
            byBytes.append((tables.personal, key, value.copied()))
            return true
        }
    }

    func write(to transaction: inout LogWriting) throws(LogError) {
        for row in byPosition { try transaction.put(row.value, for: row.key, in: row.table) }
        for row in byBytes {
            try transaction.put(row.value, for: row.key.rawSpan, in: row.table)
        }
    }
}
