public import Daybook

extension EventLog {
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
        try retryingConflicts(catalogue) { (batch) throws(AppendError) in
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
}

/// One attempt of an import: the log, and the batch of decisions that the import adds to it.
private struct ImportAttempt: ImportLog {
    let log: EventLog
    let catalogue: Catalogue
    /// The decisions so far, appended in one transaction at the end.
    var batch: DecisionBatch
    /// The user who imports, recorded as the actor of the commits.
    let actor: String

    var now: Instant { log.clock() }

    var keyedDigest: KeyedDigest {
        { [log] purpose, bytes in log.keyedDigest(purpose, of: bytes) }
    }

    func read(
        _ query: Query, _ body: (RecordedEvent) throws(FoldError) -> Bool
    ) throws(AppendError) {
        do throws(LogError) {
            try log.reader(query).forEach { (event) throws(LogError) in
                try mappingFoldErrors(try body(try catalogue.upcast(event)))
            }
        } catch {
            throw .log(error)
        }
    }

    func events(under key: String) throws(AppendError) -> [RecordedEvent]? {
        do throws(LogError) {
            guard let commit = try log.commits.ofKey(key) else { return nil }
            return try log.reader(.all, ReadWindow(from: commit.first, through: commit.last))
                .collect()
        } catch {
            throw .log(error)
        }
    }

    mutating func state(of key: CommandKey) throws(AppendError) -> CommandKey.State {
        // Each row has a key and is looked up first, so this counts every row once per attempt.
        log.activity.add(1, .rowsDecided)
        do throws(AppendError) {
            guard try log.receipt(for: key) == nil else { return .known }
            batch.newKeys.insert(key.key)
            return .new
        } catch .keyReused {
            return .reused
        }
    }

    mutating func require(noneSince query: Query?) throws(AppendError) {
        try batch.require(noneSince: query)
    }

    mutating func decide(
        _ command: some Command, _ context: CommandContext, under key: CommandKey?,
        correlation: String
    ) throws(AppendError) -> Outcome {
        try batch.decide(
            PendingCommand(command, context: context),
            metadata: CommitMetadata(actor: actor, correlation: correlation), idempotency: key)
    }
}
