/// The page layout of an LMDB 0.9 data file on a 64-bit little-endian machine.
///
/// Source: `mdb.c` of LMDB 0.9.24, structures `MDB_page`, `MDB_node`, `MDB_db` and `MDB_meta`.
@usableFromInline
enum PageFormat {
    /// A page begins with its number (8), padding (2), flags (2), and the ends of the offsets of
    /// its nodes and of its free space (2 each), or for overflow pages their count (4).
    @usableFromInline static let headerBytes = 16
    /// A node begins with 32 bits of size, 16 bits of flags and the size of its key.
    @usableFromInline static let nodeHeaderBytes = 8

    @usableFromInline static let branch: UInt16 = 0x01
    @usableFromInline static let leaf: UInt16 = 0x02
    @usableFromInline static let overflow: UInt16 = 0x04
    static let meta: UInt16 = 0x08
    /// Keys of one size without node headers: only in sets of integers.
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

/// One of the two meta pages, which name the roots of a committed state.
struct MetaPage: Hashable {
    var free: TreeRecord
    var main: TreeRecord
    var lastPage: UInt64
    var transaction: UInt64
    /// The number of the page itself, 0 or 1.
    var page: UInt64

    static let byteCount = PageFormat.headerBytes + 136
    /// Flags of the list of free pages: integer keys, and in most files that it has no folder.
    private static let freeFlags: Set<UInt16> = [0x0008, 0x4008]
    /// Greater ones would need more commits, or a larger file, than there can be.
    private static let mostTransactions: UInt64 = 1 << 56
    private static let mostPages: UInt64 = 1 << 46

    var pageSize: Int { Int(free.padding) }

    /// Reads the page at `start`; `nil` where it is none.
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
        // Only the first record's padding is used, for the page size; the other's stays zero, as do
        // the flags of the table of tables.
        guard main.padding == 0, main.flags == 0, Self.freeFlags.contains(free.flags),
            MetaPages.pageSizes.contains(pageSize), page < 2,
            transaction < Self.mostTransactions, (1..<Self.mostPages).contains(lastPage),
            [free, main].allSatisfy(\.isPlausible)
        else { return nil }
    }

    /// True where the first two pages of a file may name its two newest states: each commit writes
    /// one of the pages, those with even numbers the first one.
    static func areConsecutive(_ first: MetaPage, _ second: MetaPage) -> Bool {
        guard first.page == 0, second.page == 1, first.pageSize == second.pageSize else {
            return false
        }
        // Both pages of a file that nothing was committed to have number 0.
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
    /// True where the depth may be that of a tree, and a tree without a root has nothing.
    fileprivate var isPlausible: Bool {
        guard isEmpty else { return (1...PageFormat.mostLevels).contains(Int(depth)) && root > 1 }
        return depth == 0 && branchPages == 0 && leafPages == 0 && overflowPages == 0
            && entries == 0
    }
}
