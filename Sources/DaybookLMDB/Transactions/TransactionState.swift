/// The committed state that a transaction reads, with a cursor for each table that it has used.
///
/// The state does not change during the transaction, so that a page is checked once and not at each
/// visit.
public final class TransactionState {
    public let pages: PageMap
    /// The cursors used so far, one for each combination of table and checks.
    private var cursors: [TableCursor] = []
    private let checkedPages: CheckedPages
    private var tableList: TreeCursor

    /// A cursor, and the name of the table in which it moves.
    private struct TableCursor {
        let table: String
        var cursor: TreeCursor
    }

    init(_ pages: PageMap) {
        let checkedPages = CheckedPages()
        self.pages = pages
        self.checkedPages = checkedPages
        tableList = TreeCursor(
            pages, pages.meta.main, checks: .everything, checkedPages: checkedPages)
    }

    /// Returns a new cursor for a table, which is not at a row yet.
    @usableFromInline
    func cursor(_ table: Table) throws(LMDBError) -> TreeCursor {
        TreeCursor(pages, try tree(of: table), checks: table.checks, checkedPages: checkedPages)
    }

    /// Returns the record of a table's tree, or an empty record if the file has no such table.
    func tree(of table: Table) throws(LMDBError) -> TreeRecord {
        cursors[try cursorIndex(in: table, table.checks)].cursor.tree
    }

    /// Returns the data stored under a key, or `nil` if the key has no row. `nil` is reliable: all
    /// pages on the path were checked, and the rows before and after enclose the key.
    func data(for key: some TreeKey, in table: Table) throws(LMDBError) -> UnsafeRawBufferPointer? {
        let cursorIndex = try cursorIndex(in: table, table.checks)
        guard try cursors[cursorIndex].cursor.seek(key) else {
            try cursors[cursorIndex].cursor.checkEnclosing(key)
            return nil
        }
        let row = try cursors[cursorIndex].cursor.row()
        guard row.flags == 0 else { throw .incompatible }
        return row.data
    }

    /// Returns the rows before and after a key without a row; no rows if the key itself has one.
    func neighbours(
        of key: some TreeKey, in table: Table
    ) throws(LMDBError) -> (before: PageMap.Row?, after: PageMap.Row?) {
        let cursorIndex = try cursorIndex(in: table, table.checks)
        guard try !cursors[cursorIndex].cursor.seek(key) else { return (nil, nil) }
        return try cursors[cursorIndex].cursor.neighbours()
    }

    /// Checks the pages that LMDB is about to use for putting a row, because LMDB does not check
    /// them.
    ///
    /// These are the pages on the path to the key, and the pages of a large value that the key
    /// already has. If a large value has more pages than it needs, the whole table is checked,
    /// because LMDB would free all of them.
    func checkPath(to key: some TreeKey, in table: Table) throws(LMDBError) {
        let cursorIndex = try cursorIndex(in: table, .everything)
        guard try cursors[cursorIndex].cursor.findInLeaf(key) else { return }
        _ = try cursors[cursorIndex].cursor.row()
        let leaf = cursors[cursorIndex].cursor.leaf
        guard try pages.overflowPages(of: leaf.page, leaf.index).spareCount > 0 else { return }
        guard pages.faults(in: table.name).isEmpty else { throw .corrupted }
    }

    /// Checks the pages that LMDB uses for removing a row: the pages on the path to the key, and
    /// the siblings of these pages.
    func checkSurroundings(of key: some TreeKey, in table: Table) throws(LMDBError) {
        try checkPath(to: key, in: table)
        try cursors[cursorIndex(in: table, .everything)].cursor.checkSiblings()
    }

    /// Returns the index of the table's cursor in `cursors`; the first use adds one.
    private func cursorIndex(
        in table: Table, _ checks: TreeCursor.Checks
    ) throws(LMDBError) -> Int {
        for index in cursors.indices
        where cursors[index].cursor.checks == checks && cursors[index].table == table.name {
            return index
        }
        let tree = try pages.tree(named: table.name, with: &tableList) ?? .empty
        cursors.append(
            TableCursor(
                table: table.name,
                cursor: TreeCursor(pages, tree, checks: checks, checkedPages: checkedPages)))
        return cursors.count - 1
    }
}
