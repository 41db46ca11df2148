import DaybookLibC

/// A reason why a copy of a log or a head file could not be read, created or written.
public enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file already exists, and existing files are never overwritten.
    case exists(path: String)
    /// Another process is writing the file.
    case busy(path: String)
    /// The file is not a regular file, but for example a folder, a device or a pipe.
    case notAFile(path: String)
    /// The head file is missing; only `EventLog.Access.create` creates one.
    case noHeadFile(path: String)
    /// The file is not a head file, or is damaged.
    case damagedHeadFile(path: String)
    /// The file belongs to a log in this role, such as "the lock file of a log".
    case belongsToLog(path: String, role: String)
    /// A system call failed with this `errno`.
    case failed(path: String, code: CInt)

    public var description: String {
        switch self {
        case .exists(let path): "\(path): the file already exists and is never overwritten"
        case .busy(let path):
            "\(path): another process is writing the file; try again when it has finished"
        case .notAFile(let path):
            "\(path): the path is a folder, device or pipe; expected a regular file"
        case .noHeadFile(let path):
            "\(path): the head file does not exist; a command that appends with this head file "
                + "creates it"
        case .damagedHeadFile(let path):
            "\(path): the file is damaged, or is no head file; expected the record of a log's head"
        case .belongsToLog(let path, let role):
            "\(path): this is \(role), which is not overwritten"
        case .failed(let path, let code):
            "\(path): a file operation failed: \(unsafe String(cString: strerror(code)))"
        }
    }

    /// Returns the error for a path after a failed system call, from the current `errno`.
    static func fromErrno(_ path: String) -> FileError { .failed(path: path, code: errno) }
}
