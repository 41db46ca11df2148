import Daybook
import DaybookLMDB

/// A replica whose commits go into a store first.
struct LinkedReplica: LogKind {
    private let store: StoreLink

    init(_ link: StoreLink) { store = link }

    var link: StoreLink? { store }
    var waitsForOthers: Bool { store.beginsWithLock }

    /// Throws an error for a replica that takes no appends. Brings a replica up to date whose store
    /// was silent for seven days, because decisions need its texts.
    ///
    /// - Throws: an error for a replica without keys, which takes no appends.
    func prepareForAppends(to log: EventLog) throws(LogError) {
        guard log.file.holdsKeys else {
            throw .store(
                .keys(
                    name: store.store.name,
                    reason:
                        "the replica \(log.path) has no encryption keys, so that nothing can be "
                        + "appended through it"))
        }
        if !log.hasKeys { try CatchUp(log, store).run() }
    }

    func beginRows(
        of file: LogFile, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> CapturedRows? {
        var end = try file.storeEnd(in: transaction)
        store.complete(&end)
        return CapturedRows(file.tables, for: end)
    }

    func beginWriting(in file: LogFile) throws(LogError) -> LogWriteTransaction {
        try file.beginWriting(isDurable: false)
    }

    func recordingTime(of file: LogFile) -> Instant { store.recordingTime() }

    /// Appends the requests of tickets to the store and to the replica, in one transaction.
    ///
    /// The replica's write transaction is committed only once the store has written the same rows,
    /// so that the replica is never ahead. Processes that share the replica wait for its write
    /// transaction, and count as one writer of the store.
    func append(_ tickets: inout QueuedTickets, to log: EventLog) throws(LogError) {
        var turn = StoreTurn(log, store, tickets)
        defer { tickets = turn.tickets }
        try turn.run()
    }

    func catchUp(
        _ log: EventLog, atMost limit: UInt64, _ progress: (Position) -> Void
    ) throws(LogError) -> Pulled {
        try CatchUp(log, store).run(atMost: limit, progress: progress)
    }

    func noteAnswer(to log: EventLog) { StoreContact(log, store).noteAnswer() }
}
