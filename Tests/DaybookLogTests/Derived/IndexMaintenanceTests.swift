import Daybook
import DaybookLMDB
import Dispatch
import TestSupport
import Testing

@testable import DaybookLog

/// The index and the tree of a log whose owner never asks for them.
@Suite struct IndexMaintenanceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reached(_ log: EventLog) throws -> IndexMaintenance.Reached {
        try IndexMaintenance(file: log.file).reached()
    }

    /// Appends commits of one event each, all in one call.
    private func append(_ count: Int, to log: EventLog) throws {
        let requests = (0..<count).map { number in
            AppendRequest([
                NewEvent(
                    kind: "test.a.v1", tags: number % 9 == 0 ? [Daybook.Tag("topic", "x")] : [],
                    occurredAt: .epoch, payload: [])
            ])
        }
        _ = try log.append(requests)
    }

    /// Removes the index and the tree, as a log has none to which lone events were appended by an
    /// earlier release.
    private func removeDerivedRows(of log: EventLog) throws {
        try log.file.writing { (transaction) throws(LogError) in
            let key = Meta.indexedThrough
            try transaction.clear(log.file.tables.index)
            try transaction.clear(log.file.tables.tree)
            try transaction.remove(key.rawSpan, from: log.file.tables.meta)
        }
    }

    @Test(
        "After each append the missing part is bounded, and answers are those of an array",
        arguments: [21, 22, 23] as [UInt64])
    func bounded(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var log = try EventLog(path: folder.path("log"), access: .create)
        var oracle = OracleTests.Oracle()
        for step in 0..<40 {
            let place = "seed \(seed), step \(step)"
            let most = [1, 3, 300, 1_500][Int.random(in: 0..<4, using: &random)]
            let events = (0..<Int.random(in: 1...most, using: &random)).map { _ in
                OracleTests.event(&random)
            }
            let before = try reached(log)
            _ = try log.append(AppendRequest(events))
            oracle.events += events
            let head = try log.head().rawValue
            let after = try reached(log)
            #expect(head < after.due, "\(place)")
            #expect(after.index == before.index || head >= before.indexDue, "\(place)")
            #expect(after.tree == before.tree || head >= before.treeDue, "\(place)")
            let query = OracleTests.query(&random)
            let found = try log.reader(query).collect().map { Int($0.position.rawValue) }
            #expect(found == oracle.matches(query), "\(place), \(query)")
            if Int.random(in: 0..<8, using: &random) == 0 {
                // A process that opens the log knows nothing of what was caught up.
                _ = consume log
                log = try EventLog(path: folder.path("log"), access: .write)
            }
        }
        let result = try log.verify(against: try Catalogue([]))
        #expect(result.findings.isEmpty, "seed \(seed)")
        let note = try log.proofs.note()
        let leaves = try log.leafData()
        #expect(note.root == RecursiveTree.root(leaves), "seed \(seed)")
        try removeDerivedRows(of: log)
        let plain = try EventLog(path: folder.path("log"), access: .read)
        #expect(try plain.proofs.note() == note)
    }

    @Test("A lone append adds one batch to a log without index and tree, a large one everything")
    func earlierLog() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        for _ in 0..<4 { try append(9_000, to: log) }
        try removeDerivedRows(of: log)
        for _ in 0..<2 {
            // The rest, 3,233 events, is less than what both may lack.
            let opened = try EventLog(path: log.path, access: .write)
            try append(1, to: opened)
            let end = IndexUpdate.batchSize
            #expect(try reached(opened) == IndexMaintenance.Reached(index: end, tree: end))
        }
        try removeDerivedRows(of: log)
        let opened = try EventLog(path: log.path, access: .write)
        try append(1_024, to: opened)
        let head = try opened.head().rawValue
        #expect(try reached(opened) == IndexMaintenance.Reached(index: head, tree: head))
        #expect(try opened.verify(against: try Catalogue([])).findings.isEmpty)
    }

    /// Each batch is a transaction, so that a process that is killed leaves one of these states.
    @Test("After an interruption between two transactions, answers are the same, and it goes on")
    func interrupted() throws {
        let path = folder.path("log")
        let query = Query(Query.Item(tags: [Daybook.Tag("topic", "x")]))
        let log = try EventLog(path: path, access: .create)
        for _ in 0..<2 { try append(18_000, to: log) }
        let note = try log.proofs.note()
        let count = try log.reader(query).collect().count
        for (index, tree) in [(0, 1), (1, 0), (1, 1), (2, 1)] {
            try removeDerivedRows(of: log)
            for _ in 0..<index { _ = try IndexUpdate(file: log.file).indexBatch(clearing: false) }
            for _ in 0..<tree { _ = try TreeUpdate(file: log.file).extendOnce(clearing: false) }
            let place = "\(index) batches of the index, \(tree) of the tree"
            let opened = try EventLog(path: path, access: .write)
            #expect(try opened.proofs.note() == note, "\(place)")
            #expect(try opened.reader(query).collect().count == count, "\(place)")
            #expect(try opened.verify(against: try Catalogue([])).findings.isEmpty, "\(place)")
        }
        try append(2_000, to: log)
        #expect(try log.head().rawValue < reached(log).due)
        #expect(try log.verify(against: try Catalogue([])).findings.isEmpty)
    }

    @Test("Several writers of two openings leave one whole index and tree")
    func severalWriters() throws {
        let path = folder.path("log")
        let logs = [
            try EventLog(path: path, access: .create), try EventLog(path: path, access: .write),
        ]
        let requests = (0..<300).map { _ in
            AppendRequest([
                NewEvent(kind: "test.a.v1", tags: [], occurredAt: .epoch, payload: [1])
            ])
        }
        DispatchQueue.concurrentPerform(iterations: 4) { writer in
            for _ in 0..<8 {
                #expect(throws: Never.self) { try logs[writer % 2].append(requests) }
            }
        }
        let head = try logs[0].head().rawValue
        #expect(head == 9_600)
        #expect(try logs[0].verify(against: try Catalogue([])).findings.isEmpty)
        // Who lost to the other opening looks again at the next append.
        try append(1, to: logs[0])
        try append(1, to: logs[1])
        #expect(try head + 2 < reached(logs[1]).due)
    }

    @Test("A log of a few hundred events gets neither index nor tree by the way")
    func small() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        try append(1_023, to: log)
        #expect(try reached(log) == IndexMaintenance.Reached(index: 0, tree: 0))
        try append(1, to: log)
        #expect(try reached(log) == IndexMaintenance.Reached(index: 1_024, tree: 0))
    }
}
