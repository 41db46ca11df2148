import DaybookLibC

/// A walk in pieces through states of a file, which finds the unused bytes of pages that are in use.
///
/// A later piece skips the pages that an earlier one visited, also those of an older state. A reader
/// of each state must be registered from its first piece to the last of all, so that no page of them
/// is used for anything else.
struct GapWalk {
    /// The pages that the walk has visited, along with all pages below them.
    private(set) var visited = PageSet()
    /// Unused byte ranges, of the pages that the last piece visited, which are not zero.
    private(set) var gaps: [Range<Int>] = []
    var pages: PageMap
    /// Number of pages that this piece may still visit; one value on overflow pages counts as one.
    private var rest = 0

    init(_ pages: PageMap) { self.pages = pages }

    /// Visits pages of the state, but at most `limit` of those that were not visited before.
    ///
    /// - Returns: false if pages are left.
    /// - Throws: `.incompatible` if a table has sets of values, which Daybook does not write.
    mutating func run(atMost limit: Int = .max) throws(LMDBError) -> Bool {
        rest = limit
        gaps = []
        guard try visit(pages.meta.free) else { return false }
        return try visit(pages.meta.main, isTableList: true)
    }

    /// Visits the pages of a tree; returns false if pages are left.
    private mutating func visit(
        _ tree: TreeRecord, isTableList: Bool = false
    ) throws(LMDBError) -> Bool {
        guard !tree.isEmpty else { return true }
        return try visit(tree.root, levels: Int(tree.depth), isTableList)
    }

    /// Visits a page with `levels` levels, and counts it; returns false if pages below are left.
    private mutating func visit(
        _ number: UInt64, levels: Int, _ isTableList: Bool
    ) throws(LMDBError) -> Bool {
        guard !visited.contains(number) else { return true }
        guard rest > 0 else { return false }
        let isLeaf = levels == 1
        let (page, count) = try pages.page(
            number, flags: isLeaf ? PageFormat.leaf : PageFormat.branch)
        for index in 0..<count {
            guard
                try isLeaf
                    ? visitRow(page, index, isTableList)
                    : visit(pages.child(page, index), levels: levels - 1, isTableList)
            else { return false }
        }
        rest -= 1
        let start = page - pages.start
        // They lie between the list of offsets and the nodes.
        addGap(start + end(of: page, at: 12)..<start + end(of: page, at: 14))
        visited.insert(number)
        return true
    }

    private func end(of page: UnsafeRawPointer, at offset: Int) -> Int {
        Int(page.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Visits a row's overflow pages, or the tree whose record it is; false if pages are left.
    private mutating func visitRow(
        _ page: UnsafeRawPointer, _ index: Int, _ isTableList: Bool
    ) throws(LMDBError) -> Bool {
        let row = try pages.row(page, index)
        guard row.flags == 0 else {
            guard isTableList, row.flags == PageFormat.treeFlag, let record = row.treeRecord else {
                throw .incompatible
            }
            return try visit(record)
        }
        guard try pages.isLarge(page, index) else { return true }
        let first = try pages.firstOverflowPage(page, index)
        guard !visited.contains(first) else { return true }
        guard rest > 0 else { return false }
        rest -= 1
        let end = first + (try pages.overflowPages(first, byteCount: row.data.count))
        let start = Int(first) * pages.pageSize + PageFormat.headerBytes + row.data.count
        addGap(start..<Int(end) * pages.pageSize)
        for page in first..<end { visited.insert(page) }
        return true
    }

    /// Adds a range of the file to `gaps`, unless all of its bytes are zero.
    private mutating func addGap(_ range: Range<Int>) {
        if !pages.isZero(range) { gaps.append(range) }
    }
}

extension PageMap {
    /// Returns true if all bytes in a range of the file are zero.
    func isZero(_ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return true }
        let bytes = start + range.lowerBound
        return bytes.load(as: UInt8.self) == 0 && memcmp(bytes, bytes + 1, range.count - 1) == 0
    }
}
