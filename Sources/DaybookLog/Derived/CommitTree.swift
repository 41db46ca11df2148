import Daybook
import DaybookLMDB
import Synchronization

/// The tree over all commits of a log as of one transaction: the stored tiles, and those of the
/// commits after them.
struct CommitTree: Sendable {
    /// The state of the stored tree to which the newer commits were added.
    let stored: TreeState
    /// The right edge of the tree and the tiles that are not stored, or not as they are now.
    var builder: TreeBuilder
    /// The newest commit; `nil` if it is not hashed yet.
    var newest: HashedCommit?

    /// The number of commits.
    var size: UInt64 { builder.state.size }
    /// The position of the last event.
    var through: UInt64 { builder.state.through }

    /// Returns a tile, which must exist.
    private func tile(
        level: Int, number: UInt64, of tables: Tables,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> TreeTile {
        if let tile = builder.tile(level: level, number: number) { return tile }
        let count = TreeTile.count(level: level, number: number, in: stored.size)
        return try tables.treeTile(level: level, number: number, count: count, in: transaction)
    }

    /// Returns the roots of subtrees.
    ///
    /// - Parameter ranges: subtrees as the paths of `MerkleTree` have them, or whole trees that
    ///   begin with commit 0.
    func roots(
        of ranges: [Range<UInt64>], _ hasher: inout TreeHasher, _ tables: Tables,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [[UInt8]] {
        // The lower levels of a path lie in one tile.
        var recent: (level: Int, number: UInt64, tile: TreeTile)?
        var nodes = TreeHasher()
        var roots: [[UInt8]] = []
        for range in ranges {
            let root = try MerkleTree.root(of: range, &hasher) { (level, number) throws(LogError) in
                let tileLevel = level / TreeTile.height
                let count = UInt64(1) << UInt64(level % TreeTile.height)
                let start = number * count
                let tileNumber = start / TreeTile.width
                if recent?.level != tileLevel || recent?.number != tileNumber {
                    let tile = try tile(
                        level: tileLevel, number: tileNumber, of: tables, in: transaction)
                    recent = (tileLevel, tileNumber, tile)
                }
                guard let tile = recent?.tile, start % TreeTile.width + count <= tile.count else {
                    throw .corrupt(
                        table: tables.tree.name,
                        key: TreeTile.key(level: tileLevel, number: tileNumber), .missing)
                }
                return nodes.root(
                    ofComplete: tile.hashes(from: Int(start % TreeTile.width), count: Int(count)))
            }
            roots.append(root)
        }
        return roots
    }

    /// Returns the number of the commit that begins at a position: how many commits come before.
    func number(
        ofCommitAt first: UInt64, _ tables: Tables,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64 {
        // The last tile that begins at the commit or before.
        var (low, high) = (UInt64(0), (size - 1) / TreeTile.width)
        while low < high {
            let middle = low + (high - low + 1) / 2
            if try tile(level: 0, number: middle, of: tables, in: transaction).first <= first {
                low = middle
            } else {
                high = middle - 1
            }
        }
        let start = try tile(level: 0, number: low, of: tables, in: transaction).first
        var number = low * TreeTile.width
        var isFound = false
        try transaction.scanRows(tables.commits, from: start) { (position: UInt64, _) in
            isFound = position == first
            guard position < first else { return false }
            number += 1
            return true
        }
        guard isFound, number / TreeTile.width == low, number < size else {
            throw .corrupt(
                table: tables.tree.name, key: TreeTile.key(level: 0, number: low),
                .invalid(
                    field: "first", found: "\(start)",
                    expected: "the position of commit \(low * TreeTile.width)"))
        }
        return number
    }

    /// Returns the position at which the commit with a number begins; `number` is less than `size`.
    func first(
        ofCommit number: UInt64, _ tables: Tables,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64 {
        let tile = try tile(
            level: 0, number: number / TreeTile.width, of: tables, in: transaction)
        var rest = number % TreeTile.width
        var first: UInt64?
        try transaction.scanRows(tables.commits, from: tile.first) { (position: UInt64, _) in
            first = position
            guard rest > 0 else { return false }
            rest -= 1
            return true
        }
        guard let first, rest == 0 else {
            throw .corrupt(table: tables.commits.name, key: tile.first, .missing)
        }
        return first
    }
}

/// A commit with its place in the tree and the root of its events.
struct HashedCommit: Hashable, Sendable {
    /// The number of commits before this one.
    var number: UInt64
    /// The position of the first event.
    var first: UInt64
    /// The root of the tree over the events.
    var eventsRoot: [UInt8]
}
