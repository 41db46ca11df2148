public import CDaybookLMDB

/// A position in one tree of a file: a row of a leaf, and the branches that lead to it.
@usableFromInline
struct TreeCursor {
    /// The checks that are made on a page when the cursor reaches it.
    @usableFromInline
    enum Checks: Sendable {
        /// Every read stays within the map: enough if the rows' content reveals a lost row.
        case bounds
        /// In addition to `bounds`, nodes fill the page without gaps, so that no row is hidden.
        /// Keys ascend and lie between the keys of the branches above.
        case everything
    }

    /// A page on the way from the root to the row, and the index of the node to follow in it.
    @usableFromInline
    struct Level {
        @usableFromInline var page: UnsafeRawPointer
        /// In a branch, the index of the node that leads to the row; in a leaf, the row's.
        @usableFromInline var index: Int
        @usableFromInline var count: Int

        @inlinable
        init(page: UnsafeRawPointer, index: Int, count: Int) {
            self.page = page
            self.index = index
            self.count = count
        }
    }

    @usableFromInline let pages: PageMap
    let tree: TreeRecord
    let checks: Checks
    /// Pages that cursors of the transaction have checked already; `nil` to check every page.
    private let checkedPages: CheckedPages?
    private var branches: [Level] = []
    /// The leaf, and the index of the cursor's row in it.
    @usableFromInline var leaf: Level

    init(_ pages: PageMap, _ tree: TreeRecord, checks: Checks, checkedPages: CheckedPages? = nil) {
        self.pages = pages
        self.tree = tree
        self.checks = checks
        self.checkedPages = checkedPages
        leaf = Level(page: pages.start, index: 0, count: 0)
    }

    /// Returns the row at the cursor, which must be at a row.
    @inlinable @inline(__always)
    func row() throws(LMDBError) -> PageMap.Row { try pages.row(leaf.page, leaf.index) }

    /// Moves to the first row whose key is not smaller than `key`, or after the last row.
    ///
    /// Pages on the path to the cursor's present position are not checked again.
    ///
    /// - Returns: `true` if that row has the key.
    mutating func seek(_ key: some TreeKey) throws(LMDBError) -> Bool {
        if try findInLeaf(key) { return true }
        if leaf.count > 0, leaf.index == leaf.count { _ = try nextLeaf() }
        return false
    }

    /// Moves to the leaf that covers `key`, and in it to the first row whose key is not smaller.
    ///
    /// If the leaf has no such row, the cursor is after the leaf's last row.
    ///
    /// - Returns: `true` if that row has the key.
    mutating func findInLeaf(_ key: some TreeKey) throws(LMDBError) -> Bool {
        try moveToLeaf(key)
        var (low, high) = (0, leaf.count)
        while low < high {
            let middle = (low + high) / 2
            let order = try key.order(of: pages.key(leaf.page, middle))
            if order == 0 {
                leaf.index = middle
                return true
            }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        leaf.index = low
        return false
    }

    /// Moves to the leaf whose range of keys includes `key`.
    private mutating func moveToLeaf(_ key: some TreeKey) throws(LMDBError) {
        guard leaf.count > 0 else {
            _ = try descendFromRoot(.key(key))
            return
        }
        for level in branches.indices {
            let branch = branches[level]
            guard try !leads(branch, to: key) else { continue }
            let index = try childIndex(branch.page, branch.count, key)
            branches.removeSubrange((level + 1)...)
            branches[level].index = index
            return try descendToLeaf(.key(key))
        }
    }

    /// Returns true if the node at `branch.index` leads to the leaf that covers `key`.
    private func leads(_ branch: Level, to key: some TreeKey) throws(LMDBError) -> Bool {
        if branch.index > 0, try key.order(of: pages.key(branch.page, branch.index)) > 0 {
            return false
        }
        let next = branch.index + 1
        guard next < branch.count else { return true }
        return try key.order(of: pages.key(branch.page, next)) > 0
    }

    /// Moves to the first row. Returns `false` if the tree has no rows.
    mutating func moveToFirst() throws(LMDBError) -> Bool {
        try descendFromRoot(Target<UInt64>.first)
    }

    /// Moves to the last row. Returns `false` if the tree has no rows.
    mutating func moveToLast() throws(LMDBError) -> Bool {
        guard try descendFromRoot(Target<UInt64>.last) else { return false }
        leaf.index = leaf.count - 1
        return true
    }

    /// True if the cursor is at a row; false if it is after the last one.
    @inlinable var isAtRow: Bool { leaf.index < leaf.count }

    /// Moves to the next row. Returns `false` at the end, with the cursor after the last row.
    @inlinable @inline(__always)
    mutating func moveToNext() throws(LMDBError) -> Bool {
        leaf.index += 1
        if leaf.index < leaf.count { return true }
        return try nextLeaf()
    }

    /// Moves to the previous row. Returns `false` if the cursor is at the first row.
    @usableFromInline
    mutating func moveToPrevious() throws(LMDBError) -> Bool {
        if leaf.index > 0 {
            leaf.index -= 1
            return leaf.count > 0
        }
        guard let level = branches.lastIndex(where: { $0.index > 0 }) else { return false }
        branches[level].index -= 1
        branches.removeSubrange((level + 1)...)
        try descendToLeaf(Target<UInt64>.last)
        leaf.index = leaf.count - 1
        return true
    }

    /// Moves from the end of a leaf to the next leaf's first row; `false` at the last leaf.
    @usableFromInline
    mutating func nextLeaf() throws(LMDBError) -> Bool {
        guard let level = branches.lastIndex(where: { $0.index + 1 < $0.count }) else {
            leaf.index = leaf.count
            return false
        }
        branches[level].index += 1
        branches.removeSubrange((level + 1)...)
        try descendToLeaf(Target<UInt64>.first)
        prefetchNextLeaf()
        return true
    }

    /// The row or key to which a descent through the tree leads.
    private enum Target<Key: TreeKey> {
        case first
        case last
        case key(Key)
    }

    /// Goes down from the root to a leaf. Returns `false` if the tree is empty.
    private mutating func descendFromRoot(
        _ target: Target<some TreeKey>
    ) throws(LMDBError) -> Bool {
        branches.removeAll(keepingCapacity: true)
        leaf.index = 0
        leaf.count = 0
        guard !tree.isEmpty else { return false }
        guard (1...PageFormat.maximumDepth).contains(Int(tree.depth)) else { throw .corrupted }
        branches.reserveCapacity(Int(tree.depth))
        try descendToLeaf(target)
        return true
    }

    /// Goes down from the last branch, or from the root, to a leaf. If a page is damaged, the
    /// cursor is at no row afterwards.
    private mutating func descendToLeaf(_ target: Target<some TreeKey>) throws(LMDBError) {
        leaf.index = 0
        leaf.count = 0
        while true {
            var number = tree.root
            if let branch = branches.last { number = try pages.child(branch.page, branch.index) }
            let isLeaf = branches.count + 1 == tree.depth
            let (page, count) = try pages.page(
                number, flags: isLeaf ? PageFormat.leaf : PageFormat.branch)
            if checks == .everything { try check(page, number, count, isLeaf: isLeaf) }
            guard !isLeaf else {
                leaf = Level(page: page, index: 0, count: count)
                return
            }
            guard count > 1 else { throw .corrupted }
            let index =
                switch target {
                case .first: 0
                case .last: count - 1
                case .key(let key): try childIndex(page, count, key)
                }
            branches.append(Level(page: page, index: index, count: count))
        }
    }

    /// Returns the index of the node of a branch below which `key` belongs. It is the last node
    /// whose key is not greater, or else the first node, which covers all smaller keys.
    private func childIndex(
        _ page: UnsafeRawPointer, _ count: Int, _ key: some TreeKey
    ) throws(LMDBError) -> Int {
        var (low, high) = (1, count)
        while low < high {
            let middle = (low + high) / 2
            if try key.order(of: pages.key(page, middle)) <= 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low - 1
    }

    /// Checks the nodes of a page against each other and against the keys in the branches above.
    private func check(
        _ page: UnsafeRawPointer, _ number: UInt64, _ count: Int, isLeaf: Bool
    ) throws(LMDBError) {
        var (first, end): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
        for level in branches {
            if level.index > 0 { first = try pages.key(level.page, level.index) }
            let next = level.index + 1
            if next < level.count { end = try pages.key(level.page, next) }
        }
        if let checkedPages,
            checkedPages.recordChecked(
                page, number: number, root: tree.root, from: first?.baseAddress,
                to: end?.baseAddress)
        {
            return
        }
        do throws(LMDBError) {
            try pages.checkNodes(
                page, count, isLeaf: isLeaf, hasIntegerKeys: tree.hasIntegerKeys, from: first,
                to: end)
        } catch {
            checkedPages?.forget(number: number)
            throw error
        }
    }

    /// Checks the siblings of the pages on the path to the cursor's leaf.
    ///
    /// LMDB moves rows between siblings, or merges siblings, when a row is removed. If it takes
    /// nodes from the next branch, it reads the first key below that branch.
    func checkSiblings() throws(LMDBError) {
        for (level, branch) in branches.enumerated() {
            for index in [branch.index - 1, branch.index + 1]
            where (0..<branch.count).contains(index) {
                var beside = self
                beside.branches.removeSubrange((level + 1)...)
                beside.branches[level].index = index
                let isLeaf = level + 2 == tree.depth
                guard isLeaf || index < branch.index else {
                    try beside.descendToLeaf(Target<UInt64>.first)
                    continue
                }
                let number = try pages.child(branch.page, index)
                let (page, count) = try pages.page(
                    number, flags: isLeaf ? PageFormat.leaf : PageFormat.branch)
                try beside.check(page, number, count, isLeaf: isLeaf)
            }
        }
    }

    /// Returns the rows before and after a cursor that is between two rows.
    func neighbours() throws(LMDBError) -> (before: PageMap.Row?, after: PageMap.Row?) {
        guard !tree.isEmpty else { return (nil, nil) }
        let after = isAtRow ? try row() : nil
        guard leaf.index == 0 else { return (try pages.row(leaf.page, leaf.index - 1), after) }
        var before = self
        return (try before.moveToPrevious() ? before.row() : nil, after)
    }

    /// Throws unless the rows before and after the cursor enclose `key`, which has no row.
    func checkEnclosing(_ key: some TreeKey) throws(LMDBError) {
        let (before, after) = try neighbours()
        if let after, try key.order(of: after.key) <= 0 { throw .corrupted }
        if let before, try key.order(of: before.key) >= 0 { throw .corrupted }
    }
}

extension TreeCursor {
    /// Number of rows by which prefetching is ahead of a scan.
    @inlinable static var prefetchDistance: Int { 4 }

    /// Asks the processor to load a row of the leaf that a scan reaches soon, if there is one.
    @inlinable @inline(__always)
    func prefetch(_ index: Int) {
        guard index >= 0, index < leaf.count else { return }
        let entry = PageFormat.headerBytes + 2 * index
        let offset = leaf.page.loadUnaligned(fromByteOffset: entry, as: UInt16.self)
        daybook_prefetch(leaf.page + Int(offset))
    }

    /// Asks the processor to load the header and the first rows of the next leaf.
    private func prefetchNextLeaf() {
        guard let branch = branches.last, branch.index + 1 < branch.count else { return }
        let number: UInt64
        do throws(LMDBError) { number = try pages.child(branch.page, branch.index + 1) } catch {
            // The read of that page reports the damage.
            return
        }
        guard number < pages.pageCount else { return }
        let page = pages.start + Int(number) * pages.pageSize
        daybook_prefetch(page)
        for end in 1...Self.prefetchDistance { daybook_prefetch(page + pages.pageSize - end * 192) }
    }
}
