/// A contradiction within what LMDB believes of a file: its meta pages, and the states they name.
public enum StateDamage: Error, Hashable, Sendable, CustomStringConvertible {
    /// A meta page is none that LMDB writes.
    case metaPage(Int)
    /// Each commit writes one of the meta pages, with the number of the other one and 1.
    case numbers(UInt64, UInt64)
    /// A meta page has another number than the transaction that wrote its state.
    case state(page: Int, number: UInt64, freed: UInt64)
    /// The newer state does not continue from the older one.
    case unrelated
    /// The trees and the list of free pages of the newest state do not add up to its pages.
    case pageCount(page: Int, last: UInt64, counted: UInt64)
    /// A page that the check needs is not what its state says.
    case pages(of: Int)

    public var description: String {
        switch self {
        case .metaPage(let page): "meta page \(page) is not one that LMDB writes"
        case .numbers(let first, let second):
            "the meta pages have the numbers \(first) and \(second), which do not follow each other"
        case .state(let page, let number, let freed):
            "meta page \(page) has the number \(number), and its state is that of transaction "
                + "\(freed)"
        case .unrelated: "the states of the two meta pages do not follow each other"
        case .pageCount(let page, let last, let counted):
            "meta page \(page) says that page \(last) is the last one, and its state has "
                + "\(counted) pages"
        case .pages(let page):
            "the state of meta page \(page) names pages that are not what it needs"
        }
    }
}

/// The two states that the meta pages of a file name, held to each other and to their pages.
///
/// LMDB takes the meta page with the greater number, so that one changed bit of a number can hide a
/// commit. It shows in the lists of free pages. Each commit replaces the root of the list of tables
/// and frees the old one under its own number, so that the newest number in a state's list is that
/// of the state. Only a compacted copy has an empty list: both pages name the copied state then, or
/// the first one none.
///
/// Pages of both states stay as they are until the second commit after the newer one begins.
struct StatePair {
    private let older: PageMap
    let newer: PageMap

    init(_ map: FileMap, fileBytes: Int) throws(StateDamage) {
        guard fileBytes >= MetaPage.byteCount, let first = MetaPage(at: map.start) else {
            throw .metaPage(0)
        }
        guard fileBytes >= first.pageSize + MetaPage.byteCount,
            let second = MetaPage(at: map.start + first.pageSize)
        else { throw .metaPage(1) }
        guard MetaPage.areConsecutive(first, second) else {
            throw .numbers(first.transaction, second.transaction)
        }
        let isFirstNewer = first.transaction >= second.transaction
        newer = PageMap(map, fileBytes: fileBytes, isFirstNewer ? first : second)
        older = PageMap(map, fileBytes: fileBytes, isFirstNewer ? second : first)
    }

    /// Checks both states.
    func check() throws(StateDamage) {
        let used = try Self.reading(newer) { (pages) throws(LMDBError) in try pages.usedPages() }
        let free = try Self.reading(newer) { (pages) throws(LMDBError) in
            try pages.freePages(without: used.roots)
        }
        try Self.check(newer, newestFreed: free.newest)
        let olderFreed = try Self.reading(older) {
            (pages) throws(LMDBError) in try pages.newestFreed()
        }
        try Self.check(older, newestFreed: olderFreed)
        // The root of an earlier state's tree, which the newer one has freed.
        guard !free.holdOne else { throw .pages(of: Int(newer.meta.page)) }
        let (new, old) = (newer.meta, older.meta)
        let isCopy = new.main == old.main && new.free == old.free && new.lastPage == old.lastPage
        guard free.newest != nil || old.main.isEmpty || isCopy else { throw .unrelated }
        try checkPageCount(used, free.count)
    }

    private static func check(_ pages: PageMap, newestFreed: UInt64?) throws(StateDamage) {
        guard let newestFreed, newestFreed != pages.transaction else { return }
        throw .state(
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

    private static func reading<Result>(
        _ pages: PageMap, _ body: (PageMap) throws(LMDBError) -> Result
    ) throws(StateDamage) -> Result {
        do throws(LMDBError) {
            return try body(pages)
        } catch {
            throw .pages(of: Int(pages.meta.page))
        }
    }
}

extension StatePair {
    /// The damage of a file, which others may be writing.
    ///
    /// A contradiction counts where both meta pages stay the same, from before it was found until
    /// after a pause in which any write of one ends. Where they never do, a writer is at work, which
    /// checks them itself.
    static func damage(in file: CInt) throws(LMDBError) -> StateDamage? {
        var seen: [UInt8]?
        for _ in 0..<100 {
            let metas = MetaPages.whole(in: file)
            // The size is read after the meta pages, and so covers the pages that they name.
            guard let damage = try damageNow(in: file) else { return nil }
            guard MetaPages.whole(in: file) == metas else { continue }
            if seen == metas { return damage }
            seen = metas
            MetaPages.pause()
        }
        return nil
    }

    private static func damageNow(in file: CInt) throws(LMDBError) -> StateDamage? {
        let byteCount = try FileMap.size(of: file)
        let map = try FileMap.map(file, covering: byteCount)
        do throws(StateDamage) {
            try StatePair(map, fileBytes: byteCount).check()
            return nil
        } catch {
            return error
        }
    }
}

extension PageMap {
    /// Checks that the newest state is the one that this is, and its pages are accounted for.
    ///
    /// The caller keeps writers away.
    func checkStates() throws(LMDBError) {
        do throws(StateDamage) {
            let pair = try StatePair(map, fileBytes: fileBytes)
            guard pair.newer.transaction == transaction else { throw StateDamage.unrelated }
            try pair.check()
        } catch {
            throw .corrupted
        }
    }

    /// The pages of all trees, by their records, each of which must have a root of its own.
    func usedPages() throws(LMDBError) -> UsedPages {
        var used = UsedPages(count: meta.free.pageCount &+ meta.main.pageCount)
        for tree in [meta.free, meta.main] where !tree.isEmpty { used.roots.append(tree.root) }
        var rows: UInt64 = 0
        var cursor = TreeCursor(self, meta.main, checks: .everything)
        var isAtRow = try cursor.first()
        while isAtRow {
            let row = try cursor.row()
            if row.flags == PageFormat.isTree {
                guard let record = row.treeRecord else { throw .corrupted }
                used.count = used.count &+ record.pageCount
                if record.hasSets { used.isExact = false }
                if !record.isEmpty {
                    guard !used.roots.contains(record.root), fits(record) else { throw .corrupted }
                    used.roots.append(record.root)
                }
            }
            rows += 1
            isAtRow = try cursor.next()
        }
        guard rows == meta.main.entries else { throw .corrupted }
        return used
    }

    /// `false` where the root of a tree is a whole page that cannot be it: of another kind than the
    /// record says, or, where it is the only page, with another number of rows.
    ///
    /// A page that is itself damaged shows where its table is read.
    private func fits(_ tree: TreeRecord) -> Bool {
        // A set has pages of other forms.
        guard !tree.hasSets else { return true }
        guard tree.depth == 1 else { return nodeCount(tree.root, PageFormat.leaf) == nil }
        guard let rows = nodeCount(tree.root, PageFormat.leaf) else {
            return nodeCount(tree.root, PageFormat.branch) == nil
        }
        return UInt64(rows) == tree.entries
    }

    /// The nodes of a page of a kind; `nil` where it is another.
    private func nodeCount(_ number: UInt64, _ kind: UInt16) -> Int? {
        do throws(LMDBError) {
            return try page(number, flags: kind).1
        } catch {
            return nil
        }
    }
}

/// The pages that the trees of a state have by their records.
struct UsedPages {
    var count: UInt64 = 0
    /// `false` where a table has sets of values, whose own trees its record does not count.
    var isExact = true
    var roots: [UInt64] = []
}

extension TreeRecord {
    /// Pages of the tree itself, without those of sets within it.
    fileprivate var pageCount: UInt64 { branchPages &+ leafPages &+ overflowPages }

    /// Rows are sets of values: `MDB_DUPSORT`.
    fileprivate var hasSets: Bool { flags & 0x04 != 0 }
}
