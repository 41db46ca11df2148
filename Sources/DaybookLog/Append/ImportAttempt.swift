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
        try states(of: [key])[0]
    }

    mutating func states(of keys: [CommandKey]) throws(AppendError) -> [CommandKey.State] {
        guard !keys.isEmpty else { return [] }
        // Each row has a key and is looked up first, so this counts every row once per attempt.
        log.file.activity.add(keys.count, .rowsDecided)
        // Before the first event no commit has a key; the append looks for later ones.
        guard try batch.head > .origin else {
            batch.addNewKeys(keys.lazy.map(\.key))
            return Array(repeating: .new, count: keys.count)
        }
        let states = try AppendError.mappingLogErrors(try storedStates(of: keys))
        batch.addNewKeys(zip(keys, states).compactMap { $1 == .new ? $0.key : nil })
        return states
    }

    /// Returns the state of each idempotency key in the log, in one transaction.
    private func storedStates(of keys: [CommandKey]) throws(LogError) -> [CommandKey.State] {
        try log.people.readingPeople { (transaction) throws(LogError) -> [CommandKey.State]? in
            var states: [CommandKey.State] = []
            states.reserveCapacity(keys.count)
            for key in keys {
                let digest = log.file.digests.key(key.key)
                guard let found = try EarlierCommit.find(key, digest, in: log, transaction) else {
                    return nil
                }
                states.append(found.map { $0.isSameRequest ? .known : .reused } ?? .new)
            }
            return states
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
