/// The shape of a Merkle tree: which subtrees a proof needs, and which root a proof leads to.
///
/// Reads and stores nothing. Leaves are numbered from 0; a subtree is the range of its leaves. All
/// hashes have 32 bytes.
///
/// Source: RFC 9162 section 2.1, whose trees are those of RFC 6962.
enum MerkleTree {
    /// Returns the subtrees whose roots are the inclusion path of a leaf, from the leaf's sibling
    /// up.
    ///
    /// - Parameters:
    ///   - leaf: the number of the leaf, less than `size`.
    ///   - size: the number of leaves in the tree.
    static func inclusionPath(of leaf: UInt64, in size: UInt64) -> [Range<UInt64>] {
        precondition(leaf < size)
        var path: [Range<UInt64>] = []
        var tree = 0..<size
        while tree.count > 1 {
            let middle = tree.lowerBound + split(UInt64(tree.count))
            if leaf < middle {
                path.append(middle..<tree.upperBound)
                tree = tree.lowerBound..<middle
            } else {
                path.append(tree.lowerBound..<middle)
                tree = middle..<tree.upperBound
            }
        }
        return path.reversed()
    }

    /// Returns the subtrees whose roots prove that a tree is the beginning of a larger one, in the
    /// order of the proof.
    ///
    /// - Parameters:
    ///   - old: the number of leaves in the smaller tree, from 1 to `new`.
    ///   - new: the number of leaves in the larger tree.
    /// - Returns: no subtree for two trees of one size.
    static func consistencyPath(from old: UInt64, to new: UInt64) -> [Range<UInt64>] {
        precondition(0 < old && old <= new)
        var path: [Range<UInt64>] = []
        var tree = 0..<new
        while tree.upperBound > old {
            let middle = tree.lowerBound + split(UInt64(tree.count))
            if old <= middle {
                path.append(middle..<tree.upperBound)
                tree = tree.lowerBound..<middle
            } else {
                path.append(tree.lowerBound..<middle)
                tree = middle..<tree.upperBound
            }
        }
        // The smaller tree itself is known to whoever checks the proof.
        if tree.lowerBound > 0 { path.append(tree) }
        return path.reversed()
    }

    /// Returns the root to which an inclusion path leads; `nil` for a path of the wrong length.
    ///
    /// - Parameters:
    ///   - hash: the hash of the leaf.
    ///   - leaf: the number of the leaf.
    ///   - size: the number of leaves in the tree.
    static func root(
        fromLeaf hash: [UInt8], number leaf: UInt64, in size: UInt64, path: [[UInt8]],
        _ hasher: inout TreeHasher
    ) -> [UInt8]? {
        guard leaf < size else { return nil }
        var (node, last) = (leaf, size - 1)
        var root = hash
        for sibling in path {
            guard last > 0 else { return nil }
            if node & 1 == 1 || node == last {
                root = hasher.node(sibling, root)
                while node & 1 == 0, node > 0 { (node, last) = (node >> 1, last >> 1) }
            } else {
                root = hasher.node(root, sibling)
            }
            (node, last) = (node >> 1, last >> 1)
        }
        return last == 0 ? root : nil
    }

    /// Returns the roots of both trees to which a consistency path leads; `nil` for a path of the
    /// wrong length.
    ///
    /// - Parameters:
    ///   - old: the number of leaves in the smaller tree.
    ///   - new: the number of leaves in the larger tree.
    ///   - oldRoot: the root that the smaller tree is said to have.
    static func roots(
        from old: UInt64, to new: UInt64, oldRoot: [UInt8], path: [[UInt8]],
        _ hasher: inout TreeHasher
    ) -> (old: [UInt8], new: [UInt8])? {
        guard 0 < old, old <= new else { return nil }
        guard old < new else { return path.isEmpty ? (oldRoot, oldRoot) : nil }
        var path = path[...]
        // A smaller tree that is one complete subtree has its root left out of the path.
        if old & (old - 1) == 0 { path = [oldRoot] + path }
        guard let first = path.popFirst() else { return nil }
        var (node, last) = (old - 1, new - 1)
        while node & 1 == 1 { (node, last) = (node >> 1, last >> 1) }
        var (oldRoot, newRoot) = (first, first)
        for sibling in path {
            guard last > 0 else { return nil }
            if node & 1 == 1 || node == last {
                oldRoot = hasher.node(sibling, oldRoot)
                newRoot = hasher.node(sibling, newRoot)
                while node & 1 == 0, node > 0 { (node, last) = (node >> 1, last >> 1) }
            } else {
                newRoot = hasher.node(newRoot, sibling)
            }
            (node, last) = (node >> 1, last >> 1)
        }
        return last == 0 ? (oldRoot, newRoot) : nil
    }

    /// Returns the root of a subtree, or of a whole tree that begins with leaf 0.
    ///
    /// - Parameters:
    ///   - leaves: a range as the paths of this type have them, or that begins with 0.
    ///   - complete: returns the root of the complete subtree of 2 to the power of `level` leaves
    ///     that is the one with this number among the subtrees of its size.
    static func root<Failure: Error>(
        of leaves: Range<UInt64>, _ hasher: inout TreeHasher,
        complete: (_ level: Int, _ number: UInt64) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        guard !leaves.isEmpty else { return TreeHasher.emptyRoot }
        var roots: [[UInt8]] = []
        var start = leaves.lowerBound
        while start < leaves.upperBound {
            let level =
                (leaves.upperBound - start).bitWidth - 1
                - (leaves.upperBound - start).leadingZeroBitCount
            roots.append(try complete(level, start >> UInt64(level)))
            start += 1 << UInt64(level)
        }
        var root = roots.removeLast()
        while let left = roots.popLast() { root = hasher.node(left, root) }
        return root
    }

    /// Returns the number of leaves in the left subtree of a tree: the largest power of two that is
    /// less than `size`.
    private static func split(_ size: UInt64) -> UInt64 {
        1 << UInt64(size.bitWidth - 1 - (size - 1).leadingZeroBitCount)
    }
}
