public import CivilTime
public import EventSourcing
public import LMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The append-only sequence of events, in one LMDB file.
///
/// Safe to use from any thread and from several processes at once. `docs/format.md` gives the
/// file byte by byte.
public final class EventLog: Sendable {
    /// The version of the file's format that this program reads and writes.
    public static let formatVersion: UInt32 = 1

    public let path: String
    @usableFromInline let environment: Environment
    @usableFromInline let tables: Tables
    let clock: @Sendable () -> Instant
    /// Names do not change once written, so that a copy is good for all transactions.
    let names = Mutex(Names())
    let queue = AppendQueue()
    /// 16 random bytes, made with the log.
    let identifier: [UInt8]
    /// 32 random bytes, the key of the digests of requests.
    let secret: [UInt8]

    /// How a log is opened.
    public enum Access: Sendable {
        /// The file must be there and is never written.
        case read
        /// The file must be there.
        case write
        /// The file is made where it is missing.
        case create
    }

    /// Opens the log at `path`.
    ///
    /// - Parameters:
    ///   - clock: what `recordedAt` is read from; the time of the machine by default.
    ///   - mapSize: bytes of address space to start with; the map grows by itself.
    public convenience init(
        path: String, access: Access,
        clock: @escaping @Sendable () -> Instant = { EventLog.systemTime() },
        mapSize: Int = 16 << 30
    ) throws(LogError) {
        var options = Environment.Options()
        options.isReadOnly = access == .read
        options.mapSize = mapSize
        if case .write = access, EventLog.isMissing(path) {
            throw .open(.missing(path: path))
        }
        // Nothing was ever made in it, or all of it is gone.
        if access != .create, Self.isEmptyFile(path) { throw .notALog(path: path) }
        let environment: Environment
        do throws(OpenError) {
            environment = try Environment(path: path, options: options)
        } catch {
            throw .open(error)
        }
        try self.init(environment, clock: clock)
    }

    private init(
        _ environment: Environment, clock: @escaping @Sendable () -> Instant
    ) throws(LogError) {
        self.environment = environment
        self.clock = clock
        path = environment.path
        let isEmpty = try Self.rootIsEmpty(environment)
        if environment.isReadOnly || !isEmpty { try Self.checkFormat(of: environment) }
        tables = try Tables(in: environment, rows: isEmpty ? Meta.newRows() : [])
        (identifier, secret) = try Self.identity(of: environment, tables.meta)
    }

    /// The machine's clock, in microseconds.
    public static func systemTime() -> Instant {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    private static func isEmptyFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_size == 0
    }

    private static func isMissing(_ path: String) -> Bool {
        unsafe access(path, F_OK) != 0
    }

    /// The number that identifies this log among all others, as 32 hexadecimal digits.
    public var id: String { Hexadecimal.text(identifier) }

    /// The position of the newest event; `.origin` in an empty log.
    public func head() throws(LogError) -> Position {
        try reading { (transaction) throws(LMDBError) in
            Position(try transaction.lastKey(of: tables.events) ?? 0)
        }
    }

    /// Runs `body` in a read transaction.
    func reading<Result>(
        _ body: (borrowing ReadTransaction) throws(LMDBError) -> Result
    ) throws(LogError) -> Result {
        do throws(LMDBError) {
            return try body(try ReadTransaction(in: environment))
        } catch {
            throw .storage(error)
        }
    }

    /// The names as of a transaction.
    func names(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> Names {
        var names = names.withLock { $0 }
        let known = names.rows.count
        try names.refresh(in: transaction, from: tables.names)
        if names.rows.count > known {
            let refreshed = names
            self.names.withLock { if $0.rows.count < refreshed.rows.count { $0 = refreshed } }
        }
        return names
    }
}

/// The tables of a log.
@usableFromInline
struct Tables: Sendable {
    let meta: Table
    @usableFromInline let events: Table
    let commits: Table
    let keys: Table
    let tags: Table
    let kinds: Table
    let tagIndex: Table
    let kindIndex: Table
    let names: Table
    let personal: Table
    let snapshots: Table
    let checkpoints: Table

    static let layouts: [(name: String, layout: Table.Layout)] = [
        ("meta", .bytes), ("events", .integers), ("commits", .integers), ("keys", .bytes),
        ("tags", .bytes), ("kinds", .integers), ("tagIndex", .bytesToIntegers),
        ("kindIndex", .integersToIntegers), ("names", .integers), ("personal", .bytes),
        ("snapshots", .bytes), ("checkpoints", .bytes),
    ]

    init(
        in environment: Environment, rows: [(table: String, key: [UInt8], value: [UInt8])]
    ) throws(LogError) {
        let opened: [Table?]
        do throws(LMDBError) {
            opened = try environment.open(Self.layouts, rows: rows)
        } catch .incompatible {
            throw .notALog(path: environment.path)
        } catch {
            throw .storage(error)
        }
        let tables = opened.compactMap { $0 }
        guard tables.count == Self.layouts.count else {
            throw .notALog(path: environment.path)
        }
        meta = tables[0]
        events = tables[1]
        commits = tables[2]
        keys = tables[3]
        tags = tables[4]
        kinds = tables[5]
        tagIndex = tables[6]
        kindIndex = tables[7]
        names = tables[8]
        personal = tables[9]
        snapshots = tables[10]
        checkpoints = tables[11]
    }
}
