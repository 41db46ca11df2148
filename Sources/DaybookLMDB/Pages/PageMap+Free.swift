/// A summary of the list of free pages of a state.
struct FreePages {
    var count: UInt64 = 0
    /// Number of the newest transaction that freed pages of the list; `nil` if the list is empty.
    var newestTransaction: UInt64?
    /// True if the list names one of the pages in use that were passed to `freePages(notAmong:)`.
    var namesUsedPage = false
}

extension PageMap {
    /// Counts the free pages of the state, and checks the list in which LMDB keeps them.
    ///
    /// - Parameter used: pages in use; the result tells whether the list names one of them.
    func freePages(notAmong used: [UInt64] = []) throws(LMDBError) -> FreePages {
        var cursor = TreeCursor(self, meta.free, checks: .everything)
        var free = FreePages()
        var rows: UInt64 = 0
        var overflowPageCount: UInt64 = 0
        var isAtRow = try cursor.moveToFirst()
        while isAtRow {
            let row = try cursor.row()
            guard row.flags == 0, row.key.count == 8, row.data.count >= 8, row.data.count % 8 == 0
            else { throw .corrupted }
            // LMDB may reserve more room than it needs.
            let count = row.data.loadUnaligned(as: UInt64.self)
            guard count < UInt64(row.data.count / 8) else { throw .corrupted }
            free.count += count
            if !free.namesUsedPage {
                free.namesUsedPage = used.contains { Self.isListed($0, row.data, count) }
            }
            free.newestTransaction = try row.key.integer
            rows += 1
            overflowPageCount += try overflowPages(of: cursor.leaf.page, cursor.leaf.index).count
            isAtRow = try cursor.moveToNext()
        }
        guard rows == meta.free.rowCount, overflowPageCount == meta.free.overflowPageCount
        else { throw .corrupted }
        return free
    }

    /// Returns true if a row of the list of free pages names the page.
    private static func isListed(
        _ page: UInt64, _ row: UnsafeRawBufferPointer, _ count: UInt64
    ) -> Bool {
        let index = firstIndex(below: page + 1, row, count)
        return index <= Int(count) && number(at: index, row) == page
    }

    /// Returns the index of the greatest page below `end` in a row of the list of free pages; one
    /// more than `count` if there is none.
    ///
    /// Such a row consists of a count and the page numbers in descending order.
    private static func firstIndex(
        below end: UInt64, _ row: UnsafeRawBufferPointer, _ count: UInt64
    ) -> Int {
        var (low, high) = (1, Int(count) + 1)
        while low < high {
            let middle = (low + high) / 2
            if number(at: middle, row) < end { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the page number at an index of a row of the list of free pages, from 1 on.
    private static func number(at index: Int, _ row: UnsafeRawBufferPointer) -> UInt64 {
        row.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
    }

    /// Calls `body` with each free page in a range of page numbers, and with the number of the
    /// transaction that freed it.
    func forEachFreePage(
        from first: UInt64, to end: UInt64, _ body: (UInt64, UInt64) -> Void
    ) throws(LMDBError) {
        var cursor = TreeCursor(self, meta.free, checks: .everything)
        var isAtRow = try cursor.moveToFirst()
        while isAtRow {
            let row = try cursor.row()
            let freer = try row.key.integer
            guard row.data.count >= 8 else { throw .corrupted }
            let count = row.data.loadUnaligned(as: UInt64.self)
            guard count < UInt64(row.data.count / 8) else { throw .corrupted }
            var index = Self.firstIndex(below: end, row.data, count)
            while index <= Int(count) {
                let page = Self.number(at: index, row.data)
                guard page >= first, page < end else { break }
                body(page, freer)
                index += 1
            }
            isAtRow = try cursor.moveToNext()
        }
    }

    /// Returns the number of the newest transaction that freed pages; `nil` if no page is free.
    func newestFreeingTransaction() throws(LMDBError) -> UInt64? {
        var cursor = TreeCursor(self, meta.free, checks: .everything)
        return try cursor.moveToLast() ? try cursor.row().key.integer : nil
    }

    /// Returns the total size of the free pages in bytes, which new rows can use.
    public func freeBytes() throws(LMDBError) -> Int { Int(try freePages().count) * pageSize }
}

extension PageMap { public var transaction: UInt64 { meta.transaction } }
