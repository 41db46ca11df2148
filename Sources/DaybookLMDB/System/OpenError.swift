/// The reason why a file was not opened as an environment.
public enum OpenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This process has the file open already, perhaps under another path. Opening it a second time
    /// would release the locks of the first environment.
    case alreadyOpen(path: String)
    case missing(path: String)
    /// The path leads to something other than a regular file, such as a folder or a pipe.
    case notAFile(path: String)
    /// The file is on a network file system, such as NFS, where locks and maps are unreliable.
    case networkFileSystem(path: String, name: String)
    case notLMDB(path: String)
    /// The file has another version of LMDB's data format than 1, such as 3, that of LMDB 1.0.
    case otherFormatVersion(path: String, version: UInt32)
    /// The program runs with another version of LMDB than 0.9, whose pages are others.
    case otherLibrary(version: String)
    /// The file has several hard links, and so several names, each with its own lock file.
    case linked(path: String, count: Int)
    /// A process has the file open with another lock file, as after the lock file was deleted.
    case otherLockFile(path: String, lockFile: String)
    /// A process uses the lock file for another data file, as after the log was replaced by a copy.
    case otherDataFile(path: String, lockFile: String)
    /// The lock file at this path cannot be created, opened or used.
    case lockFile(path: String, LMDBError)
    /// The file, or its lock file, was replaced while it was being opened.
    case replacedWhileOpening(path: String)
    /// Nothing was ever committed to the file, as after its creation was interrupted.
    case neverBegun(path: String)
    /// The meta pages, or the states to which the meta pages lead, contradict each other.
    case damaged(path: String, StateDamage)
    /// LMDB or the system reported another error.
    case failed(path: String, LMDBError)

    public var description: String {
        switch self {
        case .alreadyOpen(let path):
            "\(path): this process has the file open already, perhaps under another path; close it "
                + "first"
        case .missing(let path): "\(path): there is no such file"
        case .notAFile(let path): "\(path): the path does not lead to a regular file"
        case .networkFileSystem(let path, let name):
            "\(path): the file is on a network file system (\(name)), where locks and memory maps "
                + "are not reliable; copy the file to a local disk"
        case .notLMDB(let path): "\(path): the file is not an LMDB file"
        case .otherFormatVersion(let path, let version):
            "\(path): the file has version \(version) of LMDB's data format"
                + (version == 3 ? ", that of LMDB 1.0" : "")
                + "; a log has version 1, that of LMDB 0.9"
        case .otherLibrary(let version):
            "this program runs with LMDB \(version), whose files are others; it needs LMDB 0.9"
        case .linked(let path, let count):
            "\(path): the file has \(count) hard links, and each name would have a separate lock "
                + "file; delete the other names, or copy the file"
        case .otherLockFile(let path, let lockFile):
            "\(path): another process has the log open under another lock file: '\(lockFile)' was "
                + "deleted, or the log has a second path; end that process first"
        case .otherDataFile(let path, let lockFile):
            "\(path): the lock file '\(lockFile)' is in use for another file: the log was "
                + "replaced while a process had it open; end that process first"
        case .lockFile(let path, let error): "\(path): \(error)"
        case .replacedWhileOpening(let path):
            "\(path): the file was moved, replaced or linked while it was being opened; try again"
        case .neverBegun(let path):
            "\(path): nothing was ever written to this file; it is not a log yet"
        case .damaged(let path, let damage): "\(path): the log is damaged: \(damage)"
        case .failed(let path, let error): "\(path): \(error)"
        }
    }
}
