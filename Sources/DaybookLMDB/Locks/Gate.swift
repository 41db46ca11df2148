import DaybookLibC

/// A mutex with a condition variable.
public final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// The condition variable on which threads wait.
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates an unlocked monitor.
    public init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Acquires the mutex.
    public func lock() { pthread_mutex_lock(mutex) }

    /// Releases the mutex.
    public func unlock() { pthread_mutex_unlock(mutex) }

    /// Releases the mutex, waits until another thread calls `wakeAll`, and acquires the mutex
    /// again.
    public func wait() { pthread_cond_wait(condition, mutex) }

    /// Waits like `wait()`, until `deadline` on the wall clock. Returns `false` at the deadline.
    func wait(until deadline: timespec) -> Bool {
        var deadline = deadline
        return pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
    }

    /// Waits like `wait()`, but at most for `duration` or about a second, whichever is shorter.
    ///
    /// Returns `false` if the time is over.
    @discardableResult
    public func wait(atMost duration: Duration) -> Bool {
        let (seconds, fraction) = duration.components
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        // The wall clock may be set meanwhile, so callers loop and check a monotonic clock.
        deadline.tv_sec += min(Int(clamping: seconds), 1)
        deadline.tv_nsec += seconds > 0 ? 0 : Int(fraction / 1_000_000_000)
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        return wait(until: deadline)
    }

    /// Wakes every thread that waits on this monitor.
    public func wakeAll() { pthread_cond_broadcast(condition) }
}

/// A gate that admits any number of transactions, but none while the map is being resized.
///
/// LMDB does not check that no transaction is open when its map is resized; an open transaction
/// would read unmapped memory.
final class Gate: @unchecked Sendable {
    private let monitor = Monitor()
    /// Number of transactions that have entered the gate and not left it.
    private var openTransactionCount = 0
    private var isClosed = false

    /// Begins a transaction, as soon as the gate is open.
    func enter() {
        monitor.lock()
        while isClosed { monitor.wait() }
        openTransactionCount += 1
        monitor.unlock()
    }

    /// Ends a transaction.
    func leave() {
        monitor.lock()
        openTransactionCount -= 1
        monitor.wakeAll()
        monitor.unlock()
    }

    /// Blocks new transactions, and waits at most `seconds` for the open transactions to end.
    ///
    /// - Returns: `false` if some transaction does not end in time; the gate is then open again.
    func close(waitingSeconds seconds: Int) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += seconds
        monitor.lock()
        defer { monitor.unlock() }
        while isClosed { monitor.wait() }
        isClosed = true
        while openTransactionCount > 0 {
            guard monitor.wait(until: deadline) || openTransactionCount == 0 else {
                isClosed = false
                monitor.wakeAll()
                return false
            }
        }
        return true
    }

    /// Admits new transactions again, after `close`.
    func open() {
        monitor.lock()
        isClosed = false
        monitor.wakeAll()
        monitor.unlock()
    }
}
