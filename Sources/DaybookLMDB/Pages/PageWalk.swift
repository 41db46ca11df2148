/// A fault in the structure of a data file, found on one page.
public struct PageFault: Hashable, Sendable {
    public var page: UInt64
    /// The fault as a phrase that follows the page number, such as "is used twice".
    public var message: String
}

extension PageMap {
    /// Checks the structure of the file by visiting every page of the state.
    ///
    /// These are the pages of all trees, of sets within the trees, and free pages. Each page must
    /// either be used once or be free, must have the expected page number and type, must lie in the
    /// file, and must hold nodes that fill it without gaps and have ascending keys. Each tree must
    /// have as many pages and rows as its record says.
    ///
    /// - Returns: the faults found, at most a hundred.
    public func faults() -> [PageFault] {
        var walk = PageWalk(self)
        walk.run()
        return walk.faults
    }

    func faults(in table: String) -> [PageFault] {
        var walk = PageWalk(self)
        do throws(LMDBError) {
            if let tree = try tree(named: table) { walk.visit(tree, "table '\(table)'") }
        } catch { return [PageFault(page: meta.main.root, message: "\(error)")] }
        return walk.faults
    }
}

/// A walk through all pages of a state, which collects the faults in their structure.
struct PageWalk {
    let pages: PageMap
    var faults: [PageFault] = []
    private var visited: PageSet
    /// The pages within the file that the list of free pages names.
    private var free: PageSet
    /// Free pages beyond the end of the file, which were freed before LMDB ever wrote them.
    var freePagesPastEnd: Set<UInt64> = []

    static let maximumFaultCount = 100

    /// The numbers of pages and rows of a tree, as counted by the walk.
    struct Counts: Equatable {
        var branchCount: UInt64 = 0
        var leafCount: UInt64 = 0
        var overflowPageCount: UInt64 = 0
        var rowCount: UInt64 = 0
    }

    init(_ pages: PageMap) {
        self.pages = pages
        visited = PageSet(upTo: pages.pageCount)
        free = visited
    }

    /// Adds a fault of a page to `faults`, unless there are `maximumFaultCount` already.
    mutating func addFault(_ page: UInt64, _ message: String) {
        guard faults.count < Self.maximumFaultCount else { return }
        faults.append(PageFault(page: page, message: message))
    }

    /// Visits all trees, and checks that every page is either in use or free.
    mutating func run() {
        visited.insert(0)
        visited.insert(1)
        visit(pages.meta.free, "the list of free pages", isFreeList: true)
        visit(pages.meta.main, "the list of tables", isTableList: true)
        guard faults.isEmpty else { return }
        for page in 2..<max(pages.pageCount, 2) {
            switch (visited.contains(page), free.contains(page)) {
            case (true, true): addFault(page, "is in use, but also in the list of free pages")
            case (false, false): addFault(page, "is neither in use nor in the list of free pages")
            default: break
            }
        }
        guard faults.isEmpty, pages.pageCount <= pages.meta.lastPage else { return }
        // LMDB does not write pages that one transaction both took and freed, so these pages are
        // free.
        for page in pages.pageCount...pages.meta.lastPage where !freePagesPastEnd.contains(page) {
            addFault(page, "is neither in the file nor in the list of free pages")
            if faults.count >= Self.maximumFaultCount { break }
        }
    }

    /// Records a page as visited. Returns `false`, and adds a fault, if it was visited before.
    private mutating func markVisited(_ page: UInt64) -> Bool {
        let isFirst = visited.insert(page)
        if !isFirst { addFault(page, "is used twice") }
        return isFirst
    }

    /// Visits the pages of a tree with a name for messages, and checks that the tree has as many
    /// pages and rows as its record says.
    mutating func visit(
        _ tree: TreeRecord, _ name: String, isFreeList: Bool = false, isTableList: Bool = false
    ) {
        var counts = Counts()
        if !tree.isEmpty {
            guard (1...PageFormat.maximumDepth).contains(Int(tree.depth)) else {
                return addFault(
                    tree.root, "is the root of \(name) with the invalid depth \(tree.depth)")
            }
            descend(
                tree.root, 1, tree, name, &counts, isFreeList: isFreeList, isTableList: isTableList)
        }
        if faults.isEmpty, let fault = tree.fault(of: counts, name) {
            addFault(fault.page, fault.message)
        }
    }

    /// Visits a page of a tree and the pages below it; the root is at level 1.
    private mutating func descend(
        _ number: UInt64, _ level: Int, _ tree: TreeRecord, _ name: String,
        _ counts: inout Counts, isFreeList: Bool, isTableList: Bool
    ) {
        guard faults.count < Self.maximumFaultCount else { return }
        let isLeaf = level == Int(tree.depth)
        do throws(LMDBError) {
            if isLeaf, tree.flags & 0x10 != 0, try isFixedKeys(number) {
                return try visitFixedKeys(number, tree, &counts)
            }
            let (page, count) = try pages.page(
                number, flags: isLeaf ? PageFormat.leaf : PageFormat.branch)
            guard markVisited(number) else { return }
            try pages.checkNodes(page, count, isLeaf: isLeaf, hasIntegerKeys: tree.hasIntegerKeys)
            guard isLeaf else {
                counts.branchCount += 1
                for index in 0..<count {
                    descend(
                        try pages.child(page, index), level + 1, tree, name, &counts,
                        isFreeList: isFreeList, isTableList: isTableList)
                }
                return
            }
            counts.leafCount += 1
            for index in 0..<count {
                try visitRow(
                    page, index, number, tree, &counts, isFreeList: isFreeList,
                    isTableList: isTableList)
            }
        } catch { addFault(number, "is not a valid page of \(name): \(error)") }
    }

    /// Visits a row of a leaf, its overflow pages, and the tree whose record the row may be.
    private mutating func visitRow(
        _ page: UnsafeRawPointer, _ index: Int, _ number: UInt64, _ tree: TreeRecord,
        _ counts: inout Counts, isFreeList: Bool, isTableList: Bool
    ) throws(LMDBError) {
        let row = try pages.row(page, index)
        if try pages.isLarge(page, index) {
            let first = try pages.firstOverflowPage(page, index)
            let span = try pages.overflowPages(first, byteCount: row.data.count)
            for page in first..<first + span where !markVisited(page) { return }
            counts.overflowPageCount += span
        }
        switch row.flags {
        case 0:
            counts.rowCount += 1
            if isFreeList { try addFreePages(row.data, number) }
        case PageFormat.treeFlag where isTableList:
            guard let record = row.treeRecord else { throw .corrupted }
            counts.rowCount += 1
            visit(record, "table '\(String(decoding: row.key, as: UTF8.self))'")
        case PageFormat.treeFlag | PageFormat.setFlag where tree.hasSets:
            guard let record = row.treeRecord else { throw .corrupted }
            var inner = record
            // A set holds no sets.
            inner.flags = record.flags & ~0x04 | 0x10
            visit(inner, "a set")
            counts.rowCount += record.rowCount
        case PageFormat.setFlag where tree.hasSets:
            counts.rowCount += try valueCount(ofSet: row.data)
        default: throw .corrupted
        }
    }

    /// Returns the number of values of a small set, which LMDB stores as a page within a row.
    private func valueCount(ofSet data: UnsafeRawBufferPointer) throws(LMDBError) -> UInt64 {
        guard data.count >= PageFormat.headerBytes else { throw .corrupted }
        let lower = Int(data.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        guard lower >= PageFormat.headerBytes, lower <= data.count else { throw .corrupted }
        return UInt64(lower - PageFormat.headerBytes) / 2
    }

    /// Adds the pages that a row of the list of free pages names to `free` or
    /// `freePagesPastEnd`.
    private mutating func addFreePages(
        _ data: UnsafeRawBufferPointer, _ number: UInt64
    ) throws(LMDBError) {
        guard data.count >= 8, data.count % 8 == 0 else { throw .corrupted }
        let count = data.loadUnaligned(as: UInt64.self)
        guard count == UInt64(data.count / 8) - 1 else {
            // LMDB may reserve more room than it needs.
            guard count < UInt64(data.count / 8) else { throw .corrupted }
            return try addFreePages(
                UnsafeRawBufferPointer(rebasing: data[..<(Int(count + 1) * 8)]), number)
        }
        for index in 0..<Int(count) {
            let page = data.loadUnaligned(fromByteOffset: 8 + 8 * index, as: UInt64.self)
            guard page > 1, page <= pages.meta.lastPage else {
                addFault(number, "lists the free page \(page), which the file does not have")
                continue
            }
            guard page < pages.pageCount else {
                if !freePagesPastEnd.insert(page).inserted {
                    addFault(page, "is listed as free twice")
                }
                continue
            }
            if !free.insert(page) { addFault(page, "is listed as free twice") }
        }
    }

    /// Returns true if the page is a leaf of a large set of integers.
    private func isFixedKeys(_ number: UInt64) throws(LMDBError) -> Bool {
        guard number < pages.pageCount else { throw .pageNotFound }
        let page = pages.start + Int(number) * pages.pageSize
        return page.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
            == PageFormat.leaf | PageFormat.fixedKeys
    }

    /// Visits a leaf of a large set of integers, which has keys without node headers.
    private mutating func visitFixedKeys(
        _ number: UInt64, _ tree: TreeRecord, _ counts: inout Counts
    ) throws(LMDBError) {
        let page = pages.start + Int(number) * pages.pageSize
        let lower = Int(page.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        guard page.loadUnaligned(as: UInt64.self) == number, lower > PageFormat.headerBytes else {
            throw .corrupted
        }
        guard markVisited(number) else { return }
        counts.leafCount += 1
        counts.rowCount += UInt64(lower - PageFormat.headerBytes) / 2
    }
}

extension TreeRecord {
    /// Returns the fault of a tree that has other numbers of pages and rows than its record; else
    /// `nil`.
    func fault(of counts: PageWalk.Counts, _ name: String) -> PageFault? {
        let expected = PageWalk.Counts(
            branchCount: branchPageCount, leafCount: leafPageCount,
            overflowPageCount: overflowPageCount, rowCount: rowCount)
        guard counts != expected else { return nil }
        return PageFault(
            page: root,
            message: "is the root of \(name), which has \(counts.rowCount) rows on "
                + "\(counts.branchCount + counts.leafCount + counts.overflowPageCount) "
                + "pages; its record says \(rowCount) rows on "
                + "\(branchPageCount &+ leafPageCount &+ overflowPageCount) pages")
    }

    /// True if the keys are integers in the machine's byte order: LMDB's flag `MDB_INTEGERKEY`.
    var hasIntegerKeys: Bool { flags & 0x08 != 0 }
}

extension PageMap {
    /// Returns true if the data of a node is on overflow pages.
    func isLarge(_ page: UnsafeRawPointer, _ index: Int) throws(LMDBError) -> Bool {
        let (node, _) = try node(page, index)
        return node.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == PageFormat.largeFlag
    }

    /// Returns the number of the first overflow page of a large row that has been read before.
    func firstOverflowPage(_ page: UnsafeRawPointer, _ index: Int) throws(LMDBError) -> UInt64 {
        let (node, _) = try node(page, index)
        let keyByteCount = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        return (node + PageFormat.nodeHeaderBytes + keyByteCount).loadUnaligned(as: UInt64.self)
    }
}

extension PageMap.Row {
    /// The row's data as the record of a tree; `nil` if the data has another size.
    var treeRecord: TreeRecord? {
        guard data.count == PageFormat.treeRecordBytes, let start = data.baseAddress else {
            return nil
        }
        return TreeRecord(at: start)
    }
}
