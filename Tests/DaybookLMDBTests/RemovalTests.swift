import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB

/// Removals, in which LMDB reads more pages than those on the way to the row.
@Suite("Removals") struct RemovalTests {
    @Test("A removal that merges branches checks the first leaf below the next branch")
    func lowestKeyOfNextBranch() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        do {
            let environment = try Environment(path: path)
            let table = try #require(try environment.open([("rows", .integers)]).first)
            var transaction = try WriteTransaction(in: environment)
            let value = [UInt8](repeating: 1, count: 1_500)
            for key in 0..<1_000 as Range<UInt64> {
                try transaction.append(value.rawSpan, for: key, to: table)
            }
            try transaction.commit()
            // Few leaves are left below the first branch.
            var removing = try WriteTransaction(in: environment)
            for key in 0..<440 as Range<UInt64> { try removing.remove(key, from: table) }
            try removing.commit()
        }
        try damage(path)
        let environment = try Environment(path: path)
        let table = try #require(try environment.open([("rows", .integers)]).first)
        var left = 560
        #expect(throws: LMDBError.corrupted) {
            for key in 440..<500 as Range<UInt64> {
                var transaction = try WriteTransaction(in: environment)
                try transaction.remove(key, from: table)
                try transaction.commit()
                left -= 1
            }
        }
        // Otherwise the wrong key would have become that of a branch.
        #expect(left == 560)
        #expect(try ReadTransaction(in: environment).count(of: table) == left)
    }

    /// Exchanges the keys of the first two rows below the second branch of the table.
    private func damage(_ path: String) throws {
        let file = open(path, O_RDWR)
        defer { close(file) }
        let byteCount = try FileMap.size(of: file)
        let pages = try PageMap(
            newestOf: FileMap.map(file, covering: byteCount), fileBytes: byteCount)
        let tree = try #require(try pages.tree(named: "rows"))
        #expect(tree.depth == 3)
        let root = try pages.page(tree.root, flags: PageFormat.branch)
        let branch = try pages.page(pages.child(root.0, 1), flags: PageFormat.branch)
        let leaf = try pages.page(pages.child(branch.0, 0), flags: PageFormat.leaf)
        let key = try pages.key(leaf.0, 0)
        let (first, address) = (try key.integer, try #require(key.baseAddress))
        var changed = first + 1_000
        #expect(pwrite(file, &changed, 8, off_t(address - pages.start)) == 8)
    }
}
