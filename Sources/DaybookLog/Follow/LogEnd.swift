package import Daybook
import DaybookLMDB

/// The end of a log that grows: waits until there is a newer one.
///
/// One thread or task at a time may use it.
package final class LogEnd: @unchecked Sendable {
    private let log: EventLog
    private let waiter: ChangeWaiter
    /// Number of the transaction whose state was read last; `nil` before the first read.
    private var number: UInt64?

    /// Begins to watch the file of a log.
    package init(of log: EventLog) throws(FollowError) {
        self.log = log
        waiter = try Self.mapping(log) { () throws(LMDBError) in
            try ChangeWaiter(log.environment)
        }
    }

    /// Returns the newest position; waits for a newer one than before, at most for `limit`.
    ///
    /// Blocks the thread. The first call does not wait.
    package func position(waitingAtMost limit: Duration) throws(FollowError) -> Position {
        if let number {
            _ = try Self.mapping(log) { () throws(LMDBError) in
                try waiter.wait(after: number, atMost: limit)
            }
        }
        let state = try FollowError.mappingLogErrors(try log.newestState())
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
    ) async throws(FollowError) -> Bool {
        do throws(LMDBError) {
            return try await waiter.wait(after: number)
        } catch {
            throw Self.error(error, log)
        }
    }

    /// Calls `body` and maps its errors.
    private static func mapping<Result>(
        _ log: EventLog, _ body: () throws(LMDBError) -> Result
    ) throws(FollowError) -> Result {
        do throws(LMDBError) {
            return try body()
        } catch {
            throw Self.error(error, log)
        }
    }

    private static func error(_ error: LMDBError, _ log: EventLog) -> FollowError {
        error == .fileReplaced ? .replaced(path: log.path) : .log(.storage(error))
    }
}

extension EventLog {
    /// Returns the newest position, and the number of the transaction that committed this state.
    func newestState() throws(LogError) -> (head: Position, number: UInt64) {
        let transaction = try beginReading()
        return (Position(try lastPosition(in: transaction)), transaction.stateNumber)
    }
}
