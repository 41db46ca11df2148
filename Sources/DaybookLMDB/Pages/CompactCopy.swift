import CDaybookLMDB
import DaybookLibC

/// A reason why a file was not copied.
public enum CopyError: Error, Hashable, Sendable {
    case damaged(PageFault)
    case unreadable(LMDBError)
    /// The copy could not be written; the error is an `errno`.
    case unwritable(LMDBError)
}

/// A compacted copy of one state of a file, which is checked while it is made.
///
/// LMDB's own compaction trusts every page: a damaged one makes it recurse without end, or read and
/// write outside of its memory. Here each page is copied to memory that nobody else changes, and
/// checked there: its number and type, the bounds of its nodes, the overflow pages and trees to
/// which they lead, and that nothing leads to a page twice. Only the order of keys is not checked.
///
/// The copy has the pages of LMDB's compaction in the same order: those below a page come before
/// it, and the root of the list of tables is the last page. Unused bytes are zeros.
struct CompactCopy {
    private let pages: PageMap
    private let output: CopyOutput
    /// Size of the memory map that the copy's meta pages name, in bytes.
    private let mapSize: Int
    private var copiedBits: [UInt64]
    private var nextPage: UInt64 = 2
    /// Memory for the pages on the way from the root to the page that is being copied.
    private var path: [UnsafeMutableRawPointer] = []

    /// A tree that is being copied.
    private struct Tree {
        let record: TreeRecord
        /// The tree's name in messages, such as "table 'events'".
        let name: String
        let isTableList: Bool
        var counts = PageWalk.Counts()
    }

    /// Writes a copy of a state to an open file or pipe, at its current offset. The state's read
    /// transaction must be open meanwhile. What was written before an error is no copy.
    static func write(_ pages: PageMap, mapSize: Int, to descriptor: CInt) throws(CopyError) {
        let output = CopyOutput(to: descriptor, pageSize: pages.pageSize)
        defer { output.end() }
        var copy = CompactCopy(pages, mapSize: mapSize, output)
        defer { for page in copy.path { page.deallocate() } }
        try copy.run()
        try output.finish()
    }

    private init(_ pages: PageMap, mapSize: Int, _ output: CopyOutput) {
        self.pages = pages
        self.mapSize = mapSize
        self.output = output
        copiedBits = Array(repeating: 0, count: Int(pages.pageCount / 64) + 1)
    }

    /// Writes the meta pages, which name the last page, and then the trees.
    private mutating func run() throws(CopyError) {
        let meta = pages.meta
        guard !meta.main.isEmpty else {
            for number in 0..<2 as Range<UInt64> {
                try putMeta(number, main: .empty, lastPage: 1, transaction: 0)
            }
            return
        }
        let last = try lastPage()
        var main = meta.main
        main.root = last
        try putMeta(0, main: .empty, lastPage: 1, transaction: 0)
        try putMeta(1, main: main, lastPage: last, transaction: 1)
        let root = try copyTree(meta.main, "the list of tables", isTableList: true, depth: 0)
        guard root == last else {
            throw .damaged(
                PageFault(
                    page: meta.page,
                    message: "leads to tables with \(root - 1) pages; its last page number and its "
                        + "list of free pages leave \(last - 1)"))
        }
    }

    /// Returns the number of the copy's last page: without the free pages and their list.
    private func lastPage() throws(CopyError) -> UInt64 {
        let meta = pages.meta
        let free: UInt64
        do throws(LMDBError) { free = try pages.freePages().count } catch {
            throw .damaged(
                PageFault(
                    page: meta.free.root,
                    message: "is the root of the list of free pages, which has unexpected content: "
                        + "\(error)"))
        }
        let unused = free &+ meta.free.pageCount
        guard unused < meta.lastPage, meta.lastPage - unused > 1 else {
            throw .damaged(
                PageFault(
                    page: meta.page,
                    message: "gives \(meta.lastPage) as the last page number, but leads to "
                        + "\(unused) free pages"))
        }
        return meta.lastPage - unused
    }

    /// Puts a meta page, as LMDB fills those of a copy.
    private func putMeta(
        _ number: UInt64, main: TreeRecord, lastPage: UInt64, transaction: UInt64
    ) throws(CopyError) {
        let page = try output.nextPage()
        memset(page, 0, pages.pageSize)
        page.storeBytes(of: number, as: UInt64.self)
        page.storeBytes(of: PageFormat.meta, toByteOffset: 10, as: UInt16.self)
        let body = page + PageFormat.headerBytes
        body.storeBytes(of: PageFormat.magic, as: UInt32.self)
        body.storeBytes(of: PageFormat.version, toByteOffset: 4, as: UInt32.self)
        body.storeBytes(of: UInt64(mapSize), toByteOffset: 16, as: UInt64.self)
        var free = TreeRecord.empty
        free.padding = UInt32(pages.pageSize)
        free.flags = UInt16(MDB_NOSUBDIR | MDB_INTEGERKEY)
        free.store(to: body + 24)
        main.store(to: body + 72)
        body.storeBytes(of: lastPage, toByteOffset: 120, as: UInt64.self)
        body.storeBytes(of: transaction, toByteOffset: 128, as: UInt64.self)
        output.commitPage()
    }
}

extension CompactCopy {
    /// Copies the pages of a tree, and returns the number of its root in the copy.
    ///
    /// - Parameter depth: the number of pages in `path` above the tree.
    private mutating func copyTree(
        _ record: TreeRecord, _ name: String, isTableList: Bool = false, depth: Int
    ) throws(CopyError) -> UInt64 {
        var tree = Tree(record: record, name: name, isTableList: isTableList)
        var root = record.root
        if !record.isEmpty {
            guard (1...PageFormat.maximumDepth).contains(Int(record.depth)) else {
                throw .damaged(
                    PageFault(
                        page: root,
                        message: "is the root of \(name) with the invalid depth \(record.depth)"))
            }
            root = try copyPage(root, 1, &tree, depth: depth)
        }
        if let fault = record.fault(of: tree.counts, name) { throw .damaged(fault) }
        return root
    }

    /// Copies a page and those below it, and returns its number in the copy; the root is level 1.
    private mutating func copyPage(
        _ number: UInt64, _ level: Int, _ tree: inout Tree, depth: Int
    ) throws(CopyError) -> UInt64 {
        let pages = pages
        try markCopied(number, 1, from: number, tree)
        let isLeaf = level == Int(tree.record.depth)
        let copy = try output.nextPage()
        memcpy(copy, pages.start + Int(number) * pages.pageSize, pages.pageSize)
        let (count, flags) = try reading(number, tree) { () throws(LMDBError) in
            let count = try pages.nodeCount(
                of: copy, number, flags: isLeaf ? PageFormat.leaf : PageFormat.branch)
            return (count, try pages.checkNodeBounds(copy, count, isLeaf: isLeaf))
        }
        clearGap(of: copy)
        guard !isLeaf || flags != 0 else {
            tree.counts.leafCount += 1
            tree.counts.rowCount += UInt64(count)
            return commit(copy)
        }
        // The pages below come first.
        let page = pathPage(depth)
        memcpy(page, copy, pages.pageSize)
        for index in 0..<count {
            let (node, _) = try reading(number, tree) { () throws(LMDBError) in
                try pages.node(page, index)
            }
            let offset = node - UnsafeRawPointer(page)
            if isLeaf {
                try copyRow(page + offset, number, &tree, depth: depth)
            } else {
                let child = try reading(number, tree) { () throws(LMDBError) in
                    try pages.child(page, index)
                }
                let copied = try copyPage(child, level + 1, &tree, depth: depth + 1)
                (page + offset).storeBytes(of: UInt32(truncatingIfNeeded: copied), as: UInt32.self)
                (page + offset).storeBytes(
                    of: UInt16(truncatingIfNeeded: copied >> 32), toByteOffset: 4, as: UInt16.self)
            }
        }
        if isLeaf { tree.counts.leafCount += 1 } else { tree.counts.branchCount += 1 }
        let place = try output.nextPage()
        memcpy(place, page, pages.pageSize)
        return commit(place)
    }

    /// Copies the pages to which a node of a leaf leads, and makes it lead to the copies.
    ///
    /// The bounds of the node have been checked.
    private mutating func copyRow(
        _ node: UnsafeMutableRawPointer, _ number: UInt64, _ tree: inout Tree, depth: Int
    ) throws(CopyError) {
        let byteCount = Int(node.loadUnaligned(as: UInt32.self))
        let flags = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let keyByteCount = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        let key = UnsafeRawBufferPointer(
            start: node + PageFormat.nodeHeaderBytes, count: keyByteCount)
        let data = node + PageFormat.nodeHeaderBytes + keyByteCount
        tree.counts.rowCount += 1
        switch flags {
        case 0: return
        case PageFormat.largeFlag:
            let first = data.loadUnaligned(as: UInt64.self)
            let copied = try copyValue(first, byteCount, number, &tree)
            data.storeBytes(of: copied, as: UInt64.self)
        case PageFormat.treeFlag where tree.isTableList && byteCount == PageFormat.treeRecordBytes:
            let name = "table '\(String(decoding: key, as: UTF8.self))'"
            let root = try copyTree(TreeRecord(at: data), name, depth: depth + 1)
            data.storeBytes(of: root, toByteOffset: TreeRecord.rootOffset, as: UInt64.self)
        default: throw fault(number, tree, .corrupted)
        }
    }

    /// Copies a value on overflow pages of a leaf, and returns the number of the first in the copy.
    private mutating func copyValue(
        _ first: UInt64, _ byteCount: Int, _ leaf: UInt64, _ tree: inout Tree
    ) throws(CopyError) -> UInt64 {
        let pages = pages
        let count = try reading(leaf, tree) { () throws(LMDBError) in
            try pages.overflowPages(first, byteCount: byteCount)
        }
        try markCopied(first, count, from: leaf, tree)
        let start = pages.start + Int(first) * pages.pageSize
        let end = PageFormat.headerBytes + byteCount
        for index in 0..<Int(count) {
            let offset = index * pages.pageSize
            let used = max(0, min(end - offset, pages.pageSize))
            let copy = try output.nextPage()
            memcpy(copy, start + offset, used)
            memset(copy + used, 0, pages.pageSize - used)
            if index == 0 {
                copy.storeBytes(of: nextPage, as: UInt64.self)
                copy.storeBytes(of: PageFormat.overflow, toByteOffset: 10, as: UInt16.self)
                copy.storeBytes(of: UInt32(count), toByteOffset: 12, as: UInt32.self)
            }
            output.commitPage()
        }
        tree.counts.overflowPageCount += count
        defer { nextPage += count }
        return nextPage
    }

    /// Adds a page that fills the room of the next one, and returns its number in the copy.
    private mutating func commit(_ page: UnsafeMutableRawPointer) -> UInt64 {
        page.storeBytes(of: nextPage, as: UInt64.self)
        output.commitPage()
        defer { nextPage += 1 }
        return nextPage
    }

    /// Returns memory for the page at this place of `path`.
    private mutating func pathPage(_ depth: Int) -> UnsafeMutableRawPointer {
        while path.count <= depth {
            path.append(.allocate(byteCount: pages.pageSize, alignment: PageFormat.headerBytes))
        }
        return path[depth]
    }

    /// Zeroes the bytes between offsets and nodes of a page, whose header was checked.
    private func clearGap(of page: UnsafeMutableRawPointer) {
        let lower = Int(page.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        let upper = Int(page.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
        memset(page + lower, 0, upper - lower)
    }

    /// Records pages of the file as copied; throws for a page copied already or not in the file.
    private mutating func markCopied(
        _ first: UInt64, _ count: UInt64, from page: UInt64, _ tree: Tree
    ) throws(CopyError) {
        guard first > 1, first < pages.pageCount, count <= pages.pageCount - first else {
            throw fault(page, tree, .pageNotFound)
        }
        for number in first..<first + count {
            let (word, bit) = (Int(number / 64), UInt64(1) << (number % 64))
            guard copiedBits[word] & bit == 0 else {
                throw .damaged(PageFault(page: number, message: "is used twice"))
            }
            copiedBits[word] |= bit
        }
    }

    @inline(__always)
    private func reading<Result>(
        _ number: UInt64, _ tree: Tree, _ body: () throws(LMDBError) -> Result
    ) throws(CopyError) -> Result {
        do throws(LMDBError) { return try body() } catch { throw fault(number, tree, error) }
    }

    /// Returns the error of a page that is not what its place in a tree requires.
    private func fault(_ page: UInt64, _ tree: Tree, _ error: LMDBError) -> CopyError {
        .damaged(PageFault(page: page, message: "is not a valid page of \(tree.name): \(error)"))
    }
}
