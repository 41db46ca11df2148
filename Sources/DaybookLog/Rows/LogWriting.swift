public import DaybookLMDB

/// A table of the log, with the number that the checksums of its rows begin with.
@usableFromInline
struct LogTable: Sendable {
    @usableFromInline let table: Table
    @usableFromInline let number: UInt64

    var name: String { table.name }
}

/// The one write under way. It reads the state that it began with, and not its own writes.
struct LogWriting: Transaction, ~Copyable {
    private var transaction: WriteTransaction
    let state: TransactionState

    init(_ transaction: consuming WriteTransaction) {
        state = transaction.state
        self.transaction = transaction
    }

    /// Sets a row, with its checksum.
    mutating func put(
        _ value: [UInt8], for key: UInt64, in table: LogTable
    ) throws(LogError) {
        try mappingStorageErrors(
            try transaction.put(value.asRow(table, key).rawSpan, for: key, in: table.table))
    }

    mutating func put(
        _ value: [UInt8], for key: RawSpan, in table: LogTable
    ) throws(LogError) {
        try putPlain(value.asRow(table, key), for: key, in: table)
    }

    /// Adds a row behind all others of its table, with its checksum.
    mutating func append(
        _ value: [UInt8], for key: UInt64, to table: LogTable
    ) throws(LogError) {
        try mappingStorageErrors(
            try transaction.append(value.asRow(table, key).rawSpan, for: key, to: table.table))
    }

    /// Sets a row as it is: a block of the vault has no checksum, since its slots have.
    mutating func putPlain(
        _ value: [UInt8], for key: RawSpan, in table: LogTable
    ) throws(LogError) {
        try mappingStorageErrors(try transaction.put(value.rawSpan, for: key, in: table.table))
    }

    @discardableResult
    mutating func remove(_ key: RawSpan, from table: LogTable) throws(LogError) -> Bool {
        try mappingStorageErrors(try transaction.remove(key, from: table.table))
    }

    /// Sets bytes of a row to zero in the file itself.
    func zero(
        _ range: Range<Int>, ofRow key: UInt64, in table: LogTable
    ) throws(LogError) {
        try mappingStorageErrors(try transaction.zero(range, ofRow: key, in: table.table))
    }

    func sync() throws(LogError) {
        try mappingStorageErrors(try transaction.sync())
    }

    /// Sets everything in the file that no state needs to zero.
    func scrub() throws(LogError) -> ScrubbedSpace {
        try mappingStorageErrors(try transaction.scrub())
    }

    mutating func clear(_ table: LogTable) throws(LogError) {
        try mappingStorageErrors(try transaction.clear(table.table))
    }

    consuming func commit() throws(LogError) {
        do throws(LMDBError) {
            try transaction.commit()
        } catch {
            throw .storage(error)
        }
    }
}

extension EventLog {
    /// Runs `body` in a write transaction, again in a larger map where it is full.
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

    func growMap() throws(LogError) {
        try mappingStorageErrors(try environment.growMap())
    }
}

// The rows of a log, whose checksums are verified whenever they are read.
extension Transaction where Self: ~Copyable {
    /// The value under an integer key, held to its checksum; `nil` where there is none.
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

    /// The value under a key of bytes, held to its checksum; `nil` where there is none.
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

    /// Checks the rows between which a key would lie: one whose own key was changed is beside the
    /// place of the key that it had.
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

    /// Shows each row of a table with integer keys, held to its checksum, until `body` returns
    /// `false`.
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

    /// The same of a table whose keys are bytes.
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

    /// Shows the rows under the given positions, in order, each of which must be there.
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

    /// The value of a row without its checksum, which must fit.
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
