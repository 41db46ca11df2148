import Foundation
import TestSupport
import Testing

@testable import DaybookLMDB

/// Waits for newer states of a file.
@Suite("Waiting for changes", .timeLimit(.minutes(5))) struct ChangeWaiterTests {
    private let folder: TemporaryFolder
    private let environment: Environment
    private let table: Table

    init() throws {
        folder = try TemporaryFolder()
        environment = try Environment(path: folder.path("file"))
        table = try #require(try environment.open([("rows", .integers)]).first)
    }

    private func commit(_ key: UInt64?) throws {
        var transaction = try WriteTransaction(in: environment)
        let value: [UInt8] = [1]
        if let key { try transaction.append(value.rawSpan, for: key, to: table) }
        try transaction.commit()
    }

    private func stateNumber() throws -> UInt64 {
        try ReadTransaction(in: environment).stateNumber
    }

    @Test("A state that is committed before or during the wait ends it, and nothing else does")
    func blocking() throws {
        let waiter = try ChangeWaiter(environment)
        let first = try stateNumber()
        let short = Duration.milliseconds(250)
        #expect(try !waiter.wait(after: first, atMost: short))
        // A transaction without a write commits no state.
        try commit(nil)
        #expect(try !waiter.wait(after: first, atMost: short))
        try commit(1)
        #expect(try waiter.wait(after: first, atMost: .seconds(30)))
        let second = try stateNumber()
        #expect(second > first)
        Thread.detachNewThread {
            usleep(20_000)
            try? self.commit(2)
        }
        // It may end before readers see the state.
        while try stateNumber() == second {
            #expect(try waiter.wait(after: second, atMost: .seconds(30)))
        }
        #expect(try !waiter.wait(after: stateNumber(), atMost: short))
    }

    @Test("A waiter that was woken before the state can be read returns soon, but not for ever")
    func early() throws {
        let waiter = try ChangeWaiter(environment)
        let first = try stateNumber()
        try commit(1)
        // As if the reader went on seeing the state before.
        let start = ContinuousClock.now
        for _ in 0..<101 { #expect(try waiter.wait(after: first, atMost: .seconds(30))) }
        let soon = ContinuousClock.now - start
        for _ in 0..<10 { #expect(try waiter.wait(after: first, atMost: .seconds(30))) }
        let later = ContinuousClock.now - start - soon
        // Waits may end a little early, but never at once.
        #expect(soon >= .milliseconds(50), "\(soon)")
        #expect(later >= .milliseconds(5), "\(later)")
    }

    @Test("A file that is replaced ends the waits of threads and of tasks")
    func replaced() async throws {
        let waiters = try (0..<2).map { _ in try ChangeWaiter(environment) }
        let number = try stateNumber()
        let task = Task { try await waiters[0].wait(after: number) }
        try Data().write(to: folder.url.appendingPathComponent("other"))
        #expect(rename(folder.path("other"), folder.path("file")) == 0)
        #expect(throws: LMDBError.fileReplaced) {
            try waiters[1].wait(after: number, atMost: .seconds(30))
        }
        await #expect(throws: LMDBError.fileReplaced) { try await task.value }
    }

    @Test("A task that is cancelled stops waiting, and another may wait")
    func cancelled() async throws {
        let waiter = try ChangeWaiter(environment)
        let number = try stateNumber()
        let task = Task { try await waiter.wait(after: number) }
        try await Task.sleep(for: .milliseconds(10))
        task.cancel()
        #expect(try await !task.value)
        try commit(1)
        #expect(try await waiter.wait(after: number))
    }
}
