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
        return try treeTile(bytes, at: key, count: count)
    }

    /// Decodes a tile of the stored tree.
    ///
    /// - Parameter count: the number of hashes that the tile has.
    func treeTile(_ bytes: RawSpan, at key: UInt64, count: UInt64) throws(LogError) -> TreeTile {
        do throws(CorruptRecord) {
            return try TreeTile(decoding: bytes, count: count)
        } catch {
            throw .corrupt(table: tree.name, key: key, error)
        }
    }

    /// Returns the position of the last event of a commit, from its row without the checksum.
    func lastPosition(ofCommit row: RawSpan, at first: UInt64) throws(LogError) -> UInt64 {
        guard let last = CommitRecord.lastPosition(of: row, startingAt: first) else {
            throw .corrupt(table: commits.name, key: first, CommitRecord.fault(of: row))
        }
        return last
    }

    /// Returns the size of the stored tree; `nil` for a log without a tree.
    ///
    /// - Throws: `.corrupt` for a malformed row, or a tree that ends after the newest event.
    func treeState(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> TreeState? {
        guard let bytes = try transaction.row(TreeState.key, in: tree) else { return nil }
        let state = try TreeState(bytes, at: TreeState.key)
        guard try state.through <= lastPosition(in: transaction) else {
            throw .corrupt(
                table: tree.name, key: TreeState.key,
                .invalid(
                    field: "through", found: "\(state.through)",
                    expected: "the position of an event"))
        }
        return state
    }

    /// Returns the right edge of the stored tree, to which commits can be added.
    func treeBuilder(
        _ state: TreeState, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> TreeBuilder {
        try TreeBuilder(state) { (level, number, count) throws(LogError) in
            try treeTile(level: level, number: number, count: count, in: transaction)
        }
    }

    /// Hashes a commit and its events; returns the commit and the hash of its leaf.
    ///
    /// - Parameters:
    ///   - number: the number of commits before this one.
    ///   - row: the row of the commit without its checksum.
    func hashedCommit(
        _ positions: ClosedRange<UInt64>, number: UInt64, _ row: RawSpan, _ names: Names,
        _ hasher: inout CommitLeafHasher, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> (commit: HashedCommit, leaf: [UInt8]) {
        try scanEvents(positions, in: transaction) { (position, event) throws(LogError) in
            try hasher.add(event: position, event, names)
            return true
        }
        let root = hasher.finishEvents()
        let leaf = hasher.leaf(
            number: number, first: positions.lowerBound, eventsRoot: root, row)
        let commit = HashedCommit(
            number: number, first: positions.lowerBound, eventsRoot: root)
        return (commit, leaf)
    }
}
