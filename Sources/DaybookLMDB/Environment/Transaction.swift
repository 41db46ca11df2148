import CDaybookLMDB
import Synchronization

/// A reader of one committed state of the file: both kinds of transaction.
public protocol Transaction: ~Copyable {
    /// The state that it reads: for a write, the one that it began with.
    var state: TransactionState { get }
}

extension Transaction where Self: ~Copyable {
    public var pages: PageMap { state.pages }
}

/// A snapshot of the environment. Ends when it goes out of scope.
///
/// Keep it short: while it lives, LMDB cannot reuse pages that newer writes freed, and the file
/// grows. Never hold one across an `await`.
public struct ReadTransaction: Transaction, ~Copyable {
    public let state: TransactionState
    private let handle: OpaquePointer
    private let environment: Environment

    public init(in environment: Environment) throws(LMDBError) {
        let pages: PageMap
        (handle, pages) = try environment.beginReading()
        state = TransactionState(pages)
        self.environment = environment
        Self.open.add(1, ordering: .relaxed)
    }

    /// True where any is open in this process. Nothing that may have to wait should happen then.
    public static var isAnyOpen: Bool { open.load(ordering: .relaxed) > 0 }

    private static let open = Atomic(0)

    deinit {
        Self.open.subtract(1, ordering: .relaxed)
        mdb_txn_abort(handle)
        environment.gate.leave()
    }
}

/// The one write under way, across all processes. Rolled back unless committed.
///
/// It belongs to the thread that began it. It reads the state that it began with, and not its own
/// writes.
public struct WriteTransaction: Transaction, ~Copyable {
    let handle: OpaquePointer
    /// Retained by hand, since `discard` takes trivial properties only.
    let environment: Unmanaged<Environment>
    private let begun: Unmanaged<TransactionState>

    public var state: TransactionState { begun.takeUnretainedValue() }

    public init(in environment: Environment) throws(LMDBError) {
        let handle = try environment.begin(0)
        let pages: PageMap
        do throws(LMDBError) {
            pages = try environment.pages(of: mdb_txn_id(handle) - 1)
            try pages.checkStates()
        } catch {
            let number = UInt64(truncatingIfNeeded: mdb_txn_id(handle))
            environment.abort(handle)
            // Somebody has committed meanwhile under another lock file, of which this one does not
            // know.
            guard error == .corrupted, try environment.newestTransactionNumber() >= number else {
                throw error
            }
            throw .lockFileReplaced
        }
        self.handle = handle
        self.environment = Unmanaged.passRetained(environment)
        begun = Unmanaged.passRetained(TransactionState(pages))
    }

    deinit {
        begun.release()
        environment.takeRetainedValue().abort(handle)
    }

    /// Makes the writes durable: when it returns, they are on disk.
    ///
    /// - Throws: `.mapFull`, `.diskFull`, `.fileReplaced`, `.fileLinked`, `.lockFileReplaced`; then
    ///   nothing was written. `.replacedDuringCommit`; then the writes are in the file that was
    ///   open, which may have lost its name.
    public consuming func commit() throws(LMDBError) {
        let handle = handle
        let environment = environment
        begun.release()
        discard self
        try environment.takeRetainedValue().commit(handle)
    }
}

extension Transaction where Self: ~Copyable {
    /// The bytes stored under `key`, or `nil` if there are none.
    ///
    /// Points into the memory map and copies nothing. The compiler refuses to let it outlive
    /// `self`.
    @_lifetime(borrow self)
    public func bytes(for key: RawSpan, in table: Table) throws(LMDBError) -> RawSpan? {
        let row = try key.withUnsafeBytes { (key) throws(LMDBError) -> UnsafeRawBufferPointer? in
            try state.data(for: key, in: table)
        }
        guard let row else { return nil }
        let bytes = RawSpan(_unsafeBytes: row)
        return _overrideLifetime(bytes, borrowing: self)
    }

    /// The bytes stored under an integer key, or `nil` if there are none.
    @_lifetime(borrow self)
    public func bytes(for key: UInt64, in table: Table) throws(LMDBError) -> RawSpan? {
        guard let row = try state.data(for: key, in: table) else { return nil }
        let bytes = RawSpan(_unsafeBytes: row)
        return _overrideLifetime(bytes, borrowing: self)
    }

    /// Shows the rows on both sides of a key that has none.
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
        } catch {
            return error
        }
        for case let row? in [rows.before, rows.after] {
            try body(RawSpan(_unsafeBytes: row.key), RawSpan(_unsafeBytes: row.data))
        }
        return nil
    }

    /// The number of rows that the table's record names.
    public func count(of table: Table) throws(LMDBError) -> Int {
        Int(truncatingIfNeeded: try state.tree(of: table).entries)
    }

    /// The greatest integer key of a table, or `nil` if it is empty.
    public func lastKey(of table: Table) throws(LMDBError) -> UInt64? {
        var cursor = try state.cursor(table)
        guard try cursor.last() else { return nil }
        return try cursor.row().key.integer
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

    /// Removes an integer key. `false` if it was not there.
    @discardableResult
    public mutating func remove(_ key: UInt64, from table: Table) throws(LMDBError) -> Bool {
        try withUnsafeBytes(of: key) { (key) throws(LMDBError) in
            try remove(RawSpan(_unsafeBytes: key), from: table)
        }
    }

    /// Removes a key with its value. `false` if it was not there.
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
    /// - Throws: `.corrupted` where a page of the table is damaged: LMDB would free others.
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
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}
