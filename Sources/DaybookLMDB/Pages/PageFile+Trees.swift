extension PageFile {
    /// The newest state to which the readable meta pages lead.
    public struct State {
        /// The meta page that leads to the state.
        let meta: MetaPage
        /// True if this is certainly the newest state that was committed.
        ///
        /// Both meta pages are then intact. Except in a compacted copy, they are also consecutive
        /// and consistent with their lists of free pages.
        public let isTrusted: Bool
        fileprivate let freePages: FreedPages
    }

    /// The pages in a state's list of free pages, as far as the list can be read.
    fileprivate struct FreedPages {
        var allPages: PageSet
        /// Number of the newest transaction that freed pages; `nil` for an empty or damaged list.
        var newestTransaction: UInt64?
        /// Pages that the newest transaction freed.
        var freedByNewest: [UInt64] = []
    }

    /// Returns the newest state to which a meta page leads; `nil` if neither meta page can be read.
    public func state() -> State? {
        let metas = [0, 1].compactMap { page in
            read(page, max(pageSize, MetaPage.byteCount)).withUnsafeBytes { bytes in
                bytes.baseAddress.flatMap { MetaPage(at: $0) }
            }
        }.filter { $0.pageSize == pageSize }
        var states = metas.map { (meta: $0, freed: freedPages(in: $0)) }
        // The number of the transaction that wrote a state is in its list of free pages too.
        for index in states.indices {
            states[index].meta.transaction =
                states[index].freed.newestTransaction ?? metas[index].transaction
        }
        // The first meta page of a compacted copy may name the state before the first commit.
        let begun = states.filter { !$0.meta.isEmpty }
        let ordered = (begun.isEmpty ? states : begun)
            .sorted { $0.meta.transaction < $1.meta.transaction }
        guard let newest = ordered.last else { return nil }
        // The root of an earlier state is among the pages that were freed since.
        var isTrusted = metas.count == 2 && !newest.freed.allPages.contains(newest.meta.main.root)
        if isTrusted, begun.count != 1, !Self.areCopies(metas) {
            // If a transaction number and a list of free pages disagree, either may be wrong. The
            // newer state has freed the root of the older state, so its list is not empty.
            isTrusted =
                MetaPage.areConsecutive(states[0].meta, states[1].meta) && !newest.meta.free.isEmpty
                && (states.map(\.meta) == metas
                    || newest.freed.freedByNewest.contains(ordered[0].meta.main.root))
        }
        return State(meta: newest.meta, isTrusted: isTrusted, freePages: newest.freed)
    }

    /// Returns true if both meta pages name the same state, as in a compacted copy.
    private static func areCopies(_ metas: [MetaPage]) -> Bool {
        let (first, second) = (metas[0], metas[1])
        return first.main == second.main && first.free == second.free
            && first.lastPage == second.lastPage
    }

    /// Returns the pages in a state's list of free pages, as far as the list can be read.
    private func freedPages(in meta: MetaPage) -> FreedPages {
        var freed = FreedPages(allPages: PageSet(pageCount: pageCount))
        var isWhole = true
        var reached = ReachedPages(claimedRowCount: meta.free.rowCount, pageCount: pageCount)
        walk(meta.free, &reached) { bytes, node in
            guard node.keyByteCount == 8, let row = freePageNumbers(of: node, bytes) else {
                isWhole = false
                return
            }
            freed.newestTransaction = bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: node.keyStart, as: UInt64.self)
            }
            freed.freedByNewest = row
            for page in row { freed.allPages.insert(page) }
        }
        if !isWhole || reached.brokenCount > 0 { freed.newestTransaction = nil }
        return freed
    }

    /// Returns the page numbers in a row of the list of free pages; `nil` if the row is malformed.
    /// The row begins with the count of its page numbers.
    private func freePageNumbers(of node: Node, _ bytes: [UInt8]) -> [UInt64]? {
        guard node.mayBeRow(within: pageSize) else { return nil }
        let start = node.dataStart
        var row = Array(bytes[start..<start + (node.isLarge ? 8 : node.size)])
        func number(_ index: Int) -> UInt64 {
            row.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self) }
        }
        if node.isLarge {
            guard let data = overflowBytes(number(0), node.size) else { return nil }
            row = Array(data.dropFirst(PageFormat.headerBytes))
        }
        guard row.count >= 8, number(0) < UInt64(row.count / 8) else { return nil }
        return (0..<Int(number(0))).map { number($0 + 1) }
    }

    /// True if the file includes the last page of its newest state; `nil` if none can be read.
    public func isWhole() -> Bool? {
        state().map { UInt64(byteCount / pageSize) > $0.meta.lastPage }
    }

    /// A set of page numbers.
    struct PageSet {
        private var bits: [UInt64]

        init(pageCount: UInt64) { bits = Array(repeating: 0, count: Int(pageCount / 64) + 1) }

        func contains(_ page: UInt64) -> Bool {
            page / 64 < bits.count && bits[Int(page / 64)] & 1 << (page % 64) != 0
        }

        /// Inserts a page. Returns `false` if the page is in the set already, or is a meta page or
        /// beyond the end of the file.
        @discardableResult
        mutating func insert(_ page: UInt64) -> Bool {
            guard page > 1, page / 64 < bits.count, !contains(page) else { return false }
            bits[Int(page / 64)] |= 1 << (page % 64)
            return true
        }
    }

    /// The pages that can be reached from the root of one table, and the number of rows on them.
    public struct ReachedPages {
        /// Number of rows according to the table's record.
        public var claimedRowCount: UInt64
        /// Number of rows on the intact leaves that were reached.
        public fileprivate(set) var rowCount: UInt64 = 0
        /// Number of damaged pages to which the branches lead.
        public fileprivate(set) var brokenCount: UInt64 = 0
        /// Number of reached pages that the list of free pages names too.
        ///
        /// They belong to an earlier state, unless that list is damaged.
        public fileprivate(set) var freedCount: UInt64 = 0
        /// All branches and leaves that were reached.
        fileprivate var pages: PageSet

        fileprivate init(claimedRowCount: UInt64, pageCount: UInt64) {
            self.claimedRowCount = claimedRowCount
            pages = PageSet(pageCount: pageCount)
        }

        public func contains(_ page: UInt64) -> Bool { pages.contains(page) }
    }

    /// Visits the pages of a table, as far as the branches that lead to them are intact.
    ///
    /// - Returns: `nil` if the list of tables has no readable record of the table.
    public func reachedPages(of table: String, in state: State) -> ReachedPages? {
        var record: TreeRecord?
        var lists = ReachedPages(claimedRowCount: 0, pageCount: pageCount)
        walk(state.meta.main, &lists) { bytes, node in
            guard node.flags == PageFormat.treeFlag, node.size == PageFormat.treeRecordBytes,
                node.dataStart + node.size <= bytes.count,
                bytes[node.keyStart..<node.dataStart].elementsEqual(table.utf8)
            else { return }
            record = bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.map { TreeRecord(at: $0 + node.dataStart) }
            }
        }
        guard let record else { return nil }
        var reached = ReachedPages(claimedRowCount: record.rowCount, pageCount: pageCount)
        walk(record, &reached, state.freePages.allPages) { _, _ in }
        return reached
    }

    /// Visits the pages of a tree, and calls `row` with the bytes of each row's page and its node.
    private func walk(
        _ tree: TreeRecord, _ reached: inout ReachedPages, _ freed: PageSet? = nil,
        _ row: ([UInt8], Node) -> Void
    ) {
        guard !tree.isEmpty else { return }
        descend(tree.root, 1, Int(tree.depth), &reached, freed, row)
    }

    /// Visits a page of a tree and the pages below it; the root is at level 1.
    private func descend(
        _ page: UInt64, _ level: Int, _ depth: Int, _ reached: inout ReachedPages,
        _ freed: PageSet?, _ row: ([UInt8], Node) -> Void
    ) {
        guard level <= min(depth, PageFormat.maximumDepth), page < pageCount,
            reached.pages.insert(page)
        else {
            reached.brokenCount += 1
            return
        }
        if freed?.contains(page) == true { reached.freedCount += 1 }
        let bytes = read(page, pageSize)
        func node(_ index: Int) -> Node {
            let entry = PageFormat.headerBytes + 2 * index
            return bytes.withUnsafeBytes {
                Node($0, Int(bytes[entry]) | Int(bytes[entry + 1]) << 8)
            }
        }
        switch content(bytes, of: page) {
        case .leaf(let count) where level == depth:
            reached.rowCount += UInt64(count)
            for index in 0..<count { row(bytes, node(index)) }
        case .branch(let count) where level < depth:
            for index in 0..<count {
                descend(node(index).child, level + 1, depth, &reached, freed, row)
            }
        default: reached.brokenCount += 1
        }
    }
}
