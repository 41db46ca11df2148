import Daybook
public import DaybookLMDB
import Synchronization

/// The open file of a log: its rows, what its table `meta` says of it, and what is kept of the rows
/// in memory.
///
/// Rooms that need rows take it, or a transaction of it, and not the log.
@usableFromInline
package final class LogFile: Sendable {
    /// The path of the file.
    let path: String
    /// The LMDB environment, which is the open file.
    @usableFromInline let environment: Environment
    @usableFromInline let tables: Tables
    /// Returns the current time, at which commits are recorded.
    let clock: @Sendable () -> Instant
    /// The file that records the position and chain value of the newest commit; `nil` for no file.
    let headFile: HeadFile?
    /// The log's id: 16 random bytes, generated when the log was created.
    package let identifier: [UInt8]
    /// The log's secret: 32 random bytes, the HMAC key for digests of requests, people and
    /// idempotency keys; zeros in a replica without keys.
    package let secret: [UInt8]
    /// Digests of personal data under `secret`.
    let digests: LogDigests
    /// How far the log follows the log that it copies; `nil` for a log that is no replica.
    let replica: ReplicaState?
    /// For how long a replica with keys of a store may show texts; `nil` for any other log.
    let lease: ReplicaLease?
    /// Counts of events and commands processed since the log was opened, for progress displays.
    package let activity = LogActivity()
    /// Called between two transactions of a long read; `nil` to call nothing.
    let betweenTransactions = Mutex<(@Sendable () -> Void)?>(nil)
    /// The cached event kinds and time zones of the table `names`.
    ///
    /// Valid for every transaction, because rows of this table never change.
    private let knownNames = Mutex(Names())
    /// Cached digests of the behaviour of the catalogue's projections, to find valid snapshots.
    let fingerprints = Fingerprints()
    /// A cached index of the newest events, which the stored index does not contain yet.
    let tail = Mutex(TailIndex())
    /// The recorded erasures, as far as a reader of an erased text has needed them.
    let knownErasures = Mutex(RecordedErasures())
    /// The tree over the log's commits as the last proof needed it; `nil` before the first proof.
    let keptTree = Mutex<CommitTree?>(nil)
    /// The position from which an append looks whether the index or the tree is far behind.
    let maintenanceDue = Atomic<UInt64>(IndexMaintenance.smallestLag)
    /// The storage of `remnantsRemovedOnOpening`.
    let removedRemnants = Mutex<[CopyRemnant]>([])
    /// The number of the newest transaction at opening; `nil` if the log is read with a lock.
    private let transactionNumberAtOpening: UInt64?

    /// Opens the file at `path`.
    ///
    /// - Parameter known: the newest entry of the head file before the opening.
    init(
        _ path: String, _ access: EventLog.Access, known: HeadFile.Entry?, _ settings: LogSettings
    ) throws(LogError) {
        // If the head file records a commit, a missing log is an error and is not created again.
        let gone = known.flatMap { settings.headFile?.missingLogError($0) }
        let mayBegin = access == .create && gone == nil
        var options = Environment.Options()
        options.isReadOnly = access == .read
        options.createsFile = mayBegin
        options.mapSize = settings.mapSize
        options.writeWait = settings.writeWait
        do throws(OpenError) {
            environment = try Environment(path: path, options: options)
        } catch {
            if let gone, error.isMissingLog { throw gone }
            throw .open(error)
        }
        clock = settings.clock
        headFile = settings.headFile
        self.path = environment.path
        transactionNumberAtOpening = environment.hasNoLock ? try environment.stateNumber() : nil
        do throws(LogError) {
            let isBegun = try Meta.isBegun(environment)
            if !isBegun, !mayBegin { throw gone ?? .open(.neverBegun(path: environment.path)) }
            tables =
                try environment.isReadOnly
                ? Tables() : Tables(in: environment, rows: isBegun ? [] : Meta.newRows())
            let transaction = try Self.beginReading(environment)
            identifier = try Meta.identifier(in: transaction, tables.meta)
            replica = try Meta.replica(in: transaction, tables.meta)
            let contact = try Meta.contact(in: transaction, tables.meta)
            let hasContact =
                contact != nil || settings.kind?.link != nil && replica?.hasKeys == true
            lease = hasContact ? ReplicaLease(contact ?? ContactNote(begunAt: .now)) : nil
            secret =
                replica?.hasKeys == false
                ? Array(repeating: 0, count: 32) : try Meta.secret(in: transaction, tables.meta)
        } catch { throw Self.cause(of: error, environment, since: transactionNumberAtOpening) }
        digests = LogDigests(secret: secret)
    }

    /// The unfinished copies of this log that were removed when it was opened for writing.
    package var remnantsRemovedOnOpening: [CopyRemnant] { removedRemnants.withLock(\.self) }

    /// The log's random id as 32 hexadecimal digits.
    var id: String { Hexadecimal.text(identifier) }

    /// False for a replica that was made without the encryption keys of its log.
    var holdsKeys: Bool { replica?.hasKeys ?? true }

    /// False for a replica that has no encryption keys, or may not use them, because its store has
    /// not answered for seven days.
    var hasKeys: Bool { holdsKeys && !(lease?.isOver ?? false) }

    /// True if the log is read without a lock and was written after it was opened.
    var isOvertaken: Bool { Self.isOvertaken(environment, since: transactionNumberAtOpening) }

    /// Returns the error of a read since opening: `.storage(.changedWhileReading)` if the log is
    /// overtaken, because a page that a writer has reused looks like damage.
    func cause(of error: LogError) -> LogError {
        Self.cause(of: error, environment, since: transactionNumberAtOpening)
    }

    private static func cause(
        of error: LogError, _ environment: Environment, since number: UInt64?
    ) -> LogError {
        isOvertaken(environment, since: number) ? .storage(.changedWhileReading) : error
    }

    private static func isOvertaken(_ environment: Environment, since number: UInt64?) -> Bool {
        number != nil && (try? environment.stateNumber()) != number
    }

    /// Begins a read transaction, which sees the log as of the newest commit.
    @usableFromInline
    func beginReading() throws(LogError) -> ReadTransaction {
        try Self.beginReading(environment)
    }

    private static func beginReading(
        _ environment: Environment
    ) throws(LogError) -> ReadTransaction {
        try mappingStorageErrors(try ReadTransaction(in: environment))
    }

    /// Ends a read transaction and begins another, so that a long read does not keep pages from
    /// reuse.
    ///
    /// Stored events never change, so the read can continue at the next position.
    @usableFromInline
    func renew(_ transaction: consuming ReadTransaction) throws(LogError) -> ReadTransaction {
        end(transaction)
        betweenTransactions.withLock { $0 }?()
        return try beginReading()
    }

    /// Ends a read transaction by consuming it.
    private func end(_ transaction: consuming ReadTransaction) {}

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

    /// Runs `body` in a write transaction and commits it; repeats this in a larger map if the map
    /// is full.
    func writing(
        isDurable: Bool = true, _ body: (inout LogWriteTransaction) throws(LogError) -> Void
    ) throws(LogError) {
        try growingMap { () throws(LogError) in
            var transaction = try beginWriting(isDurable: isDurable)
            try body(&transaction)
            try transaction.commit()
        }
    }

    /// Calls `body`, which writes a transaction, and repeats it with a larger map while it is full.
    func growingMap<Result>(_ body: () throws(LogError) -> Result) throws(LogError) -> Result {
        while true {
            do throws(LogError) {
                return try body()
            } catch .storage(.mapFull) {
                try growMap()
            }
        }
    }

    /// Enlarges the memory map, so that the file can grow.
    func growMap() throws(LogError) {
        try mappingStorageErrors(try environment.growMap())
    }

    /// True if the table `meta` has a row with this key.
    func hasMetaRow(_ key: [UInt8]) throws(LogError) -> Bool {
        let transaction = try beginReading()
        return try transaction.row(key.rawSpan, in: tables.meta) != nil
    }

    /// Returns the rows of the table `names` as of a transaction, and caches them.
    func names(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> Names {
        var names = knownNames.withLock { $0 }
        let known = names.rows.count
        try names.refresh(in: transaction, from: tables.names)
        if names.rows.count > known { keep(names) }
        return names
    }

    /// Caches the rows of the table `names`, unless more of them are known.
    func keep(_ names: Names) {
        knownNames.withLock { if $0.rows.count < names.rows.count { $0 = names } }
    }

    /// Returns the person number for a stored name; `nil` if the person is unknown or erased.
    func personNumber(
        _ name: String, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt32? {
        try tables.personNumber(ofDigest: digests.person(name), in: transaction)
    }
}

extension Environment {
    /// Returns the number of the transaction that committed the newest state.
    func stateNumber() throws(LogError) -> UInt64 {
        try mappingStorageErrors(try newestTransactionNumber())
    }
}
