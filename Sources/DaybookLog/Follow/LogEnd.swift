package import Daybook
import DaybookLMDB

/// The end of a log that grows: waits until there is a newer one.
///
/// The replica of a store is brought up to date as long as its end is watched. One thread or task at a time may use it.
package final class LogEnd: @unchecked Sendable {
    private let log: EventLog
    private let waiter: ChangeWaiter
    /// The watch over the store of a replica.
    private let watch: StoreWatch?
    /// Number of the transaction whose state was read last; `nil` before the first read.
    private var number: UInt64?

    /// Begins to watch the file of a log.
    package init(of log: EventLog) throws(LogError) {
        self.log = log
        waiter = try Self.mapping(log) { () throws(LMDBError) in
            try ChangeWaiter(log.file.environment)
        }
        watch = log.kind.link?.watch
        let (waiter, watch) = (waiter, watch)
        try Self.mapping(log) { () throws(LMDBError) in
            try watch?.add(ObjectIdentifier(waiter), of: log) { waiter.interrupt() }
        }
    }

    deinit { watch?.remove(ObjectIdentifier(waiter)) }

    /// Returns the newest position; waits for a newer one than before, at most for `limit`.
    ///
    /// Blocks the thread. The first call does not wait.
    package func position(waitingAtMost limit: Duration) throws(LogError) -> Position {
        if let number {
            _ = try Self.mapping(log) { () throws(LMDBError) in
                try waiter.wait(after: number, atMost: limit)
            }
            try checkStore()
        }
        let state = try log.file.newestState()
        number = state.number
        return state.head
    }

    /// Waits for a newer state than the one that transaction `number` committed.
    ///
    /// Blocks no thread.
    ///
    /// - Returns: `false` if the task was cancelled.
    func wait(
        after number: UInt64, isolation: isolated (any Actor)? = #isolation
    ) async throws(LogError) -> Bool {
        try checkStore()
        let hasChanged: Bool
        do throws(LMDBError) {
            hasChanged = try await waiter.wait(after: number)
        } catch {
            throw Self.error(error, log)
        }
        if !hasChanged { try checkStore() }
        return hasChanged
    }

    /// Throws the error that keeps the replica of a store from being brought up to date.
    private func checkStore() throws(LogError) {
        if let error = watch?.failure { throw error }
    }

    /// Calls `body` and maps its errors.
    private static func mapping<Result>(
        _ log: EventLog, _ body: () throws(LMDBError) -> Result
    ) throws(LogError) -> Result {
        do throws(LMDBError) {
            return try body()
        } catch {
            throw Self.error(error, log)
        }
    }

    private static func error(_ error: LMDBError, _ log: EventLog) -> LogError {
        error == .fileReplaced ? .follow(.replaced(path: log.path)) : .storage(error)
    }
}

extension LogFile {
    /// Throws `.replaced` if the path no longer leads to the open file.
    package func checkIsInPlace() throws(LogError) {
        guard environment.isAtPath else { throw .follow(.replaced(path: path)) }
    }

    /// Returns the newest position, and the number of the transaction that committed this state.
    func newestState() throws(LogError) -> (head: Position, number: UInt64) {
        let transaction = try beginReading()
        return (Position(try tables.lastPosition(in: transaction)), transaction.stateNumber)
    }
}
