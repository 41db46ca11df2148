import Daybook
import DaybookCryptography
import DaybookLMDB

/// The row keys of the table `meta`, which describes the log as a whole.
enum Meta {
    /// Key of the format version: 4 bytes; from format 3 on, a checksum follows.
    static let format: [UInt8] = Array("format".utf8)
    /// Key of the log's id: 16 random bytes.
    static let identifier: [UInt8] = Array("id".utf8)
    /// Key of the HMAC-SHA256 of the log's id under its secret: 32 bytes. It no longer matches if
    /// only the id or only the secret is changed.
    static let identifierSeal: [UInt8] = Array("idSeal".utf8)
    /// Key of the log's secret: 32 random bytes.
    static let secret: [UInt8] = Array("secret".utf8)
    /// Key of the position up to which the table `index` is complete: 8 bytes.
    static let indexedThrough: [UInt8] = Array("indexedThrough".utf8)
    /// Key of the number of allocated key slots of the table `vault`: 4 bytes.
    static let slots: [UInt8] = Array("slots".utf8)
    /// Key of the list of key slots that an erasure still has to overwrite: 4 bytes each.
    static let erasing: [UInt8] = Array("erasing".utf8)
    /// Key of the notes about unfinished copies of the log; see `CopyNote.bytes`.
    static let copies: [UInt8] = Array("copies".utf8)
    /// Key of the list of key slots whose encryption keys were lost before a salvage: 4 bytes each.
    static let lostSlots: [UInt8] = Array("lostSlots".utf8)

    /// Key of the state of a replica; see `ReplicaState`.
    static let replica: [UInt8] = Array("replica".utf8)

    /// Key of the note of when the store of a replica with keys answered last; see `ContactNote`.
    static let contact: [UInt8] = Array("contact".utf8)

    /// All row keys that the table `meta` can have.
    static let all = [
        format, identifier, identifierSeal, secret, indexedThrough, slots, erasing, lostSlots,
        copies, replica, contact,
    ]

    /// Returns the first rows of a new log, with a random id and secret.
    static func newRows() -> [(table: String, key: [UInt8], value: [UInt8])] {
        var generator = SystemRandomNumberGenerator()
        let meta = Tables().meta
        let id: [UInt8] = (0..<16).map { _ in generator.next() }
        let key: [UInt8] = (0..<32).map { _ in generator.next() }
        let rows = [
            (format, EventLog.formatVersion.bytes), (identifier, id), (secret, key),
            (identifierSeal, seal(of: id, under: key)),
        ]
        return rows.map { (meta.name, $0, $1.asRow(meta, $0.rawSpan)) }
    }

    /// Returns the value of the row `idSeal`: HMAC-SHA256 of the log's id, 32 bytes.
    static func seal(of identifier: [UInt8], under secret: [UInt8]) -> [UInt8] {
        HMACSHA256.code(of: Array("id".utf8) + [0] + identifier, key: secret)
    }

    /// Reads the log's id, 16 bytes.
    static func identifier(
        in transaction: borrowing ReadTransaction, _ table: LogTable
    ) throws(LogError) -> [UInt8] {
        try bytes(identifier, 16, in: transaction, table)
    }

    /// Reads the log's secret, 32 bytes.
    static func secret(
        in transaction: borrowing ReadTransaction, _ table: LogTable
    ) throws(LogError) -> [UInt8] {
        try bytes(secret, 32, in: transaction, table)
    }

    /// Returns the value of the row with a key; throws `.damaged` unless it has `count` bytes.
    private static func bytes(
        _ key: [UInt8], _ count: Int, in transaction: borrowing ReadTransaction, _ table: LogTable
    ) throws(LogError) -> [UInt8] {
        guard let value = try transaction.row(key.rawSpan, in: table) else {
            throw .damaged(table: table.name, row: key, .missing)
        }
        guard value.byteCount == count else {
            throw .damaged(
                table: table.name, row: key, .size("value", value.byteCount, expected: count))
        }
        return value.copied()
    }
}

extension EventLog {
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
        let key = Meta.format
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

extension FixedWidthInteger where Self: BitwiseCopyable {
    /// The integer's bytes, little-endian.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: self)
        return bytes
    }
}
