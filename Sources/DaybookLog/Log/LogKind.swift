import Daybook
import DaybookLMDB

/// The part of a log that depends on where its commits go: into its file alone, into the store of a
/// replica first, or nowhere, because it only follows another log.
///
/// Asked a few times for each transaction, and never for an event.
protocol LogKind: Sendable {
    /// The store to which commits go; `nil` without a store.
    var store: (any EventStore)? { get }

    /// Brings the file up to date while somebody follows it; `nil` without a store.
    var watch: StoreWatch? { get }

    /// True if others may be kept from writing for long while a turn waits, so that it takes later
    /// what is queued meanwhile.
    var waitsForOthers: Bool { get }

    /// Does what comes before an append, and before the reads of a decision.
    ///
    /// - Throws: an error for a log that takes no appends.
    func prepareForAppends(to log: EventLog) throws(LogError)

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
    func append(_ tickets: inout QueuedTickets, to log: EventLog) throws(AppendError)

    /// Brings the file up to the end of the log that it follows, if there is a store to ask.
    func catchUp(_ log: EventLog) throws(LogError)
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
