import CDaybookLMDB
import DaybookLibC

/// The locks that bind a data file to the one lock file that all its users must share.
///
/// LMDB keeps the number of the last transaction and the readers in the lock file, which it finds
/// by name. Two lock files for one data file, or one lock file for two data files, would lose
/// acknowledged commits. So each environment holds two shared locks while it is open: one on the
/// data file, at an offset derived from the lock file's inode, and one on the lock file, at an
/// offset derived from the data file's inode. Opening fails if another offset is locked.
///
/// `docs/embedding.md` describes the cases that these locks do not prevent.
final class FileBinding: Sendable {
    /// Path of the data file, without symbolic links.
    let path: String
    /// Path as the caller wrote it, for messages.
    private let pathInMessages: String
    let dataFile: FileIdentity
    /// A descriptor of the data file, separate from LMDB's own.
    let dataDescriptor: CInt
    /// A descriptor of the lock file; -1 if the file cannot be opened, and then nothing is locked.
    ///
    /// It stays open as long as the environment, because closing any descriptor of the lock file
    /// would release LMDB's own locks, which belong to the process.
    private let lockDescriptor: CInt
    /// Identity of the lock file; `nil` if the file cannot be opened.
    private let lockFile: FileIdentity?

    /// True if the lock file cannot be opened; a writer may then reuse pages that are being read.
    var hasNoLock: Bool { lockDescriptor < 0 }

    static func lockPath(_ path: String) -> String { path + "-lock" }

    private static let firstOffset: Int64 = 1 << 62
    /// The byte range that is used only for locks, far beyond the end of any file. Each of the two
    /// files is locked at an offset that identifies the other file.
    static let region = OpenFileLock.Range(start: firstOffset, length: .max - firstOffset)

    /// Returns the byte whose lock identifies `file`; its offset is derived from the file's inode.
    static func range(naming file: FileIdentity) -> OpenFileLock.Range {
        OpenFileLock.Range(
            start: firstOffset + Int64(file.inode % UInt64(region.length)), length: 1)
    }

    /// Opens both files and locks in each file the offset that identifies the other file. The
    /// caller has claimed `identity` in `OpenFiles`.
    init(
        _ path: String, _ identity: FileIdentity, name: String, _ options: OpenOptions
    ) throws(OpenError) {
        self.path = path
        pathInMessages = name
        dataFile = identity
        dataDescriptor = Descriptor.open(path, options.isReadOnly ? O_RDONLY : O_RDWR)
        guard dataDescriptor >= 0 else { throw .failed(path: name, LMDBError(rawValue: errno)) }
        let opened: (descriptor: CInt, file: FileIdentity)?
        do throws(OpenError) {
            try Self.checkData(
                dataDescriptor, name, identity, acceptsUncommitted: options.createsFile)
            opened = try LockFile.open(Self.lockPath(path), dataDescriptor, name: name, options)
        } catch {
            OpenFiles.willClose(identity)
            close(dataDescriptor)
            throw error
        }
        lockDescriptor = opened?.descriptor ?? -1
        lockFile = opened?.file
        for descriptor in [dataDescriptor, lockDescriptor] where descriptor >= 0 {
            ForkedChild.add(descriptor)
        }
        do throws(OpenError) {
            try bind()
            try awaitOtherOpeners(options.writeWait)
        } catch {
            closeDescriptors()
            throw error
        }
    }

    /// Lets other threads that open a file with the identity of one of the two files wait until
    /// these are closed and released.
    func willClose() {
        OpenFiles.willClose(dataFile)
        if let lockFile { OpenFiles.willClose(lockFile) }
    }

    /// Closes both descriptors, which releases the locks, after LMDB has closed its own.
    func closeDescriptors() {
        willClose()
        for descriptor in [dataDescriptor, lockDescriptor] where descriptor >= 0 {
            ForkedChild.remove(descriptor)
            close(descriptor)
        }
        if let lockFile { OpenFiles.release(lockFile) }
    }

    /// Throws if the data file was replaced, has several hard links, or is not a valid LMDB file.
    private static func checkData(
        _ dataDescriptor: CInt, _ name: String, _ identity: FileIdentity, acceptsUncommitted: Bool
    ) throws(OpenError) {
        guard let status = FileStatus(of: dataDescriptor), status.identity == identity else {
            throw .replacedWhileOpening(path: name)
        }
        guard status.linkCount == 1 else { throw .linked(path: name, count: status.linkCount) }
        switch MetaPages.content(of: dataDescriptor, byteCount: status.byteCount) {
        case .environment: try checkStates(dataDescriptor, name)
        case .damaged(let page): throw .damaged(path: name, .metaPage(page))
        case .empty:
            guard acceptsUncommitted else { throw .neverBegun(path: name) }
        case .otherVersion(let version):
            throw .otherFormatVersion(path: name, version: version)
        case .foreign: throw .notLMDB(path: name)
        case .unfinished:
            guard acceptsUncommitted else { throw .neverBegun(path: name) }
            do throws(LMDBError) { try truncateUnfinished(dataDescriptor) } catch {
                throw .failed(path: name, error)
            }
        }
    }

    /// Throws if a meta page, or the state to which it leads, is damaged; LMDB does not check this.
    private static func checkStates(_ dataDescriptor: CInt, _ name: String) throws(OpenError) {
        let damage: StateDamage?
        do throws(LMDBError) { damage = try StatePair.damage(in: dataDescriptor) } catch {
            throw .failed(path: name, error)
        }
        if let damage { throw .damaged(path: name, damage) }
    }

    /// Truncates a file whose creation was interrupted, unless another process is creating it.
    private static func truncateUnfinished(_ dataDescriptor: CInt) throws(LMDBError) {
        guard try OpenFileLock.acquire(.exclusive, region, of: dataDescriptor) else { return }
        defer { OpenFileLock.release(region, of: dataDescriptor) }
        guard let status = FileStatus(of: dataDescriptor),
            MetaPages.content(of: dataDescriptor, byteCount: status.byteCount) == .unfinished
        else { return }
        try check(retrying { ftruncate(dataDescriptor, 0) } == 0 ? 0 : errno)
    }

    /// Acquires both locks and verifies that the two files belong together.
    ///
    /// Two processes that open the log at once may each see the other's lock, so that both fail.
    /// Further attempts therefore follow after pauses of random length.
    private func bind() throws(OpenError) {
        guard let lockFile else { return }
        var refusal: OpenError?
        for attempt in 0..<5 {
            if attempt > 0 { usleep(.random(in: 1_000...20_000)) }
            do throws(LMDBError) {
                if try !Self.bind(dataDescriptor, naming: lockFile) {
                    refusal = .otherLockFile(path: pathInMessages, lockFile: Self.lockPath(path))
                } else if try !Self.bind(lockDescriptor, naming: dataFile) {
                    refusal = .otherDataFile(path: pathInMessages, lockFile: Self.lockPath(path))
                } else {
                    return
                }
            } catch { throw .failed(path: pathInMessages, error) }
            OpenFileLock.release(Self.region, of: dataDescriptor)
            OpenFileLock.release(Self.region, of: lockDescriptor)
        }
        if let refusal { throw refusal }
    }

    /// Locks the offset that identifies `file`; returns `false` if another offset is locked too.
    private static func bind(
        _ descriptor: CInt, naming file: FileIdentity
    ) throws(LMDBError) -> Bool {
        let own = range(naming: file)
        guard try OpenFileLock.acquire(.shared, own, of: descriptor) else { return false }
        let before = OpenFileLock.Range(start: firstOffset, length: own.start - firstOffset)
        let after = OpenFileLock.Range(start: own.end, length: region.end - own.end)
        for other in [before, after] where other.length > 0 {
            if try OpenFileLock.conflictingLock(against: .exclusive, other, of: descriptor) != nil {
                return false
            }
        }
        return true
    }

    /// Waits until no process is inside `mdb_env_open`, which locks the lock file's first byte.
    /// LMDB itself would wait for that lock without a timeout.
    private func awaitOtherOpeners(_ wait: Duration) throws(OpenError) {
        guard lockDescriptor >= 0 else { return }
        let first = OpenFileLock.Range(start: 0, length: 1)
        var pause = RetryWait(limit: wait)
        do throws(LMDBError) {
            while let holder = try OpenFileLock.conflictingLock(
                against: .shared, first, of: lockDescriptor)
            {
                guard pause.sleep() else {
                    throw .locked(
                        by: LogWriter(
                            processID: holder.processID, secondsHeld: 0,
                            secondsWaited: pause.secondsWaited))
                }
            }
        } catch { throw .failed(path: pathInMessages, error) }
    }

    /// Returns the error with which a commit must fail if a file was replaced, moved or linked.
    ///
    /// `nil` if both files are still at the paths they were opened from, with one hard link each.
    func violation() -> LMDBError? {
        guard let status = FileStatus(of: path), status.identity == dataFile else {
            return .fileReplaced
        }
        guard status.linkCount == 1 else { return .fileLinked }
        guard let lockFile else { return nil }
        guard let status = FileStatus(of: Self.lockPath(path)), status.identity == lockFile,
            status.linkCount == 1
        else { return .lockFileReplaced }
        return nil
    }

    /// Registers the process as a reader in the lock file that LMDB has opened.
    func registerReaders(
        of environment: OpaquePointer, wait: Duration
    ) throws(OpenError) -> Readers {
        do throws(LMDBError) {
            return try Readers(environment, lockFile: lockDescriptor, wait: wait)
        } catch { throw .failed(path: pathInMessages, error) }
    }

    /// Throws unless LMDB, which opens files by name, has opened the same data file.
    func confirm(openedBy environment: OpaquePointer) throws(OpenError) {
        var descriptor: CInt = -1
        guard mdb_env_get_fd(environment, &descriptor) == MDB_SUCCESS,
            FileStatus(of: descriptor)?.identity == dataFile, violation() == nil
        else { throw .replacedWhileOpening(path: pathInMessages) }
    }
}
