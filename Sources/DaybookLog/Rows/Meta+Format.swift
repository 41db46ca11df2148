import Daybook
import DaybookLMDB

extension Meta {
    /// True if the file is a log; false if it has no tables yet, so that it can become a log.
    ///
    /// Writes nothing, so that the file of another program or of another format stays as it is.
    ///
    /// - Throws: `.notALog` or `.formatVersion` for the file of another program or format.
    static func isBegun(_ environment: Environment) throws(LogError) -> Bool {
        let transaction: ReadTransaction
        do throws(LMDBError) {
            transaction = try ReadTransaction(in: environment)
        } catch .incompatible {
            throw .notALog(path: environment.path)
        } catch {
            throw .storage(error)
        }
        guard !transaction.pages.isEmpty else { return false }
        let meta = Tables().meta
        var isLog = true
        do throws(LMDBError) {
            for table in [meta.name, "events", "commits"] {
                if try !transaction.pages.hasTable(table) { isLog = false }
            }
        } catch .incompatible {
            throw .notALog(path: environment.path)
        } catch {
            throw .storage(error)
        }
        guard isLog else { throw .notALog(path: environment.path) }
        try checkFormat(in: transaction, meta, path: environment.path)
        return true
    }

    /// Throws `.formatVersion` for a log of another format, and `.damaged` for a damaged version.
    private static func checkFormat(
        in transaction: borrowing ReadTransaction, _ meta: LogTable, path: String
    ) throws(LogError) {
        let key = format
        let stored: RawSpan?
        do throws(LMDBError) {
            stored = try transaction.bytes(for: key.rawSpan, in: meta.table)
        } catch {
            throw .storage(error)
        }
        guard let stored else { throw .damaged(table: meta.name, row: key, .missing) }
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
