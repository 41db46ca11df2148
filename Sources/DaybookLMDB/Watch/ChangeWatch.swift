import DaybookLibC

/// A file whose newest state others wait for.
protocol WatchedFile: AnyObject, Sendable {
    /// Path of the file, without symbolic links.
    var pathToWatch: String { get }

    /// Returns the number of the last committed transaction, read from the file itself.
    func newestTransactionNumber() throws(LMDBError) -> UInt64

    /// Throws unless the path still leads to the open file.
    func checkPath() throws(LMDBError)
}

/// Wakes those who wait for a newer state of a file, whichever process commits it.
///
/// One thread serves all waiters of an environment, and runs while there are any. The commits of
/// this process wake them directly.
final class ChangeWatch: @unchecked Sendable {
    /// Protects all properties. The thread waits on it while nobody waits for a state.
    private let monitor = Monitor()
    /// The watched file; `nil` while there is no waiter, so that the file can be closed.
    private var file: (any WatchedFile)?
    /// Number of waiters that exist, waiting or not.
    private var waiterCount = 0
    private var hasThread = false
    /// The waits under way, by waiter.
    private var waits: [ObjectIdentifier: Wait] = [:]

    /// The time between two looks after a change, in microseconds. It bounds how often the thread
    /// runs while a writer is busy.
    private static let pauseAfterChange: UInt32 = 1_000

    /// A wait for a state that is newer than the one that the waiter has read.
    struct Wait {
        /// Number of the transaction that committed the state that the waiter has read.
        var number: UInt64
        /// Number of the newest transaction for which the waiter was woken before.
        var woken: UInt64
        /// Ends the wait; called without the monitor.
        var end: @Sendable (End) -> Void
    }

    /// The reason why a wait has ended.
    enum End: Sendable {
        /// The transaction with this number was committed, or is about to be.
        case changed(UInt64)
        case cancelled
        /// The file cannot be read, or is no longer the file at its path.
        case failed(LMDBError)
    }

    /// Adds a waiter, and starts the thread for the first one.
    ///
    /// - Throws: `EAGAIN` if the system cannot start a thread.
    func add(_ file: any WatchedFile) throws(LMDBError) {
        monitor.lock()
        waiterCount += 1
        self.file = file
        let startsThread = !hasThread
        hasThread = true
        monitor.unlock()
        let path = file.pathToWatch
        guard startsThread, !Threads.detach({ self.run(path) }) else { return }
        monitor.lock()
        hasThread = false
        monitor.unlock()
        remove()
        throw LMDBError(rawValue: EAGAIN)
    }

    /// Removes a waiter, which does not wait now.
    func remove() {
        monitor.lock()
        waiterCount -= 1
        // Released after the monitor, because this may close the file.
        let released = waiterCount == 0 ? file.take() : nil
        monitor.wakeAll()
        monitor.unlock()
        withExtendedLifetime(released) {}
    }

    /// Begins the wait of a waiter; ends it at once if a newer state is known.
    func begin(_ wait: Wait, of waiter: ObjectIdentifier) {
        monitor.lock()
        waits[waiter] = wait
        // The thread has looked at the file before this wait, so it is looked at once more.
        let ended = endWaits { $0.woken < $1 }.ends
        monitor.wakeAll()
        monitor.unlock()
        for end in ended { end() }
    }

    /// Ends the wait of a waiter, if it is still waiting.
    func cancel(_ waiter: ObjectIdentifier) {
        monitor.lock()
        let wait = waits.removeValue(forKey: waiter)
        monitor.unlock()
        wait?.end(.cancelled)
    }

    /// Ends the waits for which the file has changed, after a commit of this process.
    func wake() {
        monitor.lock()
        let ended = waits.isEmpty ? [] : endWaits { _, _ in true }.ends
        monitor.unlock()
        for end in ended { end() }
    }

    /// Looks at the file until there is no waiter.
    private func run(_ path: String) {
        let notices = FileNotices(path)
        while let hasChanged = look() {
            if hasChanged { usleep(Self.pauseAfterChange) } else { notices.wait() }
        }
    }

    /// Ends the waits for which the file has changed, once somebody waits.
    ///
    /// - Returns: true if some wait has ended for a state that is new to it; `nil` if there is no
    ///   waiter.
    private func look() -> Bool? {
        monitor.lock()
        while waits.isEmpty, file != nil { monitor.wait() }
        guard file != nil else {
            hasThread = false
            monitor.unlock()
            return nil
        }
        let (ended, hasNews) = endWaits { _, _ in true }
        monitor.unlock()
        for end in ended { end() }
        return hasNews
    }

    /// Removes the waits that the newest state of the file ends, and returns what ends them.
    ///
    /// Called with the monitor, which the caller gives back before it calls the results.
    ///
    /// - Parameter mayWake: false if a wait goes on although there is a newer state, whose number
    ///   it gets.
    /// - Returns: also true if one of them was not woken before for that state.
    private func endWaits(
        _ mayWake: (Wait, UInt64) -> Bool
    ) -> (ends: [@Sendable () -> Void], hasNews: Bool) {
        guard let file else { return ([], false) }
        var newest: UInt64 = 0
        var failure: LMDBError?
        do throws(LMDBError) {
            newest = try file.newestTransactionNumber()
            // What was committed before the file was replaced is still read; a copy cannot be.
            try file.checkPath()
        } catch { failure = error }
        var ended: [@Sendable () -> Void] = []
        var hasNews = false
        for (waiter, wait) in waits {
            if newest > wait.number, failure != .fileCopied {
                guard mayWake(wait, newest) else { continue }
                hasNews = hasNews || wait.woken < newest
                ended.append { [newest] in wait.end(.changed(newest)) }
            } else if let failure {
                ended.append { wait.end(.failed(failure)) }
            } else {
                continue
            }
            waits[waiter] = nil
        }
        return (ended, hasNews)
    }
}
