import Daybook

/// A row of the table `tree`: up to 256 hashes beside each other on one level of the commit tree.
///
/// A tile of level *n* has the roots of complete subtrees of 256 to the power of *n* commits; level
/// 0 has the leaves. The row key is the level in the highest byte and the number of the tile in the
/// others. The value is the position of the first event that the tile covers, 8 bytes, and the
/// hashes, 32 bytes each. Only the last tile of a level has fewer than 256 hashes.
///
/// Source of the shape: C2SP tlog-tiles.
struct TreeTile: Hashable, Sendable {
    /// The largest number of hashes in a tile.
    static let width: UInt64 = 256
    /// The number of levels of a binary tree that a tile spans.
    static let height = 8
    private static let positionByteCount = 8

    /// The position of the first event that the tile covers; 0 for a tile without hashes.
    var first: UInt64 = 0
    /// The hashes, 32 bytes each.
    var hashes: [UInt8] = []

    init() {}

    /// Decodes a row.
    ///
    /// - Parameter count: the number of hashes that the tile has in a tree of the log's size.
    init(decoding bytes: RawSpan, count: UInt64) throws(CorruptRecord) {
        let expected = Self.positionByteCount + Int(count) * TreeHasher.byteCount
        guard bytes.byteCount == expected else {
            throw .size("hashes", bytes.byteCount, expected: expected)
        }
        first = bytes.integer(at: 0)
        hashes = bytes.copied(from: Self.positionByteCount)
    }

    /// The number of hashes.
    var count: UInt64 { UInt64(hashes.count / TreeHasher.byteCount) }

    /// Returns the bytes of neighbouring hashes, from the one with this index in the tile on.
    func hashes(from index: Int, count: Int) -> ArraySlice<UInt8> {
        hashes[index * TreeHasher.byteCount..<(index + count) * TreeHasher.byteCount]
    }

    /// The stored row without its checksum.
    var bytes: [UInt8] {
        var bytes = first.bytes
        bytes.append(contentsOf: hashes)
        return bytes
    }

    /// Returns the row key of a tile.
    static func key(level: Int, number: UInt64) -> UInt64 { UInt64(level) << 56 | number }

    /// The number of levels that row keys can name, except the one of `TreeState.key`.
    static let levelCount = 255

    /// Returns the level and number of the tile with a row key.
    static func place(of key: UInt64) -> (level: Int, number: UInt64) {
        (Int(key >> 56), key & (1 << 56 - 1))
    }

    /// Returns the number of hashes on a level, in all tiles of a tree of `size` commits.
    static func hashCount(level: Int, in size: UInt64) -> UInt64 {
        level * height < UInt64.bitWidth ? size >> UInt64(level * height) : 0
    }

    /// Returns the number of hashes in a tile of a tree of `size` commits; 0 if there is no such
    /// tile.
    static func count(level: Int, number: UInt64, in size: UInt64) -> UInt64 {
        let hashes = hashCount(level: level, in: size)
        let (before, overflows) = number.multipliedReportingOverflow(by: width)
        return overflows || before >= hashes ? 0 : min(width, hashes - before)
    }
}

/// The row of the table `tree` under the highest key: the size of the stored tree.
struct TreeState: StoredRow, Hashable, Sendable {
    static var tableName: String { "tree" }

    /// The row key, after the keys of all tiles.
    static let key = UInt64.max
    private static let byteCount = 16

    /// The number of commits in the tree.
    var size: UInt64 = 0
    /// The position of the last event of these commits.
    var through: UInt64 = 0

    init() {}

    init(size: UInt64, through: UInt64) {
        self.size = size
        self.through = through
    }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount == Self.byteCount else {
            throw .size("size", bytes.byteCount, expected: Self.byteCount)
        }
        size = bytes.integer(at: 0)
        through = bytes.integer(at: 8)
        guard size <= through, (size == 0) == (through == 0) else {
            throw .invalid(
                field: "size", found: "\(size) commits up to position \(through)",
                expected: "at most as many commits as events")
        }
    }

    /// The stored row without its checksum.
    var bytes: [UInt8] { size.bytes + through.bytes }
}

/// The right edge of a commit tree, to which commits are added, with the tiles that this changes.
struct TreeBuilder: Sendable {
    private(set) var state: TreeState
    /// The last tile of each level, from level 0 on, with its number; it may have no hashes yet.
    private var edge: [(number: UInt64, tile: TreeTile)] = []
    /// The tiles that became full, by row key.
    private(set) var full: [UInt64: TreeTile] = [:]

    /// Creates the edge of a tree without commits.
    init() { state = TreeState() }

    /// Creates the edge of a stored tree.
    ///
    /// - Parameter tile: returns the tile with this level, number and number of hashes.
    init(
        _ state: TreeState,
        tile: (_ level: Int, _ number: UInt64, _ count: UInt64) throws(LogError) -> TreeTile
    ) throws(LogError) {
        self.state = state
        var level = 0
        while case let hashes = TreeTile.hashCount(level: level, in: state.size), hashes > 0 {
            let number = hashes / TreeTile.width
            let count = hashes % TreeTile.width
            let last = count == 0 ? TreeTile() : try tile(level, number, count)
            edge.append((number, last))
            level += 1
        }
    }

    /// Adds the next commit.
    ///
    /// - Parameters:
    ///   - leaf: the hash of the commit's leaf.
    ///   - positions: the positions of the commit's events.
    mutating func add(
        _ leaf: [UInt8], _ positions: ClosedRange<UInt64>, _ hasher: inout TreeHasher
    ) {
        var (hash, first, level) = (leaf, positions.lowerBound, 0)
        while true {
            if level == edge.count { edge.append((0, TreeTile())) }
            if edge[level].tile.hashes.isEmpty { edge[level].tile.first = first }
            edge[level].tile.hashes.append(contentsOf: hash)
            guard edge[level].tile.count == TreeTile.width else { break }
            let (number, tile) = edge[level]
            full[TreeTile.key(level: level, number: number)] = tile
            edge[level] = (number + 1, TreeTile())
            hash = hasher.root(ofComplete: tile.hashes[...])
            first = tile.first
            level += 1
        }
        state = TreeState(size: state.size + 1, through: positions.upperBound)
    }

    /// The tiles that became full or are the last of their level, with their row keys.
    var tiles: [(key: UInt64, tile: TreeTile)] {
        var tiles = full.map { (key: $0.key, tile: $0.value) }
        for (level, (number, tile)) in edge.enumerated() where !tile.hashes.isEmpty {
            tiles.append((TreeTile.key(level: level, number: number), tile))
        }
        return tiles.sorted { $0.key < $1.key }
    }

    /// Returns a tile that became full or is the last of its level; `nil` for any other.
    func tile(level: Int, number: UInt64) -> TreeTile? {
        if level < edge.count, edge[level].number == number { return edge[level].tile }
        return full[TreeTile.key(level: level, number: number)]
    }
}
