import CDaybookLMDB

/// The pages of one committed state of a file.
///
/// Each page number, offset and size is checked before it is used, so that damaged bytes end in
/// `LMDBError.corrupted` or `.pageNotFound` and never in a read outside the map. LMDB's own read
/// functions do not check; its transactions only keep the pages of the state from being reused.
public struct PageMap {
    @usableFromInline let map: FileMap
    @usableFromInline let start: UnsafeRawPointer
    @usableFromInline let pageSize: Int
    /// Number of pages of the state that lie within the file.
    @usableFromInline let pageCount: UInt64
    /// The meta page that leads to the state.
    let meta: MetaPage
    /// Size of the file in bytes, when the state was read.
    let fileBytes: Int

    /// Reads the state that the transaction with this number committed.
    ///
    /// - Throws: `.corrupted` if the meta pages are damaged or not consecutive, or if neither has
    ///   this transaction number.
    init(_ map: FileMap, fileBytes: Int, transaction: UInt64) throws(LMDBError) {
        let metas = try PageMap.metaPages(of: map, fileBytes: fileBytes)
        guard let meta = [metas.0, metas.1].first(where: { $0.transaction == transaction }) else {
            throw .corrupted
        }
        self.init(map, fileBytes: fileBytes, meta)
    }

    /// Reads the state to which a meta page leads.
    init(_ map: FileMap, fileBytes: Int, _ meta: MetaPage) {
        self.map = map
        self.meta = meta
        self.fileBytes = fileBytes
        start = map.start
        pageSize = meta.pageSize
        pageCount = PageMap.pageCount(meta, fileBytes: min(fileBytes, map.byteCount))
    }

    /// Reads the newest state of a file that nothing else has open.
    init(newestOf map: FileMap, fileBytes: Int) throws(LMDBError) {
        let metas = try PageMap.metaPages(of: map, fileBytes: fileBytes)
        let newest = max(metas.0.transaction, metas.1.transaction)
        try self.init(map, fileBytes: fileBytes, transaction: newest)
    }

    /// Returns the state before, to which the other meta page leads; the caller keeps writers away.
    func stateBefore() throws(LMDBError) -> PageMap {
        let metas = try PageMap.metaPages(of: map, fileBytes: fileBytes)
        return PageMap(map, fileBytes: fileBytes, metas.0 == meta ? metas.1 : metas.0)
    }

    private static func pageCount(_ meta: MetaPage, fileBytes: Int) -> UInt64 {
        let inFile = UInt64(fileBytes / meta.pageSize)
        return meta.lastPage < inFile ? meta.lastPage + 1 : inFile
    }

    /// Returns both meta pages; reads them again while a commit is writing one of them.
    static func metaPages(
        of map: FileMap, fileBytes: Int
    ) throws(LMDBError) -> (MetaPage, MetaPage) {
        guard fileBytes >= MetaPage.byteCount else { throw .corrupted }
        guard let first = MetaPage(at: map.start) else { throw .corrupted }
        guard fileBytes >= first.pageSize + MetaPage.byteCount else { throw .corrupted }
        for _ in 0..<1_000 {
            guard let a = MetaPage(at: map.start), let b = MetaPage(at: map.start + first.pageSize)
            else { throw .corrupted }
            let isStable =
                MetaPage(at: map.start) == a && MetaPage(at: map.start + first.pageSize) == b
            guard isStable else { continue }
            guard MetaPage.areConsecutive(a, b) else { throw .corrupted }
            return (a, b)
        }
        throw .corrupted
    }

    /// Size in bytes of all pages of the state, including free pages.
    public var byteCount: Int { Int(meta.lastPage + 1) * pageSize }
}

extension PageMap {
    /// Returns the address of a branch or leaf, and the number of its nodes.
    @inlinable @inline(__always)
    func page(_ number: UInt64, flags: UInt16) throws(LMDBError) -> (UnsafeRawPointer, Int) {
        guard number < pageCount else { throw .pageNotFound }
        let page = start + Int(truncatingIfNeeded: number) * pageSize
        return (page, try nodeCount(of: page, number, flags: flags))
    }

    /// Returns the number of nodes of a branch or leaf, whose bytes may also be a copy in memory.
    ///
    /// - Throws: `.corrupted` unless the header has this number, these flags and possible bounds.
    @inlinable @inline(__always)
    func nodeCount(
        of page: UnsafeRawPointer, _ number: UInt64, flags: UInt16
    ) throws(LMDBError) -> Int {
        let lower = Int(page.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        let upper = Int(page.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
        guard page.loadUnaligned(as: UInt64.self) == number,
            page.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == flags,
            lower > PageFormat.headerBytes, lower <= upper, upper <= pageSize, lower & 1 == 0
        else { throw .corrupted }
        return (lower - PageFormat.headerBytes) / 2
    }

    /// Returns the address of a page's node, and the number of bytes from it to the page's end.
    @inlinable @inline(__always)
    func node(
        _ page: UnsafeRawPointer, _ index: Int
    ) throws(LMDBError) -> (UnsafeRawPointer, Int) {
        let entry = PageFormat.headerBytes + 2 * index
        let offset = Int(page.loadUnaligned(fromByteOffset: entry, as: UInt16.self))
        guard offset > entry, offset <= pageSize - PageFormat.nodeHeaderBytes else {
            throw .corrupted
        }
        return (page + offset, pageSize - offset)
    }

    /// Returns the key of the node at `index` of a page.
    @inlinable @inline(__always)
    func key(
        _ page: UnsafeRawPointer, _ index: Int
    ) throws(LMDBError) -> UnsafeRawBufferPointer {
        let (node, rest) = try node(page, index)
        let count = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        guard PageFormat.nodeHeaderBytes + count <= rest else { throw .corrupted }
        return UnsafeRawBufferPointer(start: node + PageFormat.nodeHeaderBytes, count: count)
    }

    /// Returns the number of the page to which the node at `index` of a branch leads.
    @inlinable @inline(__always)
    func child(_ page: UnsafeRawPointer, _ index: Int) throws(LMDBError) -> UInt64 {
        let (node, _) = try node(page, index)
        return UInt64(node.loadUnaligned(as: UInt32.self))
            | UInt64(node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)) << 32
    }

    /// Returns the key and the data of the node at `index` of a leaf.
    @inlinable @inline(__always)
    func row(_ page: UnsafeRawPointer, _ index: Int) throws(LMDBError) -> Row {
        let (node, rest) = try node(page, index)
        let size = Int(node.loadUnaligned(as: UInt32.self))
        let flags = node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let keyByteCount = Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        let begin = PageFormat.nodeHeaderBytes + keyByteCount
        let key = UnsafeRawBufferPointer(
            start: node + PageFormat.nodeHeaderBytes, count: keyByteCount)
        if flags == 0 {
            guard begin + size <= rest else { throw .corrupted }
            return Row(
                key: key, data: UnsafeRawBufferPointer(start: node + begin, count: size), flags: 0)
        }
        guard begin + 8 <= rest else { throw .corrupted }
        guard flags == PageFormat.largeFlag else {
            guard begin + size <= rest else { throw .corrupted }
            return Row(
                key: key, data: UnsafeRawBufferPointer(start: node + begin, count: size),
                flags: flags)
        }
        let number = (node + begin).loadUnaligned(as: UInt64.self)
        let data = try largeData(number, byteCount: size)
        return Row(key: key, data: data, flags: 0)
    }

    /// Returns the value of `byteCount` bytes on the overflow pages from page `number` on.
    @usableFromInline
    func largeData(
        _ number: UInt64, byteCount: Int
    ) throws(LMDBError) -> UnsafeRawBufferPointer {
        let pages = try overflowPages(number, byteCount: byteCount)
        guard pages > 0 else { throw .corrupted }
        return UnsafeRawBufferPointer(
            start: start + Int(number) * pageSize + PageFormat.headerBytes, count: byteCount)
    }

    /// Returns the number of overflow pages, from page `number` on, that a value of `byteCount`
    /// bytes has.
    ///
    /// They may be more than the value needs. LMDB keeps all pages of a value that a transaction
    /// replaces by a shorter one if the same transaction wrote it, as it does in the list of free
    /// pages. The page count in the record of the tree includes them.
    func overflowPages(_ number: UInt64, byteCount: Int) throws(LMDBError) -> UInt64 {
        guard number > 1, number < pageCount else { throw .pageNotFound }
        let page = start + Int(number) * pageSize
        let count = UInt64(page.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        guard page.loadUnaligned(as: UInt64.self) == number,
            page.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == PageFormat.overflow,
            count >= pagesNeeded(forValueOf: byteCount)
        else { throw .corrupted }
        guard count <= pageCount - number else { throw .pageNotFound }
        return count
    }

    /// Returns the number of overflow pages that a value of `byteCount` bytes needs.
    private func pagesNeeded(forValueOf byteCount: Int) -> UInt64 {
        UInt64((PageFormat.headerBytes + byteCount + pageSize - 1) / pageSize)
    }

    /// Returns the number of overflow pages of a row, and how many of them its value does not need;
    /// none for a row within its leaf.
    ///
    /// - Parameter index: the index of the row on the leaf `page`.
    func overflowPages(
        of page: UnsafeRawPointer, _ index: Int
    ) throws(LMDBError) -> (count: UInt64, spareCount: UInt64) {
        guard try isLarge(page, index) else { return (0, 0) }
        let byteCount = try row(page, index).data.count
        let count = try overflowPages(try firstOverflowPage(page, index), byteCount: byteCount)
        return (count, count - pagesNeeded(forValueOf: byteCount))
    }

    /// A key with its data; both point into the memory map.
    @usableFromInline
    struct Row {
        @usableFromInline let key: UnsafeRawBufferPointer
        @usableFromInline let data: UnsafeRawBufferPointer
        /// 0 for a plain row; otherwise flags such as `PageFormat.treeFlag`.
        @usableFromInline let flags: UInt16

        @usableFromInline
        init(key: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer, flags: UInt16) {
            self.key = key
            self.data = data
            self.flags = flags
        }
    }

    /// Returns the record of the tree of the table with this name; `nil` if there is no such table.
    ///
    /// - Throws: `.incompatible` if the name belongs to a row that is not a table.
    func tree(named name: String) throws(LMDBError) -> TreeRecord? {
        var cursor = TreeCursor(self, meta.main, checks: .everything)
        return try tree(named: name, with: &cursor)
    }

    /// Returns the record of the tree of a table, which a cursor in the list of tables finds.
    ///
    /// - Returns: `nil` if there is no such table.
    /// - Throws: `.incompatible` if the name belongs to a row that is not a table.
    func tree(named name: String, with cursor: inout TreeCursor) throws(LMDBError) -> TreeRecord? {
        var name = name
        let found = name.withUTF8 { name -> Result<TreeRecord?, LMDBError> in
            do throws(LMDBError) {
                guard try cursor.seek(UnsafeRawBufferPointer(name)) else { return .success(nil) }
                let row = try cursor.row()
                guard row.flags == PageFormat.treeFlag, let record = row.treeRecord else {
                    throw .incompatible
                }
                return .success(record)
            } catch { return .failure(error) }
        }
        return try found.get()
    }

    /// Returns the names of all tables.
    ///
    /// - Throws: `.incompatible` if the list of tables has a row that is not a table.
    public func tableNames() throws(LMDBError) -> [String] {
        var names: [String] = []
        var cursor = TreeCursor(self, meta.main, checks: .everything)
        var isAtRow = try cursor.moveToFirst()
        while isAtRow {
            let row = try cursor.row()
            guard row.flags == PageFormat.treeFlag else { throw .incompatible }
            names.append(String(decoding: row.key, as: UTF8.self))
            isAtRow = try cursor.moveToNext()
        }
        return names
    }

    public var isEmpty: Bool { meta.main.isEmpty }

    public func hasTable(_ name: String) throws(LMDBError) -> Bool { try tree(named: name) != nil }
}
