import Daybook
import DaybookLibC

@testable import DaybookLog

/// The lock of a `FileStore`, and what it knows of requests without an idempotency key.
///
/// Random digests are known as long as the store is open.
final class FileStoreDesk: @unchecked Sendable {
    /// Protects all properties; threads wait on it for the lock.
    private let monitor = Monitor()
    /// The thread that has the lock, and since when; `nil` if it is free.
    private var holder: (thread: UInt, since: ContinuousClock.Instant)?
    private var firsts: [[UInt8]: UInt64] = [:]
    /// The replicas with keys, with when they were heard of, by their ids.
    private var heard: [[UInt8]: (StoreReplica, Instant)] = [:]
    /// The texts that erasures change which are not recorded yet, by their threads.
    private var texts: [UInt: [StoreBatch.Text]] = [:]

    /// The time after which a lock without an append ends.
    private static let longestHold = Duration.seconds(1)
    /// The longest time that a writer waits for the lock.
    private static let longestWait = Duration.seconds(10)

    /// Takes the lock, waiting for the thread that has it; returns false after a long time.
    func lock() -> Bool {
        monitor.lock()
        defer { monitor.unlock() }
        guard waitUntilFree() else { return false }
        holder = (Threads.current, .now)
        return true
    }

    /// Ends the lock of this thread.
    func unlock() {
        monitor.lock()
        if holder?.thread == Threads.current { holder = nil }
        monitor.wakeAll()
        monitor.unlock()
    }

    /// Waits until no other thread has the lock; returns false after a long time.
    func begin() -> Bool {
        monitor.lock()
        defer { monitor.unlock() }
        return waitUntilFree()
    }

    /// Ends an append, and with it the lock of this thread.
    func end() { unlock() }

    func remember(_ digests: [([UInt8], UInt64)]) {
        monitor.lock()
        for (digest, first) in digests { firsts[digest] = first }
        monitor.unlock()
    }

    func first(of digest: [UInt8]) -> UInt64? {
        monitor.lock()
        defer { monitor.unlock() }
        return firsts[digest]
    }

    /// Notes what a replica has carried out.
    func note(_ replica: StoreReplica, at time: Instant) {
        monitor.lock()
        heard[replica.id] = (replica, time)
        monitor.unlock()
    }

    /// The replicas that were heard of, and when.
    var replicas: [(StoreReplica, Instant)] {
        monitor.lock()
        defer { monitor.unlock() }
        return Array(heard.values)
    }

    /// Keeps the texts that the erasure of this thread changes.
    func setTexts(_ changed: [StoreBatch.Text]) {
        monitor.lock()
        texts[Threads.current] = changed
        monitor.unlock()
    }

    /// Returns the texts that the erasure of this thread changes, and forgets them.
    func takeTexts() -> [StoreBatch.Text] {
        monitor.lock()
        defer { monitor.unlock() }
        return texts.removeValue(forKey: Threads.current) ?? []
    }

    private func waitUntilFree() -> Bool {
        let deadline = ContinuousClock.now + Self.longestWait
        while let holder, holder.thread != Threads.current {
            let left = holder.since + Self.longestHold - .now
            guard left > .zero else {
                self.holder = nil
                break
            }
            guard ContinuousClock.now < deadline else { return false }
            monitor.wait(atMost: left)
        }
        return true
    }
}
