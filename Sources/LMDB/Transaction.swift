import CLMDB
import Synchronization

/// A reader of one committed state of the file: both kinds of transaction.
public protocol Transaction: ~Copyable {
    var pages: PageMap { get }
}

/// A snapshot of the environment. Ends when it goes out of scope.
///
/// Keep it short: while it lives, LMDB cannot reuse pages that newer writes freed, and the file
/// grows. Never hold one across an `await`.
public struct ReadTransaction: Transaction, ~Copyable {
    public let pages: PageMap
    private let handle: OpaquePointer
    private let environment: Environment

    public init(in environment: Environment) throws(LMDBError) {
        (handle, pages) = try environment.beginReading()
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
    private let state: Unmanaged<WrittenState>

    /// The state that the transaction began with.
    public var pages: PageMap { state.takeUnretainedValue().pages }

    public init(in environment: Environment) throws(LMDBError) {
        let handle = try environment.begin(0)
        let pages: PageMap
        do throws(LMDBError) {
            pages = try environment.pages(of: mdb_txn_id(handle) - 1)
            try pages.checkFreeList()
        } catch {
            environment.abort(handle)
            throw error
        }
        self.handle = handle
        self.environment = Unmanaged.passRetained(environment)
        state = Unmanaged.passRetained(WrittenState(pages))
    }

    deinit {
        state.release()
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
        state.release()
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
            try pages.data(for: key, in: table)
        }
        guard let row else { return nil }
        let bytes = RawSpan(_unsafeBytes: row)
        return _overrideLifetime(bytes, borrowing: self)
    }

    /// The bytes stored under an integer key, or `nil` if there are none.
    @_lifetime(borrow self)
    public func bytes(for key: UInt64, in table: Table) throws(LMDBError) -> RawSpan? {
        guard let row = try pages.data(for: key, in: table) else { return nil }
        let bytes = RawSpan(_unsafeBytes: row)
        return _overrideLifetime(bytes, borrowing: self)
    }

    /// Shows the rows on both sides of a key that has none.
    public func forEachNeighbour<Failure: Error>(
        of key: RawSpan, in table: Table, _ body: (RawSpan, RawSpan) throws(Failure) -> Void
    ) throws(Failure) -> LMDBError? {
        let rows: [PageMap.Row]
        do throws(LMDBError) {
            let bytes = key.withUnsafeBytes { $0 }
            rows =
                table.hasIntegerKeys
                ? try pages.neighbours(of: bytes.integer, in: table)
                : try pages.neighbours(of: bytes, in: table)
        } catch {
            return error
        }
        for row in rows {
            try body(RawSpan(_unsafeBytes: row.key), RawSpan(_unsafeBytes: row.data))
        }
        return nil
    }

    /// The number of rows that the table's record names.
    public func count(of table: Table) throws(LMDBError) -> Int {
        Int(truncatingIfNeeded: try pages.tree(of: table).entries)
    }

    /// The greatest integer key of a table, or `nil` if it is empty.
    public func lastKey(of table: Table) throws(LMDBError) -> UInt64? {
        var cursor = try pages.cursor(table)
        guard try cursor.last() else { return nil }
        return try cursor.row().key.integer
    }
}

extension PageMap {
    @usableFromInline
    func cursor(_ table: Table) throws(LMDBError) -> TreeCursor {
        TreeCursor(self, try tree(of: table), checks: table.checks)
    }

    /// The data stored under a key. Their absence is certain: all pages on the way were checked,
    /// and the rows on both sides enclose the key.
    func data(
        for key: some TreeKey, in table: Table
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        var cursor = try cursor(table)
        guard try cursor.seek(key) else {
            try cursor.checkEnclosing(key)
            return nil
        }
        let row = try cursor.row()
        guard row.flags == 0 else { throw .incompatible }
        return row.data
    }
}

extension PageMap {
    /// Checks the pages of the list of free pages, which LMDB takes new ones from.
    func checkFreeList() throws(LMDBError) {
        var cursor = TreeCursor(self, meta.free, checks: .everything)
        guard try cursor.first() else { return }
        repeat {
            let row = try cursor.row()
            guard row.flags == 0, row.data.count >= 8, row.data.count % 8 == 0 else {
                throw .corrupted
            }
        } while try cursor.next()
    }

    /// The rows on both sides of the place where a key would be.
    func neighbours(of key: some TreeKey, in table: Table) throws(LMDBError) -> [Row] {
        var cursor = try cursor(table)
        guard try !cursor.seek(key) else { return [] }
        var rows: [Row] = []
        var before = cursor
        if cursor.isAtRow { rows.append(try cursor.row()) }
        if !cursor.tree.isEmpty, try before.previous() { rows.append(try before.row()) }
        return rows
    }
}

extension TreeCursor {
    /// Checks, at the place where `key` would be, that the rows on both sides enclose it.
    func checkEnclosing(_ key: some TreeKey) throws(LMDBError) {
        guard !tree.isEmpty else { return }
        if isAtRow, try key.order(of: row().key) <= 0 { throw .corrupted }
        var before = self
        if try before.previous(), try key.order(of: before.row().key) >= 0 { throw .corrupted }
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
        try checkPath(to: key, in: table)
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

    /// Removes a table with all its rows. `false` where the file has none of that name.
    @discardableResult
    public mutating func removeTable(named name: String) throws(LMDBError) -> Bool {
        var dbi: MDB_dbi = 0
        guard try pages.tree(named: name) != nil else { return false }
        guard pages.faults(in: name).isEmpty else { throw .corrupted }
        guard try found(mdb_dbi_open(handle, name, 0, &dbi)) else { return false }
        try check(mdb_drop(handle, dbi, 1))
        return true
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
        try checkPath(to: key, in: table)
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

extension WriteTransaction {
    /// Checks the pages that lead to a key before LMDB, which trusts them, changes them.
    private func checkPath(to key: RawSpan, in table: Table) throws(LMDBError) {
        let state = state.takeUnretainedValue()
        let bytes = key.withUnsafeBytes { $0 }
        if table.hasIntegerKeys {
            try state.checkPath(to: bytes.integer, in: table)
        } else {
            try state.checkPath(to: bytes, in: table)
        }
    }
}

/// The state that a write transaction began with, and the paths in it that were checked.
private final class WrittenState {
    let pages: PageMap
    private var cursors: [TreeCursor?] = []

    init(_ pages: PageMap) { self.pages = pages }

    func checkPath(to key: some TreeKey, in table: Table) throws(LMDBError) {
        let index = Int(table.dbi)
        while cursors.count <= index { cursors.append(nil) }
        if let cursor = cursors[index], try cursor.covers(key) { return }
        var cursor = TreeCursor(pages, try pages.tree(of: table), checks: .everything)
        _ = try cursor.seek(key)
        cursors[index] = cursor
    }
}

extension TreeCursor {
    /// True where the place of a key is on the leaf that the cursor is at.
    func covers(_ key: some TreeKey) throws(LMDBError) -> Bool {
        guard !tree.isEmpty else { return true }
        guard leaf.count > 0, try key.order(of: pages.key(leaf.page, 0)) <= 0 else { return false }
        if isOnLastLeaf { return true }
        return try key.order(of: pages.key(leaf.page, leaf.count - 1)) >= 0
    }
}

extension MDB_val {
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}
