/// The page layout of an LMDB 0.9 data file on a 64-bit little-endian machine.
///
/// Source: `mdb.c` of LMDB 0.9.24, structures `MDB_page`, `MDB_node`, `MDB_db` and `MDB_meta`.
@usableFromInline
enum PageFormat {
    /// Size of a page header.
    ///
    /// The header holds the page number (8 bytes), padding (2), flags (2), the end of the node
    /// offsets (2) and the end of the free space (2). Overflow pages have their count (4) instead
    /// of the two ends.
    @usableFromInline static let headerBytes = 16
    /// Size of a node header: the size of the data (4 bytes), flags (2) and the size of the key
    /// (2).
    @usableFromInline static let nodeHeaderBytes = 8

    @usableFromInline static let branch: UInt16 = 0x01
    @usableFromInline static let leaf: UInt16 = 0x02
    @usableFromInline static let overflow: UInt16 = 0x04
    static let meta: UInt16 = 0x08
    /// Flag of pages with keys of one size and without node headers, used only in sets of integers.
    static let fixedKeys: UInt16 = 0x20

    /// The data of a node lie on overflow pages.
    @usableFromInline static let isLarge: UInt16 = 0x01
    /// The data of a node are the record of a tree.
    static let isTree: UInt16 = 0x02
    /// The data of a node are a set.
    static let isSet: UInt16 = 0x04

    static let magic: UInt32 = 0xBEEF_C0DE
    static let version: UInt32 = 1
    static let treeRecordBytes = 48
    /// The root of an empty tree.
    static let noPage = UInt64.max
    /// Levels of the deepest tree that LMDB handles.
    static let mostLevels = 32
}

/// The record of one tree, as LMDB keeps it: `MDB_db`.
struct TreeRecord: Hashable {
    var padding: UInt32
    var flags: UInt16
    var depth: UInt16
    var branchPages: UInt64
    var leafPages: UInt64
    var overflowPages: UInt64
    var entries: UInt64
    var root: UInt64

    static let empty = TreeRecord(
        padding: 0, flags: 0, depth: 0, branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0,
        root: PageFormat.noPage)

    var isEmpty: Bool { root == PageFormat.noPage }
}

extension TreeRecord {
    /// Reads the 48 bytes at `start`.
    init(at start: UnsafeRawPointer) {
        padding = start.loadUnaligned(as: UInt32.self)
        flags = start.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        depth = start.loadUnaligned(fromByteOffset: 6, as: UInt16.self)
        branchPages = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        leafPages = start.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        overflowPages = start.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
        entries = start.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
        root = start.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
    }
}

/// One of the two meta pages, each of which names the roots of a committed state.
struct MetaPage: Hashable {
    var free: TreeRecord
    var main: TreeRecord
    var lastPage: UInt64
    var transaction: UInt64
    /// The number of the page itself, 0 or 1.
    var page: UInt64

    static let byteCount = PageFormat.headerBytes + 136
    /// Valid flags of the list of free pages: `MDB_INTEGERKEY`, mostly with `MDB_NOSUBDIR`.
    private static let freeFlags: Set<UInt16> = [0x0008, 0x4008]
    /// Upper limit: a greater number would need more commits than are possible.
    private static let mostTransactions: UInt64 = 1 << 56
    private static let mostPages: UInt64 = 1 << 46

    var pageSize: Int { Int(free.padding) }

    /// Reads the meta page at `start`; `nil` if the bytes are not a valid meta page.
    init?(at start: UnsafeRawPointer) {
        let body = start + PageFormat.headerBytes
        let flags = start.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
        guard flags == PageFormat.meta,
            body.loadUnaligned(as: UInt32.self) == PageFormat.magic,
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
            MetaPages.pageSizes.contains(pageSize), page < 2,
            transaction < Self.mostTransactions, (1..<Self.mostPages).contains(lastPage),
            [free, main].allSatisfy(\.isPlausible)
        else { return nil }
    }

    /// True if the first two pages of a file may name its two newest states.
    ///
    /// Each commit writes one of the pages: commits with even numbers write the first page.
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

    /// True for the state before the first commit.
    var isEmpty: Bool { main.isEmpty && free.isEmpty }
}

extension TreeRecord {
    /// True if the depth is plausible, and a tree without a root has no pages and no records.
    fileprivate var isPlausible: Bool {
        guard isEmpty else { return (1...PageFormat.mostLevels).contains(Int(depth)) && root > 1 }
        return depth == 0 && branchPages == 0 && leafPages == 0 && overflowPages == 0
            && entries == 0
    }
}
