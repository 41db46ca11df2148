import Daybook
import DaybookLMDB

// Rows that tell of the log as a whole, held to its commits and events.
extension VerificationWalk {
    /// The file has the tables that the format names, and no others.
    mutating func checkTables(_ transaction: borrowing LogReading) throws(LogError) {
        var known = Set(Tables.layouts.map(\.name))
        if transaction.rows.version == 1 { known.formUnion(["tagIndex", "kindIndex"]) }
        do throws(LMDBError) {
            for table in try transaction.pages.tableNames() where !known.contains(table) {
                result.find(
                    0, "table",
                    "the file has a table '\(table.visible)', which the format does not name")
            }
        } catch {
            throw .storage(error)
        }
    }

    /// The table `meta` has the rows that the format names, and no others.
    mutating func checkMeta(_ transaction: borrowing LogReading) throws(LogError) {
        let broken = try transaction.scan(log.tables.meta.table, from: nil as RawSpan?) {
            (key: RawSpan, stored) throws(LogError) in
            let name = key.copied()
            if !Meta.all.contains(name) {
                result.find(0, "meta", "the table 'meta' has a row that the format does not name")
            }
            if name != Meta.format { _ = try transaction.checked(stored, key, log.tables.meta) }
            return true
        }
        if let broken { throw .storage(broken) }
        let key = Meta.identifierSeal
        if let seal = try transaction.row(key.rawSpan, in: log.tables.meta),
            seal.copied() != Meta.seal(of: log.identifier, under: log.secret)
        {
            result.find(
                0, "meta",
                "the log's id does not fit its seal, so that it or the secret "
                    + "was changed")
        }
    }

    /// Holds what `meta` says of the time before format version 2 to the commits, which have been
    /// checked.
    mutating func checkEarlierVersion(_ transaction: borrowing LogReading) throws(LogError) {
        let rows = transaction.rows
        guard rows.version > 1 else { return }
        if rows.areMixed, rows.uncheckedThrough >= nextPosition {
            result.find(
                0, "meta",
                "rows up to position \(rows.uncheckedThrough) are said to have no "
                    + "checksum, and the last event is at \(nextPosition - 1)")
        }
        let key = Meta.unscrubbed
        if !hasEarlierCommits, try transaction.row(key.rawSpan, in: log.tables.meta) != nil {
            result.find(
                0, "meta",
                "texts of format version 1 are said to be left, and the log has no "
                    + "commit of that version")
        }
    }

    /// A row of events or commits that is said to have no checksum has none.
    mutating func checkIsPlain(
        _ position: UInt64, _ table: LogTable, _ stored: RawSpan, _ value: RawSpan,
        _ transaction: borrowing LogReading
    ) {
        guard !transaction.rows.isChecked(position), value.byteCount < stored.byteCount,
            transaction.rows.version > 1
        else { return }
        result.find(
            position, "meta",
            "the row of table '\(table.name)' is said to have no checksum, and has one")
    }

    /// Each row of what is kept of entities fits its checksum, whatever fold it is of, and no pass
    /// has come further than the log.
    mutating func checkKept(_ transaction: borrowing LogReading) throws(LogError) {
        guard transaction.rows.version > 1 else { return }
        try transaction.scanRows(log.tables.snapshots, from: nil as RawSpan?) { (_, _) in true }
        try transaction.scanRows(log.tables.checkpoints, from: nil as RawSpan?) { (key, value) in
            guard value.byteCount == Fingerprint.byteCount + 8 else {
                result.find(0, "snapshot", "a checkpoint has \(value.byteCount) bytes")
                return true
            }
            let reached: UInt64 = value.integer(at: Fingerprint.byteCount)
            if reached >= nextPosition {
                let fold = key.text(from: 0, byteCount: key.byteCount) ?? ""
                result.find(
                    0, "snapshot",
                    "the checkpoint of \(fold.prefix { $0 != "\0" }) is at \(reached), and the "
                        + "last event at \(nextPosition - 1); 'replay snapshot --drop' makes the "
                        + "snapshots anew")
            }
            return true
        }
    }
}
