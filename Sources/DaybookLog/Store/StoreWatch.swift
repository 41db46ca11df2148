import Daybook
import DaybookLMDB
import DaybookLibC

/// The replica that a `StoreWatch` brings up to date.
protocol WatchedReplica: AnyObject, Sendable {
    /// Fetches the commits that the replica lacks; returns the position at which it then ends.
    func fetchNews() throws(LogError) -> Position

    /// Records an answer of the store, whose commits the replica has.
    func noteAnswer()
}

/// Brings the replica of a store up to date while it has followers.
///
/// One thread waits for the store and catches up; the commits then wake the followers as those of
/// any other writer do. It runs while there are followers, and holds the log only while it catches
/// up, so that the file can be closed.
final class StoreWatch: @unchecked Sendable {
    private let store: any EventStore
    /// Protects all properties; the thread sleeps on it.
    private let monitor = Monitor()
    private weak var replica: (any WatchedReplica)?
    /// The functions that end the followers' waits.
    private var interrupts: [ObjectIdentifier: @Sendable () -> Void] = [:]
    private var hasThread = false
    private var lastFailure: LogError?

    /// The longest time for which the thread waits for the store before it looks for followers.
    private static let longestWait = Duration.milliseconds(100)

    init(_ store: any EventStore) { self.store = store }

    /// The error that ended the catching up; `nil` while it continues.
    ///
    /// An unreachable store is asked again.
    var failure: LogError? {
        monitor.lock()
        defer { monitor.unlock() }
        return lastFailure
    }

    /// Adds a follower of the replica, and starts the thread for the first one.
    ///
    /// - Parameter interrupt: called repeatedly after the catching up has failed.
    /// - Throws: `EAGAIN` if the system cannot start a thread.
    func add(
        _ follower: ObjectIdentifier, of replica: any WatchedReplica,
        _ interrupt: @escaping @Sendable () -> Void
    ) throws(LMDBError) {
        monitor.lock()
        self.replica = replica
        interrupts[follower] = interrupt
        let startsThread = !hasThread
        hasThread = true
        monitor.unlock()
        guard startsThread, !Threads.detach({ self.run() }) else { return }
        monitor.lock()
        hasThread = false
        interrupts[follower] = nil
        monitor.unlock()
        throw LMDBError(rawValue: EAGAIN)
    }

    /// Removes a follower.
    func remove(_ follower: ObjectIdentifier) {
        monitor.lock()
        // Released after the monitor, because this may close the file.
        let interrupt = interrupts.removeValue(forKey: follower)
        monitor.wakeAll()
        monitor.unlock()
        withExtendedLifetime(interrupt) {}
    }

    /// Catches up until there is no follower.
    private func run() {
        var position = Position.origin
        var isBehind = true
        while hasFollowers() {
            do throws(LogError) {
                if isBehind { position = try followed()?.fetchNews() ?? position }
                let wait = Self.longestWait
                isBehind = try store.wait(after: position, atMost: wait)
                if !isBehind { followed()?.noteAnswer() }
            } catch .store(.unreachable), .store(.unknown), .storage(.locked) {
                isBehind = true
                sleep()
            } catch {
                fail(error)
            }
        }
    }

    /// Returns true while there are followers; otherwise the thread is no longer counted.
    private func hasFollowers() -> Bool {
        monitor.lock()
        defer { monitor.unlock() }
        guard interrupts.isEmpty else { return true }
        (hasThread, lastFailure) = (false, nil)
        return false
    }

    private func followed() -> (any WatchedReplica)? {
        monitor.lock()
        defer { monitor.unlock() }
        return replica
    }

    /// Waits a moment before the next attempt, or until a follower is removed.
    private func sleep() {
        monitor.lock()
        monitor.wait(atMost: Self.longestWait)
        monitor.unlock()
    }

    /// Ends the waits of all followers with an error, as long as there are any.
    private func fail(_ error: LogError) {
        monitor.lock()
        lastFailure = error
        while !interrupts.isEmpty {
            let interrupts = Array(interrupts.values)
            monitor.unlock()
            for interrupt in interrupts { interrupt() }
            monitor.lock()
            monitor.wait(atMost: Self.longestWait)
        }
        monitor.unlock()
    }
}
