import CDaybookLMDB
import DaybookLibC
import Synchronization

/// One open LMDB file, which holds tables.
///
/// The file is opened without `MDB_WRITEMAP`, `MDB_NORDAHEAD` or `MDB_NOSYNC`: a commit that has
/// returned is on disk. Transactions may begin on any thread; one write is under way at a time,
/// across all processes.
public final class Environment: Sendable {
    /// Path of the data file, as the caller wrote it.
    public let path: String
    /// The same path from the root, which stays right if the process changes its folder.
    private let absolutePath: String
    public let isReadOnly: Bool
    /// LMDB's handle. LMDB does its own locking, so that transactions may begin on any thread.
    nonisolated(unsafe) let handle: OpaquePointer
    /// The slots of this process in the table of readers.
    let readers: Readers
    /// The gate that keeps the memory map from being resized while transactions are open.
    let gate = Gate()
    let currentMap = CurrentMap()
    let binding: FileBinding
    let watch = ChangeWatch()
    let writeGate = WriteGate()
    let writeHold = WriteHold()
    /// The longest time to wait for another writer.
    let writeWait: Duration
    private let readerCheck = ReaderCheck()
    /// True after resizing the memory map has failed, so that no memory is mapped.
    private let isMapLost = Atomic(false)
    /// Id of the process that opened the file; a forked child must not use the environment.
    private let processID = getpid()
    let pageSize: Int

    public typealias Options = OpenOptions

    /// Opens the file at `path`. No other environment of this process may have it open.
    public init(path: String, options: Options = Options()) throws(OpenError) {
        try Self.checkLibrary()
        self.path = path
        absolutePath = FileSystem.absolutePath(path)
        isReadOnly = options.isReadOnly
        writeWait = options.writeWait
        var options = options
        if options.isReadOnly { options.createsFile = false }
        let (realPath, identity) = try Self.locate(path, options)
        guard OpenFiles.claim(identity) else { throw .alreadyOpen(path: path) }
        do throws(OpenError) {
            binding = try FileBinding(realPath, identity, name: path, options)
        } catch {
            OpenFiles.release(identity)
            throw error
        }
        do throws(OpenError) {
            (handle, readers) = try Self.open(binding, name: path, options)
        } catch {
            binding.closeDescriptors()
            OpenFiles.release(identity)
            throw error
        }
        var stat = MDB_stat()
        mdb_env_stat(handle, &stat)
        pageSize = Int(stat.ms_psize)
    }

    /// Returns the path without symbolic links, and the file's identity; creates a missing file.
    private static func locate(
        _ path: String, _ options: Options
    ) throws(OpenError) -> (path: String, identity: FileIdentity) {
        if let name = FileSystem.networkName(of: path) {
            throw .networkFileSystem(path: path, name: name)
        }
        if !FileSystem.mayBeFile(path) { throw .notAFile(path: path) }
        // A missing file is created here, so that it has an identity to claim: two threads that
        // create the same log at once must not both open it. LMDB treats an empty file as new.
        if options.createsFile {
            let file = Descriptor.openFollowing(path, O_RDWR | O_CREAT, mode: 0o644)
            guard file >= 0 else { throw .failed(path: path, LMDBError(rawValue: errno)) }
            // A new file survives a power failure only once its folder has been synced.
            let isNew = FileStatus(of: file)?.byteCount == 0
            close(file)
            if isNew, !FileSystem.syncFolder(of: path) {
                throw .failed(path: path, LMDBError(rawValue: errno))
            }
        }
        guard let realPath = FileSystem.realPath(path), let status = FileStatus(of: realPath)
        else { throw .missing(path: path) }
        return (realPath, status.identity)
    }

    /// True if the path still leads to the open data file.
    package var isAtPath: Bool { FileStatus(following: absolutePath)?.identity == binding.dataFile }

    /// Throws unless the path still leads to the open data file.
    ///
    /// - Throws: `.fileReplaced`; `.fileCopied` if the path leads to a newer state than the map. An
    ///   overlay file system copies a file when it is first opened for writing. The copy has the
    ///   identity of the file, but the maps of those who opened it before stay as they were.
    func checkPath() throws(LMDBError) {
        guard isAtPath else { throw .fileReplaced }
        let descriptor = Descriptor.openFollowing(absolutePath, O_RDONLY, mode: 0)
        guard descriptor >= 0 else { return }
        let there = MetaPages.newestTransaction(in: descriptor, pageSize: pageSize)
        close(descriptor)
        if let there, let mapped = newestMappedState, mapped < there { throw .fileCopied }
    }

    deinit {
        // A forked child must not close what its parent holds open.
        guard processID == getpid() else { return }
        binding.willClose()
        readers.close()
        mdb_env_close(handle)
        binding.closeDescriptors()
        OpenFiles.release(binding.dataFile)
    }

    /// Opens the file, and verifies that LMDB has opened the file that `binding` has locked.
    private static func open(
        _ binding: FileBinding, name path: String, _ options: Options
    ) throws(OpenError) -> (OpaquePointer, Readers) {
        let handle: OpaquePointer
        do throws(LMDBError) { handle = try openWithLargestMap(binding, options) } catch {
            switch error {
            case .notLMDB: throw .notLMDB(path: path)
            case .versionMismatch: throw .lockFile(path: FileBinding.lockPath(binding.path), error)
            case LMDBError(rawValue: ENOENT): throw .missing(path: path)
            default: throw .failed(path: path, error)
            }
        }
        do throws(OpenError) {
            try binding.confirm(openedBy: handle)
            return (handle, try binding.registerReaders(of: handle, wait: options.writeWait))
        } catch {
            mdb_env_close(handle)
            throw error
        }
    }

    /// Opens the file, with a smaller memory map if the address space does not suffice. A map size
    /// that the options set is not reduced.
    private static func openWithLargestMap(
        _ binding: FileBinding, _ options: Options
    ) throws(LMDBError) -> OpaquePointer {
        let byteCount = FileStatus(of: binding.dataDescriptor)?.byteCount ?? 0
        var size = options.mapSize ?? MapSize.initialSize(fileByteCount: byteCount)
        while true {
            do throws(LMDBError) { return try open(binding, options, mapSize: size) } catch {
                guard error == .outOfMemory, options.mapSize == nil, size > MapSize.minimum else {
                    throw error
                }
                size /= 2
            }
        }
    }

    private static func open(
        _ binding: FileBinding, _ options: Options, mapSize: Int
    ) throws(LMDBError) -> OpaquePointer {
        var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS)
        if options.isReadOnly { flags |= UInt32(MDB_RDONLY) }
        if binding.hasNoLock { flags |= UInt32(MDB_NOLOCK) }
        var created: OpaquePointer?
        try check(mdb_env_create(&created))
        guard let handle = created else { throw LMDBError(rawValue: ENOMEM) }
        do throws(LMDBError) {
            try check(mdb_env_set_mapsize(handle, mapSize))
            try check(mdb_env_set_maxreaders(handle, options.maxReaders))
            try check(mdb_env_set_maxdbs(handle, options.maxTables))
            try check(mdb_env_set_assert(handle) { _, _ in FailedAssertion.record() })
            try check(mdb_env_open(handle, binding.path, flags, 0o644))
        } catch {
            mdb_env_close(handle)
            throw error
        }
        return handle
    }

    /// Begins a write transaction, as LMDB's `flags` request, after waiting for other writers. The
    /// caller ends it with `commit` or `abort`.
    func begin(_ flags: UInt32) throws(LMDBError) -> OpaquePointer {
        guard processID == getpid() else { throw .openedBeforeFork }
        guard !isReadOnly else { throw .accessDenied }
        try acquireWriteGate()
        do throws(LMDBError) {
            if readerCheck.isDue(usedPages: usedBytes / pageSize) { try readers.clearDead(handle) }
            return try insideGate { () throws(LMDBError) -> OpaquePointer in
                var transaction: OpaquePointer?
                try check(mdb_txn_begin(handle, nil, flags, &transaction))
                guard let transaction else { throw LMDBError(rawValue: ENOMEM) }
                return transaction
            }
        } catch {
            releaseWriteGate()
            throw error
        }
    }

    /// Begins to read the newest state, and returns the reader with the pages of the state.
    ///
    /// The caller ends it with `end`. LMDB first gives a reader the number of the newest transaction, and then reads that
    /// transaction's meta page. If two commits happen between these steps, the meta page has been
    /// overwritten, and the read begins again.
    func beginReading() throws(LMDBError) -> (reader: Reader, pages: PageMap) {
        guard processID == getpid() else { throw .openedBeforeFork }
        for attempt in 0... {
            let reader = try hasNoLock ? beginWithoutLock() : beginInsideGate()
            let number = reader.registerState()
            do throws(LMDBError) { return (reader, try pages(of: number)) } catch {
                end(reader)
                let found = MetaPages.transaction(
                    in: binding.dataDescriptor, page: number & 1, pageSize: pageSize)
                guard let found, found > UInt64(truncatingIfNeeded: number), attempt < 64 else {
                    try checkPath()
                    throw error
                }
            }
        }
        throw .changedWhileReading
    }

    func end(_ reader: Reader) {
        readers.end(reader)
        gate.leave()
    }

    /// Begins a read as soon as the memory map is not being resized.
    func beginInsideGate() throws(LMDBError) -> Reader {
        try insideGate { () throws(LMDBError) in try readers.begin(handle) }
    }

    /// Begins a transaction as soon as the memory map is not being resized; enlarges the map if
    /// another process has grown the file.
    private func insideGate<Begun>(
        _ begin: () throws(LMDBError) -> Begun
    ) throws(LMDBError) -> Begun {
        var cleared = false
        // Limits the retries if other processes keep growing the map.
        var attempts = 64
        while true {
            gate.enter()
            guard !isMapLost.load(ordering: .acquiring) else {
                gate.leave()
                throw .mapLost
            }
            do throws(LMDBError) { return try begin() } catch {
                gate.leave()
                attempts -= 1
                switch error {
                case .readersFull where !cleared:
                    cleared = true
                    try readers.clearDead(handle)
                case .mapResized where attempts > 0: try mapGrownFile()
                default: throw error
                }
            }
        }
    }

    func abort(_ transaction: OpaquePointer) {
        mdb_txn_abort(transaction)
        endWrite()
    }

    /// Commits a write if the data file and the lock file are still the files at their paths.
    func commit(_ transaction: OpaquePointer) throws(LMDBError) {
        if let violation = binding.violation() {
            abort(transaction)
            throw violation
        }
        let page = mdb_txn_id(transaction) & 1
        let before = MetaPages.bytes(ofPage: page, in: binding.dataDescriptor, pageSize: pageSize)
        let code = mdb_txn_commit(transaction)
        if code != MDB_SUCCESS, let before {
            // If LMDB cannot write the meta page, it puts the old transaction number back but may
            // leave the new roots.
            MetaPages.restore(before, ofPage: page, in: binding.dataDescriptor, pageSize: pageSize)
        }
        let violation = binding.violation()
        // LMDB reports a partial write, as on a full disk, as an input/output error.
        let isFull = code == EIO && FileSystem.isFull(binding.dataDescriptor)
        endWrite()
        watch.wake()
        if isFull { throw .diskFull }
        try check(code)
        if violation != nil { throw .replacedDuringCommit }
    }

    /// Allows the memory map to be resized, and admits the next writer.
    private func endWrite() {
        gate.leave()
        releaseWriteGate()
    }

    /// Doubles the size of the memory map, or grows it by less if the address space does not
    /// suffice.
    ///
    /// Waits for the transactions of this process to end.
    ///
    /// - Throws: `.mapFull` if a transaction does not end within five seconds; `.outOfMemory` if
    ///   the process may not use more address space.
    public func growMap() throws(LMDBError) {
        let size = mapSize
        try setMapSize(from: size, to: size.addingReportingOverflow(size).partialValue)
    }

    /// Makes the memory map larger than the file, after another process has grown the file.
    private func mapGrownFile() throws(LMDBError) {
        let byteCount = FileStatus(of: binding.dataDescriptor)?.byteCount ?? 0
        try setMapSize(from: byteCount, to: MapSize.initialSize(fileByteCount: byteCount))
    }

    /// Size of the memory map in bytes: the size that the file may reach before the map must grow.
    public var mapSize: Int {
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        return info.me_mapsize
    }

    /// Number of bytes up to the last page that the file uses, including free pages before it.
    public var usedBytes: Int {
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        return (info.me_last_pgno + 1) * pageSize
    }

    /// Resizes the memory map to `wanted` bytes. If the address space does not suffice, uses a
    /// smaller size that is greater than `least`.
    private func setMapSize(from least: Int, to wanted: Int) throws(LMDBError) {
        guard gate.close(waitingSeconds: 5) else { throw .mapFull }
        defer { gate.open() }
        let current = mapSize
        var step = max(wanted - least, MapSize.smallestGrowth)
        // LMDB unmaps the old map before it maps the new one, so the new size is tested first.
        while !MapSize.isPossible(least + step - current) {
            guard step > MapSize.smallestGrowth else { throw .outOfMemory }
            step = max(step / 2, MapSize.smallestGrowth)
        }
        let code = mdb_env_set_mapsize(handle, least + step)
        if code != MDB_SUCCESS { isMapLost.store(true, ordering: .releasing) }
        try check(code)
    }
}
