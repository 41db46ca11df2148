public import Daybook
import DaybookLMDB

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

extension LogCommits {
    /// Returns the commit that holds the event at `position`; `nil` if there is no such event.
    public func at(_ position: Position) throws(LogError) -> RecordedCommit? {
        try log.people.readingPeople { (transaction) throws(LogError) -> RecordedCommit?? in
            guard position > .origin,
                position.rawValue <= (try log.file.tables.lastPosition(in: transaction))
            else { return .some(nil) }
            let first = try log.file.tables.firstPosition(
                ofCommitAt: position.rawValue, in: transaction)
            guard let found = try recorded(first, in: transaction) else { return nil }
            return .some(found)
        }
    }

    /// Returns the commit that was appended under an idempotency key; `nil` for a new key.
    public func ofKey(_ key: String) throws(LogError) -> RecordedCommit? {
        guard !key.isEmpty, key.utf8.count <= 511 else { return nil }
        try log.requireKeys("idempotency keys are found by the secret of")
        return try log.people.readingPeople { (transaction) throws(LogError) -> RecordedCommit?? in
            guard
                let first = try log.file.tables.firstPosition(
                    ofKeyDigest: log.file.digests.key(key), in: transaction)
            else {
                return .some(nil)
            }
            guard let found = try recorded(first, in: transaction) else { return nil }
            return .some(found)
        }
    }

    /// Returns the position of the newest event recorded up to `time`; `.origin` if there is none.
    public func position(asOf time: Instant) throws(LogError) -> Position {
        let transaction = try log.file.beginReading()
        var low: UInt64 = 0
        var high = try log.file.tables.lastPosition(in: transaction)
        while low < high {
            let middle = low + (high - low + 1) / 2
            if try log.file.tables.header(at: middle, in: transaction).recordedAt <= time {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return Position(low)
    }
}

extension LogCommits {
    /// Returns the commit whose first event is at `first`.
    ///
    /// - Returns: `nil` if the actor's encryption key was overwritten after the transaction began;
    ///   a newer transaction shows whether the actor is erased.
    func recorded(
        _ first: UInt64, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> RecordedCommit? {
        var actors = ActorCache()
        return try recorded(first, in: transaction, &actors)
    }

    /// Returns the commit whose first event is at `first`, with the actor from a cache if possible.
    ///
    /// - Returns: `nil` if the actor's encryption key was overwritten after the transaction began.
    func recorded(
        _ first: UInt64, in transaction: borrowing ReadTransaction, _ actors: inout ActorCache
    ) throws(LogError) -> RecordedCommit? {
        let commit = try log.file.tables.commit(startingAt: first, in: transaction)
        guard let last = commit.lastPosition(startingAt: first) else {
            throw .corrupt(
                table: log.file.tables.commits.name, key: first, commit.invalidEventCount)
        }
        guard let actor = try actors.actor(of: commit, in: log, transaction) else { return nil }
        var metadata = commit.metadata
        if case .named(let name) = actor { metadata.actor = name }
        return RecordedCommit(
            first: Position(first), last: Position(last), recordedAt: commit.recordedAt,
            metadata: metadata, isActorErased: actor == .erased,
            keyDigest: commit.hasKey ? commit.keyDigest : [], chain: commit.chain)
    }
}

/// A cache of the decrypted actors of commits, by person number, for one read.
///
/// Each name is decrypted only once per read. An erasure during the read shows only in the next
/// read.
struct ActorCache {
    /// The number of cached actors at which the cache is emptied.
    private static let capacity = 4_096

    private var actors: [UInt32: CommitActor] = [:]

    /// Returns the actor of a commit; `nil` if the actor's encryption key was overwritten after the
    /// transaction began.
    mutating func actor(
        of commit: CommitRecord, in log: EventLog, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> CommitActor? {
        if let actor = actors[commit.actor] { return actor }
        guard let actor = try log.people.actor(of: commit, in: transaction) else { return nil }
        if actors.count == Self.capacity { actors = [:] }
        actors[commit.actor] = actor
        return actor
    }
}
