import CLMDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One open LMDB file.
///
/// The file is opened without `MDB_WRITEMAP`, `MDB_NORDAHEAD` or `MDB_NOSYNC`: a commit that has
/// returned is on disk. Transactions may begin on any thread; one write is under way at a time,
/// across all processes.
public final class Environment: Sendable {
    public let path: String
    public let isReadOnly: Bool
    /// LMDB locks it by itself; transactions may begin on any thread.
    nonisolated(unsafe) let handle: OpaquePointer
    let gate = Gate()
    let currentMap = CurrentMap()
    private let identity: FileIdentity
    private let processID = getpid()

    /// How a file is opened.
    public struct Options: Sendable {
        /// Bytes of address space the file may grow into before the map is grown. The file itself
        /// stays as small as its content.
        public var mapSize: Int = 16 << 30
        /// Reader slots, shared by all processes.
        public var maxReaders: UInt32 = 1_024
        public var maxTables: UInt32 = 32
        /// Nothing can be written; the file must be there. Works on read-only media too, where
        /// no lock file can be kept: then the file must not be written meanwhile.
        public var isReadOnly = false

        public init() {}
    }

    public init(path: String, options: Options = Options()) throws(OpenError) {
        self.path = path
        isReadOnly = options.isReadOnly
        if let name = FileSystem.networkName(of: path) {
            throw .networkFileSystem(path: path, name: name)
        }
        // LMDB would leave a lock file beside a folder before it refuses it.
        if !FileSystem.mayBeFile(path) { throw .notAFile(path: path) }
        if options.isReadOnly, access(path, F_OK) != 0 { throw .missing(path: path) }
        if !options.isReadOnly { Self.create(path) }
        guard let identity = FileIdentity(of: path) else { throw .missing(path: path) }
        guard OpenFiles.claim(identity) else { throw .alreadyOpen(path: path) }
        self.identity = identity
        do throws(LMDBError) {
            handle = try Self.open(path, options)
        } catch {
            OpenFiles.release(identity)
            switch error {
            case .notLMDB: throw .notLMDB(path: path)
            case .versionMismatch: throw .otherFormatVersion(path: path)
            case LMDBError(rawValue: ENOENT): throw .missing(path: path)
            default: throw .failed(path: path, error)
            }
        }
    }

    /// Makes an empty file where there is none, so that it has an identity to claim: two threads
    /// that make the same log at once must not both open it. LMDB takes an empty file as new.
    private static func create(_ path: String) {
        let file = creat(path)
        if file >= 0 { close(file) }
    }

    private static func creat(_ path: String) -> CInt {
        #if canImport(Glibc)
            Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        #else
            Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        #endif
    }

    deinit {
        // A forked child must not close what its parent holds open.
        guard processID == getpid() else { return }
        mdb_env_close(handle)
        OpenFiles.release(identity)
    }

    private static func open(_ path: String, _ options: Options) throws(LMDBError) -> OpaquePointer
    {
        var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS)
        if options.isReadOnly { flags |= UInt32(MDB_RDONLY) }
        do throws(LMDBError) {
            return try open(path, options, flags)
        } catch {
            guard options.isReadOnly, error == .accessDenied || error == .readOnlyFileSystem else {
                throw error
            }
            return try open(path, options, flags | UInt32(MDB_NOLOCK))
        }
    }

    private static func open(
        _ path: String, _ options: Options, _ flags: UInt32
    ) throws(LMDBError) -> OpaquePointer {
        var created: OpaquePointer?
        try check(mdb_env_create(&created))
        guard let handle = created else { throw LMDBError(rawValue: ENOMEM) }
        do throws(LMDBError) {
            try check(mdb_env_set_mapsize(handle, options.mapSize))
            try check(mdb_env_set_maxreaders(handle, options.maxReaders))
            try check(mdb_env_set_maxdbs(handle, options.maxTables))
            try check(mdb_env_open(handle, path, flags, 0o644))
            if flags & UInt32(MDB_NOLOCK) == 0 {
                var dead: CInt = 0
                try check(mdb_reader_check(handle, &dead))
            }
        } catch {
            mdb_env_close(handle)
            throw error
        }
        return handle
    }

    /// Begins a transaction, behind the gate, and puts right what another process did meanwhile.
    func begin(_ flags: UInt32) throws(LMDBError) -> OpaquePointer {
        guard processID == getpid() else { throw .openedBeforeFork }
        var cleared = false
        var resized = false
        while true {
            gate.enter()
            var transaction: OpaquePointer?
            let code = mdb_txn_begin(handle, nil, flags, &transaction)
            if code == MDB_SUCCESS, let transaction { return transaction }
            gate.leave()
            switch LMDBError(rawValue: code) {
            case .readersFull where !cleared:
                cleared = true
                var dead: CInt = 0
                try check(mdb_reader_check(handle, &dead))
            case .mapResized where !resized:
                resized = true
                try setMapSize(0)
            case let error: throw error
            }
        }
    }

    /// Doubles the map. Waits for the transactions of this process to end.
    ///
    /// - Throws: `.mapFull` if one does not end within five seconds.
    public func growMap() throws(LMDBError) {
        try setMapSize(mapSize * 2)
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
        var stat = MDB_stat()
        mdb_env_info(handle, &info)
        mdb_env_stat(handle, &stat)
        return (info.me_last_pgno + 1) * Int(stat.ms_psize)
    }

    private func setMapSize(_ size: Int) throws(LMDBError) {
        guard gate.close(forSeconds: 5) else { throw .mapFull }
        defer { gate.open() }
        try check(mdb_env_set_mapsize(handle, size))
    }

    /// Copies a consistent state of the file to `path`, which must not exist, without free pages.
    public func copy(to path: String) throws(LMDBError) {
        gate.enter()
        defer { gate.leave() }
        try check(mdb_env_copy2(handle, path, UInt32(MDB_CP_COMPACT)))
    }
}
