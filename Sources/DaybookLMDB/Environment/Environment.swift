import CDaybookLMDB
import DaybookLibC
import Synchronization

/// One open LMDB file.
///
/// The file is opened without `MDB_WRITEMAP`, `MDB_NORDAHEAD` or `MDB_NOSYNC`: a commit that has
/// returned is on disk. Transactions may begin on any thread; one write is under way at a time,
/// across all processes.
public final class Environment: Sendable {
    /// Path of the data file, as the caller wrote it.
    public let path: String
    public let isReadOnly: Bool
    /// LMDB locks it by itself; transactions may begin on any thread.
    nonisolated(unsafe) let handle: OpaquePointer
    let gate = Gate()
    let currentMap = CurrentMap()
    private let binding: FileBinding
    private let writeGate = WriteGate()
    private let writeWait: Duration
    private let mapIsLost = Atomic(false)
    private let processID = getpid()
    private let pageSize: Int

    /// The settings for opening a file.
    public struct Options: Sendable {
        /// Bytes of address space the file may grow into before the map is grown. The file itself
        /// stays as small as its content. `nil` starts with a few times the size of the file, or
        /// less where the process may not use so much.
        public var mapSize: Int?
        /// Reader slots, shared by all processes.
        public var maxReaders: UInt32 = 1_024
        public var maxTables: UInt32 = 32
        /// Nothing can be written; the file must be there. Works without permission to write the
        /// lock file too, see `hasNoLock`.
        public var isReadOnly = false
        /// Makes the file where it is missing, and begins anew where its making was cut short.
        public var createsFile = true
        /// The longest time to wait for another writer, of any process, before `.locked`.
        public var writeWait: Duration = .seconds(10)

        public init() {}
    }

    public init(path: String, options: Options = Options()) throws(OpenError) {
        self.path = path
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
            handle = try Self.open(binding, name: path, options)
        } catch {
            binding.closeDescriptors()
            OpenFiles.release(identity)
            throw error
        }
        var stat = MDB_stat()
        mdb_env_stat(handle, &stat)
        pageSize = Int(stat.ms_psize)
    }

    /// The path without symbolic links, and the file there.
    private static func locate(
        _ path: String, _ options: Options
    ) throws(OpenError) -> (path: String, identity: FileIdentity) {
        if let name = FileSystem.networkName(of: path) {
            throw .networkFileSystem(path: path, name: name)
        }
        if !FileSystem.mayBeFile(path) { throw .notAFile(path: path) }
        // An empty file has an identity to claim: two threads that make the same log at once must
        // not both open it. LMDB takes an empty file as new.
        if options.createsFile {
            let file = Descriptor.openFollowing(path, O_RDWR | O_CREAT, mode: 0o644)
            guard file >= 0 else { throw .failed(path: path, LMDBError(rawValue: errno)) }
            // A new name is not safe on the disk before its folder is.
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

    deinit {
        // A forked child must not close what its parent holds open.
        guard processID == getpid() else { return }
        mdb_env_close(handle)
        binding.closeDescriptors()
        OpenFiles.release(binding.dataFile)
    }

    private static func open(
        _ binding: FileBinding, name path: String, _ options: Options
    ) throws(OpenError) -> OpaquePointer {
        let handle: OpaquePointer
        do throws(LMDBError) {
            handle = try openLargest(binding, options)
        } catch {
            switch error {
            case .notLMDB: throw .notLMDB(path: path)
            case .versionMismatch: throw .otherFormatVersion(path: path)
            case LMDBError(rawValue: ENOENT): throw .missing(path: path)
            default: throw .failed(path: path, error)
            }
        }
        do throws(OpenError) {
            try binding.confirm(openedBy: handle)
        } catch {
            mdb_env_close(handle)
            throw error
        }
        return handle
    }

    /// Opens the file with the largest map that the process may have, up to the one wanted.
    private static func openLargest(
        _ binding: FileBinding, _ options: Options
    ) throws(LMDBError) -> OpaquePointer {
        let byteCount = FileStatus(of: binding.data)?.byteCount ?? 0
        var size = options.mapSize ?? MapSize.initial(fileByteCount: byteCount)
        while true {
            do throws(LMDBError) {
                return try open(binding, options, mapSize: size)
            } catch {
                guard error == .outOfMemory, options.mapSize == nil, size > MapSize.least else {
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
            try check(mdb_env_set_assert(handle) { _, _ in FailedAssertion.note() })
            try check(mdb_env_open(handle, binding.path, flags, 0o644))
            if !binding.hasNoLock {
                var dead: CInt = 0
                try check(mdb_reader_check(handle, &dead))
            }
        } catch {
            mdb_env_close(handle)
            throw error
        }
        return handle
    }

    /// Begins a transaction inside the gates, and adopts a map that another process has grown.
    ///
    /// It ends with `commit` or `abort`, or, where it only reads, with LMDB's call and
    /// `gate.leave()`.
    func begin(_ flags: UInt32) throws(LMDBError) -> OpaquePointer {
        guard processID == getpid() else { throw .openedBeforeFork }
        if flags & UInt32(MDB_RDONLY) != 0 {
            return hasNoLock ? try beginWithoutLock(flags) : try beginBehindGate(flags)
        }
        guard !isReadOnly else { throw .accessDenied }
        try writeGate.acquire(binding.data, wait: writeWait)
        do throws(LMDBError) {
            return try beginBehindGate(flags)
        } catch {
            writeGate.release(binding.data)
            throw error
        }
    }

    /// Begins to read, with the pages of the state.
    ///
    /// LMDB gives a reader the number of the newest transaction and looks for its meta page then. A
    /// reader that loses the processor in between for two commits finds that page written over, and
    /// begins again.
    func beginReading() throws(LMDBError) -> (handle: OpaquePointer, pages: PageMap) {
        for attempt in 0... {
            let handle = try begin(UInt32(MDB_RDONLY))
            let number = mdb_txn_id(handle)
            do throws(LMDBError) {
                return (handle, try pages(of: number))
            } catch {
                mdb_txn_abort(handle)
                gate.leave()
                let found = MetaPages.transaction(
                    in: binding.data, page: number & 1, pageSize: pageSize)
                guard let found, found > UInt64(truncatingIfNeeded: number), attempt < 64 else {
                    throw error
                }
            }
        }
        throw .changedWhileReading
    }

    private func beginBehindGate(_ flags: UInt32) throws(LMDBError) -> OpaquePointer {
        var cleared = false
        // A map that others grow faster than this process can follow is an error in the end.
        var attempts = 64
        while true {
            gate.enter()
            guard !mapIsLost.load(ordering: .acquiring) else {
                gate.leave()
                throw .mapLost
            }
            var transaction: OpaquePointer?
            let code = mdb_txn_begin(handle, nil, flags, &transaction)
            if code == MDB_SUCCESS, let transaction { return transaction }
            gate.leave()
            attempts -= 1
            switch LMDBError(rawValue: code) {
            case .readersFull where !cleared:
                cleared = true
                var dead: CInt = 0
                try check(mdb_reader_check(handle, &dead))
            case .mapResized where attempts > 0:
                try followGrowth()
            case let error: throw error
            }
        }
    }

    /// Ends a write without a change.
    func abort(_ transaction: OpaquePointer) {
        mdb_txn_abort(transaction)
        endWrite()
    }

    /// Commits a write, where the file still has its name and its lock file.
    func commit(_ transaction: OpaquePointer) throws(LMDBError) {
        if let violation = binding.violation() {
            abort(transaction)
            throw violation
        }
        let page = mdb_txn_id(transaction) & 1
        let before = MetaPages.bytes(ofPage: page, in: binding.data, pageSize: pageSize)
        let code = mdb_txn_commit(transaction)
        if code != MDB_SUCCESS, let before {
            // Where LMDB cannot write the meta page, it puts the old number of the transaction
            // back, beside the new roots.
            MetaPages.restore(before, ofPage: page, in: binding.data, pageSize: pageSize)
        }
        let violation = binding.violation()
        // LMDB reports a write that the disk took in part only as an error of the device.
        let isFull = code == EIO && FileSystem.isFull(binding.data)
        endWrite()
        if isFull { throw .diskFull }
        try check(code)
        if violation != nil { throw .replacedDuringCommit }
    }

    private func endWrite() {
        gate.leave()
        writeGate.release(binding.data)
    }

    /// Doubles the map, or makes it larger by less where the process may not use so much. Waits
    /// for the transactions of this process to end.
    ///
    /// - Throws: `.mapFull` if one does not end within five seconds; `.outOfMemory`.
    public func growMap() throws(LMDBError) {
        let size = mapSize
        try setMapSize(from: size, to: size.addingReportingOverflow(size).partialValue)
    }

    /// Makes the map as large as the file, which another process has made larger, and more.
    private func followGrowth() throws(LMDBError) {
        let byteCount = FileStatus(of: binding.data)?.byteCount ?? 0
        try setMapSize(from: byteCount, to: MapSize.initial(fileByteCount: byteCount))
    }

    /// Bytes of address space the file may grow into.
    public var mapSize: Int {
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        return info.me_mapsize
    }

    /// Pages in use times the page size: what the file takes, less what was freed in it.
    public var usedBytes: Int {
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        return (info.me_last_pgno + 1) * pageSize
    }

    /// Sets the map to the largest size from `wanted` down to just over `least` bytes that the
    /// process may have.
    private func setMapSize(from least: Int, to wanted: Int) throws(LMDBError) {
        guard gate.close(forSeconds: 5) else { throw .mapFull }
        defer { gate.open() }
        let current = mapSize
        var step = max(wanted - least, MapSize.grain)
        // LMDB gives the old map up before it makes the new one, so that a size must be known to
        // be possible.
        while !MapSize.isPossible(least + step - current) {
            guard step > MapSize.grain else { throw .outOfMemory }
            step = max(step / 2, MapSize.grain)
        }
        let code = mdb_env_set_mapsize(handle, least + step)
        if code != MDB_SUCCESS { mapIsLost.store(true, ordering: .releasing) }
        try check(code)
    }

    /// Copies a consistent state of the file to `path`, which must not exist, without free pages.
    public func copy(to path: String) throws(LMDBError) {
        gate.enter()
        defer { gate.leave() }
        try check(mdb_env_copy2(handle, path, UInt32(MDB_CP_COMPACT)))
    }
}

extension Environment {
    /// `true` if the file is read without a lock, since its lock file may not be written.
    ///
    /// Then nothing keeps a writer from reusing pages that are being read: note
    /// `newestTransactionNumber` when reading begins, and call `checkUnchanged` before any of what
    /// was read is believed.
    public var hasNoLock: Bool { binding.hasNoLock }

    /// The number of the last committed transaction, read from the file itself.
    public func newestTransactionNumber() throws(LMDBError) -> UInt64 {
        guard let number = MetaPages.newestTransaction(in: binding.data, pageSize: pageSize) else {
            throw .corrupted
        }
        return number
    }

    /// Makes sure that no page that transaction `number` could see was written since.
    ///
    /// LMDB reuses a page two commits after the one that freed it: without known readers,
    /// transaction *n* + 3 is the first that may write pages of the state after *n*, and it begins
    /// once *n* + 2 is committed.
    ///
    /// - Throws: `.changedWhileReading`; then what was read may be wrong in any way.
    public func checkUnchanged(since number: UInt64) throws(LMDBError) {
        guard hasNoLock else { return }
        guard try newestTransactionNumber() < number &+ 2 else { throw .changedWhileReading }
    }

    /// Begins to read a state that no writer is in the middle of publishing.
    ///
    /// LMDB copies the newer meta page from the map, where a commit may be writing it. So the pages
    /// are read before and after, and a writer must have been away in between; or, while one is at
    /// work for long, they must stay the same for as long as no write of a page takes.
    private func beginWithoutLock(_ flags: UInt32) throws(LMDBError) -> OpaquePointer {
        for attempt in 0..<50 {
            let before = MetaPages.both(in: binding.data, pageSize: pageSize)
            let transaction = try beginBehindGate(flags)
            do throws(LMDBError) {
                if try WriteGate.isTaken(binding.data) { usleep(attempt < 25 ? 1_000 : 5_000) }
            } catch {
                mdb_txn_abort(transaction)
                gate.leave()
                throw error
            }
            let after = MetaPages.both(in: binding.data, pageSize: pageSize)
            if before != nil, before == after { return transaction }
            mdb_txn_abort(transaction)
            gate.leave()
        }
        throw .changedWhileReading
    }
}
