import DaybookLibC

/// A lock that a thread can wait in until something has changed.
public final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    public init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    public func lock() { pthread_mutex_lock(mutex) }

    public func unlock() { pthread_mutex_unlock(mutex) }

    /// Gives the lock away until another thread calls `announce`.
    public func wait() { pthread_cond_wait(changed, mutex) }

    /// The same, until `deadline` on the wall clock. `false` if that came first.
    func wait(until deadline: timespec) -> Bool {
        var deadline = deadline
        return pthread_cond_timedwait(changed, mutex, &deadline) != ETIMEDOUT
    }

    /// Gives the lock away until another thread calls `announce`, or for `duration`.
    func wait(atMost duration: Duration) {
        let (seconds, fraction) = duration.components
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        // The wall clock may be set meanwhile; the caller comes again and looks at its own.
        deadline.tv_sec += min(Int(clamping: seconds), 1)
        deadline.tv_nsec += seconds > 0 ? 0 : Int(fraction / 1_000_000_000)
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        _ = wait(until: deadline)
    }

    /// Wakes every thread that waits.
    public func announce() { pthread_cond_broadcast(changed) }
}

/// Lets transactions in side by side, and keeps them out while the map is changed.
///
/// LMDB does not check that no transaction is under way when its map is resized; a stray one
/// would read unmapped memory.
final class Gate: @unchecked Sendable {
    private let monitor = Monitor()
    private var inside = 0
    private var isClosed = false

    func enter() {
        monitor.lock()
        while isClosed { monitor.wait() }
        inside += 1
        monitor.unlock()
    }

    func leave() {
        monitor.lock()
        inside -= 1
        monitor.announce()
        monitor.unlock()
    }

    /// Keeps newcomers out and waits for those inside. `false`, and open again, if they stay.
    func close(forSeconds seconds: Int) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_sec += seconds
        monitor.lock()
        defer { monitor.unlock() }
        while isClosed { monitor.wait() }
        isClosed = true
        while inside > 0 {
            guard monitor.wait(until: deadline) || inside == 0 else {
                isClosed = false
                monitor.announce()
                return false
            }
        }
        return true
    }

    func open() {
        monitor.lock()
        isClosed = false
        monitor.announce()
        monitor.unlock()
    }
}
