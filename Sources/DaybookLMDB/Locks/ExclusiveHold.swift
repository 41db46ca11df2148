import CDaybookLMDB
import DaybookLibC

/// An exclusive lock on a data file, which keeps every environment from opening the file.
///
/// LMDB holds a shared lock on the first byte of the lock file for each process that has the file
/// open; this type locks that byte exclusively. It also locks the whole data file exclusively, so
/// that it fails if another lock is held on the data file.
public struct ExclusiveHold: ~Copyable {
    private let dataDescriptor: CInt
    private let lockDescriptor: CInt
    /// The identity of the data file, recorded in `OpenFiles` until the lock is released.
    private let identity: FileIdentity

    /// The reason why a file could not be locked.
    public enum Failure: Error, Hashable, Sendable {
        /// A process has the file open. `by` is its id; `nil` if the system does not report the id.
        case open(by: Int32?)
        case failed(LMDBError)
    }

    /// Locks a data file, whose path has no symbolic links.
    public init(path: String) throws(Failure) {
        let dataDescriptor = Self.open(path, O_RDWR, 0)
        guard dataDescriptor >= 0 else { throw .failed(LMDBError(rawValue: errno)) }
        var status = stat()
        guard fstat(dataDescriptor, &status) == 0 else {
            close(dataDescriptor)
            throw .failed(LMDBError(rawValue: errno))
        }
        let identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
        // If this process has an environment of the file open, closing the lock file would release
        // the environment's locks.
        guard OpenFiles.claim(identity) else {
            close(dataDescriptor)
            throw .open(by: getpid())
        }
        let lockDescriptor = Self.open(path + "-lock", O_RDWR | O_CREAT, status.st_mode & 0o666)
        do throws(Failure) {
            guard lockDescriptor >= 0 else { throw .failed(LMDBError(rawValue: errno)) }
            try Self.acquire(dataDescriptor, lockDescriptor)
        } catch {
            OpenFiles.willClose(identity)
            if lockDescriptor >= 0 { close(lockDescriptor) }
            close(dataDescriptor)
            OpenFiles.release(identity)
            throw error
        }
        self.dataDescriptor = dataDescriptor
        self.lockDescriptor = lockDescriptor
        self.identity = identity
    }

    deinit {
        OpenFiles.willClose(identity)
        close(lockDescriptor)
        close(dataDescriptor)
        OpenFiles.release(identity)
    }

    /// Returns the number of the last transaction that was committed to the file.
    public func lastTransaction() throws(LMDBError) -> UInt64 {
        let byteCount = try FileMap.size(of: dataDescriptor)
        let map = try FileMap.map(dataDescriptor, covering: byteCount)
        return try PageMap(newestOf: map, fileBytes: byteCount).transaction
    }

    /// Locks the first byte of the lock file, and then the whole data file.
    private static func acquire(_ dataDescriptor: CInt, _ lockDescriptor: CInt) throws(Failure) {
        var first = request(length: 1)
        if fcntl(lockDescriptor, F_SETLK, &first) != 0 {
            guard errno == EAGAIN || errno == EACCES else {
                throw .failed(LMDBError(rawValue: errno))
            }
            var holder = request(length: 1)
            let isKnown = fcntl(lockDescriptor, F_GETLK, &holder) == 0 && holder.l_pid > 0
            throw .open(by: isKnown ? holder.l_pid : nil)
        }
        // Between fork and exec, a child shares the open files and the locks of this process, so
        // the lock may become free soon.
        for attempt in 0..<lockAttempts {
            var whole = request(length: 0)
            if fcntl(dataDescriptor, setOpenFileLock, &whole) == 0 { return }
            guard errno == EAGAIN || errno == EACCES else {
                throw .failed(LMDBError(rawValue: errno))
            }
            if attempt + 1 < lockAttempts { usleep(10_000) }
        }
        throw .open(by: nil)
    }

    /// Maximum number of attempts to lock the data file, 10 ms apart.
    private static let lockAttempts = 50

    /// The `fcntl` command `F_OFD_SETLK`, whose locks belong to an open file and not to a process.
    /// Such a lock also conflicts with locks on other descriptors of this process.
    private static var setOpenFileLock: CInt {
        #if canImport(Darwin)
            90
        #else
            37
        #endif
    }

    /// Returns a request for an exclusive lock from the first byte on; length 0 means all bytes.
    private static func request(length: Int) -> flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = off_t(length)
        return lock
    }

    /// Opens a file, but not a symbolic link, with a descriptor that child programs do not inherit.
    private static func open(_ path: String, _ flags: CInt, _ mode: mode_t) -> CInt {
        DaybookLibC.open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
    }
}

/// Sets the number of the last transaction in a complete data file that nothing has open.
///
/// A compacted copy begins with number 1. A copy that replaces its original must continue with the
/// original's number, because a lock file may still hold that number. Afterwards both meta pages
/// name the same state, with the numbers `number - 1` and `number`.
public func setTransaction(_ number: UInt64, ofFile descriptor: CInt) throws(LMDBError) {
    let byteCount = try FileMap.size(of: descriptor)
    let map = try FileMap.map(descriptor, covering: byteCount)
    let pages = try PageMap(newestOf: map, fileBytes: byteCount)
    guard number > 0, pages.transaction > 0 else { return }
    let newest = Int(pages.transaction & 1) * pages.pageSize
    var page = Array(UnsafeRawBufferPointer(start: map.start + newest, count: pages.pageSize))
    for number in [number - 1, number] {
        page.withUnsafeMutableBytes { page in
            page.storeBytes(of: number & 1, as: UInt64.self)
            page.storeBytes(of: number, toByteOffset: PageFormat.headerBytes + 128, as: UInt64.self)
        }
        let offset = off_t(Int(number & 1) * page.count)
        guard pwrite(descriptor, page, page.count, offset) == page.count else {
            throw LMDBError(rawValue: errno)
        }
    }
}
