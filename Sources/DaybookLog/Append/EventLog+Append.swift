public import Daybook
import DaybookLMDB
import Synchronization

extension EventLog {
    /// Appends one commit and returns after the commit is on disk.
    ///
    /// Threads that append at the same time share one transaction and one sync to disk.
    ///
    /// - Returns: the positions and time of the commit; `nil` for a request without events, which
    ///   writes nothing, unless an earlier commit has its idempotency key.
    @available(
        *, noasync,
        message: "call it in an 'async' function, not in top-level code, to get the form to await"
    )
    public func append(_ request: AppendRequest) throws(AppendError) -> Receipt? {
        try AppendTurn(log: self).append([request])[0]
    }

    /// Appends several commits in one transaction: all of them or none.
    ///
    /// The conditions of all requests are checked before the first request is written, so that
    /// events of the same call never conflict with each other.
    ///
    /// - Returns: the receipt of each request, in order; `nil` for a request without events, unless
    ///   an earlier commit has its idempotency key.
    @available(
        *, noasync,
        message: "call it in an 'async' function, not in top-level code, to get the form to await"
    )
    public func append(_ requests: [AppendRequest]) throws(BatchError) -> [Receipt?] {
        try operations.observing(.append) { () throws(BatchError) in
            let ticket = AppendTicket(requests)
            for (index, request) in requests.enumerated() {
                if let reason = request.reasonUnstorable() {
                    throw BatchError(index: index, error: .unstorable(reason))
                }
            }
            let turn = AppendTurn(log: self)
            queue.run(ticket, turn.write)
            if let transaction = ticket.transaction { operations.observer?.observe(transaction) }
            let receipts = try ticket.outcome()
            turn.catchUpIndexes(after: receipts)
            return receipts
        } _: { receipts, operation in
            operation.describe(receipts)
        }
    }

    /// Returns the receipt of the commit with an idempotency key; `nil` if the key is new.
    ///
    /// - Throws: `.keyReused` if the commit was made for another request.
    public func receipt(
        for idempotency: AppendRequest.Idempotency
    ) throws(AppendError) -> Receipt? {
        let digest = file.digests.key(idempotency.key)
        return try EarlierCommit.find(idempotency, digest, in: self)?.outcome.get()
    }
}

// Appends by tasks.
extension EventLog {
    /// Appends one commit and returns after the commit is on disk.
    ///
    /// Blocks no thread of Swift's pool. Tasks and threads that append at the same time share one
    /// transaction and one sync to disk.
    ///
    /// - Returns: the positions and time of the commit; `nil` for a request without events, which
    ///   writes nothing, unless an earlier commit has its idempotency key.
    /// - Throws: `AppendError`; `CancellationError` if the task was cancelled before the request
    ///   was being written, so that nothing was appended. A later cancellation changes nothing.
    public func append(_ request: AppendRequest) async throws -> Receipt? {
        do {
            return try await append([request])[0]
        } catch let error as BatchError {
            throw error.error
        }
    }

    /// Appends several commits in one transaction, all of them or none, without blocking a thread.
    ///
    /// - Returns: the receipt of each request, in order; `nil` for a request without events, unless
    ///   an earlier commit has its idempotency key.
    /// - Throws: `BatchError`; `CancellationError` if the task was cancelled before the requests
    ///   were being written.
    public func append(_ requests: [AppendRequest]) async throws -> [Receipt?] {
        try await operations.observing(.append) {
            try await TaskAppends(log: self).append(requests)
        } _: { receipts, operation in
            operation.describe(receipts)
        }
    }
}
