import Daybook
import DaybookCryptography
import DaybookLMDB

/// The rows of the table `meta`.
enum Meta {
    /// The format version, 4 bytes, without a checksum, so that every program can read it.
    static let format: [UInt8] = Array("format".utf8)
    /// 16 random bytes.
    static let identifier: [UInt8] = Array("id".utf8)
    /// HMAC-SHA256 of the id under the secret, 32 bytes, so that neither is changed alone. Logs of
    /// earlier programs have none.
    static let identifierSeal: [UInt8] = Array("idSeal".utf8)
    /// 32 random bytes.
    static let secret: [UInt8] = Array("secret".utf8)
    /// The position up to which `index` is complete, 8 bytes.
    static let indexedThrough: [UInt8] = Array("indexedThrough".utf8)
    /// The position up to which `tagForms` is complete, 8 bytes.
    static let formsThrough: [UInt8] = Array("formsThrough".utf8)
    /// The positions behind and up to which rows of version 1 have no checksum, 8 bytes each.
    static let unchecked: [UInt8] = Array("unchecked".utf8)
    /// The number of slots of the vault that were given out, 4 bytes.
    static let slots: [UInt8] = Array("slots".utf8)
    /// Slots that are to be overwritten, 4 bytes each: an erasure that is not finished.
    static let erasing: [UInt8] = Array("erasing".utf8)
    /// There while clear texts of format version 1 may lie in unused space; empty.
    static let unscrubbed: [UInt8] = Array("unscrubbed".utf8)

    /// Copies under way, each with its file and place.
    static let copies: [UInt8] = Array("copies".utf8)
    /// Slots whose keys were lost with damage before the log was salvaged, 4 bytes each.
    static let lostSlots: [UInt8] = Array("lostSlots".utf8)

    static let all = [
        format, identifier, secret, indexedThrough, unchecked, slots, erasing, unscrubbed,
        lostSlots, formsThrough, identifierSeal, copies,
    ]

    /// The rows of a new log.
    static func newRows() -> [(table: String, key: [UInt8], value: [UInt8])] {
        var generator = SystemRandomNumberGenerator()
        let meta = Tables().meta
        let id: [UInt8] = (0..<16).map { _ in generator.next() }
        let key: [UInt8] = (0..<32).map { _ in generator.next() }
        let rows = [(identifier, id), (secret, key), (identifierSeal, seal(of: id, under: key))]
            .map { (key: $0, value: $1) }
        return [(meta.name, format, EventLog.formatVersion.bytes)]
            + rows.map { (meta.name, $0.key, $0.value.asRow(meta, $0.key.rawSpan)) }
    }

    static func seal(of identifier: [UInt8], under secret: [UInt8]) -> [UInt8] {
        HMACSHA256.code(of: Array("id".utf8) + [0] + identifier, key: secret)
    }

    static func identifier(
        in transaction: borrowing LogReading, _ table: LogTable
    ) throws(LogError) -> [UInt8] {
        try bytes(identifier, 16, in: transaction, table)
    }

    static func secret(
        in transaction: borrowing LogReading, _ table: LogTable
    ) throws(LogError) -> [UInt8] {
        try bytes(secret, 32, in: transaction, table)
    }

    private static func bytes(
        _ key: [UInt8], _ count: Int, in transaction: borrowing LogReading, _ table: LogTable
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

extension RowForms {
    /// Reads which rows have no checksum yet.
    ///
    /// - Parameter path: of the log, for the error of another format version.
    init(
        in transaction: borrowing some Transaction & ~Copyable, _ meta: LogTable, path: String
    ) throws(LogError) {
        let (format, key) = (Meta.format, Meta.unchecked)
        let version: RawSpan?
        let row: RawSpan?
        do throws(LMDBError) {
            version = try transaction.bytes(for: format.rawSpan, in: meta.table)
            row = try transaction.bytes(for: key.rawSpan, in: meta.table)
        } catch {
            throw .storage(error)
        }
        guard let version else { throw .damaged(table: meta.name, row: format, .missing) }
        guard version.byteCount == 4 else {
            let cause = CorruptRecord.size("version", version.byteCount, expected: 4)
            throw .damaged(table: meta.name, row: format, cause)
        }
        let found: UInt32 = version.integer(at: 0)
        guard (1...EventLog.formatVersion).contains(found) else {
            throw .formatVersion(path: path, found: found)
        }
        self = found == 1 ? .versionOne : .checked
        guard found > 1, let row else { return }
        guard row.byteCount == 16 + RowChecksum.byteCount else {
            let count = row.byteCount - RowChecksum.byteCount
            let cause = CorruptRecord.size("positions", count, expected: 16)
            throw .damaged(table: meta.name, row: key, cause)
        }
        guard
            RowChecksum.word(row, 16)
                == RowChecksum.sum(meta.number, key.rawSpan, row.extracting(..<16))
        else { throw .damaged(table: meta.name, row: key, .checksum) }
        uncheckedAfter = row.integer(at: 0)
        uncheckedThrough = row.integer(at: 8)
    }

    /// The row of `meta` that tells of unchecked rows.
    var bytes: [UInt8] { uncheckedAfter.bytes + uncheckedThrough.bytes }
}

extension RowForms? {
    /// The forms that are known already, else those that the log tells.
    func rows(
        in transaction: borrowing some Transaction & ~Copyable, _ meta: LogTable, path: String
    ) throws(LogError) -> RowForms {
        if let self { return self }
        return try RowForms(in: transaction, meta, path: path)
    }
}

extension EventLog {
    /// The format version of a file; `nil` for one without any table, which can become a log.
    ///
    /// Nothing is written, so that a foreign file is left as it is.
    static func version(of environment: Environment) throws(LogError) -> UInt32? {
        let transaction: ReadTransaction
        do throws(LMDBError) {
            transaction = try ReadTransaction(in: environment)
        } catch .incompatible {
            throw .notALog(path: environment.path)
        } catch {
            throw .storage(error)
        }
        guard !transaction.pages.isEmpty else { return nil }
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
        return try RowForms(in: transaction, meta, path: environment.path).version
    }

    /// Makes a log of format version 1 one of version 2, whose new rows have checksums.
    ///
    /// The older ones get theirs with `upgrade`. What is derived is thrown away and made anew.
    static func beginVersionTwo(
        _ environment: Environment, _ tables: Tables
    ) throws(LogError) {
        let transaction: WriteTransaction
        do throws(LMDBError) {
            transaction = try WriteTransaction(in: environment)
        } catch {
            throw .storage(error)
        }
        // Another process may have been first.
        let rows = try RowForms(in: transaction, tables.meta, path: environment.path)
        guard rows.version == 1 else { return }
        var writing = LogWriting(transaction, rows)
        var values: [[UInt8]] = []
        for key in [Meta.identifier, Meta.secret] {
            let value = try writing.row(key.rawSpan, in: tables.meta)?.copied()
            guard let value else { throw .damaged(table: tables.meta.name, row: key, .missing) }
            try writing.put(value, for: key.rawSpan, in: tables.meta)
            values.append(value)
        }
        let (sealKey, seal) = (Meta.identifierSeal, Meta.seal(of: values[0], under: values[1]))
        try writing.put(seal, for: sealKey.rawSpan, in: tables.meta)
        var names: [(row: UInt64, value: [UInt8])] = []
        try writing.scanRows(tables.names) { (row: UInt64, value) in
            names.append((row, value.copied()))
            return true
        }
        for name in names { try writing.put(name.value, for: name.row, in: tables.names) }
        try writing.clear(tables.snapshots)
        try writing.clear(tables.checkpoints)
        try writing.remove(Meta.indexedThrough.rawSpan, from: tables.meta)
        for name in ["tagIndex", "kindIndex"] { try writing.removeTable(named: name) }
        let head: UInt64
        do throws(LMDBError) {
            head = try writing.lastKey(of: tables.events.table) ?? 0
        } catch {
            throw .storage(error)
        }
        if head > 0 {
            let unchecked = RowForms(
                version: formatVersion, uncheckedAfter: 0, uncheckedThrough: head)
            let key = Meta.unchecked
            try writing.put(unchecked.bytes, for: key.rawSpan, in: tables.meta)
        }
        let (key, version) = (Meta.format, formatVersion.bytes)
        try writing.putPlain(version, for: key.rawSpan, in: tables.meta)
        try writing.commit()
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
