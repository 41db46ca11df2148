import Daybook
import DaybookLMDB

/// The leaves of the stored tree, read tile by tile, with which a walk compares the commits.
struct TreeLeaves {
    /// The size of the stored tree; of no commits if the log has no tree.
    var state = TreeState()
    private var hasher: CommitLeafHasher
    /// False once an event of the commit could not be hashed.
    private var isHashed = true
    /// The tile that was read last, with its number; `nil` if it cannot be read.
    private var recent: (number: UInt64, tile: TreeTile?)?

    init(_ log: EventLog) { hasher = CommitLeafHasher(log: log.file.identifier) }

    /// Begins the next commit; returns true if the tree has its hash.
    mutating func begin(_ range: ClosedRange<UInt64>) -> Bool {
        isHashed = true
        return range.upperBound <= state.through
    }

    /// Adds the row of the commit's next event.
    mutating func add(_ position: UInt64, _ row: RawSpan, _ names: Names) {
        if (try? hasher.add(event: position, row, names)) == nil { isHashed = false }
    }

    /// Returns the hash of the commit whose events were added, and forgets the events.
    ///
    /// - Parameter row: the row of the commit without its checksum.
    /// - Returns: `nil` if an event could not be hashed.
    mutating func finish(_ number: UInt64, _ first: UInt64, _ row: RawSpan) -> [UInt8]? {
        let root = hasher.finishEvents()
        return isHashed
            ? hasher.leaf(number: number, first: first, eventsRoot: root, row) : nil
    }

    /// Returns the tile with the leaf of a commit; `nil` if it cannot be read.
    mutating func tile(
        ofCommit number: UInt64, _ log: EventLog, _ transaction: borrowing ReadTransaction
    ) -> TreeTile? {
        let tileNumber = number / TreeTile.width
        if let recent, recent.number == tileNumber { return recent.tile }
        let count = TreeTile.count(level: 0, number: tileNumber, in: state.size)
        let tile = try? log.file.tables.treeTile(
            level: 0, number: tileNumber, count: count, in: transaction)
        recent = (tileNumber, tile)
        return tile
    }
}

// Checks of the stored tree.
extension VerificationWalk {
    /// Compares the leaf of a commit whose events were added with the stored tree.
    ///
    /// Tiles that cannot be read are found by the check of the tiles.
    ///
    /// - Parameters:
    ///   - row: the row of the commit without its checksum.
    ///   - isWhole: true if no event of the commit is missing.
    mutating func checkLeaf(
        _ row: RawSpan, _ range: ClosedRange<UInt64>, isWhole: Bool,
        _ transaction: borrowing ReadTransaction
    ) {
        let number = checked.leafCount
        checked.leafCount += 1
        let leaf = treeLeaves.finish(number, range.lowerBound, row)
        guard isWhole, let leaf, number < treeLeaves.state.size,
            let tile = treeLeaves.tile(ofCommit: number, log, transaction)
        else { return }
        let index = Int(number % TreeTile.width)
        if tile.hashes(from: index, count: 1) != leaf[...] {
            result.report(
                range.lowerBound, "tree",
                "the tree has another hash of this commit, which is number \(number)")
        }
        if index == 0, tile.first != range.lowerBound {
            result.report(
                range.lowerBound, "tree",
                "a tile of the tree begins at position \(tile.first), expected the position of "
                    + "commit \(number)")
        }
    }

    /// Checks that the tree has as many commits as end at or before the position that it covers.
    mutating func checkLeafCount() {
        let state = treeLeaves.state
        let isEnd =
            state.size == 0
            || (try? log.commits.at(Position(state.through)))?
                .last.rawValue == state.through
        guard checked.leafCount != state.size || !isEnd else { return }
        result.report(
            state.through, "tree",
            "the tree has \(state.size) commits up to this position, expected "
                + "\(checked.leafCount), the last of which ends there")
    }

    /// Returns the number of commits up to a commit that the tree has.
    ///
    /// - Parameters:
    ///   - last: the position of the commit's last event.
    ///   - first: the position of its first event.
    func leafCount(
        through last: UInt64, commitAt first: UInt64, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> UInt64 {
        let state = treeLeaves.state
        guard last <= state.through else { return state.size }
        let tree = CommitTree(
            stored: state, builder: try log.file.tables.treeBuilder(state, in: transaction))
        return try tree.number(ofCommitAt: first, log.file.tables, in: transaction) + 1
    }

    /// Checks the tiles of the tree with each other; an error that ends the check is a finding.
    mutating func checkTree(_ transaction: borrowing ReadTransaction) {
        check(as: "tree") { (walk) throws(LogError) in try walk.readTree(transaction) }
    }

    /// Checks that the tree has the tiles of its size, and that each hash above level 0 is the root
    /// of the tile beneath it.
    private mutating func readTree(_ transaction: borrowing ReadTransaction) throws(LogError) {
        let state = try log.file.tables.treeState(in: transaction)
        let size = state?.size ?? 0
        var hasher = TreeHasher()
        var parent: (key: UInt64, tile: TreeTile)?
        var expected = [UInt64](repeating: 0, count: TreeTile.levelCount)
        try transaction.scanRows(log.file.tables.tree) { (key: UInt64, value) throws(LogError) in
            if key == TreeState.key { return true }
            let (level, number) = TreeTile.place(of: key)
            let count = TreeTile.count(level: level, number: number, in: size)
            guard count > 0 else {
                result.report(
                    0, "tree", "the tree of \(size) commits has a tile \(level)/\(number)")
                return true
            }
            guard number == expected[level] else {
                throw .corrupt(
                    table: log.file.tables.tree.name,
                    key: TreeTile.key(level: level, number: expected[level]), .missing)
            }
            expected[level] += 1
            let tile = try log.file.tables.treeTile(value, at: key, count: count)
            guard count == TreeTile.width else { return true }
            let (above, index) = (number / TreeTile.width, Int(number % TreeTile.width))
            let parentKey = TreeTile.key(level: level + 1, number: above)
            if parent?.key != parentKey {
                let count = TreeTile.count(level: level + 1, number: above, in: size)
                let tile = try log.file.tables.treeTile(
                    level: level + 1, number: above, count: count, in: transaction)
                parent = (parentKey, tile)
            }
            let root = hasher.root(ofComplete: tile.hashes[...])
            if let parent = parent?.tile,
                parent.hashes(from: index, count: 1) != root[...]
                    || (index == 0 && parent.first != tile.first)
            {
                result.report(
                    tile.first, "tree",
                    "tile \(level)/\(number) of the tree does not fit the tile above it")
            }
            return true
        }
        for (level, found) in expected.enumerated() {
            let hashes = TreeTile.hashCount(level: level, in: size)
            let count = (hashes + TreeTile.width - 1) / TreeTile.width
            guard found < count else { continue }
            throw .corrupt(
                table: log.file.tables.tree.name, key: TreeTile.key(level: level, number: found),
                .missing)
        }
    }
}
