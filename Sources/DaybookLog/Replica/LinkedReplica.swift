import Daybook
import DaybookLMDB

/// A replica whose commits go into a store first.
struct LinkedReplica: LogKind {
    let link: StoreLink

    var store: (any EventStore)? { link.store }
    var watch: StoreWatch? { link.watch }
    var waitsForOthers: Bool { link.beginsWithLock }

    /// Throws an error for a replica that takes no appends. Brings a replica up to date whose store
    /// was silent for seven days, because decisions need its texts.
    ///
    /// - Throws: an error for a replica without keys, which takes no appends.
    func prepareForAppends(to log: EventLog) throws(LogError) {
        guard log.file.holdsKeys else {
            throw .store(
                .keys(
                    name: link.store.name,
                    reason:
                        "the replica \(log.path) has no encryption keys, so that nothing can be "
                        + "appended through it"))
        }
        if !log.hasKeys { try catchUp(log) }
    }

    func beginRows(
        of file: LogFile, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> CapturedRows? {
        var end = try file.storeEnd(in: transaction)
        link.complete(&end)
        return CapturedRows(file.tables, for: end)
    }

    func recordingTime(of file: LogFile) -> Instant { link.recordingTime() }

    /// Appends the requests of tickets to the store and to the replica, in one transaction.
    ///
    /// The replica's write transaction is committed only once the store has written the same rows,
    /// so that the replica is never ahead. Processes that share the replica wait for its write
    /// transaction, and count as one writer of the store.
    func append(_ tickets: inout QueuedTickets, to log: EventLog) throws(AppendError) {
        var turn = StoreTurn(log, link, tickets)
        defer { tickets = turn.tickets }
        try turn.run()
    }

    func catchUp(_ log: EventLog) throws(LogError) { try CatchUp(log, link).run() }
}
