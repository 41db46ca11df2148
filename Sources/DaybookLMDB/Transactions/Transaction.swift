import CDaybookLMDB
import Synchronization

/// A read or write transaction, which sees one committed state of the file.
public protocol Transaction: ~Copyable {
    /// The state that the transaction reads; for a write, the state before the write.
    var state: TransactionState { get }
}

extension Transaction where Self: ~Copyable { public var pages: PageMap { state.pages } }

/// A transaction that reads one committed state of the file, and ends when it goes out of scope.
///
/// Keep it short: while it is open, LMDB cannot reuse pages that newer writes freed, and the file
/// grows. Never hold one across an `await`.
public struct ReadTransaction: Transaction, ~Copyable {
    public let state: TransactionState
    private let reader: Reader
    private let environment: Environment

    /// Begins to read the newest committed state.
    public init(in environment: Environment) throws(LMDBError) {
        let pages: PageMap
        (reader, pages) = try environment.beginReading()
        state = TransactionState(pages)
        self.environment = environment
        Self.openCount.add(1, ordering: .relaxed)
    }

    /// The number of the transaction that committed the state being read.
    public var stateNumber: UInt64 { state.pages.meta.transaction }

    /// True if this process has a read transaction open, and so should not wait for anything.
    public static var isAnyOpen: Bool { openCount.load(ordering: .relaxed) > 0 }

    /// Number of read transactions that this process has open.
    private static let openCount = Atomic(0)

    deinit {
        Self.openCount.subtract(1, ordering: .relaxed)
        environment.end(reader)
    }
}

/// A write transaction, of which at most one is open across all processes.
///
/// It belongs to the thread that began it, and is rolled back unless committed. It reads the state
/// before the write, and does not see its own writes.
public struct WriteTransaction: Transaction, ~Copyable {
    let handle: OpaquePointer
    /// The environment to write to, retained manually: `discard` requires trivial properties.
    let environment: Unmanaged<Environment>
    /// The state before the write, retained manually like `environment`.
    private let stateBefore: Unmanaged<TransactionState>

    public var state: TransactionState { stateBefore.takeUnretainedValue() }

    /// Begins a write; waits for another writer for at most the environment's `writeWait`.
    ///
    /// - Parameter isDurable: false if a crash of the machine may undo the commit until the next
    ///   durable one. It spares one of two syncs, and leaves the file as sound as the other.
    public init(in environment: Environment, isDurable: Bool = true) throws(LMDBError) {
        let handle = try environment.begin(isDurable ? 0 : UInt32(MDB_NOMETASYNC))
        let checkedPages = CheckedPages()
        let pages: PageMap
        do throws(LMDBError) {
            pages = try environment.pages(of: mdb_txn_id(handle) - 1)
            try pages.checkNewestState(checkedPages)
        } catch {
            let number = UInt64(truncatingIfNeeded: mdb_txn_id(handle))
            environment.abort(handle)
            // A process has committed meanwhile with another lock file, so that the number in this
            // lock file is out of date.
            guard error == .corrupted, try environment.newestTransactionNumber() >= number else {
                throw error
            }
            throw .lockFileReplaced
        }
        self.handle = handle
        self.environment = Unmanaged.passRetained(environment)
        stateBefore = Unmanaged.passRetained(TransactionState(pages, checkedPages))
    }

    deinit {
        stateBefore.release()
        environment.takeRetainedValue().abort(handle)
    }

    /// Makes the writes durable: when it returns, they are on disk.
    ///
    /// - Throws: `.mapFull`, `.diskFull`, `.fileReplaced`, `.fileLinked` or `.lockFileReplaced` if
    ///   nothing was written; `.replacedDuringCommit` if the writes are in the file that was open,
    ///   which may no longer be the file at the path.
    public consuming func commit() throws(LMDBError) {
        let handle = handle
        let environment = environment
        stateBefore.release()
        discard self
        try environment.takeRetainedValue().commit(handle)
    }
}

extension Transaction where Self: ~Copyable {
    /// Returns the bytes stored under `key`, or `nil` if there are none.
    ///
    /// The span points into the memory map and copies nothing. The compiler ensures that it does
    /// not outlive `self`.
    @_lifetime(borrow self)
    public func bytes(for key: RawSpan, in table: Table) throws(LMDBError) -> RawSpan? {
        let row = try key.withUnsafeBytes { (key) throws(LMDBError) -> UnsafeRawBufferPointer? in
            try state.data(for: key, in: table)
        }
        guard let row else { return nil }
        let bytes = RawSpan(_unsafeBytes: row)
        return _overrideLifetime(bytes, borrowing: self)
    }

    @_lifetime(borrow self)
    public func bytes(for key: UInt64, in table: Table) throws(LMDBError) -> RawSpan? {
        guard let row = try state.data(for: key, in: table) else { return nil }
        let bytes = RawSpan(_unsafeBytes: row)
        return _overrideLifetime(bytes, borrowing: self)
    }

    /// Passes the rows just before and just after `key` to `body`, if `key` itself has no row.
    ///
    /// `body` receives a row's key and value. It is not called if `key` has a row.
    ///
    /// - Returns: the error that ended the search; `nil` if there was none.
    public func forEachNeighbour<Failure: Error>(
        of key: RawSpan, in table: Table, _ body: (RawSpan, RawSpan) throws(Failure) -> Void
    ) throws(Failure) -> LMDBError? {
        let rows: (before: PageMap.Row?, after: PageMap.Row?)
        do throws(LMDBError) {
            let bytes = key.withUnsafeBytes { $0 }
            rows =
                table.hasIntegerKeys
                ? try state.neighbours(of: bytes.integer, in: table)
                : try state.neighbours(of: bytes, in: table)
        } catch { return error }
        for case let row? in [rows.before, rows.after] {
            try body(RawSpan(_unsafeBytes: row.key), RawSpan(_unsafeBytes: row.data))
        }
        return nil
    }

    /// Returns the number of rows of a table, as LMDB's record of the table states it.
    public func count(of table: Table) throws(LMDBError) -> Int {
        Int(truncatingIfNeeded: try state.tree(of: table).rowCount)
    }

    /// Returns the greatest integer key of a table, or `nil` if the table is empty.
    public func lastKey(of table: Table) throws(LMDBError) -> UInt64? {
        try state.lastKey(of: table)
    }
}

extension WriteTransaction {
    public mutating func put(
        _ value: RawSpan, for key: RawSpan, in table: Table
    ) throws(LMDBError) {
        try put(value, key, table, 0)
    }

    public mutating func put(_ value: RawSpan, for key: UInt64, in table: Table) throws(LMDBError) {
        try put(value, key, table, 0)
    }

    /// Adds `value` under a key greater than every key already in `table`.
    ///
    /// - Throws: `.keyExists` if `key` is not the greatest; `.mapFull` if the memory map is full.
    public mutating func append(
        _ value: RawSpan, for key: UInt64, to table: Table
    ) throws(LMDBError) {
        try put(value, key, table, UInt32(MDB_APPEND))
    }

    /// Adds `value` under a byte key that sorts after every key already in `table`.
    ///
    /// - Throws: `.keyExists` if another key sorts after `key`; `.mapFull` if the memory map is full.
    public mutating func append(
        _ value: RawSpan, for key: RawSpan, to table: Table
    ) throws(LMDBError) {
        try put(value, key, table, UInt32(MDB_APPEND))
    }

    /// Removes the row of an integer key. Returns `false` if there was no row.
    @discardableResult
    public mutating func remove(_ key: UInt64, from table: Table) throws(LMDBError) -> Bool {
        try withUnsafeBytes(of: key) { (key) throws(LMDBError) in
            try remove(RawSpan(_unsafeBytes: key), from: table)
        }
    }

    /// Removes the row of a key. Returns `false` if there was no row.
    @discardableResult
    public mutating func remove(_ key: RawSpan, from table: Table) throws(LMDBError) -> Bool {
        let bytes = key.withUnsafeBytes { $0 }
        if table.hasIntegerKeys {
            try state.checkSurroundings(of: bytes.integer, in: table)
        } else {
            try state.checkSurroundings(of: bytes, in: table)
        }
        let handle = handle
        return try found(
            key.withUnsafeBytes { key in
                var key = MDB_val(key)
                return mdb_del(handle, table.dbi, &key, nil)
            })
    }

    /// Removes every row of a table.
    ///
    /// - Throws: `.corrupted` if a page of the table is damaged: LMDB would free wrong pages.
    public mutating func clear(_ table: Table) throws(LMDBError) {
        guard pages.faults(in: table.name).isEmpty else { throw .corrupted }
        try check(mdb_drop(handle, table.dbi, 0))
    }

    private func put(
        _ value: RawSpan, _ key: UInt64, _ table: Table, _ flags: UInt32
    ) throws(LMDBError) {
        try withUnsafeBytes(of: key) { (key) throws(LMDBError) in
            try put(value, RawSpan(_unsafeBytes: key), table, flags)
        }
    }

    /// Checks the pages that LMDB will use, and puts a row with LMDB's `flags`.
    private func put(
        _ value: RawSpan, _ key: RawSpan, _ table: Table, _ flags: UInt32
    ) throws(LMDBError) {
        let bytes = key.withUnsafeBytes { $0 }
        if table.hasIntegerKeys {
            try state.checkPath(to: bytes.integer, in: table)
        } else {
            try state.checkPath(to: bytes, in: table)
        }
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
    /// Creates a value of LMDB that points to the bytes, which are not copied.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}
