extension PageMap {
    /// Bytes of the pages that the list of free pages names: room for new rows, within the file.
    public func freeBytes() throws(LMDBError) -> Int {
        var cursor = TreeCursor(self, meta.free, checks: .everything)
        var pages = 0
        var isAtRow = try cursor.first()
        while isAtRow {
            let row = try cursor.row()
            guard row.flags == 0, row.data.count >= 8 else { throw .corrupted }
            let count = row.data.loadUnaligned(as: UInt64.self)
            guard count < UInt64(row.data.count / 8) else { throw .corrupted }
            pages += Int(count)
            isAtRow = try cursor.next()
        }
        return pages * pageSize
    }
}

extension PageMap {
    /// The number that LMDB gave the state.
    public var transaction: UInt64 { meta.transaction }
}
