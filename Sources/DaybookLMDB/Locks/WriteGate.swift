import DaybookLibC
import Synchronization

/// A gate that admits one writer at a time to `mdb_txn_begin`, whose own mutex has no timeout.
///
/// A monitor admits one thread of a process, and an exclusive lock on bytes of the data file admits
/// one process. Each writer locks its own range of bytes: the start encodes the process, and the
/// end encodes the time when the write began. All such ranges contain one common byte, so that only
/// one can be locked at a time. A waiting process learns both the process and the time with one
/// query to the kernel, and the kernel releases the lock when a writer dies.
///
/// Whoever has to wait takes a second lock, the next turn. A writer that has just written and wants
/// to write again finds this lock taken and waits behind it, so that one that writes without a
/// pause keeps nobody out for longer than one write. Threads of a process come in their order.
///
/// The locks are on the data file, so that a reader without access to the lock file can also see
/// that a write is under way.
final class WriteGate: @unchecked Sendable {
    private let monitor = Monitor()
    /// True while a thread of this process is writing.
    private var isWriting = false
    /// Time when a thread of this process last began to write, in milliseconds of `Clock`.
    private var writingSince: Int64 = 0
    /// The tickets of the threads that wait for this process's turn, in the order of their arrival.
    private var queue: [UInt64] = []
    /// The ticket of the thread that came last.
    private var lastTicket: UInt64 = 0
    /// The longest time for which a thread of this process kept others out, in milliseconds.
    private let longestMilliseconds = Atomic<Int64>(0)
    /// The turn of a waiter that did not use it, such as a stopped process, and the time until which
    /// nobody waits for it, in milliseconds of `Clock`.
    private var idleTurn: (range: OpenFileLock.Range, until: Int64)?

    /// Offset of the byte that the ranges of all writers contain, far below the offsets of
    /// `FileBinding`.
    private static let commonOffset: Int64 = 1 << 61
    /// Offset of the byte that the ranges of all who have the next turn contain.
    private static let turnOffset = commonOffset + 1 << 57
    /// Number of bits for a process id in an offset: process ids are below 2^22 on all systems.
    private static let processIDBits = 22
    /// Milliseconds for which the gate may stay free before a waiter's turn counts as idle.
    private static let turnMilliseconds: Int64 = 100
    /// Milliseconds for which nobody waits for an idle turn.
    private static let idleMilliseconds: Int64 = 2_000

    /// Number of the namespace in which this process has its id; 0 on systems without namespaces.
    private let namespace = ProcessInformation.namespace()

    /// Begins a write once nobody else is writing; throws `.locked` if that takes longer than
    /// `wait`.
    func acquire(_ descriptor: CInt, wait: Duration) throws(LMDBError) {
        var pause = RetryWait(limit: wait)
        try awaitEarlierThreads(pause)
        do throws(LMDBError) { try acquireLock(descriptor, &pause) } catch {
            admitNextThread()
            throw error
        }
    }

    /// Waits until no thread of this process is writing and none has waited for longer.
    private func awaitEarlierThreads(_ pause: RetryWait) throws(LMDBError) {
        monitor.lock()
        defer { monitor.unlock() }
        lastTicket += 1
        let ticket = lastTicket
        queue.append(ticket)
        while isWriting || queue.first != ticket {
            guard pause.remaining > .zero else {
                queue.removeAll { $0 == ticket }
                monitor.wakeAll()
                let held = isWriting ? Clock.milliseconds() - writingSince : 0
                throw .locked(
                    by: LogWriter(
                        processID: getpid(), secondsHeld: UInt32(clamping: held / 1_000),
                        secondsWaited: pause.secondsWaited))
            }
            monitor.wait(atMost: pause.remaining)
        }
        queue.removeFirst()
        isWriting = true
        writingSince = Clock.milliseconds()
    }

    /// Locks the range of this process's write, after all processes that have waited for longer.
    private func acquireLock(_ descriptor: CInt, _ pause: inout RetryWait) throws(LMDBError) {
        let turn = Self.byte(Self.turnOffset)
        if try OpenFileLock.conflictingLock(against: .exclusive, turn, of: descriptor) == nil,
            try acquireRange(around: Self.commonOffset, descriptor)
        {
            return
        }
        defer { OpenFileLock.release(Self.region(Self.turnOffset), of: descriptor) }
        var freeSince: Int64?
        while try !acquireRange(around: Self.turnOffset, descriptor) {
            if try isIdle(turn, descriptor, &freeSince),
                try acquireRange(around: Self.commonOffset, descriptor)
            {
                return
            }
            guard pause.sleep() else { throw try lockedError(descriptor, pause) }
        }
        while try !acquireRange(around: Self.commonOffset, descriptor) {
            guard pause.sleep() else { throw try lockedError(descriptor, pause) }
        }
    }

    /// True if a waiter holds the next turn but does not use it, though nobody writes since
    /// `freeSince`.
    private func isIdle(
        _ turn: OpenFileLock.Range, _ descriptor: CInt, _ freeSince: inout Int64?
    ) throws(LMDBError) -> Bool {
        let holder = try OpenFileLock.conflictingLock(against: .exclusive, turn, of: descriptor)
        guard let holder, try !Self.isTaken(descriptor) else {
            freeSince = nil
            return false
        }
        let now = Clock.milliseconds()
        let since = freeSince ?? now
        freeSince = since
        if let idleTurn, idleTurn.range == holder.range, now < idleTurn.until { return true }
        guard now - since > Self.turnMilliseconds else { return false }
        idleTurn = (holder.range, now + Self.idleMilliseconds)
        return true
    }

    var longestWrite: Duration { .milliseconds(longestMilliseconds.load(ordering: .relaxed)) }

    /// Ends a write, and admits the next writer of any process.
    func release(_ descriptor: CInt) {
        longestMilliseconds.max(Clock.milliseconds() - writingSince, ordering: .relaxed)
        OpenFileLock.release(Self.region(Self.commonOffset), of: descriptor)
        admitNextThread()
    }

    /// True if another process or another environment is writing.
    static func isTaken(_ descriptor: CInt) throws(LMDBError) -> Bool {
        try OpenFileLock.conflictingLock(against: .shared, byte(commonOffset), of: descriptor)
            != nil
    }

    /// True if another process or another environment has the next turn to write.
    static func isAwaited(_ descriptor: CInt) throws(LMDBError) -> Bool {
        try OpenFileLock.conflictingLock(against: .shared, byte(turnOffset), of: descriptor) != nil
    }

    /// Number of threads of this process that wait for their turn to write.
    var waitingThreadCount: Int {
        monitor.lock()
        defer { monitor.unlock() }
        return queue.count
    }

    /// Ends a write within this process, and wakes the threads that wait.
    private func admitNextThread() {
        monitor.lock()
        isWriting = false
        monitor.wakeAll()
        monitor.unlock()
    }

    private static func byte(_ offset: Int64) -> OpenFileLock.Range {
        OpenFileLock.Range(start: offset, length: 1)
    }

    /// Returns all bytes that ranges around an offset may contain.
    private static func region(_ offset: Int64) -> OpenFileLock.Range {
        OpenFileLock.Range(start: offset - 1 << 55, length: 2 << 55)
    }

    /// Locks the range around an offset, for this process and now; `false` if another is locked.
    private func acquireRange(around offset: Int64, _ descriptor: CInt) throws(LMDBError) -> Bool {
        let process = Int64(namespace) << Self.processIDBits | Int64(getpid())
        let start = offset - 1 - process
        let range = OpenFileLock.Range(
            start: start, length: offset + 1 + Clock.milliseconds() - start)
        return try OpenFileLock.acquire(.exclusive, range, of: descriptor)
    }

    /// Returns the error `.locked` with the writing process and the start of its write, which the
    /// locked range encodes.
    private func lockedError(_ descriptor: CInt, _ wait: RetryWait) throws(LMDBError) -> LMDBError {
        let common = Self.byte(Self.commonOffset)
        let holder = try OpenFileLock.conflictingLock(against: .exclusive, common, of: descriptor)
        let range = holder?.range ?? common
        let process = Self.commonOffset - 1 - range.start
        let since = range.end - 1 - Self.commonOffset
        let isKnown = process > 0
        return .locked(
            by: LogWriter(
                processID: isKnown ? Int32(process & (1 << Self.processIDBits - 1)) : 0,
                secondsHeld: isKnown ? UInt32(clamping: (Clock.milliseconds() - since) / 1_000) : 0,
                secondsWaited: wait.secondsWaited,
                isInOtherNamespace: isKnown && process >> Self.processIDBits != Int64(namespace)))
    }
}

/// A wait with repeated pauses between attempts, up to a time limit.
struct RetryWait {
    /// Time when the wait began, in microseconds of `Clock`.
    private let start = Clock.microseconds()
    /// Maximum time to wait, in microseconds.
    private let limit: Int64

    /// Begins a wait of at most `duration` from now on; a negative duration counts as zero.
    init(limit duration: Duration) {
        let (seconds, fraction) = duration.components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        let microseconds = whole.partialValue + fraction / 1_000_000_000_000
        limit = whole.overflow ? .max / 2 : max(0, microseconds)
    }

    private var elapsed: Int64 { Clock.microseconds() - start }

    /// Whole seconds since the wait began; a second counts from 0.95 s on.
    var secondsWaited: UInt32 { UInt32(clamping: (elapsed + 50_000) / 1_000_000) }

    /// Time left until the limit; zero once it has passed.
    var remaining: Duration { .microseconds(max(0, limit - elapsed)) }

    /// Sleeps for one pause, whose length depends on the time waited so far.
    ///
    /// The first pauses last 30 µs, later pauses an eighth of the time waited, but at most 0.3 ms,
    /// and pauses after a second 3 ms. With longer pauses, a process that writes repeatedly would
    /// keep getting the lock.
    ///
    /// - Returns: `false`, without sleeping, if the time limit has passed.
    mutating func sleep() -> Bool {
        let elapsed = elapsed
        guard elapsed < limit else { return false }
        let pause = elapsed < 1_000_000 ? min(max(elapsed / 8, 30), 300) : 3_000
        usleep(UInt32(min(pause, limit - elapsed)))
        return true
    }
}

/// A monotonic clock, which all processes of the machine share.
enum Clock {
    static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    static func milliseconds() -> Int64 { microseconds() / 1_000 }
}
