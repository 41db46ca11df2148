import DaybookLibC

/// The process that is writing a log while another process or thread waits for the log.
public struct LogWriter: Hashable, Sendable, CustomStringConvertible {
    /// Process id of the writer; 0 or negative if it is not known.
    public let processID: Int32
    /// Seconds since the write began; 0 if the start is not known.
    public let secondsHeld: UInt32
    /// Seconds that the caller has waited for the writer.
    public let secondsWaited: UInt32
    /// True if the writer runs in another container, whose process ids are separate.
    public let isInOtherNamespace: Bool

    init(
        processID: Int32, secondsHeld: UInt32, secondsWaited: UInt32,
        isInOtherNamespace: Bool = false
    ) {
        self.processID = processID
        self.secondsHeld = secondsHeld
        self.secondsWaited = secondsWaited
        self.isInOtherNamespace = isInOtherNamespace
    }

    public var description: String {
        let start = "\(process) has been writing the log for \(secondsHeld) s"
        return "\(start); waited \(secondsWaited) s"
    }

    /// The writing process as a phrase, with its command name if that is known.
    private var process: String {
        guard processID > 0 else { return "another process" }
        if isInOtherNamespace { return "process \(processID) of another container" }
        if processID == getpid() { return "another thread of this process" }
        guard let name = ProcessInformation.commandName(of: processID) else {
            return "process \(processID)"
        }
        return "process \(processID) (\(name))"
    }
}

/// A gate that admits one writer at a time to `mdb_txn_begin`, whose own mutex has no timeout.
///
/// A monitor admits one thread of a process, and an exclusive lock on bytes of the data file admits
/// one process. Each writer locks its own range of bytes: the start encodes the process, and the
/// end encodes the time when the write began. All such ranges contain one common byte, so that only
/// one can be locked at a time. A waiting process learns both the process and the time with one
/// query to the kernel, and the kernel releases the lock when a writer dies.
///
/// The lock is on the data file, so that a reader without access to the lock file can also see that
/// a write is under way.
final class WriteGate: @unchecked Sendable {
    private let monitor = Monitor()
    /// True while a thread of this process is writing.
    private var isWriting = false
    /// Time when a thread of this process last began to write, in milliseconds of `Clock`.
    private var writingSince: Int64 = 0

    /// Offset of the byte that the ranges of all writers contain, far below the offsets of
    /// `FileBinding`.
    private static let commonOffset: Int64 = 1 << 61
    /// All bytes that a writer's range may contain.
    private static let region = OpenFileLock.Range(
        start: commonOffset - 1 << 55, length: 2 << 55)
    /// The byte that the ranges of all writers contain, as a range.
    private static let commonByte = OpenFileLock.Range(start: commonOffset, length: 1)
    /// Number of bits for a process id in an offset: process ids are below 2^22 on all systems.
    private static let processIDBits = 22

    /// Number of the namespace in which this process has its id; 0 on systems without namespaces.
    private let namespace = ProcessInformation.namespace()

    /// Begins a write as soon as no other process or thread is writing, after at most `wait`.
    ///
    /// - Throws: `.locked` if another write is still under way after `wait`.
    func acquire(_ descriptor: CInt, wait: Duration) throws(LMDBError) {
        var pause = RetryWait(limit: wait)
        monitor.lock()
        while isWriting {
            let mayWait = pause.remaining > .zero
            if mayWait { monitor.wait(atMost: pause.remaining) }
            guard isWriting, !mayWait else { continue }
            let held = Clock.milliseconds() - writingSince
            monitor.unlock()
            throw .locked(
                by: LogWriter(
                    processID: getpid(), secondsHeld: UInt32(clamping: held / 1_000),
                    secondsWaited: pause.secondsWaited))
        }
        isWriting = true
        writingSince = Clock.milliseconds()
        monitor.unlock()
        do throws(LMDBError) {
            while try !OpenFileLock.acquire(.exclusive, range(), of: descriptor) {
                guard pause.sleep() else { throw try lockedError(descriptor, pause) }
            }
        } catch {
            admitNextThread()
            throw error
        }
    }

    /// Ends a write, and admits the next writer of any process.
    func release(_ descriptor: CInt) {
        OpenFileLock.release(Self.region, of: descriptor)
        admitNextThread()
    }

    /// True if another process or another environment is writing.
    static func isTaken(_ descriptor: CInt) throws(LMDBError) -> Bool {
        try OpenFileLock.conflictingLock(against: .shared, commonByte, of: descriptor) != nil
    }

    /// Ends a write within this process, and wakes the threads that wait.
    private func admitNextThread() {
        monitor.lock()
        isWriting = false
        monitor.wakeAll()
        monitor.unlock()
    }

    /// Returns the range that encodes this process and the present time.
    private func range() -> OpenFileLock.Range {
        let process = Int64(namespace) << Self.processIDBits | Int64(getpid())
        let start = Self.commonOffset - 1 - process
        return OpenFileLock.Range(
            start: start, length: Self.commonOffset + 1 + Clock.milliseconds() - start)
    }

    /// Returns the error `.locked` with the writing process and the start of its write, which the
    /// locked range encodes.
    private func lockedError(
        _ descriptor: CInt, _ wait: RetryWait
    ) throws(LMDBError) -> LMDBError {
        let holder = try OpenFileLock.conflictingLock(
            against: .exclusive, Self.commonByte, of: descriptor)
        let range = holder?.range ?? Self.commonByte
        let process = Self.commonOffset - 1 - range.start
        let since = range.end - 1 - Self.commonOffset
        let isKnown = process > 0
        return .locked(
            by: LogWriter(
                processID: isKnown ? Int32(process & (1 << Self.processIDBits - 1)) : 0,
                secondsHeld: isKnown
                    ? UInt32(clamping: (Clock.milliseconds() - since) / 1_000) : 0,
                secondsWaited: wait.secondsWaited,
                isInOtherNamespace: isKnown
                    && process >> Self.processIDBits != Int64(namespace)))
    }
}

/// A wait with repeated pauses between attempts, up to a time limit.
struct RetryWait {
    /// Time when the wait began, in microseconds of `Clock`.
    private let start = Clock.microseconds()
    /// Maximum time to wait, in microseconds.
    private let limit: Int64

    /// Begins a wait.
    ///
    /// - Parameter duration: the longest time to wait, from now on; a negative duration counts as
    ///   zero.
    init(limit duration: Duration) {
        let (seconds, fraction) = duration.components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        let microseconds = whole.partialValue + fraction / 1_000_000_000_000
        limit = whole.overflow ? .max / 2 : max(0, microseconds)
    }

    /// Microseconds since the wait began.
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
    /// Returns the microseconds since the machine was started.
    static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// Returns the milliseconds since the machine was started.
    static func milliseconds() -> Int64 { microseconds() / 1_000 }
}

/// Information about processes from `/proc`, on systems that have it.
enum ProcessInformation {
    /// Returns the command name of a process, without control characters; `nil` without `/proc`.
    static func commandName(of processID: Int32) -> String? {
        let descriptor = Descriptor.open("/proc/\(processID)/comm", O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let name = String(decoding: bytes[..<count], as: UTF8.self).unicodeScalars
        return String(String.UnicodeScalarView(name.filter { $0.properties.isPrintable }))
    }

    /// Returns a number that identifies the process id namespace; 0 on systems without namespaces.
    static func namespace() -> UInt32 {
        var status = stat()
        guard stat("/proc/self/ns/pid", &status) == 0 else { return 0 }
        return UInt32(truncatingIfNeeded: status.st_ino)
    }
}

extension Unicode.Scalar.Properties {
    /// False for control characters, line separators and other invisible or unassigned scalars.
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
            .privateUse:
            false
        default: true
        }
    }
}
