import DaybookLibC

/// Error of a system call, with the system's description.
struct SystemError: Error, CustomStringConvertible {
    /// Error number of the system, such as `ENOENT`.
    let code: Int32

    /// Creates an error.
    ///
    /// - Parameter code: error number; by default the number of the last failed call.
    init(code: Int32 = errno) { self.code = code }

    /// The system's description of the error.
    var description: String { unsafe String(cString: strerror(code)) }
}

/// Function that writes to an open file, despite interruptions and partial writes.
enum FileWriting {
    /// Writes all bytes, with as many calls as needed.
    static func write(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe DaybookLibC.write(
                    file, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            }
            if count > 0 {
                start += count
            } else if count == 0 {
                throw SystemError(code: EIO)
            } else if errno == EAGAIN {
                // Another process has made the stream non-blocking.
                var wait = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&wait, 1, -1)
            } else if errno != EINTR {
                throw SystemError()
            }
        }
    }
}
