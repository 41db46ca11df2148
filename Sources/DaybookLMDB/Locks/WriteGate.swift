import DaybookLibC

/// The process that writes a log while another waits for it.
public struct LogWriter: Hashable, Sendable, CustomStringConvertible {
    /// 0 where it is not known.
    public let processID: Int32
    /// The time since its write began.
    public let secondsHeld: UInt32
    public let secondsWaited: UInt32
    /// `true` if the writer runs in a container with process ids of its own.
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
/// Threads take turns at a monitor, processes at an exclusive lock on bytes of the data file. All
/// locked ranges share one byte, so that they exclude each other; the start of a range encodes the
/// process that holds it, and its end the time since when. A waiting process learns both with one
/// query to the kernel, and the kernel releases the lock when a writer dies.
///
/// The lock is on the data file, because a reader without access to the lock file can see there too
/// that a write is under way.
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
    /// Process ids are smaller on all systems.
    private static let processBits = 22

    private let namespace = ProcessName.namespace()

    /// Waits for all others to end, at most for `wait`.
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

    /// True where a writer of another process, or another environment, is under way.
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

/// Ever longer pauses between attempts, up to a moment.
struct Pause {
    private let begin = Clock.microseconds()
    private let limit: Int64

    /// - Parameter wait: from now; a negative time counts as none.
    init(until wait: Duration) {
        let (seconds, fraction) = wait.components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        let microseconds = whole.partialValue + fraction / 1_000_000_000_000
        limit = whole.overflow ? .max / 2 : max(0, microseconds)
    }

    private var elapsed: Int64 { Clock.microseconds() - begin }

    var secondsWaited: UInt32 { UInt32(clamping: (elapsed + 50_000) / 1_000_000) }

    var remaining: Duration { .microseconds(max(0, limit - elapsed)) }

    /// Sleeps: first for 30 µs, then for an eighth of the time waited so far up to 0.3 ms, and
    /// after a second for 3 ms. Longer pauses would leave the turns to whoever writes already.
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

/// The system's facts about a process, where it gives any.
enum ProcessName {
    /// The command of a process, without control characters; `nil` without `/proc`.
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

    /// The number of the space in which this process has its id; 0 where there is none.
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
