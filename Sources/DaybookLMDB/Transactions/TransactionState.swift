/// The committed state that a transaction reads, with a cursor for each table that it has used.
///
/// The state does not change during the transaction, so that a page is checked once and not at each
/// visit.
public final class TransactionState {
    public let pages: PageMap
    private let checkedPages: CheckedPages
    /// The cursors, in memory of our own: accesses to a variable in a class are checked at run time.
    private let cursors: UnsafeMutablePointer<Cursors>

    /// The cursors used so far.
    private struct Cursors {
        /// The cursor in the list of tables.
        var ofList: TreeCursor
        /// One cursor for each combination of table and checks.
        var ofTables: [TableCursor] = []
    }

    /// A cursor, and the name of the table in which it moves.
    private struct TableCursor {
        let table: String
        let hash: UInt64
        var cursor: TreeCursor
    }

    /// Number of cursors for which memory is reserved.
    private static let reservedCount = 12

    /// Begins to read a state.
    ///
    /// - Parameter checkedPages: the pages of the state that were checked already.
    init(_ pages: PageMap, _ checkedPages: CheckedPages = CheckedPages()) {
        self.pages = pages
        self.checkedPages = checkedPages
        cursors = .allocate(capacity: 1)
        cursors.initialize(
            to: Cursors(
                ofList: TreeCursor(
                    pages, pages.meta.main, checks: .everything, checkedPages: checkedPages)))
    }

    deinit {
        cursors.deinitialize(count: 1)
        cursors.deallocate()
    }

    /// Returns a new cursor for a table, which is not at a row yet.
    @usableFromInline
    func cursor(_ table: Table) throws(LMDBError) -> TreeCursor {
        TreeCursor(pages, try tree(of: table), checks: table.checks, checkedPages: checkedPages)
    }

    /// Returns the record of a table's tree, or an empty record if the file has no such table.
    func tree(of table: Table) throws(LMDBError) -> TreeRecord {
        let index = try cursorIndex(in: table, table.checks)
        return cursors.pointee.ofTables[index].cursor.tree
    }

    /// Returns the data stored under a key, or `nil` if the key has no row. `nil` is reliable: all
    /// pages on the path were checked, and the rows before and after enclose the key.
    func data(for key: some TreeKey, in table: Table) throws(LMDBError) -> UnsafeRawBufferPointer? {
        let index = try cursorIndex(in: table, table.checks)
        guard try cursors.pointee.ofTables[index].cursor.seek(key) else {
            try cursors.pointee.ofTables[index].cursor.checkEnclosing(key)
            return nil
        }
        let row = try cursors.pointee.ofTables[index].cursor.row()
        guard row.flags == 0 else { throw .incompatible }
        return row.data
    }

    /// Returns the greatest integer key of a table; `nil` if the table is empty.
    func lastKey(of table: Table) throws(LMDBError) -> UInt64? {
        let index = try cursorIndex(in: table, table.checks)
        guard try cursors.pointee.ofTables[index].cursor.moveToLast() else { return nil }
        return try cursors.pointee.ofTables[index].cursor.row().key.integer
    }

    /// Returns the rows before and after a key without a row; no rows if the key itself has one.
    func neighbours(
        of key: some TreeKey, in table: Table
    ) throws(LMDBError) -> (before: PageMap.Row?, after: PageMap.Row?) {
        let index = try cursorIndex(in: table, table.checks)
        guard try !cursors.pointee.ofTables[index].cursor.seek(key) else { return (nil, nil) }
        return try cursors.pointee.ofTables[index].cursor.neighbours()
    }

    /// Checks the pages that LMDB is about to use for putting a row, because LMDB does not check
    /// them.
    ///
    /// These are the pages on the path to the key, and the pages of a large value that the key
    /// already has. If a large value has more pages than it needs, the whole table is checked,
    /// because LMDB would free all of them.
    func checkPath(to key: some TreeKey, in table: Table) throws(LMDBError) {
        let index = try cursorIndex(in: table, .everything)
        guard try cursors.pointee.ofTables[index].cursor.findInLeaf(key) else { return }
        _ = try cursors.pointee.ofTables[index].cursor.row()
        let leaf = cursors.pointee.ofTables[index].cursor.leaf
        guard try pages.overflowPages(of: leaf.page, leaf.index).spareCount > 0 else { return }
        guard pages.faults(in: table.name).isEmpty else { throw .corrupted }
    }

    /// Checks the pages that LMDB uses for removing a row: the pages on the path to the key, and
    /// the siblings of these pages.
    func checkSurroundings(of key: some TreeKey, in table: Table) throws(LMDBError) {
        try checkPath(to: key, in: table)
        let index = try cursorIndex(in: table, .everything)
        try cursors.pointee.ofTables[index].cursor.checkSiblings()
    }

    /// Returns the index of the table's cursor in `cursors.ofTables`; the first use adds one.
    private func cursorIndex(
        in table: Table, _ checks: TreeCursor.Checks
    ) throws(LMDBError) -> Int {
        for index in cursors.pointee.ofTables.indices
        where cursors.pointee.ofTables[index].hash == table.hash
            && cursors.pointee.ofTables[index].cursor.checks == checks
            && cursors.pointee.ofTables[index].table == table.name
        {
            return index
        }
        let tree = try pages.tree(named: table.name, with: &cursors.pointee.ofList) ?? .empty
        if cursors.pointee.ofTables.isEmpty {
            cursors.pointee.ofTables.reserveCapacity(Self.reservedCount)
        }
        cursors.pointee.ofTables.append(
            TableCursor(
                table: table.name, hash: table.hash,
                cursor: TreeCursor(pages, tree, checks: checks, checkedPages: checkedPages)))
        return cursors.pointee.ofTables.count - 1
    }
}
