import DaybookLibC

/// A gate that admits any number of transactions, but none while the map is being resized.
///
/// LMDB does not check that no transaction is open when its map is resized; an open transaction
/// would read unmapped memory.
final class Gate: @unchecked Sendable {
    private let monitor = Monitor()
    private var openTransactionCount = 0
    private var isClosed = false

    func enter() {
        monitor.lock()
        while isClosed { monitor.wait() }
        openTransactionCount += 1
        monitor.unlock()
    }

    func leave() {
        monitor.lock()
        openTransactionCount -= 1
        monitor.wakeAll()
        monitor.unlock()
    }

    /// Blocks new transactions; returns `false`, with an open gate, if others do not end in time.
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

    func open() {
        monitor.lock()
        isClosed = false
        monitor.wakeAll()
        monitor.unlock()
    }
}
