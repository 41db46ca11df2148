import Daybook
import DaybookLibC
import Synchronization

/// The store of a replica, with the last known end of its log and the offset of its clock.
final class StoreLink: Sendable {
    let store: any EventStore
    /// Brings the replica up to date while it has followers.
    let watch: StoreWatch
    /// The longest time to settle commits after a lost answer.
    let longestDoubt: Duration
    /// The name of the replica, shown to users who erase texts; empty for none.
    let label: String
    /// Returns the time of the machine's clock.
    private let machineClock: @Sendable () -> Instant
    /// The difference of the store's clock to the machine's, in microseconds.
    private let clockDifference = Atomic<Int64>(0)
    /// The expected time from making commits to their arrival at the store, in microseconds; 0 if
    /// it is short.
    private let transitUs = Atomic<Int64>(0)
    /// The end of the store's log as of its last answer; `nil` before the first one.
    private let lastEnd = Mutex<StoreEnd?>(nil)
    /// The number of turns that begin with the store's lock, because there are other writers.
    private let lockedTurns = Atomic<Int>(0)
    /// Lets one thread of the process fetch commits at a time.
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

    /// Returns the time of the store's clock, estimated from its last answer.
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

    /// Sets the expected time from making commits to their arrival at the store.
    func setTransit(_ duration: Duration) {
        let (seconds, fraction) = duration.components
        let microseconds = seconds.multipliedReportingOverflow(by: 1_000_000)
        transitUs.store(
            microseconds.overflow ? 0 : microseconds.partialValue + fraction / 1_000_000_000_000,
            ordering: .relaxed)
    }

    /// Records the end of the log and the time of an answer of the store.
    func note(_ end: StoreEnd) {
        let difference = end.clock.microseconds &- machineClock().microseconds
        clockDifference.store(difference, ordering: .relaxed)
        lastEnd.withLock { last in
            if let last, last.head.position > end.head.position { return }
            last = end
        }
    }

    /// Sets the values of an end that the replica's rows do not have: its epoch and next key slot.
    func complete(_ end: inout StoreEnd) {
        guard let last = lastEnd.withLock(\.self) else { return }
        end.epoch = last.epoch
        if last.head == end.head { end.nextSlot = max(end.nextSlot, last.nextSlot) }
    }

    /// True if another writer was faster in a recent turn, so that the next one begins with the
    /// store's lock.
    var beginsWithLock: Bool { lockedTurns.load(ordering: .relaxed) > 0 }

    /// Records whether another writer has appended between two turns of this one.
    func noteWriters(areOthers: Bool) {
        let count = lockedTurns.load(ordering: .relaxed)
        lockedTurns.store(
            areOthers ? Self.lockedTurnCount : max(0, count - 1), ordering: .relaxed)
    }

    /// The number of turns without another writer after which turns begin without the lock again.
    private static let lockedTurnCount = 8

    /// Calls `body`, which fetches commits, once no other thread is fetching any.
    func fetching<Result>(_ body: () throws(LogError) -> Result) throws(LogError) -> Result {
        gate.lock()
        defer { gate.unlock() }
        return try body()
    }

    /// Repeats a question about a lost answer until it is settled, or `longestDoubt` has passed.
    ///
    /// - Parameter ask: asks the store once; returns `nil` while the outcome is open.
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
}

extension StoreAnswer {
    /// Returns the answer of a call that appends; `nil` if it was lost, so that the commits may be
    /// written or not.
    static func unlessLost(_ call: () throws(LogError) -> Self) throws(LogError) -> Self? {
        do throws(LogError) {
            return try call()
        } catch .store(.unknown) {
            return nil
        }
    }
}
