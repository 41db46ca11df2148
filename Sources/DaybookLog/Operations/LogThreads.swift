import DaybookLibC

/// A few threads for the work of tasks that may block: reads from disk, and commits.
///
/// Threads start on demand, and end after a second without work. A task that awaits them blocks no
/// thread of Swift's pool, of which there is one per core.
final class LogThreads: @unchecked Sendable {
    /// Work to do on a thread; returns what is called last, when the work holds nothing any more.
    ///
    /// The last call resumes a task, which may then close the log and open it again.
    typealias Work = @Sendable () -> @Sendable () -> Void

    /// Protects all properties; threads without work wait on it.
    private let monitor = Monitor()
    /// The work that waits for a thread, oldest first.
    private var waiting: [Work] = []
    private var threadCount = 0
    /// Number of threads that wait for work.
    private var idleCount = 0

    /// One thread may wait for the disk while the others read.
    private static let limit = 1 + max(2, min(Threads.coreCount, 8))
    private static let longestIdle = Duration.seconds(1)

    /// Calls `body` on a thread and returns its result.
    func run<Result: Sendable, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
            submit {
                let result = Swift.Result { () throws(Failure) in try body() }
                return { continuation.resume(returning: result) }
            }
        }
        return try result.get()
    }

    /// Queues work for the next free thread.
    func submit(_ work: @escaping Work) {
        monitor.lock()
        waiting.append(work)
        let startsThread = waiting.count > idleCount && threadCount < Self.limit
        if startsThread { threadCount += 1 }
        if idleCount > 0 { monitor.wakeAll() }
        monitor.unlock()
        guard startsThread, !Threads.detach({ self.serve() }) else { return }
        monitor.lock()
        let isAlone = threadCount == 1
        if !isAlone { threadCount -= 1 }
        monitor.unlock()
        // Without any thread, the caller does the work.
        guard isAlone else { return }
        while let finish = perform(atMost: .zero) { finish() }
    }

    /// Does work on this thread until there has been none for a while.
    private func serve() {
        while let finish = perform(atMost: Self.longestIdle) { finish() }
    }

    /// Does the next work, and returns what is left to call.
    ///
    /// - Returns: `nil` if no work comes in time; the thread is then no longer counted.
    private func perform(atMost wait: Duration) -> (@Sendable () -> Void)? {
        let deadline = ContinuousClock.now + wait
        monitor.lock()
        while waiting.isEmpty {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else {
                threadCount -= 1
                monitor.unlock()
                return nil
            }
            idleCount += 1
            monitor.wait(atMost: rest)
            idleCount -= 1
        }
        let work = waiting.removeFirst()
        monitor.unlock()
        return work()
    }
}
