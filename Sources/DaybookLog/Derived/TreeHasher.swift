import DaybookCryptography

/// The hashes of a Merkle tree: of leaves, of nodes, and of the tree without leaves.
///
/// Source: RFC 9162 section 2.1.1, with SHA-256.
struct TreeHasher: Sendable {
    static let byteCount = SHA256.byteCount

    /// The root of a tree without leaves: SHA-256 of nothing.
    static let emptyRoot = SHA256.hash([])

    private var hasher = SHA256()
    private var buffer: [UInt8] = []

    /// Returns the hash of a leaf: SHA-256 of a zero byte and the leaf's data, which begins as
    /// `appendStart` appends it and ends with `row`.
    mutating func leaf(_ row: RawSpan, appendStart: (inout [UInt8]) -> Void) -> [UInt8] {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(0)
        appendStart(&buffer)
        // One call of the library for all bytes takes less time than two.
        unsafe row.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
        hasher.update(buffer)
        return hasher.finish()
    }

    /// Returns the hash of a node: SHA-256 of a byte 1 and the hashes of its two children.
    mutating func node(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> [UInt8] {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(1)
        buffer.append(contentsOf: left)
        buffer.append(contentsOf: right)
        hasher.update(buffer)
        return hasher.finish()
    }

    /// Returns the root of a complete subtree, from the hashes of its nodes on one level.
    ///
    /// - Parameter hashes: the concatenated hashes; their number is a power of two.
    mutating func root(ofComplete hashes: ArraySlice<UInt8>) -> [UInt8] {
        var level = Array(hashes)
        while level.count > Self.byteCount {
            var next: [UInt8] = []
            next.reserveCapacity(level.count / 2)
            for start in stride(from: 0, to: level.count, by: 2 * Self.byteCount) {
                let middle = start + Self.byteCount
                next += node(level[start..<middle], level[middle..<middle + Self.byteCount])
            }
            level = next
        }
        return level
    }
}

/// The root of a tree whose leaves come one by one; its memory grows with the tree's height.
struct RunningRoot: Sendable {
    /// The roots of complete subtrees, from the largest to the smallest, all of different sizes.
    private var roots: [[UInt8]] = []
    private var count: UInt64 = 0

    /// Adds the hash of the next leaf.
    mutating func add(_ leaf: [UInt8], _ hasher: inout TreeHasher) {
        var root = leaf
        var rest = count
        while rest & 1 == 1, let left = roots.popLast() {
            root = hasher.node(left, root)
            rest >>= 1
        }
        roots.append(root)
        count += 1
    }

    /// Returns the root of the tree, and begins a new tree.
    mutating func finish(_ hasher: inout TreeHasher) -> [UInt8] {
        guard var root = roots.popLast() else { return TreeHasher.emptyRoot }
        while let left = roots.popLast() { root = hasher.node(left, root) }
        count = 0
        return root
    }
}
