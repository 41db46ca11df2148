import DaybookLibC

/// Locks on bytes of a file, held by an open file description and not by a process.
///
/// The bytes need not exist. The kernel releases the locks when the last descriptor of the
/// description is closed, so that they end with their holder. LMDB locks no bytes of the data file,
/// and on the lock file only the first byte and one byte per process id.
///
/// Source: fcntl(2), "Open file description locks"; Darwin has the same commands.
enum OpenFileLock {
    struct Range: Hashable, Sendable {
        var start: Int64
        var length: Int64

        /// Offset just after the last byte.
        var end: Int64 { start + length }
    }

    /// The type of a lock: shared with other readers, or exclusive.
    enum Kind {
        case shared
        case exclusive

        fileprivate var code: Int16 { Int16(self == .shared ? F_RDLCK : F_WRLCK) }
    }

    #if canImport(Darwin)
        /// The `fcntl` command `F_OFD_GETLK`.
        private static let getCommand: CInt = 92
        /// The `fcntl` command `F_OFD_SETLK`.
        private static let setCommand: CInt = 90
    #else
        /// The `fcntl` command `F_OFD_GETLK`.
        private static let getCommand: CInt = 36
        /// The `fcntl` command `F_OFD_SETLK`.
        private static let setCommand: CInt = 37
    #endif

    /// Acquires a lock if it is free; `false` if another description holds a conflicting one.
    static func acquire(
        _ kind: Kind, _ range: Range, of descriptor: CInt
    ) throws(LMDBError) -> Bool {
        var lock = request(kind.code, range)
        let code = call(descriptor, setCommand, &lock)
        if code == EAGAIN || code == EACCES { return false }
        try check(code)
        return true
    }

    /// Releases all locks that this description holds within `range`.
    static func release(_ range: Range, of descriptor: CInt) {
        var lock = request(Int16(F_UNLCK), range)
        _ = call(descriptor, setCommand, &lock)
    }

    /// Returns the range of a conflicting lock of another open file description, and its process id
    /// if it belongs to a process; `nil` if there is none.
    static func conflictingLock(
        against kind: Kind, _ range: Range, of descriptor: CInt
    ) throws(LMDBError) -> (range: Range, processID: pid_t)? {
        var lock = request(kind.code, range)
        try check(call(descriptor, getCommand, &lock))
        guard lock.l_type != Int16(F_UNLCK) else { return nil }
        return (Range(start: Int64(lock.l_start), length: Int64(lock.l_len)), lock.l_pid)
    }

    private static func request(_ type: Int16, _ range: Range) -> flock {
        var lock = flock()
        lock.l_type = type
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(range.start)
        lock.l_len = off_t(range.length)
        return lock
    }

    /// Calls `fcntl`, and returns 0 or the `errno`.
    private static func call(_ descriptor: CInt, _ command: CInt, _ lock: inout flock) -> CInt {
        retrying { fcntl(descriptor, command, &lock) } == 0 ? 0 : errno
    }
}
