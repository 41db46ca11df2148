public import CLMDB

/// A table of the file: what LMDB calls a database.
public struct Table: Sendable {
    public let name: String
    @usableFromInline let dbi: MDB_dbi

    /// How the keys and values of a table are ordered.
    public enum Layout: Sendable {
        /// Keys by their bytes, one value each.
        case bytes
        /// Keys are 64-bit integers in the machine's order, one value each.
        case integers
        /// Keys by their bytes; each has a set of 64-bit integers.
        case bytesToIntegers
        /// Integer keys; each has a set of 64-bit integers.
        case integersToIntegers

        var flags: UInt32 {
            switch self {
            case .bytes: 0
            case .integers: UInt32(MDB_INTEGERKEY)
            case .bytesToIntegers: UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
            case .integersToIntegers:
                UInt32(MDB_INTEGERKEY | MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
            }
        }
    }
}

extension Environment {
    /// Opens tables, and makes those that are missing unless the environment is read-only.
    ///
    /// Call it once, before other transactions of this process.
    ///
    /// - Parameter rows: put where their keys are not there yet, in the same transaction, so that
    ///   no other process sees the tables without them.
    /// - Throws: `.incompatible` if a table is there with another layout; in a read-only
    ///   environment `nil` stands for a table that is not there.
    public func open(
        _ tables: [(name: String, layout: Table.Layout)],
        rows: [(table: String, key: [UInt8], value: [UInt8])] = []
    ) throws(LMDBError) -> [Table?] {
        let transaction = try begin(isReadOnly ? UInt32(MDB_RDONLY) : 0)
        var opened: [Table?] = []
        do throws(LMDBError) {
            for (name, layout) in tables {
                var dbi: MDB_dbi = 0
                let create = isReadOnly ? 0 : UInt32(MDB_CREATE)
                let isThere = try found(
                    mdb_dbi_open(transaction, name, layout.flags | create, &dbi))
                opened.append(isThere ? Table(name: name, dbi: dbi) : nil)
            }
            for row in rows {
                guard let table = opened.compactMap({ $0 }).first(where: { $0.name == row.table })
                else { continue }
                let code = row.key.withUnsafeBytes { key in
                    row.value.withUnsafeBytes { value in
                        var key = MDB_val(key)
                        var value = MDB_val(value)
                        return mdb_put(
                            transaction, table.dbi, &key, &value, UInt32(MDB_NOOVERWRITE))
                    }
                }
                if code != MDB_KEYEXIST { try check(code) }
            }
        } catch {
            mdb_txn_abort(transaction)
            gate.leave()
            throw error
        }
        let code = mdb_txn_commit(transaction)
        gate.leave()
        try check(code)
        return opened
    }
}

extension Environment {
    /// Whether the file has no table.
    public func isEmpty() throws(LMDBError) -> Bool {
        let transaction = try ReadTransaction(in: self)
        var root: MDB_dbi = 0
        try check(mdb_dbi_open(transaction.handle, nil, 0, &root))
        var stat = MDB_stat()
        try check(mdb_stat(transaction.handle, root, &stat))
        return stat.ms_entries == 0
    }

    /// A table that is there already; `nil` if it is not. Makes nothing.
    public func existingTable(
        _ name: String, _ layout: Table.Layout
    ) throws(LMDBError) -> Table? {
        let transaction = try begin(UInt32(MDB_RDONLY))
        var dbi: MDB_dbi = 0
        let code = mdb_dbi_open(transaction, name, layout.flags, &dbi)
        guard code == MDB_SUCCESS else {
            mdb_txn_abort(transaction)
            gate.leave()
            return try found(code) ? nil : nil
        }
        // Only a committed transaction keeps the handle open.
        let committed = mdb_txn_commit(transaction)
        gate.leave()
        try check(committed)
        return Table(name: name, dbi: dbi)
    }
}
