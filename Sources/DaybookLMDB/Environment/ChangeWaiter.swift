import DaybookLibC

/// Waits for newer states of an environment's file, which any process may commit.
///
/// A state is newer if its transaction number is greater than that of a read
/// (`ReadTransaction.stateNumber`). After a wait, read and wait for what is newer than this read:
/// no commit is missed. One thread or task at a time may wait. The file stays open while the
/// waiter exists.
public final class ChangeWaiter: @unchecked Sendable {
    private let environment: Environment
    /// Number of the newest transaction for which this waiter was woken.
    private var woken: UInt64 = 0
    /// How often this waiter has returned before readers could see that transaction.
    private var earlyCount = 0

    /// The time until a state is read again that readers do not see yet.
    private static let pauseMicroseconds: UInt32 = 1_000
    /// How often this is repeated. A writer that was killed at the end of a commit leaves such a
    /// state until the next write; it is then read again less often.
    private static let earlyLimit = 100

    /// Begins to watch the file.
    ///
    /// - Throws: `EAGAIN` if the system cannot start a thread.
    public init(_ environment: Environment) throws(LMDBError) {
        try environment.watch.add(environment)
        self.environment = environment
    }

    deinit { environment.watch.remove() }

    /// Waits for a state that is newer than the one that transaction `number` committed.
    ///
    /// Blocks no thread. May return earlier, so the caller reads and waits again.
    ///
    /// - Returns: `false` if the task was cancelled.
    /// - Throws: `.fileReplaced` if the path no longer leads to the open file; `.corrupted` if the
    ///   file cannot be read.
    public func wait(
        after number: UInt64, isolation: isolated (any Actor)? = #isolation
    ) async throws(LMDBError) -> Bool {
        if isEarly(after: number) {
            do {
                try await Task.sleep(for: .microseconds(Self.pauseMicroseconds))
                return true
            } catch { return false }
        }
        let (waiter, watch) = (ObjectIdentifier(self), environment.watch)
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                watch.begin(wait(after: number) { continuation.resume(returning: $0) }, of: waiter)
                // A cancellation before the wait had nothing to end.
                if Task.isCancelled { watch.cancel(waiter) }
            }
        } onCancel: {
            watch.cancel(waiter)
        }
        return try finish(end)
    }

    /// Waits like `wait(after:)`, but blocks the thread, and at most for `limit`.
    ///
    /// - Returns: `false` if the time is over.
    public func wait(after number: UInt64, atMost limit: Duration) throws(LMDBError) -> Bool {
        if isEarly(after: number) {
            usleep(Self.pauseMicroseconds)
            return true
        }
        let latch = Latch()
        environment.watch.begin(wait(after: number) { latch.open($0) }, of: ObjectIdentifier(self))
        if let end = latch.wait(atMost: limit) { return try finish(end) }
        environment.watch.cancel(ObjectIdentifier(self))
        return try finish(latch.wait(atMost: limit) ?? .cancelled)
    }

    /// Ends a wait that is under way, which returns `false`; may be called from any thread.
    public func interrupt() { environment.watch.cancel(ObjectIdentifier(self)) }

    /// Returns a wait that calls `end` at its end.
    private func wait(
        after number: UInt64, _ end: @escaping @Sendable (ChangeWatch.End) -> Void
    ) -> ChangeWatch.Wait {
        ChangeWatch.Wait(number: number, woken: woken, end: end)
    }

    /// True if the waiter was woken for a state that it could not read yet, and is to read again.
    /// LMDB gives readers a state only after its meta page has been synced.
    private func isEarly(after number: UInt64) -> Bool {
        guard woken > number, earlyCount < Self.earlyLimit else { return false }
        earlyCount += 1
        return true
    }

    /// Remembers for which state the wait has ended; returns `false` if it was cancelled.
    private func finish(_ end: ChangeWatch.End) throws(LMDBError) -> Bool {
        switch end {
        case .changed(let number):
            if number > woken { (woken, earlyCount) = (number, 0) }
            return true
        case .cancelled: return false
        case .failed(let error): throw error
        }
    }
}

extension Environment: WatchedFile { var pathToWatch: String { binding.path } }

/// A place where one thread waits for the end of a wait.
private final class Latch: @unchecked Sendable {
    private let monitor = Monitor()
    /// The end, protected by `monitor`; `nil` until then.
    private var end: ChangeWatch.End?

    func open(_ end: ChangeWatch.End) {
        monitor.lock()
        self.end = end
        monitor.wakeAll()
        monitor.unlock()
    }

    /// Returns the end of the wait; `nil` if it comes later than `limit` from now.
    func wait(atMost limit: Duration) -> ChangeWatch.End? {
        let deadline = ContinuousClock.now + limit
        monitor.lock()
        defer { monitor.unlock() }
        while end == nil {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { break }
            monitor.wait(atMost: rest)
        }
        return end
    }
}
