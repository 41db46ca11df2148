public import Daybook

// Appends and decisions by tasks.
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
        try await observing(.append) {
            try await appendInQueue(requests)
        } _: { receipts, operation in
            operation.describe(receipts)
        }
    }

    /// Queues the requests of a task, and returns their receipts.
    private func appendInQueue(_ requests: [AppendRequest]) async throws -> [Receipt?] {
        for (index, request) in requests.enumerated() {
            if let reason = request.reasonUnstorable() {
                throw BatchError(index: index, error: .unstorable(reason))
            }
        }
        try Task.checkCancellation()
        let ticket = AppendTicket(requests)
        let isProcessed = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if queue.add(ticket, { continuation.resume(returning: $0) }) { serveTasks() }
                // A cancellation before the ticket was queued had nothing to withdraw.
                if Task.isCancelled { queue.withdraw(ticket) }
            }
        } onCancel: {
            queue.withdraw(ticket)
        }
        guard isProcessed else { throw CancellationError() }
        if let transaction = ticket.transaction { observer?.observe(transaction) }
        return try ticket.outcome()
    }

    /// Queues the writing of a batch for the tasks that wait, on a thread of the log.
    private func serveTasks() {
        threads.submit { [self] in
            let (batch, tasksWait) = queue.writeForTasks(write)
            if tasksWait { serveTasks() }
            let newest = batch.lazy.compactMap(\.newestReceipt).max { $0.last < $1.last }
            catchUpIndexes(after: newest)
            return { AppendQueue.resumeTasks(of: batch) }
        }
    }

    /// Decides a command on the events in the log and appends the resulting events.
    ///
    /// If an event that the decision depends on was appended meanwhile, decides again. Blocks no
    /// thread of Swift's pool: the log is read on one of the log's threads, and the commit is
    /// shared with all who append at the same time.
    ///
    ///     let decided = try await log.decide(Borrow(copy: "c1", reader: "ada"))
    ///
    /// - Parameters:
    ///   - now: the time at which the user gave the command, by the device's clock; the log's time
    ///     by default.
    ///   - zone: the IANA name of the device's time zone; empty if unknown.
    ///   - offsetS: the device's offset from UTC, in seconds east.
    /// - Throws: `AppendError`, but `.conflict` only after a hundred attempts in a row had a
    ///   conflict; `CancellationError` if the task was cancelled before the events were being
    ///   written, so that nothing was appended.
    public func decide<Body: Command>(
        _ command: Body, at now: Instant? = nil, zone: String = "", offsetS: Int32 = 0,
        metadata: CommitMetadata = CommitMetadata(),
        idempotency: AppendRequest.Idempotency? = nil
    ) async throws -> Decided {
        let context = CommandContext(now: now ?? clock(), zone: zone, offsetS: offsetS)
        let decision = PendingCommand(command, context: context)
        return try await observing(.decide) {
            try await decideAgain(decision, metadata, idempotency)
        } _: { decided, operation in
            operation.describe(decided)
        }
    }

    /// Decides a command and appends its events, again after each conflict.
    private func decideAgain(
        _ decision: PendingCommand<some Command>, _ metadata: CommitMetadata,
        _ idempotency: AppendRequest.Idempotency?
    ) async throws -> Decided {
        var overtaken = AppendError.conflict(at: .origin)
        for _ in 0..<100 {
            try Task.checkCancellation()
            let (outcome, requests) = try await threads.run { [self] () throws(AppendError) in
                var batch = DecisionBatch(self)
                let outcome = try batch.decide(
                    decision, metadata: metadata, idempotency: idempotency)
                return (outcome, batch.requests)
            }
            if case .refused(let refused) = outcome { return .refused(refused) }
            do {
                let receipts = try await append(requests)
                return (receipts.first ?? nil).map(Decided.appended) ?? .nothing
            } catch let error as BatchError {
                guard case .conflict = error.error else { throw error.error }
                overtaken = error.error
            }
        }
        throw overtaken
    }
}

extension AppendTicket {
    /// The receipt of the last commit; `nil` if nothing was appended.
    fileprivate var newestReceipt: Receipt? {
        do throws(BatchError) {
            return try outcome().last ?? nil
        } catch {
            return nil
        }
    }
}
