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

    private var process: String {
        guard processID > 0 else { return "another process" }
        if isInOtherNamespace { return "process \(processID) of another container" }
        if processID == getpid() { return "another thread of this process" }
        guard let name = ProcessName.of(processID) else { return "process \(processID)" }
        return "process \(processID) (\(name))"
    }
}

/// A gate that admits one writer at a time to `mdb_txn_begin`, whose own mutex has no timeout.
///
/// A monitor admits one thread of a process, and an exclusive lock on bytes of the data file admits
/// one process. All locked ranges share one byte, so that they exclude each other. The start of a
/// range encodes the process that holds the lock, and its end encodes the time when the write
/// began. A waiting process learns both with one query to the kernel, and the kernel releases the
/// lock when a writer dies.
///
/// The lock is on the data file, so that a reader without access to the lock file can also see that
/// a write is under way.
final class WriteGate: @unchecked Sendable {
    private let monitor = Monitor()
    private var isTaken = false
    private var takenAt: Int64 = 0

    /// The byte that all ranges have in common, far below the offsets of `FileBinding`.
    private static let common: Int64 = 1 << 61
    /// All bytes that a range may cover.
    private static let region = OpenFileLock.Range(
        start: common - 1 << 55, length: 2 << 55)
    private static let commonByte = OpenFileLock.Range(start: common, length: 1)
    /// Number of bits of a process id: process ids are smaller than 2^22 on all systems.
    private static let processBits = 22

    private let namespace = ProcessName.namespace()

    /// Begins a write as soon as no other write is under way; waits for `wait` at most.
    ///
    /// - Throws: `.locked` when the time is over.
    func acquire(_ descriptor: CInt, wait: Duration) throws(LMDBError) {
        var pause = Pause(until: wait)
        monitor.lock()
        while isTaken {
            let mayWait = pause.remaining > .zero
            if mayWait { monitor.wait(atMost: pause.remaining) }
            guard isTaken, !mayWait else { continue }
            let held = Clock.milliseconds() - takenAt
            monitor.unlock()
            throw .locked(
                by: LogWriter(
                    processID: getpid(), secondsHeld: UInt32(clamping: held / 1_000),
                    secondsWaited: pause.secondsWaited))
        }
        isTaken = true
        takenAt = Clock.milliseconds()
        monitor.unlock()
        do throws(LMDBError) {
            while try !OpenFileLock.acquire(.exclusive, range(), of: descriptor) {
                guard pause.sleep() else { throw try refusal(descriptor, pause) }
            }
        } catch {
            leave()
            throw error
        }
    }

    func release(_ descriptor: CInt) {
        OpenFileLock.release(Self.region, of: descriptor)
        leave()
    }

    /// True if another process or another environment is writing.
    static func isTaken(_ descriptor: CInt) throws(LMDBError) -> Bool {
        try OpenFileLock.holder(against: .shared, commonByte, of: descriptor) != nil
    }

    private func leave() {
        monitor.lock()
        isTaken = false
        monitor.announce()
        monitor.unlock()
    }

    private func range() -> OpenFileLock.Range {
        let process = Int64(namespace) << Self.processBits | Int64(getpid())
        let start = Self.common - 1 - process
        return OpenFileLock.Range(
            start: start, length: Self.common + 1 + Clock.milliseconds() - start)
    }

    private func refusal(_ descriptor: CInt, _ pause: Pause) throws(LMDBError) -> LMDBError {
        let holder = try OpenFileLock.holder(against: .exclusive, Self.commonByte, of: descriptor)
        let range = holder?.range ?? Self.commonByte
        let process = Self.common - 1 - range.start
        let since = range.end - 1 - Self.common
        let isKnown = process > 0
        return .locked(
            by: LogWriter(
                processID: isKnown ? Int32(process & (1 << Self.processBits - 1)) : 0,
                secondsHeld: isKnown
                    ? UInt32(clamping: (Clock.milliseconds() - since) / 1_000) : 0,
                secondsWaited: pause.secondsWaited,
                isInOtherNamespace: isKnown
                    && process >> Self.processBits != Int64(namespace)))
    }
}

/// Increasing pauses between attempts, up to a time limit.
struct Pause {
    private let begin = Clock.microseconds()
    private let limit: Int64

    /// - Parameter wait: the time limit, from now on; a negative duration counts as zero.
    init(until wait: Duration) {
        let (seconds, fraction) = wait.components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        let microseconds = whole.partialValue + fraction / 1_000_000_000_000
        limit = whole.overflow ? .max / 2 : max(0, microseconds)
    }

    private var elapsed: Int64 { Clock.microseconds() - begin }

    var secondsWaited: UInt32 { UInt32(clamping: (elapsed + 50_000) / 1_000_000) }

    var remaining: Duration { .microseconds(max(0, limit - elapsed)) }

    /// Sleeps for a moment that depends on the time waited so far.
    ///
    /// The first pauses last 30 µs, later pauses an eighth of the time waited, but at most 0.3 ms,
    /// and pauses after a second 3 ms. With longer pauses, a process that writes repeatedly would
    /// keep getting the lock.
    ///
    /// - Returns: `false` at once if the time is over.
    mutating func sleep() -> Bool {
        let elapsed = elapsed
        guard elapsed < limit else { return false }
        let pause = elapsed < 1_000_000 ? min(max(elapsed / 8, 30), 300) : 3_000
        usleep(UInt32(min(pause, limit - elapsed)))
        return true
    }
}

/// The time since the machine was started, the same for all its processes.
enum Clock {
    static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    static func milliseconds() -> Int64 { microseconds() / 1_000 }
}

/// Information about processes from `/proc`, on systems that have it.
enum ProcessName {
    /// Returns the command name of a process without control characters; `nil` without `/proc`.
    static func of(_ processID: Int32) -> String? {
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
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
            .privateUse:
            false
        default: true
        }
    }
}
