/// The committed state that a transaction reads, with the last position in each table.
///
/// The state does not change during the transaction, so that a page is checked once and not at each
/// visit.
public final class TransactionState {
    /// The pages of the state.
    public let pages: PageMap
    private var places: [Place] = []
    private let checked = CheckedPages()

    private struct Place {
        let table: String
        var cursor: TreeCursor
    }

    init(_ pages: PageMap) { self.pages = pages }

    /// Returns a cursor that is not at a row yet.
    @usableFromInline
    func cursor(_ table: Table) throws(LMDBError) -> TreeCursor {
        TreeCursor(pages, try tree(of: table), checks: table.checks, checked: checked)
    }

    /// Returns the tree of a table, or an empty tree if the file has no table of this name.
    func tree(of table: Table) throws(LMDBError) -> TreeRecord {
        places[try place(in: table, table.checks)].cursor.tree
    }

    /// Returns the data stored under a key, or `nil` if the key has no row.
    ///
    /// `nil` is reliable: all pages on the path were checked, and the rows before and after enclose
    /// the key.
    func data(
        for key: some TreeKey, in table: Table
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        let place = try place(in: table, table.checks)
        guard try places[place].cursor.seek(key) else {
            try places[place].cursor.checkEnclosing(key)
            return nil
        }
        let row = try places[place].cursor.row()
        guard row.flags == 0 else { throw .incompatible }
        return row.data
    }

    /// Returns the rows before and after a key without a row; none if the key has a row.
    func neighbours(
        of key: some TreeKey, in table: Table
    ) throws(LMDBError) -> (before: PageMap.Row?, after: PageMap.Row?) {
        let place = try place(in: table, table.checks)
        guard try !places[place].cursor.seek(key) else { return (nil, nil) }
        return try places[place].cursor.neighbours()
    }

    /// Checks the pages that LMDB uses, without checking them itself, when it puts a row.
    ///
    /// These are the pages on the path to the key, and the pages of a large value that the key
    /// already has.
    func checkPath(to key: some TreeKey, in table: Table) throws(LMDBError) {
        let place = try place(in: table, .everything)
        if try places[place].cursor.find(key) { _ = try places[place].cursor.row() }
    }

    /// Checks the pages that LMDB uses when it removes a row: the path to the key and its siblings.
    func checkSurroundings(of key: some TreeKey, in table: Table) throws(LMDBError) {
        try checkPath(to: key, in: table)
        try places[place(in: table, .everything)].cursor.checkSiblings()
    }

    private func place(
        in table: Table, _ checks: TreeCursor.Checks
    ) throws(LMDBError) -> Int {
        for index in places.indices
        where places[index].cursor.checks == checks && places[index].table == table.name {
            return index
        }
        let tree = try pages.tree(of: table)
        places.append(
            Place(
                table: table.name,
                cursor: TreeCursor(pages, tree, checks: checks, checked: checked)))
        return places.count - 1
    }
}
