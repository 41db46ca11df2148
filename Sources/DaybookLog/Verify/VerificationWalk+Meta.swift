import Daybook
import DaybookLMDB

// Checks of rows that concern the log as a whole.
extension VerificationWalk {
    /// Checks that the file has only tables of the format.
    mutating func checkTables(_ transaction: borrowing ReadTransaction) throws(LogError) {
        let known = Set(Tables.layouts.map(\.name))
        do throws(LMDBError) {
            for table in try transaction.pages.tableNames() where !known.contains(table) {
                result.report(
                    0, "table",
                    "the file has a table '\(table.visible)', which is not part of the format")
            }
        } catch {
            throw .storage(error)
        }
    }

    /// Checks that `meta` has only rows of the format, and that the id matches the row `idSeal`.
    mutating func checkMeta(_ transaction: borrowing ReadTransaction) throws(LogError) {
        let broken = try transaction.scan(log.file.tables.meta.table, from: nil as RawSpan?) {
            (key: RawSpan, stored) throws(LogError) in
            let name = key.copied()
            if !Meta.all.contains(name) {
                result.report(
                    0, "meta", "the table 'meta' has a row that is not part of the format")
            }
            _ = try transaction.checked(stored, key, log.file.tables.meta)
            return true
        }
        if let broken { throw .storage(broken) }
        if let replica = log.file.replica, !replica.isComplete {
            result.report(
                0, "replica",
                "the replica is incomplete: the pull of a shipment through position "
                    + "\(replica.target) was interrupted; pull again")
        }
        guard log.file.holdsKeys else { return }
        let key = Meta.identifierSeal
        let seal = try transaction.row(key.rawSpan, in: log.file.tables.meta)?.copied()
        if seal != Meta.seal(of: log.file.identifier, under: log.file.secret) {
            result.report(
                0, "meta",
                "the log's id does not match the row 'idSeal': the id, the row or the secret was "
                    + "changed"
            )
        }
    }

    /// Checks the checksums of all snapshots, and that no checkpoint is after the last event.
    mutating func checkSnapshotRows(_ transaction: borrowing ReadTransaction) throws(LogError) {
        try transaction.scanRows(log.file.tables.snapshots, from: nil as RawSpan?) { (_, _) in true
        }
        try transaction.scanRows(log.file.tables.checkpoints, from: nil as RawSpan?) {
            (key, value) in
            guard value.byteCount == Fingerprint.byteCount + 8 else {
                result.report(
                    0, "snapshot",
                    "a row of the table 'checkpoints' has \(value.byteCount) bytes, expected "
                        + "\(Fingerprint.byteCount + 8)"
                )
                return true
            }
            let reached: UInt64 = value.integer(at: Fingerprint.byteCount)
            if reached >= checked.nextPosition {
                let fold = key.text(from: 0, byteCount: key.byteCount) ?? ""
                result.report(
                    0, "snapshot",
                    "the checkpoint of projection \(fold.prefix { $0 != "\0" }) is at position "
                        + "\(reached), but the last event is at \(checked.nextPosition - 1)")
            }
            return true
        }
    }
}
