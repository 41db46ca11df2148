import Daybook
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DaybookLMDB
@testable import DaybookLog

/// Operations that an observer of a log receives.
@Suite("Observers", .timeLimit(.minutes(5))) struct LogObserverTests {
    private let folder: TemporaryFolder
    private let observer = Collector()

    init() throws {
        folder = try TemporaryFolder()
    }

    /// An observer that keeps what it receives.
    final class Collector: LogObserver {
        private let operations = Mutex<[LogOperation]>([])

        func observe(_ operation: LogOperation) { operations.withLock { $0.append(operation) } }

        /// Returns what was received since the last call, of some kinds.
        func received(_ kinds: LogOperation.Kind...) -> [LogOperation] {
            operations.withLock { operations in
                defer { operations = [] }
                return operations.filter { kinds.contains($0.kind) }
            }
        }
    }

    private func open(
        _ access: EventLog.Access = .create, writeWait: Duration = .seconds(10)
    ) throws -> EventLog {
        try EventLog(
            path: folder.path("log"), access: access, catalogue: try Catalogue([Bells.self]),
            writeWait: writeWait, observer: observer)
    }

    private func rings(_ ids: String..., key: String? = nil) -> AppendRequest {
        var request = Bell.rings("a")
        request.events = ids.flatMap { Bell.rings($0).events }
        request.idempotency = key.map { .init(key: $0, asked: []) }
        return request
    }

    @Test("An append has the outcome and the counts of what was written")
    func appends() throws {
        let log = try open()
        #expect(observer.received(.open).map(\.logID) == [log.id])
        let free = AppendCondition(Query(Query.Item(kinds: [Bell.Rung.kind])))
        var conditioned = rings("a")
        conditioned.conditions = [free]
        let cases: [([AppendRequest], LogOperation.Outcome, commits: Int, events: Int, UInt64?)] = [
            ([rings("a", "b", key: "k"), rings("c")], .done, 2, 3, 3),
            ([rings("a", "b", key: "k")], .repeated, 0, 0, 2),
            ([rings("a", "b", key: "k"), rings("d")], .done, 1, 1, 4),
            ([rings()], .nothing, 0, 0, nil),
            ([rings("e"), conditioned], .conflict, 0, 0, 4),
            ([rings("e", key: String(repeating: "x", count: 256))], .unstorable, 0, 0, nil),
        ]
        for (requests, outcome, commits, events, position) in cases {
            _ = try? log.append(requests)
            let appends = observer.received(.append)
            #expect(appends.map(\.outcome) == [outcome])
            #expect(appends.map(\.commitCount) == [commits])
            #expect(appends.map(\.eventCount) == [events])
            #expect(appends.map(\.position) == [position.map { Position($0) }])
            #expect(appends.allSatisfy { $0.duration > .zero && $0.reason == nil })
        }
    }

    @Test("A key of another request is an outcome of its own")
    func keyReused() throws {
        let log = try open()
        _ = try log.append(rings("a", key: "k"))
        var other = rings("a")
        other.idempotency = .init(key: "k", asked: [1])
        #expect(throws: AppendError.keyReused(key: "k", at: Position(1))) { try log.append(other) }
        #expect(observer.received(.append).map(\.outcome) == [.done, .keyReused])
    }

    @Test("A transaction is received once, whichever task or thread wrote it, with its wait")
    func transactions() async throws {
        // Other tests may keep this one from releasing the log for long.
        let log = try open(writeWait: .seconds(600))
        let held = try log.file.beginWriting()
        let writer = Task { try await log.append(rings("a")) }
        let blocked = DispatchGroup()
        blocked.enter()
        Thread.detachNewThread {
            _ = try? log.append(self.rings("b"))
            blocked.leave()
        }
        let isWaiting = try await Wait.suspendedUntil {
            log.file.environment.writeGate.waitingThreadCount > 0
        }
        #expect(isWaiting)
        // The wait has begun, and is longer than this however busy the machine is.
        try await Task.sleep(for: .milliseconds(60))
        _ = consume held
        _ = try await writer.value
        await withCheckedContinuation { continuation in
            blocked.notify(queue: .global()) { continuation.resume() }
        }
        let writes = observer.received(.write)
        #expect((1...2).contains(writes.count))
        #expect(writes.reduce(0) { $0 + $1.commitCount } == 2)
        #expect(try #require(writes.map(\.waited).max()) > .milliseconds(50))
        #expect(writes.allSatisfy { $0.waited <= $0.duration })
    }

    @Test("A writer that waited in vain failed because the log was locked")
    func locked() throws {
        let log = try open(writeWait: .milliseconds(50))
        let transaction = try log.file.beginWriting()
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? log.append(self.rings("a"))
            ended.signal()
        }
        ended.wait()
        _ = consume transaction
        let failed = observer.received(.append, .write)
        #expect(failed.map(\.kind) == [.write, .append])
        #expect(failed.allSatisfy { $0.outcome == .failed && $0.reason == "locked" })
        #expect(failed[0].waited >= .milliseconds(50))
    }

    @Test("A decision has its outcome, in threads and in tasks")
    func decisions() async throws {
        let log = try open()
        let ring = Bell.Ring(id: "a", limit: 1)
        _ = try await log.decide(ring, idempotency: .init(key: "k", asked: []))
        _ = try await log.decide(ring, idempotency: .init(key: "k", asked: []))
        _ = try await log.decide(ring)
        _ = try await log.decide(ring)
        _ = try await log.decide(Bell.Ring(id: "b", limit: 1))
        let decisions = observer.received(.decide)
        #expect(decisions.map(\.outcome) == [.done, .repeated, .refused, .refused, .done])
        #expect(decisions.map(\.eventCount) == [1, 0, 0, 0, 1])
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await log.decide(ring)
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(observer.received(.decide).map(\.outcome) == [.cancelled])
    }

    @Test("A read counts the events that it visited, also if it ends early or fails")
    func reads() throws {
        let log = try open()
        _ = try log.append(rings("a", "b", "a", "c"))
        _ = observer.received()
        let reads: [(Int, () throws -> Void)] = [
            (4, { _ = try log.reader().collect() }),
            (2, { _ = try log.reader().collect(limit: 2) }),
            (4, { try log.reader().forEachStored { _, _, _ in true } }),
            (2, { _ = try log.state(Bell.self, of: "a") }),
        ]
        for (count, read) in reads {
            try read()
            let received = observer.received(.read)
            #expect(received.reduce(0) { $0 + $1.eventCount } >= count)
            #expect(received.allSatisfy { $0.outcome == .done && $0.duration > .zero })
        }
        try log.file.writing { (transaction) throws(LogError) in
            try transaction.put([1, 2, 3], for: 3, in: log.file.tables.events)
        }
        #expect(throws: LogError.self) { try log.reader().collect() }
        #expect(throws: LogError.self) { try log.reader().forEachStored { _, _, _ in true } }
        for failed in observer.received(.read) {
            #expect(failed.outcome == .failed)
            #expect(failed.reason == "damaged")
            #expect(failed.position == Position(3))
        }
        #expect(try !log.verify().isSound)
        #expect(try #require(observer.received(.verify).first).findingCount > 0)
    }

    @Test("A follower tells how far it is behind the log each time that it comes for more")
    func followers() async throws {
        let log = try open()
        _ = try await log.append(rings("a", "b", "c"))
        var events = log.follow(after: Position(1)).makeAsyncIterator()
        _ = try await events.next()
        _ = try await events.next()
        _ = try await log.append(rings("d"))
        _ = try await events.next()
        var follows = observer.received(.follow)
        #expect(follows.map(\.lag) == [2, 1])
        #expect(follows.map(\.eventCount) == [2, 1])
        #expect(follows.map(\.position) == [Position(3), Position(4)])
        let other = Head(unchecked: Position(4), Array(repeating: 1, count: 32))
        await #expect(throws: LogError.self) {
            for try await _ in log.commits.follow(after: other) {}
        }
        follows = observer.received(.follow)
        #expect(follows.map(\.outcome) == [.failed])
        #expect(follows.map(\.reason) == ["other"])
    }

    @Test("An index that was brought up to date, and one that could not be, are received")
    func index() throws {
        let log = try open()
        let receipt = try log.append(rings("a"))
        var far = try #require(receipt)
        far.last = Position(2 * IndexMaintenance.smallestLag)
        AppendTurn(log: log).catchUpIndexes(after: [far])
        #expect(observer.received(.index).map(\.eventCount) == [1])
        try log.file.writing { (transaction) throws(LogError) in
            let key = Meta.indexedThrough
            try transaction.put([1], for: key.rawSpan, in: log.file.tables.meta)
        }
        far.last = Position(3 * IndexMaintenance.smallestLag)
        AppendTurn(log: log).catchUpIndexes(after: [far])
        let failed = observer.received(.index)
        #expect(failed.map(\.outcome) == [.failed])
        #expect(failed.map(\.reason) == ["damaged"])
    }

    @Test("An erasure counts the texts, and one of nothing does nothing")
    func erasures() throws {
        let log = try EventLog(path: folder.path("log"), access: .create, observer: observer)
        let note = NewEvent(Note(1, topics: ["t"], secret: "s"), occurredAt: .epoch)
        _ = try log.append(AppendRequest([note], metadata: CommitMetadata(actor: "kim")))
        _ = try log.erase(.position(Position(1)), catalogue: try Catalogue([Notes.self]))
        _ = try log.erase(.position(Position(1)), catalogue: try Catalogue([Notes.self]))
        let erasures = observer.received(.erase)
        #expect(erasures.map(\.outcome) == [.done, .nothing])
        #expect(erasures.map(\.textCount) == [1, 0])
        #expect(erasures.map(\.position) == [Position(2), nil])
    }

    @Test("An opening that fails is received without an id")
    func failedOpening() throws {
        #expect(throws: LogError.self) { try open(.read) }
        let failed = observer.received(.open)
        #expect(failed.map(\.outcome) == [.failed])
        #expect(failed.map(\.reason) == ["missing"])
        #expect(failed.map(\.logID) == [nil])
    }

    @Test("A log can be used by its observer, since no lock is held while it is called")
    func reentrance() async throws {
        final class Echo: LogObserver {
            let log = Mutex<EventLog?>(nil)
            private let count = Mutex(0)

            /// True for the first three looks.
            private var isEarly: Bool {
                count.withLock { count in
                    count += 1
                    return count < 4
                }
            }

            func observe(_ operation: LogOperation) {
                guard operation.kind == .write, let log = log.withLock(\.self), isEarly else {
                    return
                }
                _ = try? log.append(Bell.rings("echo"))
            }
        }
        let echo = Echo()
        let log = try EventLog(path: folder.path("log"), access: .create, observer: echo)
        echo.log.withLock { $0 = log }
        _ = try await log.append(rings("a"))
        #expect(try log.head() == Position(4))
        _ = try await log.append(rings("b"))
        #expect(try log.head() == Position(5))
        echo.log.withLock { $0 = nil }
    }
}
