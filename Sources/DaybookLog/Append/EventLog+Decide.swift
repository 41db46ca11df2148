public import Daybook

extension EventLog {
    /// Decides a command on the events in the log and appends the resulting events.
    ///
    /// If an event that the decision depends on was appended meanwhile, decides again.
    ///
    ///     let decided = try log.decide(Borrow(copy: "c1", reader: "ada"))
    ///
    /// - Parameters:
    ///   - now: the time at which the user gave the command, by the device's clock; the log's time
    ///     by default.
    ///   - zone: the IANA name of the device's time zone; empty if unknown.
    ///   - offsetS: the device's offset from UTC, in seconds east.
    /// - Throws: `.conflict` only after a hundred attempts in a row had a conflict.
    @available(
        *, noasync,
        message: "call it in an 'async' function, not in top-level code, to get the form to await"
    )
    public func decide<Body: Command>(
        _ command: Body, at now: Instant? = nil, zone: String = "", offsetS: Int32 = 0,
        metadata: CommitMetadata = CommitMetadata(),
        idempotency: AppendRequest.Idempotency? = nil
    ) throws(AppendError) -> Decided {
        let context = CommandContext(now: now ?? file.clock(), zone: zone, offsetS: offsetS)
        return try decide(
            PendingCommand(command, context: context), metadata: metadata,
            idempotency: idempotency)
    }

    /// Decides a pending decision on the events in the log and appends the resulting events.
    ///
    /// If an event that the decision depends on was appended meanwhile, decides again.
    ///
    /// - Parameters:
    ///   - catalogue: the catalogue that upcasts older events; by default the log's.
    ///   - memory: states cached by earlier decisions of the same writer; `nil` to cache none.
    /// - Throws: `.conflict` only after a hundred attempts in a row had a conflict.
    package func decide(
        _ decision: any PendingDecision, metadata: CommitMetadata = CommitMetadata(),
        idempotency: AppendRequest.Idempotency? = nil, catalogue: Catalogue? = nil,
        memory: DecisionMemory? = nil
    ) throws(AppendError) -> Decided {
        try operations.observing(.decide) { () throws(AppendError) in
            try DecisionBatch.retryingConflicts(in: self, catalogue, memory) {
                (batch) throws(AppendError) in
                let outcome = try batch.decide(
                    decision, metadata: metadata, idempotency: idempotency)
                if case .refused(let refused) = outcome { return .refused(refused) }
                let receipts = try batch.append()
                memory?.recordAppend(receipts.first ?? nil)
                return (receipts.first ?? nil).map(Decided.appended) ?? .nothing
            }
        } _: { (decided: Decided, operation) in
            operation.describe(decided)
        }
    }

    /// Decides all commands of an imported file and appends their events in one transaction.
    ///
    /// - Parameters:
    ///   - actor: the user who imports, recorded as the actor of the commits; empty if unknown.
    ///   - catalogue: the catalogue that upcasts older events; by default the log's.
    ///   - isTrial: `true` to decide the commands but append nothing, which also works on a log
    ///     opened for reading.
    /// - Throws: `.conflict` only after a hundred attempts in a row had a conflict.
    public func decide(
        _ file: some PendingImport, actor: String = "", catalogue: Catalogue? = nil,
        isTrial: Bool = false
    ) throws(AppendError) -> ImportResult {
        try DecisionBatch.retryingConflicts(in: self, catalogue) { (batch) throws(AppendError) in
            var attempt = ImportAttempt(
                log: self, catalogue: catalogue ?? self.catalogue, batch: batch, actor: actor)
            let result = try file.run(&attempt)
            guard !isTrial, case .done = result else { return result }
            let receipts = try attempt.batch.append().compactMap(\.self)
            // Another process has imported the same meanwhile: the next attempt finds it known.
            if let first = receipts.first, receipts.allSatisfy(\.isRepeated) {
                throw .conflict(at: first.first)
            }
            return result
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
        let context = CommandContext(now: now ?? file.clock(), zone: zone, offsetS: offsetS)
        let decision = PendingCommand(command, context: context)
        return try await operations.observing(.decide) {
            try await TaskAppends(log: self).decideAgain(decision, metadata, idempotency)
        } _: { decided, operation in
            operation.describe(decided)
        }
    }
}
