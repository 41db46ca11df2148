import Daybook
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DaybookLMDB
@testable import DaybookLog

/// Tasks that append and decide.
@Suite("Appends by tasks", .timeLimit(.minutes(5))) struct TaskAppendTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Keeps every other writer out until `release` is called.
    private final class Hold: Sendable {
        private let released = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        init(_ log: EventLog) {
            let held = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [self] in
                let transaction = try? log.file.beginWriting()
                held.signal()
                released.wait()
                _ = transaction
                ended.signal()
            }
            held.wait()
        }

        func release() {
            released.signal()
            ended.wait()
        }
    }

    /// Waits until a thread of the log waits to write what tasks have queued.
    private func expectWriter(_ log: EventLog) async throws {
        let isWaiting = try await Wait.suspendedUntil {
            log.file.environment.writeGate.waitingThreadCount > 0
        }
        #expect(isWaiting)
    }

    private func transactions(_ log: EventLog) throws -> UInt64 {
        try log.file.environment.newestTransactionNumber()
    }

    @Test("256 tasks share the transactions with each other and with threads")
    func groupCommit() async throws {
        let log = try Bells.log(folder)
        _ = try await log.append(Bell.rings("first"))
        let before = try transactions(log)
        let hold = Hold(log)
        let begun = Counter()
        let receipts = try await withThrowingTaskGroup(of: Receipt?.self) { group in
            for number in 0..<256 {
                group.addTask {
                    begun.add()
                    return try await log.append(Bell.rings("b\(number)"))
                }
            }
            // All begin, since those that wait block no thread.
            let areBegun = try await Wait.suspendedUntil { begun.value == 256 }
            #expect(areBegun)
            try await expectWriter(log)
            let threads = DispatchGroup()
            for _ in 0..<8 {
                threads.enter()
                Thread.detachNewThread {
                    _ = try? log.append(Bell.rings("thread"))
                    threads.leave()
                }
            }
            hold.release()
            var receipts: [Receipt] = []
            for try await receipt in group { receipts.append(try #require(receipt)) }
            await withCheckedContinuation { continuation in
                threads.notify(queue: .global()) { continuation.resume() }
            }
            return receipts
        }
        #expect(Set(receipts.map(\.first)).count == 256)
        #expect(try log.head() == Position(265))
        let count = try transactions(log) - before
        #expect(count <= 64, "\(count) transactions")
        #expect(try log.verify().isSound)
    }

    @Test("A cancelled task withdraws its request, and the others are appended")
    func withdrawn() async throws {
        let log = try Bells.log(folder)
        let hold = Hold(log)
        let first = Task { try await log.append(Bell.rings("first")) }
        // The first is being written, so that the others wait for the next batch.
        try await expectWriter(log)
        let others = (0..<3).map { number in
            Task { try await log.append(Bell.rings("b\(number)")) }
        }
        others[1].cancel()
        await #expect(throws: CancellationError.self) { try await others[1].value }
        hold.release()
        #expect(try await first.value?.first == Position(1))
        _ = try await others[0].value
        _ = try await others[2].value
        let tags = try log.reader().collect().flatMap(\.tags).map(\.text)
        #expect(Set(tags) == ["bell:first", "bell:b0", "bell:b2"])
    }

    @Test("A task that was cancelled before appends and decides nothing")
    func cancelledBefore() async throws {
        let log = try Bells.log(folder)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await log.append(Bell.rings("never"))
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let decided = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await log.decide(Bell.Ring(id: "never", limit: 1))
        }
        await #expect(throws: CancellationError.self) { try await decided.value }
        #expect(try log.head() == .origin)
    }

    @Test("A ticket can be withdrawn before its batch is written, and not later")
    func withdrawnTickets() {
        let queue = AppendQueue()
        let tickets = (0..<3).map { _ in AppendTicket([]) }
        let resumed = Mutex<[Int: Bool]>([:])
        for (index, ticket) in tickets.enumerated() {
            let mustServe = queue.add(ticket) { isProcessed in
                resumed.withLock { $0[index] = isProcessed }
            }
            #expect(mustServe == (index == 0))
        }
        queue.withdraw(tickets[1])
        queue.withdraw(tickets[1])
        #expect(resumed.withLock { $0 } == [1: false])
        let late = AppendTicket([])
        let (batch, tasksWait) = queue.writeForTasks { batch in
            #expect(batch.count == 2 && batch[0] === tickets[0] && batch[1] === tickets[2])
            queue.withdraw(tickets[0])
            #expect(!queue.add(late) { _ in })
        }
        #expect(tasksWait)
        AppendQueue.resumeTasks(of: batch)
        #expect(resumed.withLock { $0 } == [0: true, 1: false, 2: true])
        queue.withdraw(late)
        let (none, stillWait) = queue.writeForTasks { _ in Issue.record("nothing to write") }
        #expect(none.isEmpty && !stillWait)
    }

    @Test("Of 64 tasks that decide the same at once, as many as the rule allows have their way")
    func decided() async throws {
        let log = try Bells.log(folder)
        let outcomes = try await withThrowingTaskGroup(of: Decided.self) { group in
            for _ in 0..<64 {
                group.addTask { try await log.decide(Bell.Ring(id: "a", limit: 5)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { if case .appended = $0 { true } else { false } } == 5)
        #expect(outcomes.count { if case .refused = $0 { true } else { false } } == 59)
        #expect(try log.state(Bell.self, of: "a").count == 5)
    }

    @Test("Decisions on 256 entities share transactions, under a key once")
    func decisionsShareTransactions() async throws {
        let log = try Bells.log(folder)
        _ = try await log.append(Bell.rings("first"))
        let before = try transactions(log)
        for _ in 0..<2 {
            try await withThrowingTaskGroup(of: Decided.self) { group in
                for number in 0..<256 {
                    let key = AppendRequest.Idempotency(key: "k\(number)", asked: [1])
                    group.addTask {
                        try await log.decide(
                            Bell.Ring(id: "b\(number)", limit: 9), idempotency: key)
                    }
                }
                for try await decided in group {
                    guard case .appended = decided else {
                        Issue.record("\(decided)")
                        continue
                    }
                }
            }
        }
        #expect(try log.head() == Position(257))
        // A commit each takes 256.
        let count = try transactions(log) - before
        #expect(count < 200, "\(count) transactions")
    }

    @Test("Errors are those of threads: of one request, of a batch, and of the log")
    func errors() async throws {
        let log = try Bells.log(folder)
        _ = try await log.append(Bell.rings("a"))
        let free = AppendCondition(Query(Query.Item(tags: [Daybook.Tag("bell", "a")])))
        var conditional = Bell.rings("a")
        conditional.conditions = [free]
        let requests = [Bell.rings("b"), conditional]
        await #expect(throws: AppendError.conflict(at: Position(1))) {
            try await log.append(requests[1])
        }
        await #expect(throws: BatchError(index: 1, error: .conflict(at: Position(1)))) {
            try await log.append(requests)
        }
        #expect(try await log.append(AppendRequest([])) == nil)
        var unstorable = Bell.rings("a")
        unstorable.idempotency = .init(key: "", asked: [])
        await #expect(throws: AppendError.self) { try await log.append(unstorable) }
        #expect(try log.head() == Position(1))
    }

    @Test("A log that a task has written can be closed and opened again at once")
    func reopened() async throws {
        for round in Int64(1)...50 {
            let log = try Bells.log(folder)
            _ = try await log.append(Bell.rings("a"))
            _ = try await log.decide(Bell.Ring(id: "b", limit: round))
        }
        #expect(try Bells.log(folder).head() == Position(100))
    }
}
