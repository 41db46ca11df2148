import DaybookLibC

/// Why a file beside the log could not be read, made or written.
public enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file is there already, and is never overwritten.
    case exists(path: String)
    /// Another process writes it.
    case busy(path: String)
    /// A folder, a device or a pipe.
    case notAFile(path: String)
    /// There is no head file, and this way of opening the log makes none.
    case noHeadFile(path: String)
    /// No slot of the head file is whole.
    case damagedHeadFile(path: String)
    /// The system refused, with an `errno`.
    case failed(path: String, code: CInt)

    public var description: String {
        switch self {
        case .exists(let path): "\(path): is there already, and is never overwritten"
        case .busy(let path): "\(path): another process is writing it"
        case .notAFile(let path): "\(path): is no file"
        case .noHeadFile(let path):
            "\(path): there is no such head file; appending with it named makes it"
        case .damagedHeadFile(let path): "\(path): is no head file, or a damaged one"
        case .failed(let path, let code): "\(path): \(unsafe String(cString: strerror(code)))"
        }
    }

    /// The last error of the system, about a path.
    static func last(_ path: String) -> FileError { .failed(path: path, code: errno) }
}
