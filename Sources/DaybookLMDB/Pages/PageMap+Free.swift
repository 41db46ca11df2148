/// A summary of the list of free pages of a state.
struct FreePages {
    /// Number of free pages.
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
    ///
    /// Such a row consists of a count and the page numbers in descending order.
    private static func isListed(
        _ page: UInt64, _ row: UnsafeRawBufferPointer, _ count: UInt64
    ) -> Bool {
        var (low, high) = (1, Int(count))
        while low <= high {
            let middle = (low + high) / 2
            let found = row.loadUnaligned(fromByteOffset: 8 * middle, as: UInt64.self)
            if found == page { return true }
            if found > page { low = middle + 1 } else { high = middle - 1 }
        }
        return false
    }

    /// Returns the number of the newest transaction that freed pages; `nil` if no page is free.
    func newestFreeingTransaction() throws(LMDBError) -> UInt64? {
        var cursor = TreeCursor(self, meta.free, checks: .everything)
        return try cursor.moveToLast() ? try cursor.row().key.integer : nil
    }

    /// Returns the total size of the free pages in bytes, which new rows can use.
    public func freeBytes() throws(LMDBError) -> Int { Int(try freePages().count) * pageSize }
}

extension PageMap {
    /// Number of the transaction that committed the state.
    public var transaction: UInt64 { meta.transaction }
}
