#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A place in one tree of a file: a row of a leaf, and the pages that lead to it.
@usableFromInline
struct TreeCursor {
    /// How much of a page is checked when the cursor comes to it.
    @usableFromInline
    enum Checks: Sendable {
        /// No read leaves the map. Enough where the rows themselves show that none is missing.
        case bounds
        /// Also that nodes fill the page without gaps, keys ascend, and lie between those that the
        /// branches above name: no row of the page is hidden.
        case everything
    }

    @usableFromInline
    struct Level {
        @usableFromInline var page: UnsafeRawPointer
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
    /// The pages above the leaf, from the root on.
    private var branches: [Level] = []
    /// The leaf and the place in it.
    @usableFromInline var leaf: Level

    init(_ pages: PageMap, _ tree: TreeRecord, checks: Checks) {
        self.pages = pages
        self.tree = tree
        self.checks = checks
        leaf = Level(page: pages.start, index: 0, count: 0)
    }

    /// The row at the cursor, which must be at one.
    @inlinable @inline(__always)
    func row() throws(LMDBError) -> PageMap.Row { try pages.row(leaf.page, leaf.index) }

    /// Goes to the first row whose key is not smaller than `key`; behind the last row where there
    /// is none.
    ///
    /// - Returns: whether that row has the key.
    mutating func seek(_ key: some TreeKey) throws(LMDBError) -> Bool {
        guard try descend(.key(key)) else { return false }
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
        if low == leaf.count { _ = try nextLeaf() }
        return false
    }

    /// Goes to the first row. `false` where there is none.
    mutating func first() throws(LMDBError) -> Bool {
        try descend(Target<UInt64>.first)
    }

    /// Goes to the last row. `false` where there is none.
    mutating func last() throws(LMDBError) -> Bool {
        guard try descend(Target<UInt64>.last) else { return false }
        leaf.index = leaf.count - 1
        return true
    }

    /// True where the cursor is at a row, and not behind the last one.
    @inlinable var isAtRow: Bool { leaf.index < leaf.count }

    /// True where no leaf follows the one that the cursor is at.
    var isOnLastLeaf: Bool { branches.allSatisfy { $0.index + 1 == $0.count } }

    /// Goes to the next row. `false` at the end, where the cursor stays behind the last row.
    @inlinable @inline(__always)
    mutating func next() throws(LMDBError) -> Bool {
        leaf.index += 1
        if leaf.index < leaf.count { return true }
        return try nextLeaf()
    }

    /// Goes to the row before. `false` where there is none.
    @usableFromInline
    mutating func previous() throws(LMDBError) -> Bool {
        if leaf.index > 0 {
            leaf.index -= 1
            return leaf.count > 0
        }
        guard let level = branches.lastIndex(where: { $0.index > 0 }) else { return false }
        branches[level].index -= 1
        branches.removeSubrange((level + 1)...)
        try fall(Target<UInt64>.last)
        leaf.index = leaf.count - 1
        return true
    }

    /// Goes from the end of a leaf to the first row of the next.
    @usableFromInline
    mutating func nextLeaf() throws(LMDBError) -> Bool {
        guard let level = branches.lastIndex(where: { $0.index + 1 < $0.count }) else {
            leaf.index = leaf.count
            return false
        }
        branches[level].index += 1
        branches.removeSubrange((level + 1)...)
        try fall(Target<UInt64>.first)
        return true
    }

    private enum Target<Key: TreeKey> {
        case first
        case last
        case key(Key)
    }

    private mutating func descend(_ target: Target<some TreeKey>) throws(LMDBError) -> Bool {
        branches.removeAll(keepingCapacity: true)
        leaf.index = 0
        leaf.count = 0
        guard !tree.isEmpty else { return false }
        guard (1...PageFormat.mostLevels).contains(Int(tree.depth)) else { throw .corrupted }
        branches.reserveCapacity(Int(tree.depth))
        try fall(target)
        return true
    }

    /// Goes down from the last branch, or the root, to a leaf.
    private mutating func fall(_ target: Target<some TreeKey>) throws(LMDBError) {
        while true {
            var number = tree.root
            if let branch = branches.last { number = try pages.child(branch.page, branch.index) }
            let isLeaf = branches.count + 1 == tree.depth
            let (page, count) = try pages.page(
                number, flags: isLeaf ? PageFormat.leaf : PageFormat.branch)
            if checks == .everything { try check(page, count, isLeaf: isLeaf) }
            guard !isLeaf else {
                leaf = Level(page: page, index: 0, count: count)
                return
            }
            guard count > 1 else { throw .corrupted }
            let index =
                switch target {
                case .first: 0
                case .last: count - 1
                case .key(let key): try search(page, count, key)
                }
            branches.append(Level(page: page, index: index, count: count))
        }
    }

    /// The last node of a branch whose key is not greater; the first one stands for all smaller.
    private func search(
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

    /// Checks a whole page that the branches above lead to.
    private func check(
        _ page: UnsafeRawPointer, _ count: Int, isLeaf: Bool
    ) throws(LMDBError) {
        let hasIntegers = tree.hasIntegerKeys
        let firstKey = isLeaf ? 0 : 1
        try pages.checkNodes(page, count, isLeaf: isLeaf)
        var previous: UnsafeRawBufferPointer?
        for level in branches where level.index > 0 {
            previous = try pages.key(level.page, level.index)
        }
        for index in firstKey..<count {
            let key = try pages.key(page, index)
            if hasIntegers, key.count != 8 { throw .corrupted }
            if let previous {
                let order = compare(previous, key, asIntegers: hasIntegers)
                // A leaf may begin with the very key that the branch names.
                guard order < 0 || (order == 0 && index == firstKey) else { throw .corrupted }
            }
            previous = key
        }
        guard let last = previous,
            let level = branches.last(where: { $0.index + 1 < $0.count })
        else { return }
        let bound = try pages.key(level.page, level.index + 1)
        guard compare(last, bound, asIntegers: hasIntegers) < 0 else { throw .corrupted }
    }
}

extension PageMap {
    /// Checks that the nodes of a page fill it up from where its free space ends.
    ///
    /// LMDB leaves no gaps between them, so that a count, an offset or a size that was changed
    /// shows in the sum.
    func checkNodes(
        _ page: UnsafeRawPointer, _ count: Int, isLeaf: Bool
    ) throws(LMDBError) {
        let upper = Int(page.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
        var sum = 0
        for index in 0..<count {
            let (node, rest) = try node(page, index)
            guard pageSize - rest >= upper else { throw .corrupted }
            let size = try nodeBytes(node, isLeaf: isLeaf)
            guard size <= rest else { throw .corrupted }
            sum += size
        }
        guard sum == pageSize - upper else { throw .corrupted }
    }

    private func nodeBytes(
        _ node: UnsafeRawPointer, isLeaf: Bool
    ) throws(LMDBError) -> Int {
        let flags = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        var size =
            PageFormat.nodeHeaderBytes
            + Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        if isLeaf {
            let isLarge = flags & PageFormat.isLarge != 0
            size += isLarge ? 8 : Int(node.loadUnaligned(as: UInt32.self))
        }
        return (size + 1) & ~1
    }
}

/// A key as a tree orders it.
protocol TreeKey {
    /// Negative where a stored key is smaller than this one, positive where it is greater.
    func order(of stored: UnsafeRawBufferPointer) throws(LMDBError) -> Int
}

extension UInt64: TreeKey {
    func order(of stored: UnsafeRawBufferPointer) throws(LMDBError) -> Int {
        guard stored.count == 8 else { throw .corrupted }
        let stored = stored.loadUnaligned(as: UInt64.self)
        return stored == self ? 0 : stored < self ? -1 : 1
    }
}

extension UnsafeRawBufferPointer: TreeKey {
    func order(of stored: UnsafeRawBufferPointer) throws(LMDBError) -> Int {
        compare(stored, self, asIntegers: false)
    }
}

/// The order of two stored keys: negative where `a` comes first.
func compare(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, asIntegers: Bool
) -> Int {
    if asIntegers, a.count == 8, b.count == 8 {
        let (a, b) = (a.loadUnaligned(as: UInt64.self), b.loadUnaligned(as: UInt64.self))
        return a == b ? 0 : a < b ? -1 : 1
    }
    let common = min(a.count, b.count)
    if common > 0, let a = a.baseAddress, let b = b.baseAddress {
        let order = Int(memcmp(a, b, common))
        if order != 0 { return order }
    }
    return a.count - b.count
}
