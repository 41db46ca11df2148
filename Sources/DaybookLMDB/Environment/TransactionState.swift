/// The committed state that a transaction reads, and its last place in each table.
///
/// A state does not change under its transaction, so that a page is checked once and not at each
/// visit.
public final class TransactionState {
    public let pages: PageMap
    private var places: [Place] = []
    private let checked = CheckedPages()

    private struct Place {
        let table: String
        var cursor: TreeCursor
    }

    init(_ pages: PageMap) { self.pages = pages }

    /// A cursor at no row yet.
    @usableFromInline
    func cursor(_ table: Table) throws(LMDBError) -> TreeCursor {
        TreeCursor(pages, try tree(of: table), checks: table.checks, checked: checked)
    }

    /// The tree of a table; an empty one where the file has no table of that name.
    func tree(of table: Table) throws(LMDBError) -> TreeRecord {
        places[try place(in: table, table.checks)].cursor.tree
    }

    /// The data stored under a key. Their absence is certain: all pages on the way were checked,
    /// and the rows on both sides enclose the key.
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

    /// The rows on both sides of the place where a key would be; none where the key has a row.
    func neighbours(
        of key: some TreeKey, in table: Table
    ) throws(LMDBError) -> (before: PageMap.Row?, after: PageMap.Row?) {
        let place = try place(in: table, table.checks)
        guard try !places[place].cursor.seek(key) else { return (nil, nil) }
        return try places[place].cursor.neighbours()
    }

    /// Checks the pages that LMDB, which trusts them, goes through to put a row: those that lead to
    /// the key, and those of a large value that is there already.
    func checkPath(to key: some TreeKey, in table: Table) throws(LMDBError) {
        let place = try place(in: table, .everything)
        if try places[place].cursor.find(key) { _ = try places[place].cursor.row() }
    }

    /// Checks the pages that LMDB goes through to remove a row.
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
