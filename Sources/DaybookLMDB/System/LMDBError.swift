public import CDaybookLMDB
import DaybookLibC

/// An error of LMDB, of the system or of this module, as a number.
///
/// A struct, not an enum, because LMDB also returns any `errno`.
public struct LMDBError: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Return code of LMDB, an `errno`, or a code from -30,712 to -30,700 that only Daybook uses.
    public let rawValue: CInt
    /// The process that is writing the log; `nil` unless the error is `.locked`.
    public let writer: LogWriter?

    public init(rawValue: CInt) {
        self.rawValue = rawValue
        writer = nil
    }

    private init(rawValue: CInt, writer: LogWriter) {
        self.rawValue = rawValue
        self.writer = writer
    }

    /// Returns true if both errors have the same number; their writers are not compared.
    public static func == (a: LMDBError, b: LMDBError) -> Bool { a.rawValue == b.rawValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The key exists already, or an appended key is not greater than the last key of the table.
    public static let keyExists = LMDBError(rawValue: MDB_KEYEXIST)
    /// The memory map is full and could not grow, usually because a read transaction is open.
    public static let mapFull = LMDBError(rawValue: MDB_MAP_FULL)
    /// Another process has grown the memory map.
    public static let mapResized = LMDBError(rawValue: MDB_MAP_RESIZED)
    /// No reader slot is free, even after the slots of dead processes were cleared.
    public static let readersFull = LMDBError(rawValue: MDB_READERS_FULL)
    public static let notLMDB = LMDBError(rawValue: MDB_INVALID)
    /// A process with another version of LMDB has the lock file open.
    public static let versionMismatch = LMDBError(rawValue: MDB_VERSION_MISMATCH)
    /// A page has unexpected content: the file is damaged.
    public static let corrupted = LMDBError(rawValue: MDB_CORRUPTED)
    /// A page that the file refers to is missing: the file is damaged.
    public static let pageNotFound = LMDBError(rawValue: MDB_PAGE_NOTFOUND)
    /// The key or the duplicate value is empty or longer than 511 bytes.
    public static let badValueSize = LMDBError(rawValue: MDB_BAD_VALSIZE)
    /// The table does not exist, or was created with other flags.
    public static let incompatible = LMDBError(rawValue: MDB_INCOMPATIBLE)
    public static let diskFull = LMDBError(rawValue: ENOSPC)
    /// The user may not use more of the disk (`EDQUOT`).
    public static let quotaExceeded = LMDBError(rawValue: EDQUOT)
    /// The process may not open or write the file, or the environment is read-only.
    public static let accessDenied = LMDBError(rawValue: EACCES)
    public static let readOnlyFileSystem = LMDBError(rawValue: EROFS)

    /// The system does not permit the operation (`EPERM`), such as for another user's file.
    public static let notPermitted = LMDBError(rawValue: EPERM)
    /// The address space that the process may use is full; see `ulimit -v`.
    public static let outOfMemory = LMDBError(rawValue: ENOMEM)
    public static let inputOutput = LMDBError(rawValue: EIO)

    // Codes that neither LMDB nor `errno` uses.

    /// The environment was opened before this process was forked; open the file again in the child.
    public static let openedBeforeFork = LMDBError(rawValue: -30_700)
    /// The log was moved, replaced or deleted while it was open. Nothing was committed.
    public static let fileReplaced = LMDBError(rawValue: -30_701)
    /// The log was given a second hard link while it was open. Nothing was committed.
    public static let fileLinked = LMDBError(rawValue: -30_702)
    /// The lock file was deleted, replaced or linked. Nothing was committed.
    public static let lockFileReplaced = LMDBError(rawValue: -30_703)
    /// The data or lock file was replaced while the commit was being written: the commit is in the
    /// file that was open, which may no longer be the one at the path.
    public static let replacedDuringCommit = LMDBError(rawValue: -30_704)
    /// Another process or thread did not end its write within `writeWait`. See `writer`.
    public static let locked = LMDBError(rawValue: -30_705)
    /// A writer has committed while the file was read without a lock: read the file again.
    public static let changedWhileReading = LMDBError(rawValue: -30_706)
    /// The memory map was lost because it could not grow; open the file again.
    public static let mapLost = LMDBError(rawValue: -30_707)
    /// The file system made a copy of the log when a process first opened it for writing; the open
    /// file stays as it was. Open the log again.
    public static let fileCopied = LMDBError(rawValue: -30_710)
    /// Another process has the same number, in another PID namespace, and the lock file has a form
    /// in which this process cannot register with another number.
    public static let numberTaken = LMDBError(rawValue: -30_711)
    /// Another process did not end its registration of a reader within `writeWait`.
    public static let readersBusy = LMDBError(rawValue: -30_712)
    /// The lock file is not a regular file, or it has a second hard link.
    static let notOneFile = LMDBError(rawValue: -30_708)
    /// This process has another log open that has the same lock file.
    static let otherLogOpen = LMDBError(rawValue: -30_709)

    /// Returns the error `.locked` with the process that is writing the log.
    static func locked(by writer: LogWriter) -> LMDBError {
        LMDBError(rawValue: locked.rawValue, writer: writer)
    }

    /// True if the description is a sentence of Daybook's own, not a text of LMDB or the system.
    public var isSentence: Bool { Self.messages[rawValue] != nil }

    public var description: String {
        if let writer { return writer.description }
        return Self.messages[rawValue] ?? String(cString: mdb_strerror(rawValue))
    }

    private static let messages: [CInt: String] = [
        openedBeforeFork.rawValue:
            "the log was opened before this process was forked; open the log again",
        fileReplaced.rawValue:
            "the log was moved, replaced or deleted while it was open; nothing was committed",
        fileLinked.rawValue:
            "the log was given a second hard link while it was open; nothing was committed",
        lockFileReplaced.rawValue:
            "the lock file of the log was deleted or replaced while the log was open; "
            + "nothing was committed",
        replacedDuringCommit.rawValue:
            "the log was moved, replaced or linked, or its lock file was deleted, during a commit: "
            + "the commit is in the file that was open, which may no longer be at the log's path",
        locked.rawValue: "another process is writing the log",
        changedWhileReading.rawValue:
            "the log was written while it was read without a lock; read the log again, or allow this "
            + "process to write the lock file",
        versionMismatch.rawValue:
            "a process with another version of LMDB has the lock file open; end that process first",
        fileCopied.rawValue:
            "another file is at the log's path: the file system (an overlay) copied the log when it "
            + "was first opened for writing, and the file that this process has open stays as it "
            + "was; open the log again",
        numberTaken.rawValue:
            "another process with the number \(getpid()), in another PID namespace, has the log open: "
            + "share the PID namespace between the containers, or start them with an init",
        readersBusy.rawValue:
            "another process has not ended its registration as a reader of the log; if it is "
            + "stopped, continue or end it",
        mapLost.rawValue:
            "the log could not be mapped into memory again after it grew; open the log again",
        notOneFile.rawValue: "the lock file must be a regular file with a single hard link",
        otherLogOpen.rawValue: "the lock file belongs to another log that this process has open",
        diskFull.rawValue: "the disk is full; the log is unchanged",
        outOfMemory.rawValue:
            "the log cannot be mapped into memory; a limit of the address space (ulimit -v) is "
            + "too small for the log",
        inputOutput.rawValue:
            "the disk could not read or write (input/output error); check the system log",
    ]
}

/// Throws the error for any return code other than `MDB_SUCCESS`.
@inlinable
func check(_ code: CInt) throws(LMDBError) {
    guard code == MDB_SUCCESS else { throw LMDBError(rawValue: code) }
}

/// Returns `true` for `MDB_SUCCESS` and `false` for `MDB_NOTFOUND`; throws any other return code.
@inlinable
func found(_ code: CInt) throws(LMDBError) -> Bool {
    if code == MDB_NOTFOUND { return false }
    try check(code)
    return true
}
