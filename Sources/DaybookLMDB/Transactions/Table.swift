public import CDaybookLMDB

/// A table of the file: a tree of rows with a name, which LMDB calls a database.
public struct Table: Sendable {
    public let name: String
    /// LMDB's handle of the table, for writes; 0 if the table is only read.
    @usableFromInline let dbi: MDB_dbi
    @usableFromInline let checks: TreeCursor.Checks
    public let hasIntegerKeys: Bool
    /// A hash of the name, by which a transaction finds the table's cursor.
    let hash: UInt64

    /// The type and order of a table's keys.
    public enum Layout: Sendable {
        /// Keys are ordered by their bytes.
        case bytes
        /// Keys are 64-bit integers in the machine's order.
        case integers
        /// Keys are 64-bit integers, and the rows' own content reveals whether a row is missing. A
        /// scan therefore does not check that each page shows all of its rows.
        case records

        /// LMDB's flags for creating the table.
        var flags: UInt32 { self == .bytes ? 0 : UInt32(MDB_INTEGERKEY) }

        var checks: TreeCursor.Checks { self == .records ? .bounds : .everything }
    }

    /// Describes a table for reading only; no table is opened.
    public init(reading name: String, _ layout: Layout) { self.init(name, layout, dbi: 0) }

    init(_ name: String, _ layout: Layout, dbi: MDB_dbi) {
        self.name = name
        self.dbi = dbi
        checks = layout.checks
        hasIntegerKeys = layout != .bytes
        // FNV-1a.
        hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
    }
}

extension Environment {
    /// Opens tables for writing, and creates missing tables.
    ///
    /// Call it once, before other transactions of this process.
    ///
    /// - Parameter rows: rows to add if their keys do not exist yet. They are added in the same
    ///   transaction, so that no other process sees the tables without these rows.
    /// - Throws: `.incompatible` if a table exists with another layout.
    public func open(
        _ tables: [(name: String, layout: Table.Layout)],
        rows: [(table: String, key: [UInt8], value: [UInt8])] = []
    ) throws(LMDBError) -> [Table] {
        let transaction = try begin(0)
        var opened: [Table] = []
        do throws(LMDBError) {
            for (name, layout) in tables {
                var dbi: MDB_dbi = 0
                try check(mdb_dbi_open(transaction, name, layout.flags | UInt32(MDB_CREATE), &dbi))
                opened.append(Table(name, layout, dbi: dbi))
            }
            for row in rows {
                guard let table = opened.first(where: { $0.name == row.table }) else { continue }
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
            abort(transaction)
            throw error
        }
        try commit(transaction)
        return opened
    }
}
