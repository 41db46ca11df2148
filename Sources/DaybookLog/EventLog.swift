public import Daybook
public import DaybookLMDB
import DaybookLibC
import Synchronization

/// The append-only sequence of events, in one LMDB file.
///
/// Safe to use from any thread and from several processes at once. `docs/format.md` gives the
/// file byte by byte.
public final class EventLog: Sendable {
    /// The version of the file's format that this program reads and writes.
    public static let formatVersion: UInt32 = 3

    public let path: String
    @usableFromInline let environment: Environment
    @usableFromInline let tables: Tables
    let clock: @Sendable () -> Instant
    /// Whose texts an event holds.
    let personNouns: PersonNouns
    /// The areas that the log was opened with; empty by default.
    public let catalogue: Catalogue
    /// Fingerprints of the catalogue's projections.
    let fingerprints = EntityReader.Fingerprints()
    /// Names do not change once written, so that a copy is good for all transactions.
    let names = Mutex(Names())
    let tail = Mutex(TailIndex())
    let queue = AppendQueue()
    /// Called where a long reading has ended one transaction and not begun the next: the moment to
    /// write what was found to where it may have to wait.
    public var betweenTransactions: (@Sendable () -> Void)? {
        get { resting.withLock { $0 } }
        set { resting.withLock { $0 = newValue } }
    }
    /// Counts of what was done, for a program that shows how far it has come.
    public let activity = LogActivity()
    private let resting = Mutex<(@Sendable () -> Void)?>(nil)
    private let removedOnOpening = Mutex<[CopyRemnant]>([])
    /// Unfinished copies of interrupted processes that opening the log for writing has removed.
    public var remnantsRemovedOnOpening: [CopyRemnant] { removedOnOpening.withLock(\.self) }
    /// Appends also where the newest commit is more than a day ahead of the clock.
    let ignoresClockLead: Bool
    /// Knows the newest head, where one was named.
    let headFile: HeadFile?
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
    ///   - catalogue: the areas whose events the log holds; calls that need one take it from here.
    ///   - clock: what `recordedAt` is read from; the time of the machine by default.
    ///   - mapSize: bytes of address space to start with; the map grows by itself. `nil` for a few
    ///     times the size of the file.
    ///   - writeWait: the longest time that a write waits for another writer, of any process,
    ///     before it throws `.storage(.locked)`.
    ///   - ignoresClockLead: appends also where the newest commit is more than a day ahead of
    ///     `clock`; each commit then gets that time.
    ///   - people: the nouns of tags that name people; by default those of the catalogue.
    ///     Personal texts of an event whose tags name nobody belong to the commit's actor.
    ///   - headFile: the file that knows the log's newest head; the log must contain that head.
    public convenience init(
        path: String, access: Access, catalogue: Catalogue = .empty,
        clock: @escaping @Sendable () -> Instant = { EventLog.systemTime() },
        mapSize: Int? = nil, writeWait: Duration = .seconds(10), ignoresClockLead: Bool = false,
        people: PersonNouns? = nil, headFile: HeadFile? = nil
    ) throws(LogError) {
        // Before the log is read, which may only have grown since.
        let known = try Self.knownHead(headFile)
        // A log that is gone is not made anew under the head of one with commits.
        let gone = known.flatMap { headFile?.goneLog($0) }
        let mayBegin = access == .create && gone == nil
        var options = Environment.Options()
        options.isReadOnly = access == .read
        options.createsFile = mayBegin
        options.mapSize = mapSize
        options.writeWait = writeWait
        let environment: Environment
        do throws(OpenError) {
            environment = try Environment(path: path, options: options)
        } catch {
            if let gone, error.isAbsence { throw gone }
            throw .open(error)
        }
        try self.init(
            environment, mayBegin: mayBegin, gone, clock: clock,
            ignoresClockLead: ignoresClockLead, people ?? catalogue.people, catalogue, headFile)
        if access != .read {
            try finishErasures()
            let removed = try removeRemnants(isThorough: false).filter { $0.fate == .removed }
            removedOnOpening.withLock { $0 = removed }
        }
        if let headFile { try check(headFile, known: known, access) }
    }

    private init(
        _ environment: Environment, mayBegin: Bool, _ gone: LogError?,
        clock: @escaping @Sendable () -> Instant, ignoresClockLead: Bool, _ people: PersonNouns,
        _ catalogue: Catalogue, _ headFile: HeadFile?
    ) throws(LogError) {
        self.environment = environment
        personNouns = people
        self.catalogue = catalogue
        self.clock = clock
        self.ignoresClockLead = ignoresClockLead
        self.headFile = headFile
        path = environment.path
        openedAt = try mappingStorageErrors(
            environment.hasNoLock ? try environment.newestTransactionNumber() : nil)
        let isBegun = try Self.isBegun(environment)
        if !isBegun, !mayBegin { throw gone ?? .open(.neverBegun(path: path)) }
        tables =
            try environment.isReadOnly
            ? Tables() : Tables(in: environment, rows: isBegun ? [] : Meta.newRows())
        let transaction = try Self.beginReading(environment)
        identifier = try Meta.identifier(in: transaction, tables.meta)
        secret = try Meta.secret(in: transaction, tables.meta)
    }

    /// The machine's clock, in microseconds.
    public static func systemTime() -> Instant {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    /// True where nothing keeps writers from reusing pages that are being read, since the lock file may
    /// not be written: reading may end with an error of damage then, and never with other rows.
    public var isReadWithoutLock: Bool { environment.hasNoLock }

    /// True where the log is read without a lock and was written since it was opened: an error of
    /// damage then says nothing of the log. Read it again.
    public var isOvertaken: Bool {
        guard let openedAt else { return false }
        do throws(LMDBError) {
            return try environment.newestTransactionNumber() != openedAt
        } catch {
            return true
        }
    }
    /// The newest transaction when the log was opened, where it is read without a lock.
    private let openedAt: UInt64?

    /// The head in the head file before the log was opened.
    private static func knownHead(_ headFile: HeadFile?) throws(LogError) -> HeadFile.Entry? {
        try mappingFileErrors(try headFile?.newest())
    }

    /// The number that identifies this log among all others, as 32 hexadecimal digits.
    public var id: String { Hexadecimal.text(identifier) }

    /// The position of the newest event; `.origin` in an empty log.
    public func head() throws(LogError) -> Position {
        Position(try lastPosition(in: try beginReading()))
    }

    @usableFromInline
    func beginReading() throws(LogError) -> ReadTransaction {
        try Self.beginReading(environment)
    }

    func beginWriting() throws(LogError) -> LogWriting {
        do throws(LMDBError) {
            return LogWriting(try WriteTransaction(in: environment))
        } catch {
            throw .storage(error)
        }
    }

    private static func beginReading(
        _ environment: Environment
    ) throws(LogError) -> ReadTransaction {
        try mappingStorageErrors(try ReadTransaction(in: environment))
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
    let meta: LogTable
    @usableFromInline let events: LogTable
    let commits: LogTable
    let tags: LogTable
    let kinds: LogTable
    let names: LogTable
    let snapshots: LogTable
    let checkpoints: LogTable
    let index: LogTable
    let texts: LogTable
    let people: LogTable
    let peopleByDigest: LogTable
    let keysByDigest: LogTable
    let vault: LogTable
    /// The tables in the order of their numbers; those that are missing belonged to formats before 3.
    static let layouts: [(name: String, number: UInt64, layout: Table.Layout)] = [
        ("meta", 1, .bytes), ("events", 2, .records), ("commits", 3, .records),
        ("tags", 5, .bytes), ("kinds", 6, .integers), ("names", 7, .integers),
        ("snapshots", 9, .bytes), ("checkpoints", 10, .bytes), ("index", 11, .bytes),
        ("texts", 12, .bytes), ("people", 13, .integers), ("peopleByDigest", 14, .bytes),
        ("keysByDigest", 15, .bytes), ("vault", 16, .integers),
    ]

    /// The tables for reading.
    init() {
        self.init(Self.layouts.map { Table(reading: $0.name, $0.layout) })
    }

    /// Opens the tables for writing, and makes those that are missing.
    init(
        in environment: Environment, rows: [(table: String, key: [UInt8], value: [UInt8])]
    ) throws(LogError) {
        do throws(LMDBError) {
            self.init(try environment.open(Self.layouts.map { ($0.name, $0.layout) }, rows: rows))
        } catch .incompatible {
            throw .notALog(path: environment.path)
        } catch {
            throw .storage(error)
        }
    }

    private init(_ tables: [Table]) {
        let tables = zip(tables, Self.layouts).map { table, layout in
            LogTable(table: table, number: layout.number)
        }
        meta = tables[0]
        events = tables[1]
        commits = tables[2]
        tags = tables[3]
        kinds = tables[4]
        names = tables[5]
        snapshots = tables[6]
        checkpoints = tables[7]
        index = tables[8]
        texts = tables[9]
        people = tables[10]
        peopleByDigest = tables[11]
        keysByDigest = tables[12]
        vault = tables[13]
    }
}
