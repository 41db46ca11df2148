public import DaybookLMDB

/// A table of the log, with the number that the checksums of its rows cover.
@usableFromInline
struct LogTable: Sendable {
    @usableFromInline let table: Table
    /// The table's number in the format, from 1; part of each row's checksum.
    @usableFromInline let number: UInt64

    var name: String { table.name }
}

/// A write transaction; its reads see the state before it, not its own writes.
struct LogWriting: Transaction, ~Copyable {
    private var transaction: WriteTransaction
    /// The state that the reads of this transaction see.
    let state: TransactionState

    init(_ transaction: consuming WriteTransaction) {
        state = transaction.state
        self.transaction = transaction
    }

    /// Writes a row with its checksum.
    mutating func put(
        _ value: [UInt8], for key: UInt64, in table: LogTable
    ) throws(LogError) {
        try mappingStorageErrors(
            try transaction.put(value.asRow(table, key).rawSpan, for: key, in: table.table))
    }

    /// Writes a row with its checksum.
    mutating func put(
        _ value: [UInt8], for key: RawSpan, in table: LogTable
    ) throws(LogError) {
        try putWithoutChecksum(value.asRow(table, key), for: key, in: table)
    }

    /// Writes a row with its checksum after the last row of its table.
    mutating func append(
        _ value: [UInt8], for key: UInt64, to table: LogTable
    ) throws(LogError) {
        try mappingStorageErrors(
            try transaction.append(value.asRow(table, key).rawSpan, for: key, to: table.table))
    }

    /// Writes a row as it is, for blocks of the vault, whose slots have their own checksums.
    mutating func putWithoutChecksum(
        _ value: [UInt8], for key: RawSpan, in table: LogTable
    ) throws(LogError) {
        try mappingStorageErrors(try transaction.put(value.rawSpan, for: key, in: table.table))
    }

    /// Removes a row; returns `false` if there is no such row.
    @discardableResult
    mutating func remove(_ key: RawSpan, from table: LogTable) throws(LogError) -> Bool {
        try mappingStorageErrors(try transaction.remove(key, from: table.table))
    }

    /// Sets bytes of a row to zero in place, in the file.
    func zero(
        _ range: Range<Int>, ofRow key: UInt64, in table: LogTable
    ) throws(LogError) {
        try mappingStorageErrors(try transaction.zero(range, ofRow: key, in: table.table))
    }

    /// Waits until the bytes set by `zero` are on disk.
    func sync() throws(LogError) {
        try mappingStorageErrors(try transaction.sync())
    }

    /// Sets all unused space of the file to zero.
    func scrub() throws(LogError) -> ScrubbedSpace {
        try mappingStorageErrors(try transaction.scrub())
    }

    /// Removes all rows of a table.
    mutating func clear(_ table: LogTable) throws(LogError) {
        try mappingStorageErrors(try transaction.clear(table.table))
    }

    /// Commits the transaction to disk.
    consuming func commit() throws(LogError) {
        do throws(LMDBError) {
            try transaction.commit()
        } catch {
            throw .storage(error)
        }
    }
}

extension EventLog {
    /// Runs `body` in a write transaction, and repeats it in a larger memory map if the map is
    /// full.
    func writing(
        _ body: (inout LogWriting) throws(LogError) -> Void
    ) throws(LogError) {
        while true {
            do throws(LogError) {
                var transaction = try beginWriting()
                try body(&transaction)
                return try transaction.commit()
            } catch .storage(.mapFull) {
                try growMap()
            }
        }
    }

    /// Enlarges the memory map, so that the file can grow.
    func growMap() throws(LogError) {
        try mappingStorageErrors(try environment.growMap())
    }
}

// Reading of rows, with a check of every checksum.
extension Transaction where Self: ~Copyable {
    /// Returns the checked value under an integer key; `nil` if there is no such row.
    @_lifetime(borrow self)
    func row(_ key: UInt64, in table: LogTable) throws(LogError) -> RawSpan? {
        let stored: RawSpan?
        do throws(LMDBError) {
            stored = try bytes(for: key, in: table.table)
        } catch {
            throw .storage(error)
        }
        guard let stored else {
            let bytes = key.bytes
            try checkNeighbours(of: bytes.rawSpan, in: table)
            return nil
        }
        return try checked(stored, key, table)
    }

    /// Returns the checked value under a byte key; `nil` if there is no such row.
    @_lifetime(borrow self)
    func row(_ key: RawSpan, in table: LogTable) throws(LogError) -> RawSpan? {
        let stored: RawSpan?
        do throws(LMDBError) {
            stored = try bytes(for: key, in: table.table)
        } catch {
            throw .storage(error)
        }
        guard let stored else {
            try checkNeighbours(of: key, in: table)
            return nil
        }
        return try checked(stored, key, table)
    }

    /// Checks the rows next to the place of a missing key.
    ///
    /// If damage changed the key of the wanted row, that row is usually still at this place, and
    /// its checksum does not match.
    private func checkNeighbours(
        of key: RawSpan, in table: LogTable
    ) throws(LogError) {
        let broken = try forEachNeighbour(of: key, in: table.table) {
            (rowKey, stored) throws(LogError) in
            if table.table.hasIntegerKeys {
                _ = try checked(stored, rowKey.integer(at: 0, as: UInt64.self), table)
            } else {
                _ = try checked(stored, rowKey, table)
            }
        }
        if let broken { throw .storage(broken) }
    }

    /// Calls `body` with each checked row of a table with integer keys, until it returns `false`.
    @inlinable @inline(__always)
    func scanRows(
        _ table: LogTable, _ order: ScanOrder = .ascending, from start: UInt64? = nil,
        _ body: (UInt64, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        let broken = try scan(table.table, order, from: start) {
            (key: UInt64, stored) throws(LogError) in
            try body(key, checked(stored, key, table))
        }
        if let broken { throw .storage(broken) }
    }

    /// Calls `body` with each checked row of a table with byte keys, until it returns `false`.
    func scanRows(
        _ table: LogTable, _ order: ScanOrder = .ascending, from start: RawSpan? = nil,
        _ body: (RawSpan, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        if let start { try checkNeighbours(of: start, in: table) }
        let broken = try scan(table.table, order, from: start) {
            (key: RawSpan, stored) throws(LogError) in
            try body(key, checked(stored, key, table))
        }
        if let broken { throw .storage(broken) }
    }

    /// Calls `body` with the checked rows under the given keys, in order, until it returns `false`.
    ///
    /// - Throws: `.corrupt` if a row is missing.
    func visitRows(
        _ keys: some Sequence<UInt64>, in table: LogTable,
        _ body: (UInt64, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        let broken = try visit(keys, in: table.table) { (key, stored) throws(LogError) in
            guard stored.byteCount > 0 else {
                throw .corrupt(table: table.name, key: key, .missing)
            }
            return try body(key, checked(stored, key, table))
        }
        if let broken { throw .storage(broken) }
    }

    /// Returns the value of a row without the checksum, or throws if the checksum does not match.
    @inlinable @inline(__always)
    @_lifetime(copy stored)
    func checked(
        _ stored: RawSpan, _ key: UInt64, _ table: LogTable
    ) throws(LogError) -> RawSpan {
        let count = stored.byteCount - RowChecksum.byteCount
        if count >= 0 {
            let value = stored.extracting(..<count)
            if RowChecksum.word(stored, count) == RowChecksum.sum(table.number, key, value) {
                return value
            }
        }
        throw .corrupt(table: table.table.name, key: key, .checksum)
    }

    /// Returns the value of a row without the checksum, or throws if the checksum does not match.
    @_lifetime(copy stored)
    func checked(
        _ stored: RawSpan, _ key: RawSpan, _ table: LogTable
    ) throws(LogError) -> RawSpan {
        let count = stored.byteCount - RowChecksum.byteCount
        if count >= 0 {
            let value = stored.extracting(..<count)
            if RowChecksum.word(stored, count) == RowChecksum.sum(table.number, key, value) {
                return value
            }
        }
        throw .damaged(table: table.name, row: key.copied(), .checksum)
    }
}
