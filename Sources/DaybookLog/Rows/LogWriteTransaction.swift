public import DaybookLMDB

/// A write transaction of a log; it reads the log as of its start, without its own writes.
struct LogWriteTransaction: Transaction, ~Copyable {
    private var transaction: WriteTransaction
    /// The state of the log that this transaction reads.
    let state: TransactionState
    /// Gets the rows of commits for a store; `nil` for a log without one.
    var receiver: (any RowReceiver)?

    init(_ transaction: consuming WriteTransaction) {
        state = transaction.state
        self.transaction = transaction
    }

    /// Writes a row with an integer key, and adds its checksum.
    mutating func put(
        _ value: consuming [UInt8], for key: UInt64, in table: LogTable
    ) throws(LogError) {
        let row = value.asRow(table, key)
        if let receiver { try give(row, for: key, in: table, to: receiver) }
        try mappingStorageErrors(try transaction.put(row.rawSpan, for: key, in: table.table))
    }

    /// Writes a row with a byte key, and adds its checksum.
    mutating func put(
        _ value: consuming [UInt8], for key: RawSpan, in table: LogTable
    ) throws(LogError) {
        try putStored(value.asRow(table, key), for: key, in: table)
    }

    /// Writes a row after the last row of its table, and adds its checksum.
    mutating func append(
        _ value: consuming [UInt8], for key: UInt64, to table: LogTable
    ) throws(LogError) {
        try append(row: value.asRow(table, key), for: key, to: table)
    }

    /// Writes a row with its checksum after the last row of its table.
    mutating func append(
        row: [UInt8], for key: UInt64, to table: LogTable
    ) throws(LogError) {
        if let receiver { try give(row, for: key, in: table, to: receiver) }
        try mappingStorageErrors(try transaction.append(row.rawSpan, for: key, to: table.table))
    }

    /// Writes a row with a byte key after the last row of its table, and adds its checksum.
    mutating func append(
        _ value: consuming [UInt8], for key: RawSpan, to table: LogTable
    ) throws(LogError) {
        let row = value.asRow(table, key)
        receiver?.add(row, for: key, in: table)
        try mappingStorageErrors(try transaction.append(row.rawSpan, for: key, to: table.table))
    }

    /// Writes the row of a position in a derived table with byte keys, and adds its checksum.
    mutating func put(
        position: UInt64, for key: RawSpan, in table: LogTable
    ) throws(LogError) {
        var row = (position: position.littleEndian, sum: UInt64(0))
        let sum = unsafe withUnsafeBytes(of: row.position) {
            unsafe RowChecksum.sum(table.number, key, RawSpan(_unsafeBytes: $0))
        }
        row.sum = sum.littleEndian
        try unsafe withUnsafeBytes(of: row) { (row) throws(LogError) in
            try mappingStorageErrors(
                try transaction.put(unsafe RawSpan(_unsafeBytes: row), for: key, in: table.table))
        }
    }

    /// Writes a row without adding a checksum, for blocks of `vault`, whose slots have checksums.
    mutating func putWithoutChecksum(
        _ value: [UInt8], for key: RawSpan, in table: LogTable
    ) throws(LogError) {
        receiver?.add(block: value, in: table)
        try putStored(value, for: key, in: table)
    }

    /// Writes a row with a byte key as it is stored.
    private mutating func putStored(
        _ row: [UInt8], for key: RawSpan, in table: LogTable
    ) throws(LogError) {
        try mappingStorageErrors(try transaction.put(row.rawSpan, for: key, in: table.table))
    }

    /// Removes a row; returns `false` if there is no such row.
    @discardableResult
    mutating func remove(_ key: RawSpan, from table: LogTable) throws(LogError) -> Bool {
        try mappingStorageErrors(try transaction.remove(key, from: table.table))
    }

    /// Overwrites a range of bytes of a row with zeros, in place in the file.
    func zero(
        _ range: Range<Int>, ofRow key: UInt64, in table: LogTable
    ) throws(LogError) {
        let zeros = [UInt8](repeating: 0, count: range.count)
        try overwrite(range, ofRow: key, with: zeros, in: table)
    }

    /// Overwrites a range of bytes of a row, in place in the file.
    func overwrite(
        _ range: Range<Int>, ofRow key: UInt64, with bytes: [UInt8], in table: LogTable
    ) throws(LogError) {
        try mappingStorageErrors(
            try transaction.overwrite(range, ofRow: key, with: bytes, in: table.table))
    }

    /// Waits until the bytes overwritten in place are on disk.
    func sync() throws(LogError) {
        try mappingStorageErrors(try transaction.sync())
    }

    /// Removes all rows of a table.
    mutating func clear(_ table: LogTable) throws(LogError) {
        try mappingStorageErrors(try transaction.clear(table.table))
    }

    /// Gives a row that is about to be written to `receiver`, with the row of a person that it
    /// replaces.
    private func give(
        _ row: [UInt8], for key: UInt64, in table: LogTable, to receiver: any RowReceiver
    ) throws(LogError) {
        var replaced: [UInt8]?
        if receiver.needsReplacedRow(key, in: table) {
            replaced = try stored(key, in: table)?.copied()
        }
        receiver.add(row, for: key, in: table, replacing: replaced)
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

// Reading of keys and of rows as they are stored.
extension Transaction where Self: ~Copyable {
    /// Returns the greatest integer key of a table; `nil` for an empty table.
    func lastKey(of table: LogTable) throws(LogError) -> UInt64? {
        try mappingStorageErrors(try lastKey(of: table.table))
    }

    /// Returns the number of rows of a table.
    func count(of table: LogTable) throws(LogError) -> Int {
        try mappingStorageErrors(try count(of: table.table))
    }

    /// Returns the row with an integer key, with its checksum; `nil` if missing.
    @_lifetime(borrow self)
    func stored(_ key: UInt64, in table: LogTable) throws(LogError) -> RawSpan? {
        do throws(LMDBError) {
            return try bytes(for: key, in: table.table)
        } catch {
            throw .storage(error)
        }
    }

    /// Returns the row with a byte key, with its checksum; `nil` if missing.
    @_lifetime(borrow self)
    func stored(_ key: RawSpan, in table: LogTable) throws(LogError) -> RawSpan? {
        do throws(LMDBError) {
            return try bytes(for: key, in: table.table)
        } catch {
            throw .storage(error)
        }
    }
}

// Reading of rows, with a check of every checksum.
extension Transaction where Self: ~Copyable {
    /// Returns the value of the row with an integer key, without its checksum; `nil` if missing.
    @_lifetime(borrow self)
    func row(_ key: UInt64, in table: LogTable) throws(LogError) -> RawSpan? {
        guard let stored = try stored(key, in: table) else {
            let bytes = key.bytes
            try checkNeighbours(of: bytes.rawSpan, in: table)
            return nil
        }
        return try checked(stored, key, table)
    }

    /// Returns the value of the row with a byte key, without its checksum; `nil` if missing.
    @_lifetime(borrow self)
    func row(_ key: RawSpan, in table: LogTable) throws(LogError) -> RawSpan? {
        guard let stored = try stored(key, in: table) else {
            try checkNeighbours(of: key, in: table)
            return nil
        }
        return try checked(stored, key, table)
    }

    /// Checks the checksums of the rows on both sides of the place where a missing key would be.
    ///
    /// If damage changed the key of the wanted row, the row is usually still at this place and does
    /// not match its checksum.
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

    /// Calls `body` with the integer key and value of each row of a table, until it returns
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

    /// Calls `body` with the byte key and value of each row of a table, until it returns `false`.
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

    /// Calls `body` with the rows that have these keys, in the order of `keys`, until it returns
    /// `false`.
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

    /// Returns a row's value without its checksum; throws `.corrupt` if the checksum is wrong.
    @inlinable @inline(__always)
    @_lifetime(copy stored)
    func checked(
        _ stored: RawSpan, _ key: UInt64, _ table: LogTable
    ) throws(LogError) -> RawSpan {
        guard let value = value(ofRow: stored, key, table) else {
            throw .corrupt(table: table.table.name, key: key, .checksum)
        }
        return value
    }

    /// Returns a row's value without its checksum; `nil` if the checksum is wrong.
    @inlinable @inline(__always)
    @_lifetime(copy stored)
    func value(ofRow stored: RawSpan, _ key: UInt64, _ table: LogTable) -> RawSpan? {
        let count = stored.byteCount - RowChecksum.byteCount
        guard count >= 0 else { return nil }
        let value = stored.extracting(..<count)
        let sum = RowChecksum.sum(table.number, key, value)
        return RowChecksum.word(stored, count) == sum ? value : nil
    }

    /// Returns a row's value without its checksum; throws `.damaged` if the checksum is wrong.
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
