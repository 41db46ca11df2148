import Daybook
import DaybookLMDB

/// A log whose commits are in its file alone.
struct OwnLog: LogKind {
    func prepareForAppends(to log: EventLog) {}

    /// Throws an error if the log has become a replica since it was opened.
    func beginRows(
        of file: LogFile, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> CapturedRows? {
        let key = Meta.replica
        guard try transaction.row(key.rawSpan, in: file.tables.meta) == nil else {
            throw .replica(path: file.path)
        }
        return nil
    }

    /// Appends the requests of tickets, and grows the map if needed.
    func append(_ tickets: inout QueuedTickets, to log: EventLog) throws(LogError) {
        let names = tickets.all.people(by: log.personNouns)
        for _ in 0..<24 {
            do throws(LogError) {
                var session = try AppendSession(log)
                tickets.waited += session.waited
                guard try session.loadPeople(names) else {
                    session.abort()
                    try PeopleRegistration(file: log.file).register(names)
                    continue
                }
                for (index, ticket) in tickets.all.enumerated() {
                    try session.append(ticket, isLast: index == tickets.all.count - 1)
                }
                return try session.commit()
            } catch .storage(.mapFull) {
                try log.file.growMap()
            }
        }
        throw .storage(.mapFull)
    }
}

/// A replica without a store, to which only `pull` appends.
struct PulledReplica: LogKind {
    func prepareForAppends(to log: EventLog) throws(LogError) { throw .replica(path: log.path) }

    func beginRows(
        of file: LogFile, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> CapturedRows? { throw .replica(path: file.path) }

    func append(_ tickets: inout QueuedTickets, to log: EventLog) throws(LogError) {
        throw .replica(path: log.path)
    }
}
