public import Daybook

/// A commit, as tools show it.
public struct RecordedCommit: Hashable, Sendable {
    public var first: Position
    public var last: Position
    public var recordedAt: Instant
    public var metadata: CommitMetadata
    /// True where somebody gave it whose name is erased.
    public var isActorErased: Bool
    /// HMAC-SHA256 of the idempotency key under the log's secret; empty where it had none.
    public var keyDigest: [UInt8]
    /// SHA-256 over this commit and all before it.
    public var chain: [UInt8]
}

/// The commits of a log.
///
///     let actor = try log.commits.at(event.position)?.metadata.actor
public struct LogCommits: Sendable {
    let log: EventLog
}

extension EventLog {
    /// The commits of the log, found by position, key or time.
    public var commits: LogCommits { LogCommits(log: self) }
}

extension LogCommits {
    /// The commit that holds the event at `position`; `nil` where there is none.
    public func at(_ position: Position) throws(LogError) -> RecordedCommit? {
        try log.readingPeople { (transaction) throws(LogError) -> RecordedCommit?? in
            guard position > .origin, position.rawValue <= (try log.lastPosition(in: transaction))
            else { return .some(nil) }
            let first = try log.firstPosition(ofCommitAt: position.rawValue, in: transaction)
            return try log.recorded(first, in: transaction)
        }
    }

    /// The commit that was appended under an idempotency key; `nil` where there is none.
    public func ofKey(_ key: String) throws(LogError) -> RecordedCommit? {
        guard !key.isEmpty, key.utf8.count <= 511 else { return nil }
        return try log.readingPeople { (transaction) throws(LogError) -> RecordedCommit?? in
            guard let first = try log.firstPosition(ofKey: key, in: transaction) else {
                return .some(nil)
            }
            return try log.recorded(first, in: transaction)
        }
    }

    /// The newest position recorded at or before `time`: the log as it was known then.
    public func position(asOf time: Instant) throws(LogError) -> Position {
        let transaction = try log.beginReading()
        var low: UInt64 = 0
        var high = try log.lastPosition(in: transaction)
        while low < high {
            let middle = low + (high - low + 1) / 2
            if try log.header(at: middle, in: transaction).recordedAt <= time {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return Position(low)
    }
}
