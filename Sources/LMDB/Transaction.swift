public import CLMDB

/// What reads a state of the file: both kinds of transaction.
public protocol Transaction: ~Copyable {
    var handle: OpaquePointer { get }
}

/// A snapshot of the environment. Ends when it goes out of scope.
///
/// Keep it short: while it lives, LMDB cannot reuse pages that newer writes freed, and the file
/// grows. Never hold one across an `await`.
public struct ReadTransaction: Transaction, ~Copyable {
    public let handle: OpaquePointer
    private let environment: Environment

    public init(in environment: Environment) throws(LMDBError) {
        handle = try environment.begin(UInt32(MDB_RDONLY))
        self.environment = environment
    }

    deinit {
        mdb_txn_abort(handle)
        environment.gate.leave()
    }
}

/// The one write under way, across all processes. Rolled back unless committed.
///
/// It belongs to the thread that began it.
public struct WriteTransaction: Transaction, ~Copyable {
    public let handle: OpaquePointer
    /// Retained by hand, since `discard` takes trivial properties only.
    private let environment: Unmanaged<Environment>

    public init(in environment: Environment) throws(LMDBError) {
        handle = try environment.begin(0)
        self.environment = Unmanaged.passRetained(environment)
    }

    deinit {
        mdb_txn_abort(handle)
        environment.takeRetainedValue().gate.leave()
    }

    /// Makes the writes durable: when it returns, they are on disk.
    ///
    /// - Throws: `.mapFull`, `.diskFull`; then nothing was written.
    public consuming func commit() throws(LMDBError) {
        let handle = handle
        let environment = environment
        discard self
        let code = mdb_txn_commit(handle)
        environment.takeRetainedValue().gate.leave()
        try check(code)
    }
}

extension Transaction where Self: ~Copyable {
    /// The bytes stored under `key`, or `nil` if there are none.
    ///
    /// Points into the memory map and copies nothing. The compiler refuses to let it outlive
    /// `self`.
    @_lifetime(borrow self)
    public func bytes(for key: RawSpan, in table: Table) throws(LMDBError) -> RawSpan? {
        let handle = handle
        var value = MDB_val()
        let code = key.withUnsafeBytes { key in
            var key = MDB_val(key)
            return mdb_get(handle, table.dbi, &key, &value)
        }
        guard try found(code) else { return nil }
        let bytes = RawSpan(_unsafeStart: value.start, byteCount: value.mv_size)
        return _overrideLifetime(bytes, borrowing: self)
    }

    /// The bytes stored under an integer key, or `nil` if there are none.
    @_lifetime(borrow self)
    public func bytes(for key: UInt64, in table: Table) throws(LMDBError) -> RawSpan? {
        let handle = handle
        var value = MDB_val()
        let code = withUnsafeBytes(of: key) { key in
            var key = MDB_val(key)
            return mdb_get(handle, table.dbi, &key, &value)
        }
        guard try found(code) else { return nil }
        let bytes = RawSpan(_unsafeStart: value.start, byteCount: value.mv_size)
        return _overrideLifetime(bytes, borrowing: self)
    }

    /// How many values the table holds.
    public func count(of table: Table) throws(LMDBError) -> Int {
        var stat = MDB_stat()
        try check(mdb_stat(handle, table.dbi, &stat))
        return stat.ms_entries
    }

    /// How many values stand under `key`.
    public func count(of key: RawSpan, in table: Table) throws(LMDBError) -> Int {
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(handle, table.dbi, &cursor))
        defer { mdb_cursor_close(cursor) }
        var value = MDB_val()
        let code = key.withUnsafeBytes { key in
            var key = MDB_val(key)
            return mdb_cursor_get(cursor, &key, &value, MDB_SET)
        }
        guard try found(code) else { return 0 }
        var count = 0
        try check(mdb_cursor_count(cursor, &count))
        return count
    }

    /// The greatest integer key of a table, or `nil` if it is empty.
    public func lastKey(of table: Table) throws(LMDBError) -> UInt64? {
        var last: UInt64?
        let failure = scan(table, .descending) { (key: UInt64, _) in
            last = key
            return false
        }
        if let failure { throw failure }
        return last
    }
}

extension WriteTransaction {
    /// Sets the bytes stored under `key`.
    public mutating func put(
        _ value: RawSpan, for key: RawSpan, in table: Table
    ) throws(LMDBError) {
        try put(value, key, table, 0)
    }

    /// Sets the bytes stored under an integer key.
    public mutating func put(
        _ value: RawSpan, for key: UInt64, in table: Table
    ) throws(LMDBError) {
        try put(value, key, table, 0)
    }

    /// Adds `value` under a key greater than every key already in `table`.
    ///
    /// - Throws: `.keyExists` if `key` is not the greatest, `.mapFull` if the file cannot grow.
    public mutating func append(
        _ value: RawSpan, for key: UInt64, to table: Table
    ) throws(LMDBError) {
        try put(value, key, table, UInt32(MDB_APPEND))
    }

    /// Adds an integer to the set under `key`; nothing changes if it is there.
    public mutating func add(
        _ value: UInt64, to key: RawSpan, in table: Table
    ) throws(LMDBError) {
        try withUnsafeBytes(of: value) { (value) throws(LMDBError) in
            try put(RawSpan(_unsafeBytes: value), key, table, 0)
        }
    }

    /// Adds an integer to the set under an integer key; nothing changes if it is there.
    public mutating func add(
        _ value: UInt64, to key: UInt64, in table: Table
    ) throws(LMDBError) {
        try withUnsafeBytes(of: value) { (value) throws(LMDBError) in
            try put(RawSpan(_unsafeBytes: value), key, table, 0)
        }
    }

    /// Removes a key with all its values. `false` if it was not there.
    @discardableResult
    public mutating func remove(_ key: RawSpan, from table: Table) throws(LMDBError) -> Bool {
        let handle = handle
        return try found(
            key.withUnsafeBytes { key in
                var key = MDB_val(key)
                return mdb_del(handle, table.dbi, &key, nil)
            })
    }

    /// Removes every row of a table.
    public mutating func clear(_ table: Table) throws(LMDBError) {
        try check(mdb_drop(handle, table.dbi, 0))
    }

    private func put(
        _ value: RawSpan, _ key: UInt64, _ table: Table, _ flags: UInt32
    ) throws(LMDBError) {
        try withUnsafeBytes(of: key) { (key) throws(LMDBError) in
            try put(value, RawSpan(_unsafeBytes: key), table, flags)
        }
    }

    private func put(
        _ value: RawSpan, _ key: RawSpan, _ table: Table, _ flags: UInt32
    ) throws(LMDBError) {
        let handle = handle
        let code = key.withUnsafeBytes { key in
            value.withUnsafeBytes { value in
                var key = MDB_val(key)
                var value = MDB_val(value)
                return mdb_put(handle, table.dbi, &key, &value, flags)
            }
        }
        try check(code)
    }
}

extension MDB_val {
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    /// Never null: LMDB gives an empty value an address too, or none is read through it.
    @inlinable var start: UnsafeRawPointer {
        UnsafeRawPointer(mv_data) ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    }
}
