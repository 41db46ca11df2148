import Daybook
import DaybookLMDB

/// The part of a log that depends on where its commits go: into its file alone, into the store of a
/// replica first, or nowhere, because it only follows another log.
///
/// Asked a few times for each transaction, and never for an event.
protocol LogKind: Sendable {
    /// The store to which commits go, and what is known of it; `nil` without a store.
    var link: StoreLink? { get }

    /// True if others may be kept from writing for long while a turn waits, so that it takes later
    /// what is queued meanwhile.
    var waitsForOthers: Bool { get }

    /// Does what comes before an append, and before the reads of a decision.
    ///
    /// - Throws: an error for a log that takes no appends.
    func prepareForAppends(to log: EventLog) throws(LogError)

    /// Begins a write transaction, which is durable unless a store has its commits first.
    func beginWriting(in file: LogFile) throws(LogError) -> LogWriteTransaction

    /// Checks that a write transaction may append.
    ///
    /// - Returns: the rows that the transaction writes, for the store; `nil` without a store.
    func beginRows(
        of file: LogFile, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> CapturedRows?

    /// Returns the recording time for commits that are made now.
    func recordingTime(of file: LogFile) -> Instant

    /// Appends the requests of tickets, all in one transaction.
    ///
    /// - Throws: the error of the tickets that are then left in `waiting`.
    func append(_ tickets: inout QueuedTickets, to log: EventLog) throws(LogError)

    /// Brings the file up to the end of the log that it follows, if there is a store to ask.
    ///
    /// - Parameter limit: the number of new events after which this stops.
    @discardableResult
    func catchUp(
        _ log: EventLog, atMost limit: UInt64, _ progress: (Position) -> Void
    ) throws(LogError) -> Pulled

    /// Notes an answer of the store to a replica that has all its commits.
    func noteAnswer(to log: EventLog)
}

extension LogKind {
    var link: StoreLink? { nil }
    var waitsForOthers: Bool { false }

    func beginWriting(in file: LogFile) throws(LogError) -> LogWriteTransaction {
        try file.beginWriting()
    }

    func recordingTime(of file: LogFile) -> Instant { file.clock() }

    func catchUp(
        _ log: EventLog, atMost limit: UInt64, _ progress: (Position) -> Void
    ) throws(LogError) -> Pulled {
        var pulled = Pulled()
        pulled.hasKeys = log.hasKeys
        pulled.head = try log.chainHead()
        return pulled
    }

    func noteAnswer(to log: EventLog) {}
}

/// The result of bringing a replica up to date.
package struct Pulled: Hashable, Sendable {
    /// The head that the replica has reached.
    package internal(set) var head = Head.origin
    /// The number of new events.
    package internal(set) var eventCount: UInt64 = 0
    /// The number of segments from which something was written.
    package internal(set) var segmentCount = 0
    /// The number of rows of people and texts that were wrong, and are right now.
    package internal(set) var mendedCount = 0
    /// True if the replica has the log's secret and the encryption keys of its people.
    package internal(set) var hasKeys = false
}

/// The tickets of one turn, which are appended together.
struct QueuedTickets {
    /// All tickets of the turn.
    var all: [AppendTicket]
    /// The tickets that have no outcome yet.
    var waiting: [AppendTicket]
    /// The time that the transactions waited for other writers.
    var waited = Duration.zero

    init(_ tickets: [AppendTicket]) {
        all = tickets
        waiting = tickets
    }
}
