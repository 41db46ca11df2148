public import Daybook

/// A commit as read from the log, with its positions, recording time and metadata.
public struct RecordedCommit: Hashable, Sendable {
    /// The position of the commit's first event.
    public var first: Position
    /// The position of the commit's last event.
    public var last: Position
    /// The time at which the commit was recorded, by the log's clock.
    public var recordedAt: Instant
    /// The actor, device, correlation and causation; the actor is empty if not given or erased.
    public var metadata: CommitMetadata
    /// True if the commit had an actor whose name was erased or was lost through damage.
    public var isActorErased: Bool
    /// HMAC-SHA256 of the idempotency key under the log's secret, 32 bytes; empty for a commit
    /// without such a key.
    public var keyDigest: [UInt8]
    /// The chain value: SHA-256 over this commit and all earlier commits, 32 bytes.
    public var chain: [UInt8]

    /// The position and the chain value at the end of the commit.
    public var head: Head { Head(unchecked: last, chain) }
}

/// Access to the commits of a log.
///
///     let actor = try log.commits.at(event.position)?.metadata.actor
public struct LogCommits: Sendable {
    let log: EventLog
}

extension EventLog {
    /// Access to the commits of the log by position, idempotency key or time.
    public var commits: LogCommits { LogCommits(log: self) }
}

extension LogCommits {
    /// Returns the commit that holds the event at `position`; `nil` if there is no such event.
    public func at(_ position: Position) throws(LogError) -> RecordedCommit? {
        try log.people.readingPeople { (transaction) throws(LogError) -> RecordedCommit?? in
            guard position > .origin,
                position.rawValue <= (try log.tables.lastPosition(in: transaction))
            else { return .some(nil) }
            let first = try log.tables.firstPosition(ofCommitAt: position.rawValue, in: transaction)
            guard let found = try log.recordedCommit(first, in: transaction) else { return nil }
            return .some(found)
        }
    }

    /// Returns the commit that was appended under an idempotency key; `nil` for a new key.
    public func ofKey(_ key: String) throws(LogError) -> RecordedCommit? {
        guard !key.isEmpty, key.utf8.count <= 511 else { return nil }
        try log.requireKeys("idempotency keys are found by the secret of")
        return try log.people.readingPeople { (transaction) throws(LogError) -> RecordedCommit?? in
            guard
                let first = try log.tables.firstPosition(
                    ofKeyDigest: log.digests.key(key), in: transaction)
            else {
                return .some(nil)
            }
            guard let found = try log.recordedCommit(first, in: transaction) else { return nil }
            return .some(found)
        }
    }

    /// Returns the position of the newest event recorded up to `time`; `.origin` if there is none.
    public func position(asOf time: Instant) throws(LogError) -> Position {
        let transaction = try log.beginReading()
        var low: UInt64 = 0
        var high = try log.tables.lastPosition(in: transaction)
        while low < high {
            let middle = low + (high - low + 1) / 2
            if try log.tables.header(at: middle, in: transaction).recordedAt <= time {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return Position(low)
    }
}
