public import Daybook
import DaybookLMDB
import Synchronization

/// The append-only sequence of events, in one LMDB file.
///
/// Safe to use from any thread and from several processes at once. `docs/format.md` describes the
/// file byte by byte.
public final class EventLog: Sendable {
    /// The only version of the file format that this program reads and writes.
    public static let formatVersion: UInt32 = Meta.formatVersion

    /// The open file, which has the rows of the log.
    @usableFromInline package let file: LogFile
    /// The nouns of tags that identify people, such as `reader` in `reader:ada`.
    ///
    /// They decide with whose encryption key the personal texts of an event are encrypted.
    let personNouns: PersonNouns
    /// The event kinds, projections and upcasters that the log was opened with; empty by default.
    public let catalogue: Catalogue
    /// Gives what the log does to its observer.
    let operations: LogOperations
    /// Combines the appends of many threads into shared transactions.
    let queue = AppendQueue()
    /// Does the work of tasks that may block.
    let threads = LogThreads()
    /// True if appends are allowed while the newest commit is more than a day ahead of the clock.
    let ignoresClockLead: Bool
    /// Where the commits of the log go.
    let kind: any LogKind

    /// The access for which a log is opened.
    public enum Access: Sendable {
        /// Only reads; the file must exist and is never written.
        case read
        /// Reads and writes; the file must exist.
        case write
        /// Reads and writes; the file is created if it is missing.
        case create
    }

    /// Creates the log of an open file.
    init(_ file: LogFile, _ kind: any LogKind, _ settings: LogSettings) {
        self.file = file
        personNouns = settings.people ?? settings.catalogue.people
        catalogue = settings.catalogue
        operations = LogOperations(settings.observer, of: file.identifier)
        ignoresClockLead = settings.ignoresClockLead
        self.kind = kind
    }

    /// The path of the log file.
    public var path: String { file.path }

    /// The log's random id as 32 hexadecimal digits.
    public var id: String { file.id }

    /// Called between two transactions of a long read; `nil` to call nothing.
    ///
    /// No transaction is open during the call, so it may block, for example to flush output.
    public var betweenTransactions: (@Sendable () -> Void)? {
        get { file.betweenTransactions.withLock { $0 } }
        set { file.betweenTransactions.withLock { $0 = newValue } }
    }

    /// True if the log is read without a lock, because the lock file cannot be written.
    ///
    /// Writers may then reuse pages that are being read. A read may fail because the log seems
    /// damaged, but never returns wrong rows.
    public var isReadWithoutLock: Bool { file.environment.hasNoLock }

    /// True if the log is read without a lock and was written after it was opened.
    ///
    /// An error that reports damage is then not reliable. Open the log again and repeat the read.
    public var isOvertaken: Bool { file.isOvertaken }

    /// True if the log is a replica, which follows a log in a store or another file.
    ///
    /// A replica of a store with keys sends appends to the store; any other replica refuses them.
    public var isReplica: Bool { file.replica != nil }

    /// False for a replica without the encryption keys of its log: personal texts, names and places
    /// are not here.
    ///
    /// Also false for a replica whose store has not answered for seven days, because it may have
    /// missed an erasure.
    public var hasKeys: Bool { file.hasKeys }

    /// The store to which commits go; `nil` without a store.
    package var store: (any EventStore)? { kind.link?.store }

    /// Throws an error if the log is a replica without encryption keys, or one that must not use them.
    ///
    /// - Parameter need: what needs the keys, such as `an audit judges`.
    package func requireKeys(_ need: @autoclosure () -> String) throws(LogError) {
        guard !hasKeys else { return }
        if file.holdsKeys, let note = file.lease?.note {
            throw .storeSilent(path: path, since: note.storeClock, need: need())
        }
        if let store { throw .store(.keysNotHere(name: store.name, need: need())) }
        throw .keysNotHere(path: path, need: need())
    }

    /// Returns the position of the newest event; `.origin` for an empty log.
    public func head() throws(LogError) -> Position { try file.head() }

    /// Returns the head of the newest commit; `.origin` for an empty log.
    public func chainHead() throws(LogError) -> Head { try file.chainHead() }

    /// Returns the reason why the log does not contain a head.
    ///
    /// Reads only the commit at the head's position. Call `verify` to check that the earlier events
    /// match the chain value.
    ///
    /// - Returns: `nil` if the log contains the head.
    public func mismatch(with head: Head) throws(LogError) -> HeadMismatch? {
        try file.mismatch(with: head)
    }

    /// Returns the position of the last event that the index covers; `.origin` without an index.
    public func indexedThrough() throws(LogError) -> Position { try file.indexedThrough() }

    /// Adds all events up to the newest to the index, and all commits to the tree for proofs.
    ///
    /// Events are read without keeping out other writers, which get in between two transactions.
    ///
    /// - Parameter afresh: `true` to delete index and tree first and build them anew; `false` to
    ///   add nothing to a tree that the log does not have yet.
    public func reindex(afresh: Bool = false) throws(LogError) {
        try IndexUpdate(file: file).extend(afresh: afresh)
        if !afresh {
            guard try file.tables.treeState(in: file.beginReading()) != nil else { return }
        }
        try TreeUpdate(file: file).extend(afresh: afresh)
    }
}
