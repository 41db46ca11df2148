/// The pages that a state's list of free pages names.
struct FreePages {
    var count: UInt64 = 0
    /// The number of the newest transaction that freed some.
    var newest: UInt64?
    /// True where one of the pages asked for is among them.
    var holdOne = false
}

extension PageMap {
    /// Counts free pages, and checks the pages of their list, which LMDB takes new ones from.
    ///
    /// - Parameter used: pages that should not be among them.
    func freePages(without used: [UInt64] = []) throws(LMDBError) -> FreePages {
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
            if !free.holdOne { free.holdOne = used.contains { Self.holds($0, row.data, count) } }
            free.newest = try row.key.integer
            rows += 1
            isAtRow = try cursor.next()
        }
        guard rows == meta.free.entries else { throw .corrupted }
        return free
    }

    /// True for a page in a row of the list of free pages, which LMDB writes in descending order
    /// behind their number.
    private static func holds(
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
