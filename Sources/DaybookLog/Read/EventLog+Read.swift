public import Daybook
public import DaybookLMDB

extension EventLog {
    /// The maximum number of positions that one transaction of a scan reads.
    @usableFromInline var positionsPerTransaction: UInt64 { 65_536 }

    /// Scans the log and calls `body` with each stored event after a position, until it returns
    /// `false`.
    ///
    /// - Parameter body: gets the position, the header and the stored event.
    @inlinable
    func scan(
        after: Position = .origin,
        _ body: (UInt64, EventHeader, RawSpan) throws(LogError) -> Bool
    ) throws(LogError) {
        var transaction = try beginReading()
        let head = try tables.lastPosition(in: transaction)
        guard after.rawValue < head else { return }
        let opener = EventOpener(self)
        var read = ReadCounter(self)
        var first = after.rawValue + 1
        do throws(LogError) {
            while true {
                let last =
                    head - first < positionsPerTransaction
                    ? head : first + positionsPerTransaction - 1
                var goesOn = true
                try tables.scanEvents(first...last, in: transaction) {
                    (position, bytes) throws(LogError) in
                    let header: EventHeader
                    do throws(CorruptRecord) {
                        header = try EventHeader(decoding: bytes)
                    } catch {
                        throw .corrupt(table: "events", key: position, error)
                    }
                    goesOn =
                        header.parts == 0
                        ? try body(position, header, bytes)
                        : try opener.withRestored(position, header, bytes, in: transaction, body)
                    return goesOn
                }
                read.add(last - first + 1)
                guard goesOn, last < head else { return }
                first = last + 1
                transaction = try renew(transaction)
            }
        } catch {
            read.fail(error)
            throw error
        }
    }

    /// Returns the commit whose first event is at `first`.
    ///
    /// - Returns: `nil` if the actor's encryption key was overwritten after the transaction began;
    ///   a newer transaction shows whether the actor is erased.
    func recordedCommit(
        _ first: UInt64, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> RecordedCommit? {
        var actors = ActorCache()
        return try recordedCommit(first, in: transaction, &actors)
    }

    /// Returns the commit whose first event is at `first`, with the actor from a cache if possible.
    ///
    /// - Returns: `nil` if the actor's encryption key was overwritten after the transaction began.
    func recordedCommit(
        _ first: UInt64, in transaction: borrowing ReadTransaction, _ actors: inout ActorCache
    ) throws(LogError) -> RecordedCommit? {
        let commit = try tables.commit(startingAt: first, in: transaction)
        guard let last = commit.lastPosition(startingAt: first) else {
            throw .corrupt(table: tables.commits.name, key: first, commit.invalidEventCount)
        }
        guard let actor = try actors.actor(of: commit, in: self, transaction) else { return nil }
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
