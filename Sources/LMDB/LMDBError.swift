public import CLMDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What LMDB answered when it did not answer `MDB_SUCCESS`.
///
/// A struct, not an enum: the set is open. LMDB also returns any `errno`.
public struct LMDBError: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: CInt

    public init(rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// The key is there already, or is not greater than the last one of the table.
    public static let keyExists = LMDBError(rawValue: MDB_KEYEXIST)
    /// The memory map is full and could not grow, mostly because a reader is under way.
    public static let mapFull = LMDBError(rawValue: MDB_MAP_FULL)
    /// Another process has grown the memory map.
    public static let mapResized = LMDBError(rawValue: MDB_MAP_RESIZED)
    /// No reader slot is free, after those of dead processes were cleared.
    public static let readersFull = LMDBError(rawValue: MDB_READERS_FULL)
    /// The file is no LMDB file.
    public static let notLMDB = LMDBError(rawValue: MDB_INVALID)
    /// The file was written by another version of LMDB's format.
    public static let versionMismatch = LMDBError(rawValue: MDB_VERSION_MISMATCH)
    /// A page is not what it should be: the file is damaged.
    public static let corrupted = LMDBError(rawValue: MDB_CORRUPTED)
    /// A page that should be there is not: the file is damaged.
    public static let pageNotFound = LMDBError(rawValue: MDB_PAGE_NOTFOUND)
    /// The key or the duplicate value is empty or longer than 511 bytes.
    public static let badValueSize = LMDBError(rawValue: MDB_BAD_VALSIZE)
    /// The table is not there, or was made with other flags.
    public static let incompatible = LMDBError(rawValue: MDB_INCOMPATIBLE)
    /// The disk is full.
    public static let diskFull = LMDBError(rawValue: ENOSPC)
    /// The file may not be opened, or not written.
    public static let accessDenied = LMDBError(rawValue: EACCES)
    /// The file system is mounted read-only.
    public static let readOnlyFileSystem = LMDBError(rawValue: EROFS)

    /// The environment was opened before this process was forked off; open it anew.
    ///
    /// A number that neither LMDB nor `errno` uses.
    public static let openedBeforeFork = LMDBError(rawValue: -30_700)

    public var description: String {
        self == .openedBeforeFork
            ? "the log was opened before this process was forked off; open it anew"
            : String(cString: mdb_strerror(rawValue))
    }
}

/// The one place that reads return codes.
@inlinable
func check(_ code: CInt) throws(LMDBError) {
    guard code == MDB_SUCCESS else { throw LMDBError(rawValue: code) }
}

/// The same, where "not found" is an answer and no error.
@inlinable
func found(_ code: CInt) throws(LMDBError) -> Bool {
    if code == MDB_NOTFOUND { return false }
    try check(code)
    return true
}

/// Why a file was not opened as an environment.
public enum OpenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This process has the file open already, maybe under another name. A second open would
    /// drop the locks of the first.
    case alreadyOpen(path: String)
    case missing(path: String)
    /// A folder, a device or a pipe.
    case notAFile(path: String)
    case networkFileSystem(path: String, name: String)
    case notLMDB(path: String)
    case otherFormatVersion(path: String)
    case failed(path: String, LMDBError)

    public var description: String {
        switch self {
        case .alreadyOpen(let path): "\(path): this process has the file open already"
        case .missing(let path): "\(path): there is no such file"
        case .notAFile(let path): "\(path): is no file"
        case .networkFileSystem(let path, let name):
            "\(path): lies on a network file system (\(name)), where locks and memory maps are "
                + "not reliable; copy the file to a local disk"
        case .notLMDB(let path): "\(path): is no LMDB file"
        case .otherFormatVersion(let path):
            "\(path): was written by another version of LMDB's format"
        case .failed(let path, let error): "\(path): \(error)"
        }
    }
}
