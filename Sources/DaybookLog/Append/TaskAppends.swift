import Daybook

/// The appends and decisions of tasks, which wait without blocking a thread of Swift's pool.
struct TaskAppends: Sendable {
    let log: EventLog

    /// Queues the requests of a task, and returns their receipts.
    func append(_ requests: [AppendRequest]) async throws -> [Receipt?] {
        for (index, request) in requests.enumerated() {
            if let reason = request.reasonUnstorable() {
                throw BatchError(index: index, error: .unstorable(reason))
            }
        }
        try Task.checkCancellation()
        let ticket = AppendTicket(requests)
        let isProcessed = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if log.queue.add(ticket, { continuation.resume(returning: $0) }) { serveTasks() }
                // A cancellation before the ticket was queued had nothing to withdraw.
                if Task.isCancelled { log.queue.withdraw(ticket) }
            }
        } onCancel: {
            log.queue.withdraw(ticket)
        }
        guard isProcessed else { throw CancellationError() }
        if let transaction = ticket.transaction { log.operations.observer?.observe(transaction) }
        return try ticket.outcome()
    }

    /// Queues the writing of a batch for the tasks that wait, on a thread of the log.
    private func serveTasks() {
        log.threads.submit {
            let turn = AppendTurn(log: log)
            let (batch, tasksWait) = log.queue.writeForTasks(turn.write)
            if tasksWait { serveTasks() }
            turn.catchUpIndexes(after: batch.lazy.flatMap(\.receiptsIfAppended))
            return { AppendQueue.resumeTasks(of: batch) }
        }
    }

    /// Decides a command and appends its events, again after each conflict.
    func decideAgain(
        _ decision: PendingCommand<some Command>, _ metadata: CommitMetadata,
        _ idempotency: AppendRequest.Idempotency?
    ) async throws -> Decided {
        var overtaken = AppendError.conflict(at: .origin)
        for _ in 0..<100 {
            try Task.checkCancellation()
            let (outcome, requests) = try await log.threads.run { [log] () throws(AppendError) in
                var batch = DecisionBatch(log)
                let outcome = try batch.decide(
                    decision, metadata: metadata, idempotency: idempotency)
                return (outcome, batch.requests)
            }
            if case .refused(let refused) = outcome { return .refused(refused) }
            do {
                let receipts = try await log.append(requests)
                return (receipts.first ?? nil).map(Decided.appended) ?? .nothing
            } catch let error as BatchError {
                guard case .conflict = error.error else { throw error.error }
                overtaken = error.error
            }
        }
        throw overtaken
    }
}
