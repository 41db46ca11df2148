#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes a file whole or not at all.
enum OutputFile {
    /// - Parameters:
    ///   - path: a file, or a folder in which the file is to be called `name`.
    /// - Returns: where it was written.
    static func write(_ text: String, to path: String, _ name: String) throws -> String {
        let asked = isFolder(path) ? "\(path)/\(name)" : path
        let target = try replaceable(asked)
        let partial = "\(target).partial"
        let file = unsafe open(partial, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else { throw unwritable(target) }
        let isWritten = writeAll(Array(text.utf8), to: file) && fsync(file) == 0
        guard close(file) == 0, isWritten, unsafe rename(partial, target) == 0 else {
            let failure = unwritable(target)
            _ = unsafe unlink(partial)
            throw failure
        }
        return target
    }

    /// The file that a path leads to, through links.
    ///
    /// A device or a pipe is not replaced by a file, nor is one that may not be written.
    private static func replaceable(_ path: String) throws -> String {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return path }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.usage, "\(path): is no file; standard output takes the text as well")
        }
        guard unsafe access(path, W_OK) == 0, status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH) != 0
        else { throw Failure(.usage, "\(path): may not be written") }
        guard let resolved = unsafe realpath(path, nil) else { throw unwritable(path) }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    fileprivate static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = unsafe bytes.span.bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { rest in
                unsafe Glibc.write(file, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.extracting(count...)
        }
        return true
    }

    private static func unwritable(_ path: String) -> Failure {
        Failure(.usage, "\(path): cannot be written: \(unsafe String(cString: strerror(errno)))")
    }
}

/// Text in large pieces, past the buffer that `print` has.
enum StandardOutput {
    static func write(_ bytes: [UInt8]) throws {
        fflush(nil)
        guard OutputFile.writeAll(bytes, to: STDOUT_FILENO) else {
            throw Failure(
                .usage,
                "standard output cannot be written: \(unsafe String(cString: strerror(errno)))")
        }
    }
}
