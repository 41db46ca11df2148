import CDaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB

/// Compacted copies of whole and damaged files.
@Suite("Copies of a file") struct CopyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a file with a table of three levels, some of whose values are on overflow pages, and a
    /// table of one leaf.
    private func makeFile() throws -> String {
        let path = folder.path("file")
        let environment = try Environment(path: path)
        let tables = try environment.open([("rows", .integers), ("texts", .bytes)])
        for part in 0..<3 as Range<UInt64> {
            var transaction = try WriteTransaction(in: environment)
            for key in part * 1_000..<(part + 1) * 1_000 {
                let count = key % 50 == 0 ? 9_000 : 60 + Int(key * 37 % 900)
                let value = [UInt8](repeating: UInt8(key % 251), count: count)
                try transaction.put(value.rawSpan, for: key, in: tables[0])
            }
            let (key, value) = ([UInt8(part)], [UInt8(7)])
            try transaction.put(value.rawSpan, for: key.rawSpan, in: tables[1])
            try transaction.commit()
        }
        return path
    }

    /// Returns the newest state of a file that is not open.
    private func pages(_ path: String) throws -> PageMap {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        let byteCount = try FileMap.size(of: file)
        return try PageMap(
            newestOf: FileMap.map(file, covering: byteCount), fileBytes: byteCount)
    }

    /// Copies the newest state of a file that is not open, and returns the error.
    private func copyFailure(_ path: String) throws -> CopyError? {
        let pages = try pages(path)
        return try failure { (file) throws(CopyError) in
            try CompactCopy.write(pages, mapSize: 1 << 30, to: file)
        }
    }

    /// Returns the error of a copy to a new file.
    private func failure(_ copy: (CInt) throws(CopyError) -> Void) throws -> CopyError? {
        let file = open(folder.path("copy"), O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        do throws(CopyError) {
            try copy(file)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the fault of a damaged page; a failed expectation for another result of a copy.
    private func fault(_ failure: CopyError?) -> PageFault? {
        if case .damaged(let fault) = failure { return fault }
        Issue.record("the copy ended with \(String(describing: failure))")
        return nil
    }

    // MARK: Whole files

    /// Returns the bytes of a copy with zeros for those that mean nothing.
    private func meaningfulBytes(_ path: String) throws -> Data {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let pages = try pages(path)
        #expect(pages.faults() == [])
        var walk = GapWalk(pages)
        #expect(try walk.run())
        for gap in walk.gaps { bytes.resetBytes(in: gap) }
        return bytes
    }

    /// Copies an open file with this package and with LMDB, and compares the copies.
    private func compareCopies(of environment: Environment, _ comment: Comment) throws {
        let (ours, theirs) = (folder.path("ours"), folder.path("theirs"))
        let files = [ours, theirs].map { (path: String) -> CInt in
            open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        }
        defer { for file in files { close(file) } }
        try environment.copy(to: files[0])
        let code = mdb_env_copyfd2(environment.handle, files[1], UInt32(MDB_CP_COMPACT))
        #expect(code == MDB_SUCCESS)
        let copy = try Data(contentsOf: URL(fileURLWithPath: ours))
        let same = try meaningfulBytes(theirs) == copy
        #expect(same, comment)
    }

    @Test("A copy has the bytes of LMDB's own compaction, with zeros in unused places")
    func equalToLMDB() throws {
        let path = try makeFile()
        try compareCopies(of: try Environment(path: path), "three levels")
        let empty = try Environment(path: folder.path("empty"))
        try compareCopies(of: empty, "no tables")
        _ = try empty.open([("rows", .integers)])
        try compareCopies(of: empty, "an empty table")
    }

    @Test("A copy of a file with a history equals LMDB's", arguments: 1...6 as ClosedRange<UInt64>)
    func equalAfterHistory(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let environment = try Environment(path: folder.path("file"))
        let tables = try environment.open([
            ("rows", .integers), ("texts", .bytes), ("more", .integers),
        ])
        for round in 1...12 {
            var transaction = try WriteTransaction(in: environment)
            for _ in 0..<Int.random(in: 0...400, using: &generator) {
                let key = UInt64.random(in: 0..<900, using: &generator)
                let bytes = withUnsafeBytes(of: key.bigEndian) { Array($0) }
                let limit = [40, 40, 900, 12_000].randomElement(using: &generator) ?? 40
                let value = [UInt8](
                    repeating: UInt8(round), count: Int.random(in: 0..<limit, using: &generator))
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: try transaction.put(value.rawSpan, for: key, in: tables[0])
                case 1: try transaction.put(value.rawSpan, for: bytes.rawSpan, in: tables[1])
                case 2: try transaction.put(value.rawSpan, for: key, in: tables[2])
                default: break
                }
            }
            try transaction.commit()
            if round % 5 == 0 {
                var transaction = try WriteTransaction(in: environment)
                try transaction.clear(tables[round % 3])
                try transaction.commit()
            }
            if round % 4 == 0 {
                try compareCopies(of: environment, "seed \(seed), round \(round)")
            }
        }
    }

    @Test("A descriptor that cannot be written is an error, and a pipe without a reader no signal")
    func unwritable() throws {
        let environment = try Environment(path: try makeFile())
        let file = open(folder.path("file"), O_RDONLY)
        defer { close(file) }
        #expect(throws: CopyError.unwritable(LMDBError(rawValue: EBADF))) {
            try environment.copy(to: file)
        }
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        #expect(throws: CopyError.unwritable(LMDBError(rawValue: EPIPE))) {
            try environment.copy(to: ends[1])
        }
    }

    // MARK: Damaged files

    /// Damage made by hand.
    enum Damage: CaseIterable {
        case tableInLeaf, tableInTable, setInLeaf, branchToRoot, branchTwice, branchToMeta
        case branchPastEnd, leafAsBranch, overflowPastEnd, overflowTooLong, overflowTwice
        case depthTooGreat, depthOneMore, depthOneLess, twoTablesOnePage, rootPastEnd
        case nodePastPage, boundsPastPage, boundsCrossed, valuePastPage, dirtyPage, rowCount
        case freeCount, freeListSet
    }

    /// Pages of the file that `makeFile` makes, and offsets of their nodes in the file.
    private struct Places {
        let pageSize: Int
        /// The root of `rows`, the first branch below it, and the first leaf below that.
        var root: UInt64 = 0
        var branch: UInt64 = 0
        var leaf: UInt64 = 0
        /// Nodes of a small row, of two large rows, and of the record of each table.
        var row = 0
        var large: [Int] = []
        var largeLeaf: UInt64 = 0
        var records: [Int] = []
        var mainRoot: UInt64 = 0
        var freeRoot: UInt64 = 0
        var freeRow = 0

        /// Offset of the data of a node with a key of `keyByteCount` bytes.
        func data(_ node: Int, _ keyByteCount: Int) -> Int { node + 8 + keyByteCount }
    }

    private func places(_ pages: PageMap) throws -> Places {
        var places = Places(pageSize: pages.pageSize)
        let tree = try #require(try pages.tree(named: "rows"))
        #expect(tree.depth == 3)
        places.root = tree.root
        places.branch = try pages.child(
            try pages.page(tree.root, flags: PageFormat.branch).0, 0)
        places.leaf = try pages.child(
            try pages.page(places.branch, flags: PageFormat.branch).0, 0)
        var cursor = TreeCursor(pages, tree, checks: .everything)
        var isAtRow = try cursor.moveToFirst()
        while isAtRow, places.large.count < 2 {
            let (leaf, index) = (cursor.leaf.page, cursor.leaf.index)
            let offset = try pages.node(leaf, index).0 - pages.start
            let number = leaf.loadUnaligned(as: UInt64.self)
            if try pages.isLarge(leaf, index) {
                places.large.append(offset)
                places.largeLeaf = number
            } else if number == places.leaf, places.row == 0 {
                places.row = offset
            }
            isAtRow = try cursor.moveToNext()
        }
        places.mainRoot = pages.meta.main.root
        let main = try pages.page(places.mainRoot, flags: PageFormat.leaf)
        for index in 0..<main.1 {
            places.records.append(try pages.node(main.0, index).0 - pages.start)
        }
        places.freeRoot = pages.meta.free.root
        let free = try pages.page(places.freeRoot, flags: PageFormat.leaf)
        places.freeRow = try pages.node(free.0, 0).0 - pages.start
        return places
    }

    /// Damages a file, and returns the page that the error names; `nil` for any.
    private func inflict(_ damage: Damage, _ places: Places, _ bytes: inout Data) -> UInt64? {
        let size = places.pageSize
        func put<Value: FixedWidthInteger>(_ value: Value, _ offset: Int) {
            withUnsafeBytes(of: value.littleEndian) {
                bytes.replaceSubrange(
                    offset..<offset + $0.count, with: $0)
            }
        }
        func number<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Value {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
        }
        func child(of page: UInt64, _ index: Int) -> Int {
            let start = Int(page) * size
            return start + Int(number(start + 16 + 2 * index, UInt16.self))
        }
        func lead(_ node: Int, to page: UInt64) {
            put(UInt32(truncatingIfNeeded: page), node)
            put(UInt16(truncatingIfNeeded: page >> 32), node + 4)
        }
        let leaf = Int(places.leaf) * size
        let (rows, texts) = (places.data(places.records[0], 4), places.data(places.records[1], 5))
        switch damage {
        case .tableInLeaf:
            // LMDB follows the record to the root of the very table, without end.
            put(UInt16(0x02), places.row + 4)
            put(places.root, places.data(places.row, 8) + 40)
            return places.leaf
        case .tableInTable:
            put(UInt16(0x06), places.records[1] + 4)
            return places.mainRoot
        case .setInLeaf:
            put(UInt16(0x04), places.row + 4)
            return places.leaf
        case .branchToRoot:
            lead(child(of: places.root, 0), to: places.root)
            return places.root
        case .branchTwice:
            lead(child(of: places.root, 1), to: places.branch)
            return places.branch
        case .branchToMeta: lead(child(of: places.branch, 0), to: 1)
        case .branchPastEnd: lead(child(of: places.branch, 0), to: 1 << 40)
        case .leafAsBranch:
            put(UInt16(0x01), leaf + 10)
            return places.leaf
        case .overflowPastEnd:
            put(UInt64(1) << 40, places.data(places.large[0], 8))
        case .overflowTooLong:
            let first = number(places.data(places.large[0], 8), UInt64.self)
            put(UInt32.max, Int(first) * size + 12)
        case .overflowTwice:
            put(
                number(places.data(places.large[0], 8), UInt64.self),
                places.data(places.large[1], 8))
        case .depthTooGreat:
            put(UInt16(33), rows + 6)
            return places.root
        case .depthOneMore: put(UInt16(4), rows + 6)
        case .depthOneLess: put(UInt16(2), rows + 6)
        case .twoTablesOnePage:
            bytes.replaceSubrange(
                texts..<texts + 48, with: Data(bytes[rows..<rows + 48]))
        case .rootPastEnd: put(UInt64(1) << 40, rows + 40)
        case .nodePastPage:
            put(UInt16(size - 2), leaf + 16)
            return places.leaf
        case .boundsPastPage:
            put(UInt16(60_000), leaf + 12)
            put(UInt16(60_002), leaf + 14)
            return places.leaf
        case .boundsCrossed:
            put(UInt16(4_000), leaf + 12)
            put(UInt16(20), leaf + 14)
            return places.leaf
        case .valuePastPage:
            put(UInt32.max, places.row)
            return places.leaf
        case .dirtyPage:
            put(UInt16(0x12), leaf + 10)
            return places.leaf
        case .rowCount:
            put(UInt64(7), rows + 32)
            return places.root
        case .freeCount:
            put(
                number(places.data(places.freeRow, 8), UInt64.self) - 1,
                places.data(places.freeRow, 8))
        case .freeListSet:
            put(UInt16(0x04), places.freeRow + 4)
            return places.freeRoot
        }
        return nil
    }

    @Test("A damaged page ends a copy with an error that names it", arguments: Damage.allCases)
    func damaged(_ damage: Damage) throws {
        let path = try makeFile()
        #expect(try copyFailure(path) == nil)
        let places = try places(pages(path))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let page = inflict(damage, places, &bytes)
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try pages(path).faults() != [], "the walk of 'verify' finds it too")
        let fault = fault(try copyFailure(path))
        #expect(page == nil || fault?.page == page, "\(String(describing: fault))")
    }

    @Test("A file that is cut short is not copied")
    func truncated() throws {
        let path = try makeFile()
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        for part in 1..<16 where truncate(path, off_t(size * (16 - part) / 16 / 4_096 * 4_096)) == 0
        {
            let failure = try copyFailure(path)
            #expect(fault(failure) != nil, "\(part)/16 less")
        }
    }

    @Test("The names of the page and of the table are in the error")
    func message() throws {
        let path = try makeFile()
        let places = try places(pages(path))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = inflict(.tableInLeaf, places, &bytes)
        try bytes.write(to: URL(fileURLWithPath: path))
        let environment = try Environment(path: path)
        let failure = try failure { (file) throws(CopyError) in try environment.copy(to: file) }
        let fault = fault(failure)
        #expect(fault?.page == places.leaf)
        #expect(fault?.message.contains("is not a valid page of table 'rows'") == true)
    }
}
