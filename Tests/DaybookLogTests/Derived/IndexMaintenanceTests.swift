import Daybook
import DaybookLMDB
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import DaybookLog

/// The index and the tree of a log whose owner never asks for them.
@Suite struct IndexMaintenanceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Calls `body` with the log, which is closed again: a process has a file open only once.
    private func open<Result>(
        _ access: EventLog.Access = .write, _ body: (EventLog) throws -> Result
    ) throws -> Result {
        try body(try EventLog(path: folder.path("log"), access: access))
    }

    /// The last positions that are in the index and in the tree.
    private struct Reached: Equatable {
        var index: UInt64
        var tree: UInt64

        var indexDue: UInt64 { IndexMaintenance.indexDue(after: index) }
        var treeDue: UInt64 { IndexMaintenance.treeDue(after: tree) }
        /// The position at which one of them is to be caught up.
        var due: UInt64 { min(indexDue, treeDue) }
    }

    private func reached(_ log: EventLog) throws -> Reached {
        let transaction = try log.file.beginReading()
        return Reached(
            index: try log.file.tables.indexedThrough(in: transaction),
            tree: try log.file.tables.treeState(in: transaction)?.through ?? 0)
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
        var oracle = OracleTests.Oracle()
        // A process that opens the log knows nothing of what was caught up.
        for opening in 0..<5 {
            try open(.create) { (log) throws in
                for step in 0..<8 {
                    let place = "seed \(seed), opening \(opening), step \(step)"
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
                }
            }
        }
        let note = try open { (log) throws in
            #expect(try log.verify(against: try Catalogue([])).findings.isEmpty, "seed \(seed)")
            let note = try log.proofs.note()
            let leaves = try log.leafData()
            #expect(note.root == RecursiveTree.root(leaves), "seed \(seed)")
            try removeDerivedRows(of: log)
            return note
        }
        let plain = try open(.read) { try $0.proofs.note() }
        #expect(plain == note, "seed \(seed)")
    }

    @Test("A lone append adds one batch to a log without index and tree, a large one everything")
    func earlierLog() throws {
        try open(.create) { (log) throws in
            for _ in 0..<4 { try append(9_000, to: log) }
            try removeDerivedRows(of: log)
        }
        for _ in 0..<2 {
            // The rest, 3,234 events at most, is less than what both may lack.
            try open { (log) throws in
                try append(1, to: log)
                let end = IndexUpdate.batchSize
                #expect(try reached(log) == Reached(index: end, tree: end))
            }
        }
        try open { try removeDerivedRows(of: $0) }
        try open { (log) throws in
            try append(2_048, to: log)
            let head = try log.head().rawValue
            #expect(try reached(log) == Reached(index: head, tree: head))
            #expect(try log.verify(against: try Catalogue([])).findings.isEmpty)
        }
    }

    /// Each batch is a transaction, so that a process that is killed leaves one of these states.
    @Test("After an interruption between two transactions, answers are the same, and it goes on")
    func interrupted() throws {
        let query = Query(Query.Item(tags: [Daybook.Tag("topic", "x")]))
        let (note, count) = try open(.create) { (log) throws in
            for _ in 0..<2 { try append(18_000, to: log) }
            return (try log.proofs.note(), try log.reader(query).collect().count)
        }
        for (index, tree) in [(0, 1), (1, 0), (1, 1), (2, 1)] {
            let place = "\(index) batches of the index, \(tree) of the tree"
            try open { (log) throws in
                try removeDerivedRows(of: log)
                for _ in 0..<index {
                    _ = try IndexUpdate(file: log.file).indexBatch(clearing: false)
                }
                for _ in 0..<tree {
                    _ = try TreeUpdate(file: log.file).extendOnce(clearing: false)
                }
            }
            try open { (log) throws in
                #expect(try log.proofs.note() == note, "\(place)")
                #expect(try log.reader(query).collect().count == count, "\(place)")
                #expect(try log.verify(against: try Catalogue([])).findings.isEmpty, "\(place)")
            }
        }
        try open { (log) throws in
            try append(2_000, to: log)
            #expect(try log.head().rawValue < reached(log).due)
            #expect(try log.verify(against: try Catalogue([])).findings.isEmpty)
        }
    }

    /// A call of `catchUp` looks at the file alone, like that of another process.
    @Test("Several writers and others who catch up leave one whole index and tree")
    func severalWriters() throws {
        try open(.create) { (log) throws in
            let requests = (0..<300).map { _ in
                AppendRequest([
                    NewEvent(kind: "test.a.v1", tags: [], occurredAt: .epoch, payload: [1])
                ])
            }
            DispatchQueue.concurrentPerform(iterations: 4) { writer in
                for _ in 0..<8 {
                    #expect(throws: Never.self) {
                        _ = try log.append(requests)
                        _ = IndexMaintenance(log: log).catchUp(
                            through: try log.head().rawValue, afterEvents: UInt64(writer))
                    }
                }
            }
            let head = try log.head().rawValue
            #expect(head == 9_600)
            #expect(try head < reached(log).due)
            #expect(try log.verify(against: try Catalogue([])).findings.isEmpty)
        }
    }

    @Test("A damaged index fails no append, and is not met again at each of them")
    func damagedIndex() throws {
        let observer = LogObserverTests.Collector()
        let log = try EventLog(
            path: folder.path("log"), access: .create, observer: observer)
        try append(10, to: log)
        try log.file.writing { (transaction) throws(LogError) in
            let key = Meta.indexedThrough
            try transaction.put([1], for: key.rawSpan, in: log.file.tables.meta)
        }
        try append(1_500, to: log)
        for _ in 0..<3 { try append(1, to: log) }
        #expect(try log.head() == Position(1_513))
        let operations = observer.received(.append, .index)
        #expect(operations.map(\.outcome) == [.done, .failed, .done, .done, .done, .done])
        try log.reindex(afresh: true)
        try append(6_000, to: log)
        #expect(try log.head().rawValue < reached(log).due)
        #expect(try log.verify(against: try Catalogue([])).findings.isEmpty)
    }

    @Test("A damaged tree keeps no index from catching up")
    func damagedTree() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        try append(5_000, to: log)
        try log.file.writing { (transaction) throws(LogError) in
            try transaction.put([1], for: UInt64.max, in: log.file.tables.tree)
        }
        try append(5_000, to: log)
        #expect(try log.indexedThrough() == Position(10_000))
        #expect(throws: LogError.self) { try reached(log) }
        try log.reindex(afresh: true)
        #expect(try reached(log) == Reached(index: 10_000, tree: 10_000))
    }

    @Test("Who appends much while another thread catches up does so for itself")
    func beside() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        try append(10, to: log)
        // As the other thread leaves it until it is done.
        log.file.maintenanceDue.store(10 + IndexMaintenance.smallestLag, ordering: .relaxed)
        try append(1_000, to: log)
        #expect(try reached(log) == Reached(index: 0, tree: 0))
        try append(5_000, to: log)
        #expect(try reached(log) == Reached(index: 6_010, tree: 6_010))
    }

    @Test("A log of a few hundred events gets neither index nor tree by the way")
    func small() throws {
        let log = try EventLog(path: folder.path("log"), access: .create)
        try append(1_023, to: log)
        #expect(try reached(log) == Reached(index: 0, tree: 0))
        try append(1, to: log)
        #expect(try reached(log) == Reached(index: 1_024, tree: 0))
    }
}
