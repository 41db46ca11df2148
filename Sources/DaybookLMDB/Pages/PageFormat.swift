/// The page layout of an LMDB 0.9 data file on a 64-bit little-endian machine.
///
/// Source: `mdb.c` of LMDB 0.9.24, structures `MDB_page`, `MDB_node`, `MDB_db` and `MDB_meta`.
@usableFromInline
enum PageFormat {
    /// Size of a page header in bytes.
    ///
    /// The header holds the page number (8 bytes), padding (2), flags (2), the end of the node
    /// offsets (2) and the end of the free space (2). Overflow pages have their count (4) instead
    /// of the two ends.
    @usableFromInline static let headerBytes = 16
    /// Size of a node header in bytes: the size of the data (4 bytes), flags (2) and the size of
    /// the key (2).
    @usableFromInline static let nodeHeaderBytes = 8

    /// Flag of a branch, a page whose nodes lead to other pages.
    @usableFromInline static let branch: UInt16 = 0x01
    /// Flag of a leaf, a page whose nodes are rows.
    @usableFromInline static let leaf: UInt16 = 0x02
    /// Flag of the first overflow page of a value that does not fit on a leaf.
    @usableFromInline static let overflow: UInt16 = 0x04
    /// Flag of a meta page.
    static let meta: UInt16 = 0x08
    /// Page flag: keys of one size without node headers, used only in sets of integers.
    static let fixedKeys: UInt16 = 0x20

    /// Node flag: the data is on overflow pages.
    @usableFromInline static let largeFlag: UInt16 = 0x01
    /// Node flag: the data is the record of a tree.
    static let treeFlag: UInt16 = 0x02
    /// Node flag: the data is a set of values.
    static let setFlag: UInt16 = 0x04

    static let magic: UInt32 = 0xBEEF_C0DE
    static let version: UInt32 = 1
    static let treeRecordBytes = 48
    /// The number that replaces the number of the root page if a tree is empty.
    static let noPage = UInt64.max
    /// Number of levels of the deepest tree that LMDB handles.
    static let maximumDepth = 32
}

/// The record with which LMDB describes one tree: its structure `MDB_db`.
struct TreeRecord: Hashable {
    /// The page size, in the record of the list of free pages; otherwise 0.
    var padding: UInt32
    /// LMDB's flags of the table, such as `MDB_INTEGERKEY` (8).
    var flags: UInt16
    /// Number of levels, including the leaves; 0 for an empty tree.
    var depth: UInt16
    var branchPageCount: UInt64
    var leafPageCount: UInt64
    /// Number of pages that hold values too large for a leaf.
    var overflowPageCount: UInt64
    var rowCount: UInt64
    /// Number of the root page; `PageFormat.noPage` for an empty tree.
    var root: UInt64

    static let empty = TreeRecord(
        padding: 0, flags: 0, depth: 0, branchPageCount: 0, leafPageCount: 0, overflowPageCount: 0,
        rowCount: 0, root: PageFormat.noPage)

    var isEmpty: Bool { root == PageFormat.noPage }
}

extension TreeRecord {
    /// Reads the 48 bytes of a record at `start`.
    init(at start: UnsafeRawPointer) {
        padding = start.loadUnaligned(as: UInt32.self)
        flags = start.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        depth = start.loadUnaligned(fromByteOffset: 6, as: UInt16.self)
        branchPageCount = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        leafPageCount = start.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        overflowPageCount = start.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
        rowCount = start.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
        root = start.loadUnaligned(fromByteOffset: Self.rootOffset, as: UInt64.self)
    }

    /// Offset of the number of the root page within a record.
    static let rootOffset = 40

    /// Writes the 48 bytes of the record to `start`.
    func store(to start: UnsafeMutableRawPointer) {
        start.storeBytes(of: padding, as: UInt32.self)
        start.storeBytes(of: flags, toByteOffset: 4, as: UInt16.self)
        start.storeBytes(of: depth, toByteOffset: 6, as: UInt16.self)
        start.storeBytes(of: branchPageCount, toByteOffset: 8, as: UInt64.self)
        start.storeBytes(of: leafPageCount, toByteOffset: 16, as: UInt64.self)
        start.storeBytes(of: overflowPageCount, toByteOffset: 24, as: UInt64.self)
        start.storeBytes(of: rowCount, toByteOffset: 32, as: UInt64.self)
        start.storeBytes(of: root, toByteOffset: Self.rootOffset, as: UInt64.self)
    }
}

/// One of the two meta pages, each of which leads to the trees of a committed state.
struct MetaPage: Hashable {
    /// The record of the tree that lists the free pages.
    var free: TreeRecord
    /// The record of the tree that lists the tables.
    var main: TreeRecord
    /// Number of the last page of the state.
    var lastPage: UInt64
    /// Number of the transaction that committed the state.
    var transaction: UInt64
    /// Number of the meta page itself, 0 or 1.
    var page: UInt64

    /// Number of bytes that LMDB uses of a meta page.
    static let byteCount = PageFormat.headerBytes + 136
    /// Valid flags of the list of free pages: `MDB_INTEGERKEY`, mostly with `MDB_NOSUBDIR`.
    private static let freeFlags: Set<UInt16> = [0x0008, 0x4008]
    /// Limit of transaction numbers: a greater number would need more commits than are possible.
    private static let transactionLimit: UInt64 = 1 << 56
    /// Limit of page numbers: a greater number would need a larger file than is possible.
    private static let pageLimit: UInt64 = 1 << 46

    var pageSize: Int { Int(free.padding) }

    /// Reads the meta page at `start`; `nil` if the bytes are not a valid meta page.
    init?(at start: UnsafeRawPointer) {
        let body = start + PageFormat.headerBytes
        let flags = start.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
        guard flags == PageFormat.meta, body.loadUnaligned(as: UInt32.self) == PageFormat.magic,
            body.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == PageFormat.version
        else { return nil }
        free = TreeRecord(at: body + 24)
        main = TreeRecord(at: body + 72)
        lastPage = body.loadUnaligned(fromByteOffset: 120, as: UInt64.self)
        transaction = body.loadUnaligned(fromByteOffset: 128, as: UInt64.self)
        page = start.loadUnaligned(as: UInt64.self)
        // LMDB uses only the padding of the first record, for the page size. The padding of the
        // second record stays zero, as do the flags of the list of tables.
        guard main.padding == 0, main.flags == 0, Self.freeFlags.contains(free.flags),
            MetaPages.pageSizes.contains(pageSize), page < 2, transaction < Self.transactionLimit,
            (1..<Self.pageLimit).contains(lastPage), [free, main].allSatisfy(\.isPlausible)
        else { return nil }
    }

    /// Returns true if the two meta pages of a file can name its two newest states. Each commit
    /// writes one of the pages: commits with even numbers write the first page.
    static func areConsecutive(_ first: MetaPage, _ second: MetaPage) -> Bool {
        guard first.page == 0, second.page == 1, first.pageSize == second.pageSize else {
            return false
        }
        // Before the first commit, both pages have number 0.
        if first.transaction == 0, second.transaction == 0 {
            return first.isEmpty && second.isEmpty
        }
        return first.transaction & 1 == 0
            && (first.transaction == second.transaction + 1
                || second.transaction == first.transaction + 1)
    }

    var isEmpty: Bool { main.isEmpty && free.isEmpty }
}

extension TreeRecord {
    /// True if the depth is possible and, for an empty tree, all counts are 0.
    fileprivate var isPlausible: Bool {
        guard isEmpty else { return (1...PageFormat.maximumDepth).contains(Int(depth)) && root > 1 }
        return depth == 0 && branchPageCount == 0 && leafPageCount == 0 && overflowPageCount == 0
            && rowCount == 0
    }
}
