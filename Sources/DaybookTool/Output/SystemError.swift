import DaybookLibC

/// An error of the system, in its own words.
struct SystemError: Error, CustomStringConvertible {
    let code: Int32

    /// - Parameter code: that of the last call by default.
    init(code: Int32 = errno) { self.code = code }

    var description: String { unsafe String(cString: strerror(code)) }
}

/// Writes to open files.
enum FileWriting {
    /// Writes all bytes, however many calls it takes.
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
                // Somebody else has made the stream one that does not wait.
                var wait = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&wait, 1, -1)
            } else if errno != EINTR {
                throw SystemError()
            }
        }
    }
}
