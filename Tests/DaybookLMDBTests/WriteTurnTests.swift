import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DaybookLMDB

/// Writers that wait for their turn. Two gates on two descriptors of one file are two processes.
@Suite("Turns of writers", .timeLimit(.minutes(5))) struct WriteTurnTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("file")
        try Data([0]).write(to: URL(fileURLWithPath: path))
    }

    /// A process with one thread that writes.
    private final class Writer: @unchecked Sendable {
        let gate = WriteGate()
        let descriptor: CInt
        let thread = DispatchSemaphore(value: 0)

        init(_ path: String) { descriptor = open(path, O_RDWR) }

        deinit { close(descriptor) }

        /// Waits for the turn on another thread, and notes a name once it has come.
        func write(_ name: String, noting names: Names) {
            Thread.detachNewThread { [self] in
                do {
                    try gate.acquire(descriptor, wait: .seconds(200))
                    names.list.withLock { $0.append(name) }
                    gate.release(descriptor)
                } catch {
                    names.list.withLock { $0.append("\(name): \(error)") }
                }
                thread.signal()
            }
        }
    }

    /// The names of writers in the order of their turns.
    private final class Names: Sendable {
        let list = Mutex<[String]>([])
    }

    @Test("A process that waits writes before the one that has just written writes again")
    func betweenTwoWrites() throws {
        let (busy, other) = (Writer(path), Writer(path))
        let names = Names()
        for round in 0..<20 {
            try busy.gate.acquire(busy.descriptor, wait: .zero)
            other.write("other", noting: names)
            while try !WriteGate.isAwaited(busy.descriptor) { usleep(50) }
            busy.gate.release(busy.descriptor)
            try busy.gate.acquire(busy.descriptor, wait: .seconds(200))
            #expect(names.list.withLock { $0.count } == round + 1)
            busy.gate.release(busy.descriptor)
            other.thread.wait()
        }
        #expect(names.list.withLock { $0 } == Array(repeating: "other", count: 20))
    }

    @Test("Threads of a process write in the order in which they came")
    func threads() throws {
        let process = Writer(path)
        let names = Names()
        try process.gate.acquire(process.descriptor, wait: .zero)
        for number in 1...5 {
            process.write("\(number)", noting: names)
            while process.gate.waitingThreadCount < number { usleep(50) }
        }
        process.gate.release(process.descriptor)
        try process.gate.acquire(process.descriptor, wait: .seconds(200))
        #expect(names.list.withLock { $0 } == ["1", "2", "3", "4", "5"])
        process.gate.release(process.descriptor)
        for _ in 1...5 { process.thread.wait() }
    }

    @Test("A waiter that is stopped before its turn keeps nobody out")
    func stoppedWaiter() throws {
        let (stopped, other) = (open(path, O_RDWR), Writer(path))
        defer { close(stopped) }
        // The lock of a process that was stopped after it had taken the next turn.
        let turn = OpenFileLock.Range(start: 1 << 61 + 1 << 57 - 1, length: 2)
        #expect(try OpenFileLock.acquire(.exclusive, turn, of: stopped))
        #expect(try WriteGate.isAwaited(other.descriptor))
        for _ in 0..<3 {
            try other.gate.acquire(other.descriptor, wait: .seconds(200))
            other.gate.release(other.descriptor)
        }
    }

    @Test("A writer who must not wait is refused while another has the turn, and leaves no turn")
    func refused() throws {
        let (busy, other) = (Writer(path), Writer(path))
        try busy.gate.acquire(busy.descriptor, wait: .zero)
        #expect(throws: LMDBError.locked) {
            try other.gate.acquire(other.descriptor, wait: .zero)
        }
        #expect(try !WriteGate.isAwaited(busy.descriptor))
        #expect(throws: LMDBError.locked) { try busy.gate.acquire(busy.descriptor, wait: .zero) }
        #expect(busy.gate.waitingThreadCount == 0)
        busy.gate.release(busy.descriptor)
        try other.gate.acquire(other.descriptor, wait: .zero)
        other.gate.release(other.descriptor)
        #expect(other.gate.longestWrite >= .zero)
    }
}
