import DaybookLibC

/// A reason why a copy or a head file could not be read, created or written.
public enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file exists already, and is never overwritten.
    case exists(path: String)
    /// Another process is writing the file.
    case busy(path: String)
    /// The path names a folder, a device or a pipe.
    case notAFile(path: String)
    /// The head file is missing; only `EventLog.Access.create` creates one.
    case noHeadFile(path: String)
    /// The file is not a head file, or is damaged.
    case damagedHeadFile(path: String)
    /// A system call failed with this `errno`.
    case failed(path: String, code: CInt)

    public var description: String {
        switch self {
        case .exists(let path): "\(path): already exists and is never overwritten"
        case .busy(let path): "\(path): another process is writing it"
        case .notAFile(let path): "\(path): is not a regular file"
        case .noHeadFile(let path):
            "\(path): the head file does not exist; an append that names it creates it"
        case .damagedHeadFile(let path): "\(path): is not a head file, or is damaged"
        case .failed(let path, let code): "\(path): \(unsafe String(cString: strerror(code)))"
        }
    }

    /// Returns the error for the current `errno` and a path.
    static func last(_ path: String) -> FileError { .failed(path: path, code: errno) }
}
