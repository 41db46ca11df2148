public import Daybook
public import DaybookLMDB
import Synchronization

/// The append-only sequence of events, in one LMDB file.
///
/// Safe to use from any thread and from several processes at once. `docs/format.md` describes the
/// file byte by byte.
public final class EventLog: Sendable {
    /// The only version of the file format that this program reads and writes.
    public static let formatVersion: UInt32 = Meta.formatVersion

    /// The path of the log file.
    public let path: String
    /// The LMDB environment, which is the open file.
    @usableFromInline let environment: Environment
    @usableFromInline let tables: Tables
    /// Returns the current time, at which commits are recorded.
    let clock: @Sendable () -> Instant
    /// The nouns of tags that identify people, such as `reader` in `reader:ada`.
    ///
    /// They decide with whose encryption key the personal texts of an event are encrypted.
    let personNouns: PersonNouns
    /// The event kinds, projections and upcasters that the log was opened with; empty by default.
    public let catalogue: Catalogue
    /// Cached digests of the behaviour of the catalogue's projections, to find valid snapshots.
    let fingerprints = Fingerprints()
    /// The cached event kinds and time zones of the table `names`.
    ///
    /// Valid for every transaction, because rows of this table never change.
    let names = Mutex(Names())
    /// A cached index of the newest events, which the stored index does not contain yet.
    let tail = Mutex(TailIndex())
    /// The recorded erasures, as far as a reader of an erased text has needed them.
    let knownErasures = Mutex(RecordedErasures())
    /// The tree over the log's commits as the last proof needed it; `nil` before the first proof.
    let keptTree = Mutex<CommitTree?>(nil)
    /// The last position in the stored index when an append last read it.
    ///
    /// An append need not look again before the log is `indexLag` events longer.
    let knownIndexedThrough = Atomic<UInt64>(0)
    /// Combines the appends of many threads into shared transactions.
    let queue = AppendQueue()
    /// Does the work of tasks that may block.
    let threads = LogThreads()
    /// Called between two transactions of a long read; `nil` to call nothing.
    ///
    /// No transaction is open during the call, so it may block, for example to flush output.
    public var betweenTransactions: (@Sendable () -> Void)? {
        get { betweenTransactionsCallback.withLock { $0 } }
        set { betweenTransactionsCallback.withLock { $0 = newValue } }
    }
    /// Receives what the log does; `nil` for nobody.
    let observer: (any LogObserver)?
    /// Counts of events and commands processed since the log was opened, for progress displays.
    package let activity = LogActivity()
    /// The storage of `betweenTransactions`.
    private let betweenTransactionsCallback = Mutex<(@Sendable () -> Void)?>(nil)
    /// The storage of `remnantsRemovedOnOpening`.
    private let removedOnOpening = Mutex<[CopyRemnant]>([])
    /// The unfinished copies of this log that were removed when it was opened for writing.
    package var remnantsRemovedOnOpening: [CopyRemnant] { removedOnOpening.withLock(\.self) }
    /// True if appends are allowed while the newest commit is more than a day ahead of the clock.
    let ignoresClockLead: Bool
    /// The file that records the position and chain value of the newest commit; `nil` for no file.
    let headFile: HeadFile?
    /// The log's id: 16 random bytes, generated when the log was created.
    package let identifier: [UInt8]
    /// The log's secret: 32 random bytes, the HMAC key for digests of requests, people and
    /// idempotency keys; zeros in a replica without keys.
    package let secret: [UInt8]
    /// How far the log follows the log that it copies; `nil` for a log that is no replica.
    let replica: ReplicaState?
    /// Digests of personal data under `secret`.
    let digests: LogDigests
    /// The store that a replica appends to; `nil` for a log whose commits are in its file alone.
    let link: StoreLink?
    /// For how long a replica with keys of a store may show texts; `nil` for any other log.
    let lease: ReplicaLease?

    /// The access for which a log is opened.
    public enum Access: Sendable {
        /// Only reads; the file must exist and is never written.
        case read
        /// Reads and writes; the file must exist.
        case write
        /// Reads and writes; the file is created if it is missing.
        case create
    }

    /// Opens the log at `path`.
    ///
    /// Opening for writing finishes interrupted erasures and removes unfinished copies of the log.
    ///
    /// - Parameters:
    ///   - catalogue: the areas whose events the log holds. Calls with a parameter `catalogue` use
    ///     it by default.
    ///   - clock: returns the current time, for `recordedAt`; the system clock by default.
    ///   - mapSize: the initial size of the memory map, in bytes; the map grows on demand. `nil`
    ///     for a few times the size of the file.
    ///   - writeWait: the longest time that a write waits for a writer in any process, before it
    ///     throws `.storage(.locked)`.
    ///   - ignoresClockLead: `true` to allow appends while the newest commit is more than a day
    ///     ahead of `clock`; each new commit then gets the recording time of the newest one.
    ///   - people: the nouns of tags that identify people, such as `reader` in `reader:ada`; by
    ///     default those of the catalogue. Personal texts of an event without such a tag belong to
    ///     the commit's actor.
    ///   - headFile: the file that records the position and chain value of the newest commit;
    ///     opening throws `.rolledBack` if the log lacks that commit. `nil` for no such check.
    ///   - observer: receives what the log does, beginning with its opening, for logs and metrics.
    public convenience init(
        path: String, access: Access, catalogue: Catalogue = .empty,
        clock: @escaping @Sendable () -> Instant = { EventLog.systemTime() },
        mapSize: Int? = nil, writeWait: Duration = .seconds(10), ignoresClockLead: Bool = false,
        people: PersonNouns? = nil, headFile: HeadFile? = nil, observer: (any LogObserver)? = nil
    ) throws(LogError) {
        let start = observer.map { _ in ContinuousClock.now }
        do throws(LogError) {
            let settings = LogSettings(
                catalogue: catalogue, clock: clock, mapSize: mapSize, writeWait: writeWait,
                ignoresClockLead: ignoresClockLead, people: people, headFile: headFile,
                observer: observer)
            try self.init(opening: path, access, settings)
        } catch {
            if let observer, let start {
                var operation = LogOperation(.open, logID: nil, duration: .now - start)
                error.describe(in: &operation)
                observer.observe(operation)
            }
            throw error
        }
        observe(.open, since: start) { _ in }
    }

    /// Opens the log at `path`, and does what opening it for writing includes.
    convenience init(
        opening path: String, _ access: Access, _ settings: LogSettings
    ) throws(LogError) {
        let headFile = settings.headFile
        // Read before the log: the log may grow meanwhile, and still contains this head.
        let known = try Self.knownHead(headFile)
        // If the head file records a commit, a missing log is an error and is not created again.
        let gone = known.flatMap { headFile?.missingLogError($0) }
        let mayBegin = access == .create && gone == nil
        var options = Environment.Options()
        options.isReadOnly = access == .read
        options.createsFile = mayBegin
        options.mapSize = settings.mapSize
        options.writeWait = settings.writeWait
        let environment: Environment
        do throws(OpenError) {
            environment = try Environment(path: path, options: options)
        } catch {
            if let gone, error.isMissingLog { throw gone }
            throw .open(error)
        }
        try self.init(environment, mayBegin: mayBegin, gone, settings)
        if access != .read {
            keepTime()
            try finishErasures()
            let removed = try removeRemnants(isThorough: false).filter { $0.fate == .removed }
            removedOnOpening.withLock { $0 = removed }
        }
        if let headFile { try check(headFile, known: known, access) }
    }

    private init(
        _ environment: Environment, mayBegin: Bool, _ gone: LogError?, _ settings: LogSettings
    ) throws(LogError) {
        self.environment = environment
        personNouns = settings.people ?? settings.catalogue.people
        catalogue = settings.catalogue
        clock = settings.clock
        ignoresClockLead = settings.ignoresClockLead
        headFile = settings.headFile
        observer = settings.observer
        link = settings.link
        path = environment.path
        transactionNumberAtOpening = try mappingStorageErrors(
            environment.hasNoLock ? try environment.newestTransactionNumber() : nil)
        let isBegun = try Meta.isBegun(environment)
        if !isBegun, !mayBegin { throw gone ?? .open(.neverBegun(path: path)) }
        tables =
            try environment.isReadOnly
            ? Tables() : Tables(in: environment, rows: isBegun ? [] : Meta.newRows())
        let transaction = try Self.beginReading(environment)
        identifier = try Meta.identifier(in: transaction, tables.meta)
        replica = try Meta.replica(in: transaction, tables.meta)
        let contact = try Meta.contact(in: transaction, tables.meta)
        let hasContact = contact != nil || link != nil && replica?.hasKeys == true
        lease = hasContact ? ReplicaLease(contact ?? ContactNote(begunAt: .now)) : nil
        secret =
            replica?.hasKeys == false
            ? Array(repeating: 0, count: 32) : try Meta.secret(in: transaction, tables.meta)
        digests = LogDigests(secret: secret)
    }

    /// Returns the current time of the machine's clock.
    public static func systemTime() -> Instant { .now() }

    /// True if the log is read without a lock, because the lock file cannot be written.
    ///
    /// Writers may then reuse pages that are being read. A read may fail because the log seems
    /// damaged, but never returns wrong rows.
    public var isReadWithoutLock: Bool { environment.hasNoLock }

    /// True if the log is read without a lock and was written after it was opened.
    ///
    /// An error that reports damage is then not reliable. Open the log again and repeat the read.
    public var isOvertaken: Bool {
        guard let transactionNumberAtOpening else { return false }
        do throws(LMDBError) {
            return try environment.newestTransactionNumber() != transactionNumberAtOpening
        } catch {
            return true
        }
    }
    /// The number of the newest transaction at opening; `nil` if the log is read with a lock.
    private let transactionNumberAtOpening: UInt64?

    /// Returns the newest entry of a head file; `nil` if there is no file.
    private static func knownHead(_ headFile: HeadFile?) throws(LogError) -> HeadFile.Entry? {
        try mappingFileErrors(try headFile?.newestEntry())
    }

    /// The log's random id as 32 hexadecimal digits.
    public var id: String { Hexadecimal.text(identifier) }

    /// True if the log is a replica, which follows a log in a store or another file.
    ///
    /// A replica of a store with keys sends appends to the store; any other replica refuses them.
    public var isReplica: Bool { replica != nil }

    /// False for a replica without the encryption keys of its log: personal texts, names and places
    /// are not here.
    ///
    /// Also false for a replica whose store has not answered for seven days, because it may have
    /// missed an erasure.
    public var hasKeys: Bool { holdsKeys && !(lease?.isOver ?? false) }

    /// False for a replica that was made without the encryption keys of its log.
    var holdsKeys: Bool { replica?.hasKeys ?? true }

    /// Throws an error if the log is a replica without encryption keys, or one that must not use them.
    ///
    /// - Parameter need: what needs the keys, such as `an audit judges`.
    package func requireKeys(_ need: @autoclosure () -> String) throws(LogError) {
        guard !hasKeys else { return }
        if holdsKeys, let note = lease?.note {
            throw .storeSilent(path: path, since: note.storeClock, need: need())
        }
        if let store { throw .store(.keysNotHere(name: store.name, need: need())) }
        throw .keysNotHere(path: path, need: need())
    }

    /// Returns the position of the newest event; `.origin` for an empty log.
    public func head() throws(LogError) -> Position {
        Position(try tables.lastPosition(in: try beginReading()))
    }

    /// Returns the position of the newest event, up to which decisions read; throws an error for a
    /// replica that takes no appends.
    func headForDecisions() throws(LogError) -> Position {
        if isReplica { try prepareForAppends() }
        return try head()
    }

    /// Begins a read transaction, which sees the log as of the newest commit.
    @usableFromInline
    func beginReading() throws(LogError) -> ReadTransaction {
        try Self.beginReading(environment)
    }

    /// Waits until no other writer of any process is active, and then begins a write transaction.
    ///
    /// - Parameter isDurable: false if a crash of the machine may undo the commit.
    func beginWriting(isDurable: Bool = true) throws(LogError) -> LogWriteTransaction {
        do throws(LMDBError) {
            return LogWriteTransaction(
                try WriteTransaction(in: environment, isDurable: isDurable))
        } catch {
            throw .storage(error)
        }
    }

    private static func beginReading(
        _ environment: Environment
    ) throws(LogError) -> ReadTransaction {
        try mappingStorageErrors(try ReadTransaction(in: environment))
    }

    /// Returns the rows of the table `names` as of a transaction, and caches them.
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
