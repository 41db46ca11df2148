import Daybook
import DaybookLMDB
import Foundation
import TestSupport
import Testing

@testable import DaybookLog

extension EventLog {
    /// Creates a log whose id is sixteen bytes of 7.
    static func withFixedID(_ path: String, clock: @escaping @Sendable () -> Instant) throws
        -> EventLog
    {
        do {
            let log = try EventLog(path: path, access: .create)
            let id = [UInt8](repeating: 7, count: 16)
            try log.file.writing { (transaction) throws(LogError) in
                let seal = Meta.seal(of: id, under: log.file.secret)
                for (key, value) in [(Meta.identifier, id), (Meta.identifierSeal, seal)] {
                    try transaction.put(value, for: key.rawSpan, in: log.file.tables.meta)
                }
            }
        }
        return try EventLog(path: path, access: .write, clock: clock)
    }

    /// Appends commits of one to three notes, up to a number of commits.
    func appendNotes(_ commits: Range<Int>) throws {
        let requests = commits.map { commit in
            AppendRequest(
                (0...commit % 3).map { index in
                    NewEvent(
                        Note(Int64(commit), "n", topics: ["t\(commit % 5)"], secret: "hidden"),
                        occurredAt: Instant(microseconds: Int64(commit * 10 + index)),
                        zone: commit % 2 == 0 ? "Asia/Seoul" : "")
                },
                metadata: CommitMetadata(actor: "kim", device: "d", correlation: "c"))
        }
        _ = try append(requests)
    }

    /// The rows of the table `tree`, by key.
    func treeRows() throws -> [UInt64: [UInt8]] {
        let transaction = try file.beginReading()
        var rows: [UInt64: [UInt8]] = [:]
        try transaction.scanRows(file.tables.tree) { (key: UInt64, value) in
            rows[key] = value.copied()
            return true
        }
        return rows
    }

    /// The data of each commit's leaf, made from rows as `docs/format.md` says.
    func leafData() throws -> [[UInt8]] {
        let transaction = try file.beginReading()
        let names = try file.names(in: transaction)
        var leaves: [[UInt8]] = []
        try transaction.scanRows(file.tables.commits) { (first: UInt64, row) throws(LogError) in
            let count: UInt32 = row.integer(at: 8)
            var events: [[UInt8]] = []
            try file.tables.scanEvents(first...first + UInt64(count) - 1, in: transaction) {
                (position, event) in
                let kind = names.rows[Int(event.integer(at: 16, as: UInt16.self)) - 1].text
                let zoneRow = Int(event.integer(at: 18, as: UInt16.self))
                let zone = zoneRow == 0 ? "" : names.rows[zoneRow - 1].text
                events.append(
                    position.bytes + UInt16(kind.utf8.count).bytes + UInt16(zone.utf8.count).bytes
                        + Array(kind.utf8) + Array(zone.utf8) + event.copied())
                return true
            }
            leaves.append(
                file.identifier + UInt64(leaves.count).bytes + first.bytes
                    + RecursiveTree.root(events) + row.copied())
            return true
        }
        return leaves
    }
}

/// The rows of the table `tree`, by `docs/format.md`.
@Suite struct TreeRowTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The commit of `FormatTests`; the hashes were computed with Python's hashlib over the bytes
    /// that `docs/format.md` names.
    @Test("The rows of a tree of one commit are the bytes the document says")
    func rows() throws {
        let log = try EventLog.withFixedID(
            folder.path("log"), clock: { Instant(microseconds: 1_000) })
        _ = try log.append(FormatTests.example)
        try log.reindex(afresh: true)
        let transaction = try log.file.beginReading()
        let tile = try transaction.bytes(for: UInt64(0), in: log.file.tables.tree.table)?.copied()
        #expect(
            Hexadecimal.text(tile ?? []) == "0100000000000000" + Self.leaf + Self.tileChecksum)
        let state = try transaction.bytes(for: UInt64.max, in: log.file.tables.tree.table)?.copied()
        #expect(
            Hexadecimal.text(state ?? [])
                == "01000000000000000200000000000000" + Self.stateChecksum)
        #expect(try log.treeRows().count == 2)
    }

    static let leaf = "7be1db10c9ffcc017428136f7961a3508d2f90877604c95a9fd3e244df314017"
    static let tileChecksum = "534ff331fd23e584"
    static let stateChecksum = "1fb7d2b085b3e383"

    @Test("The tree has the leaves and tiles of all commits, however it was caught up")
    func tiles() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        #expect(try log.treeRows().isEmpty)
        try log.appendNotes(0..<3)
        try log.reindex()
        #expect(try log.treeRows().isEmpty, "a log without a tree gets none by the way")
        try log.reindex(afresh: true)
        for end in [4, 255, 256, 257, 600] {
            try log.appendNotes(Int(try log.file.status().commits)..<end)
            try log.reindex()
            let leaves = try log.leafData()
            #expect(leaves.count == end)
            let hashes = leaves.map { RecursiveTree.leaf($0) }
            let rows = try log.treeRows()
            for (index, hash) in hashes.enumerated() {
                let row = try #require(rows[UInt64(index / 256)])
                #expect(Array(row[(8 + index % 256 * 32)...].prefix(32)) == hash)
            }
            let full = end / 256
            #expect(rows.count == (end + 255) / 256 + (full > 0 ? 1 : 0) + 1)
            if full > 0 {
                let above = try #require(rows[1 << 56])
                let roots = (0..<full).flatMap {
                    RecursiveTree.root(leaves[$0 * 256..<($0 + 1) * 256])
                }
                #expect(above == UInt64(1).bytes + roots)
            }
            let root = RecursiveTree.root(leaves)
            #expect(try log.proofs.note().root == root)
        }
        let rows = try log.treeRows()
        try log.reindex(afresh: true)
        #expect(try log.treeRows() == rows)
    }

    @Test("An append extends a tree that is far behind")
    func catchingUp() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        try log.appendNotes(0..<2)
        try log.reindex(afresh: true)
        let events = (0..<8_200).map {
            NewEvent(Note(Int64($0)), occurredAt: Instant(microseconds: 1))
        }
        for _ in 0..<4 { _ = try log.append(AppendRequest(events)) }
        let transaction = try log.file.beginReading()
        let state = try log.file.tables.treeState(in: transaction)
        #expect(state == TreeState(size: 6, through: 32_803))
    }

    @Test("A tree that ends within a commit is damage, for proofs and for the index")
    func endWithinCommit() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        let event = NewEvent(Note(1), occurredAt: Instant(microseconds: 1))
        _ = try log.append(AppendRequest([event]))
        try log.reindex(afresh: true)
        _ = try log.append(AppendRequest([event, event, event]))
        try log.file.writing { (transaction) throws(LogError) in
            try transaction.put(
                TreeState(size: 1, through: 3).bytes, for: TreeState.key, in: log.file.tables.tree)
        }
        let error = LogError.corrupt(
            table: "tree", key: TreeState.key,
            .invalid(field: "through", found: "3", expected: "the end of a commit"))
        #expect(throws: error) { try log.proofs.proof(of: Position(1)) }
        #expect(throws: error) { try log.reindex() }
        try log.reindex(afresh: true)
        _ = try log.proofs.proof(of: Position(1))
    }

    enum Forgery: String, CaseIterable {
        case leaf, lastLeaf, root, first, upperFirst, extraTile, missingTile, missingState, size,
            through
        case shortTile, longState

        /// Changes the rows of a tree of 600 commits; a row is removed if its value is `nil`.
        var change: (key: UInt64, value: ([UInt8]) -> [UInt8]?) {
            let flip = { (index: Int) in
                { (row: [UInt8]) -> [UInt8]? in
                    var row = row
                    row[index] ^= 1
                    return row
                }
            }
            return switch self {
            case .leaf: (1, flip(8 + 32 * 17))
            case .lastLeaf: (2, flip(8 + 32 * 5))
            case .root: (1 << 56, flip(8 + 40))
            case .first: (2, flip(0))
            case .upperFirst: (1 << 56, flip(0))
            case .extraTile: (3, { _ in UInt64(1).bytes + [UInt8](repeating: 1, count: 32) })
            case .missingTile: (1, { _ in nil })
            case .missingState: (.max, { _ in nil })
            case .size: (.max, flip(0))
            case .through: (.max, flip(8))
            case .shortTile: (0, { Array($0.dropLast()) })
            case .longState: (.max, { $0 + [0] })
            }
        }
    }

    @Test(
        "Verify finds a row of the tree that does not fit the commits", arguments: Forgery.allCases)
    func forged(_ forgery: Forgery) throws {
        let catalogue = try Catalogue([Notes.self])
        let log = try EventLog(path: folder.path("log"), access: .create, catalogue: catalogue)
        try log.appendNotes(0..<600)
        try log.reindex(afresh: true)
        #expect(try log.verify().findings.isEmpty)
        let (key, change) = forgery.change
        let row = try log.treeRows()[key] ?? []
        try log.file.writing { (transaction) throws(LogError) in
            if let value = change(row) {
                try transaction.put(value, for: key, in: log.file.tables.tree)
            } else {
                let bytes = key.bytes
                try transaction.remove(bytes.rawSpan, from: log.file.tables.tree)
            }
        }
        for threads in [1, 3] {
            let result = try VerificationRun(log: log).verifyOnce(catalogue, onThreads: threads) {
                _ in
            }
            #expect(!result.isSound)
            #expect(
                result.findings.allSatisfy { $0.rule == "tree" },
                "\(result.findings.map(\.message))")
        }
        try log.reindex(afresh: true)
        #expect(try log.verify().findings.isEmpty)
    }

    @Test("A compacted log keeps its tree, and proofs are the same")
    func compacted() throws {
        let path = folder.path("log")
        let proof: String
        let rows: [UInt64: [UInt8]]
        do {
            let log = try EventLog(path: path, access: .create)
            try log.appendNotes(0..<300)
            try log.reindex(afresh: true)
            proof = "\(try log.proofs.proof(of: Position(99), since: .commits(31)))"
            rows = try log.treeRows()
            try log.backup(to: folder.path("copy"))
        }
        _ = try Compaction.run(path, against: try Catalogue([Notes.self]))
        for path in [path, folder.path("copy")] {
            let log = try EventLog(path: path, access: .read)
            #expect(try log.treeRows() == rows)
            #expect("\(try log.proofs.proof(of: Position(99), since: .commits(31)))" == proof)
        }
    }

    @Test("A salvaged log has a tree of its own")
    func salvaged() throws {
        let original = try OriginalLog(at: folder.path("log"))
        try original.destroy(events: [80])
        let catalogue = try Catalogue([Notes.self])
        let saved = folder.path("saved")
        _ = try Salvage.run(original.path, to: saved, against: catalogue)
        let log = try EventLog(path: saved, access: .read)
        let transaction = try log.file.beginReading()
        let head = try log.head()
        #expect(try log.file.tables.treeState(in: transaction)?.through == head.rawValue)
        #expect(try log.verify(against: catalogue).isSound)
        let proof = try log.proofs.proof(of: head)
        #expect(try proof.check().event.position == head)
    }
}
