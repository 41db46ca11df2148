import DaybookLibC

/// Reading of whole files.
enum WholeFile {
    /// Reads a regular file.
    static func read(_ path: String) throws(LogError) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .file(.fromErrno(path)) }
        defer { _ = close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .file(.fromErrno(path)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .file(.notAFile(path: path)) }
        guard status.st_size <= 1 << 31 else { throw .file(.failed(path: path, code: EFBIG)) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe DaybookLibC.read(
                    file, bytes.baseAddress?.advanced(by: filled), bytes.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            filled += count
        }
        bytes.removeSubrange(filled...)
        return bytes
    }
}
