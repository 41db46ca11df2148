/// The two states to which the meta pages of a file lead, checked against each other.
///
/// LMDB uses the meta page with the greater number, so that one changed bit of a number can hide a
/// commit. The lists of free pages reveal this. Each commit replaces the root of the list of tables
/// and frees the old root under the commit's own number, so that the newest number in a state's
/// list of free pages is the number of the state. Only a compacted copy has an empty list: its meta
/// pages then both name the copied state, or the first one names an empty state.
///
/// Pages of both states do not change until the second commit after the newer state begins.
struct StatePair {
    private let older: PageMap
    let newer: PageMap

    /// Reads both states; throws if a meta page is invalid or their numbers are not consecutive.
    init(_ map: FileMap, fileBytes: Int) throws(StateDamage) {
        guard fileBytes >= MetaPage.byteCount, let first = MetaPage(at: map.start) else {
            throw .metaPage(0)
        }
        guard fileBytes >= first.pageSize + MetaPage.byteCount,
            let second = MetaPage(at: map.start + first.pageSize)
        else { throw .metaPage(1) }
        guard MetaPage.areConsecutive(first, second) else {
            throw .transactionNumbers(first.transaction, second.transaction)
        }
        let isFirstNewer = first.transaction >= second.transaction
        newer = PageMap(map, fileBytes: fileBytes, isFirstNewer ? first : second)
        older = PageMap(map, fileBytes: fileBytes, isFirstNewer ? second : first)
    }

    /// Checks each state against its list of free pages, and the newer one against the older one.
    ///
    /// - Parameter checkedPages: the pages of the newer state that need not be checked again.
    func check(_ checkedPages: CheckedPages? = nil) throws(StateDamage) {
        let used = try Self.mappingErrors(newer) { (pages) throws(LMDBError) in
            try pages.usedPages(checkedPages)
        }
        let free = try Self.mappingErrors(newer) { (pages) throws(LMDBError) in
            try pages.freePages(notAmong: used.roots)
        }
        try Self.check(newer, newestFreed: free.newestTransaction)
        let olderFreed = try Self.mappingErrors(older) {
            (pages) throws(LMDBError) in try pages.newestFreeingTransaction()
        }
        try Self.check(older, newestFreed: olderFreed)
        // A used root in the list of free pages is the root of an earlier state.
        guard !free.namesUsedPage else { throw .pages(of: Int(newer.meta.page)) }
        let (new, old) = (newer.meta, older.meta)
        let isCopy = new.main == old.main && new.free == old.free && new.lastPage == old.lastPage
        guard free.newestTransaction != nil || old.main.isEmpty || isCopy else { throw .unrelated }
        try checkPageCount(used, free.count)
    }

    /// Throws if a state's number is not that of the newest transaction in its list of free pages.
    private static func check(_ pages: PageMap, newestFreed: UInt64?) throws(StateDamage) {
        guard let newestFreed, newestFreed != pages.transaction else { return }
        throw .transaction(
            page: Int(pages.meta.page), number: pages.transaction, freed: newestFreed)
    }

    /// Checks that every page of the newer state is free or counted by the record of a tree.
    private func checkPageCount(_ used: UsedPages, _ free: UInt64) throws(StateDamage) {
        let meta = newer.meta
        // The meta pages belong to no tree.
        let counted = used.count &+ free &+ 2
        let isRight = used.isExact ? counted == meta.lastPage + 1 : counted <= meta.lastPage + 1
        guard isRight else {
            throw .pageCount(page: Int(meta.page), last: meta.lastPage, counted: counted)
        }
    }

    private static func mappingErrors<Result>(
        _ pages: PageMap, _ body: (PageMap) throws(LMDBError) -> Result
    ) throws(StateDamage) -> Result {
        do throws(LMDBError) { return try body(pages) } catch {
            throw .pages(of: Int(pages.meta.page))
        }
    }
}

extension StatePair {
    /// Returns the damage of a file that other processes may be writing; `nil` if there is none.
    ///
    /// A contradiction is returned only if neither meta page changes from before the check until
    /// after a pause that is longer than the write of a meta page. If the meta pages keep changing,
    /// a writer is active, which checks the states itself.
    static func damage(in file: CInt) throws(LMDBError) -> StateDamage? {
        var seen: [UInt8]?
        for _ in 0..<100 {
            let metas = MetaPages.availableBytes(in: file)
            // The size is read after the meta pages, and so covers the pages that they name.
            guard let damage = try damageNow(in: file) else { return nil }
            guard MetaPages.availableBytes(in: file) == metas else { continue }
            if seen == metas { return damage }
            seen = metas
            MetaPages.pause()
        }
        return nil
    }

    /// Returns the damage in the present content of the file; `nil` if there is none.
    private static func damageNow(in file: CInt) throws(LMDBError) -> StateDamage? {
        let byteCount = try FileMap.size(of: file)
        let map = try FileMap.map(file, covering: byteCount)
        do throws(StateDamage) {
            try StatePair(map, fileBytes: byteCount).check()
            return nil
        } catch { return error }
    }
}

extension PageMap {
    /// Throws unless this is the newest state of the file and each of its pages is used or free.
    /// The caller must keep writers away.
    ///
    /// - Parameter checkedPages: receives the pages that need not be checked again.
    func checkNewestState(_ checkedPages: CheckedPages) throws(LMDBError) {
        do throws(StateDamage) {
            let pair = try StatePair(map, fileBytes: fileBytes)
            guard pair.newer.transaction == transaction else { throw StateDamage.unrelated }
            try pair.check(checkedPages)
        } catch { throw .corrupted }
    }

    /// Returns the number of pages of all trees, according to their records, and the trees' roots.
    ///
    /// - Parameter checkedPages: the pages of the state that need not be checked again.
    /// - Throws: `.corrupted` if two trees have the same root, or a root contradicts its record.
    func usedPages(_ checkedPages: CheckedPages?) throws(LMDBError) -> UsedPages {
        var used = UsedPages(count: meta.free.pageCount &+ meta.main.pageCount)
        used.roots.reserveCapacity(32)
        if !meta.free.isEmpty { used.roots.append(meta.free.root) }
        if !meta.main.isEmpty { used.roots.append(meta.main.root) }
        var rows: UInt64 = 0
        var cursor = TreeCursor(
            self, meta.main, checks: .everything, checkedPages: checkedPages)
        var isAtRow = try cursor.moveToFirst()
        while isAtRow {
            let row = try cursor.row()
            if row.flags == PageFormat.treeFlag {
                guard let record = row.treeRecord else { throw .corrupted }
                used.count = used.count &+ record.pageCount
                if record.hasSets { used.isExact = false }
                if !record.isEmpty {
                    guard !used.roots.contains(record.root), isConsistent(record) else {
                        throw .corrupted
                    }
                    used.roots.append(record.root)
                }
            }
            rows += 1
            isAtRow = try cursor.moveToNext()
        }
        guard rows == meta.main.rowCount else { throw .corrupted }
        return used
    }

    /// Returns false if the root of a tree is an intact page that contradicts the tree's record.
    ///
    /// Such a page is a leaf where the depth implies a branch, or the reverse. Or it is the only
    /// page, but has another number of rows than the record. A damaged root counts as consistent,
    /// because the reader of its table finds the damage.
    private func isConsistent(_ tree: TreeRecord) -> Bool {
        // A set has pages of other forms.
        guard !tree.hasSets else { return true }
        guard tree.depth == 1 else { return nodeCount(tree.root, PageFormat.leaf) == nil }
        guard let rows = nodeCount(tree.root, PageFormat.leaf) else {
            return nodeCount(tree.root, PageFormat.branch) == nil
        }
        return UInt64(rows) == tree.rowCount
    }

    /// Returns the number of nodes of a page; `nil` unless it is intact and has these flags.
    private func nodeCount(_ number: UInt64, _ flags: UInt16) -> Int? {
        do throws(LMDBError) { return try page(number, flags: flags).1 } catch { return nil }
    }
}

/// The number of pages in all trees of a state, and the trees' root pages, as their records state.
struct UsedPages {
    /// Number of pages in all trees; a lower limit unless `isExact` is true.
    var count: UInt64 = 0
    /// False if a table has sets of values, whose trees' pages its record does not count.
    var isExact = true
    /// Numbers of the root pages of all trees.
    var roots: [UInt64] = []
}

extension TreeRecord {
    /// Number of pages of the tree itself, without the pages of sets within it.
    var pageCount: UInt64 { branchPageCount &+ leafPageCount &+ overflowPageCount }

    /// True if the data of a row is a set of values: LMDB's flag `MDB_DUPSORT`.
    var hasSets: Bool { flags & 0x04 != 0 }
}
