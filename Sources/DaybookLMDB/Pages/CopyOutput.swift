import DaybookLibC

/// The descriptor to which a copy is written, with two buffers of pages.
///
/// A thread writes one buffer while the caller fills the other. The buffers are aligned for a file
/// that bypasses the page cache. Call `end()` in the end, whether or not the copy succeeded.
final class CopyOutput: @unchecked Sendable {
    private static let bufferByteCount = 1 << 20
    /// Alignment that a write past the page cache needs.
    private static let alignment = 4_096

    private let descriptor: CInt
    private let pageSize: Int
    private let buffers: [UnsafeMutableRawPointer]
    /// Index of the buffer that the caller fills.
    private var current = 0
    /// Number of bytes in the buffer that the caller fills.
    private var usedByteCount = 0

    /// Guards the properties below it.
    private let monitor = Monitor()
    /// Bytes that the thread writes now or next.
    private var pending: UnsafeRawBufferPointer?
    private var isThreadRunning = true
    private var isEnded = false
    private var failure: LMDBError?

    /// Starts the thread; without one, the caller's thread writes.
    init(to descriptor: CInt, pageSize: Int) {
        self.descriptor = descriptor
        self.pageSize = pageSize
        buffers = (0..<2).map { _ in
            .allocate(byteCount: Self.bufferByteCount, alignment: Self.alignment)
        }
        if !Threads.detach({ self.run() }) { isThreadRunning = false }
    }

    deinit { for buffer in buffers { buffer.deallocate() } }

    /// Returns room for the next page, which the caller fills before it calls `commitPage`.
    func nextPage() throws(CopyError) -> UnsafeMutableRawPointer {
        if usedByteCount + pageSize > Self.bufferByteCount { try handOver() }
        return buffers[current] + usedByteCount
    }

    /// Adds the page that fills the room that `nextPage` returned.
    func commitPage() { usedByteCount += pageSize }

    /// Writes the remaining pages, and waits until all pages are written.
    func finish() throws(CopyError) {
        if usedByteCount > 0 { try handOver() }
        end()
        if let failure { throw .unwritable(failure) }
    }

    /// Waits until the thread has ended; pages that it has not begun to write may be lost.
    func end() {
        monitor.lock()
        isEnded = true
        monitor.wakeAll()
        while isThreadRunning { monitor.wait() }
        monitor.unlock()
    }

    /// Passes the filled buffer to the thread, as soon as the other buffer is written.
    private func handOver() throws(CopyError) {
        let bytes = UnsafeRawBufferPointer(start: buffers[current], count: usedByteCount)
        monitor.lock()
        while pending != nil { monitor.wait() }
        if !isThreadRunning {
            failure = failure ?? Self.write(bytes, to: descriptor)
        } else if failure == nil {
            pending = bytes
            monitor.wakeAll()
        }
        let failure = failure
        monitor.unlock()
        if let failure { throw .unwritable(failure) }
        current = 1 - current
        usedByteCount = 0
    }

    /// Writes what is handed over, until the end.
    private func run() {
        monitor.lock()
        while true {
            while pending == nil, !isEnded { monitor.wait() }
            guard let bytes = pending else { break }
            monitor.unlock()
            let error = Self.write(bytes, to: descriptor)
            monitor.lock()
            failure = error
            pending = nil
            monitor.wakeAll()
        }
        isThreadRunning = false
        monitor.wakeAll()
        monitor.unlock()
    }

    /// Writes bytes; a pipe without a reader is an error and no signal.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> LMDBError? {
        guard let start = bytes.baseAddress else { return nil }
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var done = 0
        while done < bytes.count {
            let count = DaybookLibC.write(descriptor, start + done, bytes.count - done)
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                let error = LMDBError(rawValue: count == 0 ? EIO : errno)
                var pending = sigset_t()
                if error.rawValue == EPIPE, sigpending(&pending) == 0,
                    sigismember(&pending, SIGPIPE) == 1
                {
                    var signal: CInt = 0
                    sigwait(&blocked, &signal)
                }
                return error
            }
        }
        return nil
    }
}
