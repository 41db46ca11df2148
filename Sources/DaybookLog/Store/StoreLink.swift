import Daybook
import DaybookLibC
import Synchronization

/// The store of a replica, with what is known of its log and its clock.
final class StoreLink: Sendable {
    let store: any EventStore
    /// Brings the replica up to date while somebody follows it.
    let watch: StoreWatch
    /// The longest time to ask what became of commits whose answer was lost.
    let longestDoubt: Duration
    /// The name of the replica for people who erase texts; empty for none.
    let label: String
    /// Returns the time of the machine's clock.
    private let machineClock: @Sendable () -> Instant
    /// The difference of the store's clock to the machine's, in microseconds.
    private let clockDifference = Atomic<Int64>(0)
    /// The time that the next commits take to the store, in microseconds; 0 if it is short.
    private let transitUs = Atomic<Int64>(0)
    /// The end of the store's log as of its last answer; `nil` before the first one.
    private let lastEnd = Mutex<StoreEnd?>(nil)
    /// The number of turns that begin with the store's lock, because there are other writers.
    private let lockedTurns = Atomic<Int>(0)
    /// Lets one thread of the process at a time fetch commits.
    private let gate = Monitor()

    init(
        _ store: any EventStore, longestDoubt: Duration, label: String = "",
        clock: @escaping @Sendable () -> Instant
    ) {
        self.store = store
        self.longestDoubt = longestDoubt
        self.label = label
        machineClock = clock
        watch = StoreWatch(store)
    }

    /// Returns the time of the store's clock, as far as its answers tell.
    func now() -> Instant {
        Instant(
            microseconds: machineClock().microseconds
                &+ clockDifference.load(ordering: .relaxed))
    }

    /// Returns the recording time for commits that are made now: the time at which the store gets
    /// them.
    func recordingTime() -> Instant {
        Instant(microseconds: now().microseconds &+ transitUs.load(ordering: .relaxed))
    }

    /// Sets the time that the next commits take from their making to the store.
    func setTransit(_ duration: Duration) {
        let (seconds, fraction) = duration.components
        let microseconds = seconds.multipliedReportingOverflow(by: 1_000_000)
        transitUs.store(
            microseconds.overflow ? 0 : microseconds.partialValue + fraction / 1_000_000_000_000,
            ordering: .relaxed)
    }

    /// Keeps the end of the log and the time that an answer of the store has given.
    func note(_ end: StoreEnd) {
        let difference = end.clock.microseconds &- machineClock().microseconds
        clockDifference.store(difference, ordering: .relaxed)
        lastEnd.withLock { last in
            if let last, last.head.position > end.head.position { return }
            last = end
        }
    }

    /// Replaces what no row of the replica tells in the end of a log that is derived from it.
    func complete(_ end: inout StoreEnd) {
        guard let last = lastEnd.withLock(\.self) else { return }
        end.epoch = last.epoch
        if last.head == end.head { end.nextSlot = max(end.nextSlot, last.nextSlot) }
    }

    /// True if others were faster in one of the last turns, so that the next one had better begin with
    /// the store's lock than lose again.
    var beginsWithLock: Bool { lockedTurns.load(ordering: .relaxed) > 0 }

    /// Notes whether another writer has appended between two turns of this one.
    func noteWriters(areOthers: Bool) {
        let count = lockedTurns.load(ordering: .relaxed)
        lockedTurns.store(
            areOthers ? Self.lockedTurnCount : max(0, count - 1), ordering: .relaxed)
    }

    /// The number of turns without another writer after which turns begin without the lock again.
    private static let lockedTurnCount = 8

    /// Calls `body`, which fetches commits, after those that other threads are fetching.
    func fetching<Result>(_ body: () throws(LogError) -> Result) throws(LogError) -> Result {
        gate.lock()
        defer { gate.unlock() }
        return try body()
    }

    /// Repeats a question about a lost answer until it is settled, or `longestDoubt` has passed.
    ///
    /// - Parameter ask: asks the store once; returns `nil` while nobody can know yet.
    /// - Throws: `.store(.unknown)` if the answer stays lost.
    func settling<Result>(_ ask: () throws(LogError) -> Result?) throws(LogError) -> Result {
        let deadline = ContinuousClock.now + longestDoubt
        var pause: UInt32 = 2_000
        var reason = "its answer was lost"
        while ContinuousClock.now < deadline {
            do throws(LogError) {
                if let result = try ask() { return result }
            } catch .store(.unknown(_, let why)) {
                reason = why
            } catch .store(.unreachable(_, let why)) {
                reason = why
            } catch {
                throw .store(.unknown(name: store.name, reason: "\(error)"))
            }
            usleep(pause)
            pause = min(2 * pause, 200_000)
        }
        throw .store(.unknown(name: store.name, reason: reason))
    }

    /// Evaluates `body`, which asks the store, and wraps its errors.
    static func mappingErrors<Result>(
        _ body: @autoclosure () throws(StoreError) -> Result
    ) throws(LogError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .store(error)
        }
    }
}
