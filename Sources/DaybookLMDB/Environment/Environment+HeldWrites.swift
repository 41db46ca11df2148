import DaybookLibC
import Synchronization

/// The thread that keeps other writers out between its write transactions.
final class WriteHold: Sendable {
    /// The thread, as a number; 0 for none.
    private let thread = Atomic<UInt>(0)

    /// True if the calling thread keeps other writers out.
    var isOfThisThread: Bool { thread.load(ordering: .relaxed) == Threads.current }

    func begin() { thread.store(Threads.current, ordering: .relaxed) }

    func end() { thread.store(0, ordering: .relaxed) }
}

extension Environment {
    /// The longest time for which this environment kept other writers out of the file.
    public var longestWrite: Duration { writeGate.longestWrite }

    /// Calls `body`, between whose write transactions no other thread or process writes.
    ///
    /// Not to be called within a write transaction or another call.
    ///
    /// - Parameter failure: wraps the error of a wait for another writer.
    public func holdingWrites<Result, Failure: Error>(
        _ failure: (LMDBError) -> Failure, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do throws(LMDBError) {
            try writeGate.acquire(binding.dataDescriptor, wait: writeWait)
        } catch { throw failure(error) }
        writeHold.begin()
        defer {
            writeHold.end()
            writeGate.release(binding.dataDescriptor)
        }
        return try body()
    }

    /// Waits for other writers, unless this thread keeps them out already.
    func acquireWriteGate() throws(LMDBError) {
        guard !writeHold.isOfThisThread else { return }
        try writeGate.acquire(binding.dataDescriptor, wait: writeWait)
    }

    /// Admits the next writer, unless this thread goes on keeping others out.
    func releaseWriteGate() {
        guard !writeHold.isOfThisThread else { return }
        writeGate.release(binding.dataDescriptor)
    }
}
