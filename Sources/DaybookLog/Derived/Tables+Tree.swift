import DaybookLMDB

extension Tables {
    /// Returns a tile of the stored tree.
    ///
    /// - Parameter count: the number of hashes that the tile has in a tree of the stored size.
    func treeTile(
        level: Int, number: UInt64, count: UInt64,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> TreeTile {
        let key = TreeTile.key(level: level, number: number)
        guard let bytes = try transaction.row(key, in: tree) else {
            throw .corrupt(table: tree.name, key: key, .missing)
        }
        return try mappingRecordErrors(
            of: tree.name, key, try TreeTile(decoding: bytes, count: count))
    }
}
