import Daybook
import DaybookLMDB

extension Meta {
    /// True if the file is a log; false if it has no tables yet, so that it can become a log.
    ///
    /// Writes nothing, so that the file of another program or of another format stays as it is.
    ///
    /// - Throws: `.notALog` or `.formatVersion` for the file of another program or format.
    static func isBegun(_ environment: Environment) throws(LogError) -> Bool {
        let found = try Tables.opening(environment) {
            () throws(LMDBError) -> ReadTransaction? in
            let transaction = try ReadTransaction(in: environment)
            guard !transaction.pages.isEmpty else { return nil }
            for table in [Tables().meta.name, "events", "commits"] {
                guard try transaction.pages.hasTable(table) else { throw .incompatible }
            }
            return transaction
        }
        guard let transaction = found else { return false }
        try checkFormat(in: transaction, Tables().meta, path: environment.path)
        return true
    }

    /// Throws `.formatVersion` for a log of another format, and `.damaged` for a damaged version.
    private static func checkFormat(
        in transaction: borrowing ReadTransaction, _ meta: LogTable, path: String
    ) throws(LogError) {
        let key = format
        guard let stored = try transaction.stored(key.rawSpan, in: meta) else {
            throw .damaged(table: meta.name, row: key, .missing)
        }
        // Formats before 3 had the version without a checksum.
        if stored.byteCount == 4 {
            let version: UInt32 = stored.integer(at: 0)
            if (1...2).contains(version) { throw .formatVersion(path: path, found: version) }
        }
        let value = try transaction.checked(stored, key.rawSpan, meta)
        guard value.byteCount == 4 else {
            let cause = CorruptRecord.size("version", value.byteCount, expected: 4)
            throw .damaged(table: meta.name, row: key, cause)
        }
        let version: UInt32 = value.integer(at: 0)
        guard version == formatVersion else { throw .formatVersion(path: path, found: version) }
    }
}
