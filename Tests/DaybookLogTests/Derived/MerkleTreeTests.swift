import Daybook
import DaybookCryptography
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

/// A tree as RFC 9162 defines it, written as its recursive definitions read.
struct RecursiveTree {
    var leaves: [[UInt8]]

    static func leaf(_ data: [UInt8]) -> [UInt8] { SHA256.hash([0] + data) }

    private static func node(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        SHA256.hash([1] + left + right)
    }

    /// The largest power of two that is less than a number.
    private static func split(_ count: Int) -> Int {
        var power = 1
        while 2 * power < count { power *= 2 }
        return power
    }

    /// MTH(D[n]).
    static func root(_ leaves: some Collection<[UInt8]>) -> [UInt8] {
        let leaves = Array(leaves)
        if leaves.isEmpty { return SHA256.hash([]) }
        if leaves.count == 1 { return leaf(leaves[0]) }
        let middle = split(leaves.count)
        return node(root(leaves[..<middle]), root(leaves[middle...]))
    }

    /// PATH(m, D[n]).
    static func path(_ index: Int, _ leaves: some Collection<[UInt8]>) -> [[UInt8]] {
        let leaves = Array(leaves)
        if leaves.count == 1 { return [] }
        let middle = split(leaves.count)
        return index < middle
            ? path(index, leaves[..<middle]) + [root(leaves[middle...])]
            : path(index - middle, leaves[middle...]) + [root(leaves[..<middle])]
    }

    /// PROOF(m, D[n]).
    static func consistency(_ old: Int, _ leaves: [[UInt8]]) -> [[UInt8]] {
        subproof(old, leaves, isWhole: true)
    }

    private static func subproof(
        _ old: Int, _ leaves: some Collection<[UInt8]>, isWhole: Bool
    ) -> [[UInt8]] {
        let leaves = Array(leaves)
        if old == leaves.count { return isWhole ? [] : [root(leaves)] }
        let middle = split(leaves.count)
        return old <= middle
            ? subproof(old, leaves[..<middle], isWhole: isWhole) + [root(leaves[middle...])]
            : subproof(old - middle, leaves[middle...], isWhole: false) + [root(leaves[..<middle])]
    }
}

/// The arithmetic of trees, against published values and the definitions of the RFC.
@Suite struct MerkleTreeTests {
    /// The leaves, nodes and roots of the tests of certificate-transparency, which many
    /// implementations share.
    static let data = [
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    ].map { Hexadecimal.bytes($0) ?? [] }
    static let roots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]
    static let inclusions: [(leaf: UInt64, size: UInt64, path: [String])] = [
        (0, 1, []),
        (
            0, 8,
            [
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ]
        ),
        (
            5, 8,
            [
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ]
        ),
        (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
        (
            1, 5,
            [
                "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            ]
        ),
    ]
    static let consistencies: [(old: UInt64, new: UInt64, path: [String])] = [
        (1, 1, []),
        (
            1, 8,
            [
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ]
        ),
        (
            6, 8,
            [
                "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ]
        ),
        (
            2, 5,
            [
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            ]
        ),
    ]

    private func bytes(_ texts: [String]) -> [[UInt8]] {
        texts.map { Hexadecimal.bytes($0) ?? [] }
    }

    /// The hashes of subtrees of some leaves.
    private func hashes(_ ranges: [Range<UInt64>], _ leaves: [[UInt8]]) -> [[UInt8]] {
        var hasher = TreeHasher()
        return ranges.map { range in
            MerkleTree.root(of: range, &hasher) { level, number in
                let start = Int(number) << level
                return RecursiveTree.root(leaves[start..<start + 1 << level])
            }
        }
    }

    @Test("Roots of up to eight leaves are the published ones", arguments: 0...8)
    func publishedRoots(_ size: Int) {
        var hasher = TreeHasher()
        var running = RunningRoot()
        for data in Self.data.prefix(size) { running.add(RecursiveTree.leaf(data), &hasher) }
        #expect(Hexadecimal.text(running.finish(&hasher)) == Self.roots[size])
        let whole = hashes([0..<UInt64(size)], Self.data)[0]
        #expect(Hexadecimal.text(whole) == Self.roots[size])
    }

    @Test("Inclusion paths are the published ones, and lead to the published roots")
    func publishedInclusions() {
        var hasher = TreeHasher()
        for (leaf, size, path) in Self.inclusions {
            let ranges = MerkleTree.inclusionPath(of: leaf, in: size)
            #expect(hashes(ranges, Self.data).map { Hexadecimal.text($0) } == path)
            let root = MerkleTree.root(
                fromLeaf: RecursiveTree.leaf(Self.data[Int(leaf)]), number: leaf, in: size,
                path: bytes(path), &hasher)
            #expect(root.map { Hexadecimal.text($0) } == Self.roots[Int(size)])
        }
    }

    @Test("Consistency paths are the published ones, and lead to the published roots")
    func publishedConsistencies() {
        var hasher = TreeHasher()
        for (old, new, path) in Self.consistencies {
            let ranges = MerkleTree.consistencyPath(from: old, to: new)
            #expect(hashes(ranges, Self.data).map { Hexadecimal.text($0) } == path)
            let roots = MerkleTree.roots(
                from: old, to: new, oldRoot: bytes(Self.roots)[Int(old)], path: bytes(path),
                &hasher)
            #expect(roots.map { Hexadecimal.text($0.old) } == Self.roots[Int(old)])
            #expect(roots.map { Hexadecimal.text($0.new) } == Self.roots[Int(new)])
        }
    }

    static let leaves = (0..<UInt8(130)).map { [$0] }

    @Test("Each path of each tree is that of the recursive definition", arguments: 1...130)
    func everySize(_ size: Int) {
        var hasher = TreeHasher()
        let leaves = Array(Self.leaves.prefix(size))
        let root = RecursiveTree.root(leaves)
        #expect(hashes([0..<UInt64(size)], leaves) == [root])
        for index in Cases.sample(0..<size) {
            let path = RecursiveTree.path(index, leaves)
            let ranges = MerkleTree.inclusionPath(of: UInt64(index), in: UInt64(size))
            #expect(hashes(ranges, leaves) == path, "leaf \(index) of \(size)")
            let leaf = RecursiveTree.leaf(leaves[index])
            #expect(
                MerkleTree.root(
                    fromLeaf: leaf, number: UInt64(index), in: UInt64(size), path: path, &hasher)
                    == root)
        }
        for old in Cases.sample(1...size) {
            let path = RecursiveTree.consistency(old, leaves)
            let ranges = MerkleTree.consistencyPath(from: UInt64(old), to: UInt64(size))
            #expect(hashes(ranges, leaves) == path, "from \(old) to \(size)")
            let oldRoot = RecursiveTree.root(leaves.prefix(old))
            let roots = MerkleTree.roots(
                from: UInt64(old), to: UInt64(size), oldRoot: oldRoot, path: path, &hasher)
            #expect(roots?.old == oldRoot && roots?.new == root, "from \(old) to \(size)")
        }
    }

    @Test("A path with a changed, missing, added or moved hash leads to another root, or to none")
    func alteredPaths() {
        var hasher = TreeHasher()
        for size in [2, 3, 7, 8, 13, 64, 100] {
            let leaves = Array(Self.leaves.prefix(size))
            let root = RecursiveTree.root(leaves)
            for index in 0..<size {
                let leaf = RecursiveTree.leaf(leaves[index])
                for path in altered(RecursiveTree.path(index, leaves)) {
                    let found = MerkleTree.root(
                        fromLeaf: leaf, number: UInt64(index), in: UInt64(size), path: path,
                        &hasher)
                    #expect(found != root, "leaf \(index) of \(size)")
                }
            }
            for old in 1..<size {
                let oldRoot = RecursiveTree.root(leaves.prefix(old))
                for path in altered(RecursiveTree.consistency(old, leaves)) {
                    let found = MerkleTree.roots(
                        from: UInt64(old), to: UInt64(size), oldRoot: oldRoot, path: path, &hasher)
                    #expect(found?.old != oldRoot || found?.new != root, "\(old) to \(size)")
                }
            }
        }
    }

    private func altered(_ path: [[UInt8]]) -> [[[UInt8]]] {
        var paths = [path + [[UInt8](repeating: 7, count: 32)]]
        for index in path.indices {
            var changed = path
            changed[index][index % 32] ^= 1
            var shorter = path
            shorter.remove(at: index)
            paths += [changed, shorter]
            if index > 0 {
                var moved = path
                moved.swapAt(index - 1, index)
                paths.append(moved)
            }
        }
        return paths
    }

    @Test("A leaf after the end, and a tree that shrinks, have no root")
    func outside() {
        var hasher = TreeHasher()
        let hash = [UInt8](repeating: 1, count: 32)
        #expect(
            MerkleTree.root(fromLeaf: hash, number: 3, in: 3, path: [], &hasher) == nil)
        #expect(MerkleTree.root(fromLeaf: hash, number: 0, in: 0, path: [], &hasher) == nil)
        for (old, new) in [(0, 3), (4, 3)] as [(UInt64, UInt64)] {
            #expect(
                MerkleTree.roots(from: old, to: new, oldRoot: hash, path: [hash], &hasher) == nil)
        }
        #expect(
            MerkleTree.roots(from: 3, to: 3, oldRoot: hash, path: [hash], &hasher) == nil)
    }
}
