/// The pages that a state's list of free pages names.
struct FreePages {
    var count: UInt64 = 0
    /// The number of the newest transaction that freed some.
    var newest: UInt64?
}

extension PageMap {
    /// Counts free pages, and checks the pages of their list, which LMDB takes new ones from.
    func freePages() throws(LMDBError) -> FreePages {
        var cursor = TreeCursor(self, meta.free, checks: .everything)
        var free = FreePages()
        var rows: UInt64 = 0
        var isAtRow = try cursor.first()
        while isAtRow {
            let row = try cursor.row()
            guard row.flags == 0, row.key.count == 8, row.data.count >= 8, row.data.count % 8 == 0
            else { throw .corrupted }
            // LMDB may reserve more room than it needs.
            let count = row.data.loadUnaligned(as: UInt64.self)
            guard count < UInt64(row.data.count / 8) else { throw .corrupted }
            free.count += count
            free.newest = try row.key.integer
            rows += 1
            isAtRow = try cursor.next()
        }
        guard rows == meta.free.entries else { throw .corrupted }
        return free
    }

    /// The number of the newest transaction whose freed pages the list of free pages has.
    func newestFreed() throws(LMDBError) -> UInt64? {
        var cursor = TreeCursor(self, meta.free, checks: .everything)
        return try cursor.last() ? try cursor.row().key.integer : nil
    }

    /// Bytes of the pages that the list of free pages names: room for new rows, within the file.
    public func freeBytes() throws(LMDBError) -> Int { Int(try freePages().count) * pageSize }
}

extension PageMap {
    /// The number that LMDB gave the state.
    public var transaction: UInt64 { meta.transaction }
}
