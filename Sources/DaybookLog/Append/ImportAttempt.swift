import Daybook

/// One attempt of an import: the log, and the batch of decisions that the import adds to it.
struct ImportAttempt: ImportLog {
    let log: EventLog
    let catalogue: Catalogue
    /// The decisions so far, appended in one transaction at the end.
    var batch: DecisionBatch
    /// The user who imports, recorded as the actor of the commits.
    let actor: String

    var now: Instant { log.file.clock() }

    var keyedDigest: KeyedDigest {
        { [log] purpose, bytes in log.keyedDigest(purpose, of: bytes) }
    }

    func read(
        _ query: Query, _ body: (RecordedEvent) throws(FoldError) -> Bool
    ) throws(AppendError) {
        try AppendError.mappingLogErrors(
            try log.reader(query).forEach { (event) throws(LogError) in
                try mappingFoldErrors(try body(try catalogue.upcast(event)))
            })
    }

    func events(under key: String) throws(AppendError) -> [RecordedEvent]? {
        try AppendError.mappingLogErrors(
            try log.commits.ofKey(key).map { (commit) throws(LogError) in
                try log.reader(.all, ReadWindow(from: commit.first, through: commit.last)).collect()
            })
    }

    mutating func state(of key: CommandKey) throws(AppendError) -> CommandKey.State {
        // Each row has a key and is looked up first, so this counts every row once per attempt.
        log.file.activity.add(1, .rowsDecided)
        do throws(AppendError) {
            // Before the first event no commit has a key; the append looks for later ones.
            guard try batch.head > .origin else {
                batch.newKeys.insert(key.key)
                return .new
            }
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
