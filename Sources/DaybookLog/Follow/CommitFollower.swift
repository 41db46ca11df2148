public import Daybook

/// A commit that a follower has reached, with its events.
public struct FollowedCommit: Hashable, Sendable {
    /// The commit, with its actor and its chain value.
    ///
    /// Store its `head` with the results that you made of the events, and follow after it later.
    public var commit: RecordedCommit
    /// The events of the commit that match the query and come after the start, as recorded.
    public var events: [RecordedEvent]
}

/// The commits of a log, first those that are recorded, then each as soon as it is on disk.
///
///     for try await next in log.commits.follow(after: head) {
///         try store.apply(next.events, at: next.commit.head)
///     }
///
/// Like `EventFollower`, but for whole commits. A program that stores the head of its last
/// processed commit with its results can follow after that head, which proves that no commit was
/// skipped, removed or rewritten.
public struct CommitFollower: AsyncSequence, Sendable {
    public typealias Element = FollowedCommit
    public typealias Failure = LogError

    /// The log that is followed.
    public let log: EventLog
    /// The query that selects the events; commits without such events are left out.
    public let query: Query
    let start: FollowStart

    public func makeAsyncIterator() -> Iterator {
        Iterator(cursor: FollowCursor(log, start), query: query)
    }

    /// The iterator over the commits.
    public struct Iterator: AsyncIteratorProtocol {
        let cursor: FollowCursor
        let query: Query
        /// The commits of the last read that were not returned yet, the newest first.
        private var rest: [FollowedCommit] = []

        init(cursor: FollowCursor, query: Query) {
            self.cursor = cursor
            self.query = query
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(LogError) -> FollowedCommit? {
            if rest.isEmpty {
                let read = try await cursor.next {
                    [query] (log, after, newest) throws(LogError) in
                    try log.commits.readOn(query, after: after, newest: newest)
                }
                rest = read?.reversed() ?? []
            }
            return Task.isCancelled ? nil : rest.popLast()
        }
    }
}

extension LogCommits {
    /// Follows the log: returns the commits after a position, and then each that is made.
    ///
    /// The sequence throws `.beyondEnd` if the log ends before the position.
    ///
    /// - Parameters:
    ///   - position: the last position to leave out. If it lies within a commit, this commit comes
    ///     first, with its later events.
    ///   - mayBeAhead: `true` to wait until the log reaches the position instead.
    public func follow(
        after position: Position = .origin, matching query: Query = .all,
        mayBeAhead: Bool = false
    ) -> CommitFollower {
        CommitFollower(log: log, query: query, start: .position(position, mayBeAhead: mayBeAhead))
    }

    /// Follows the log after a head, which the log must contain.
    ///
    /// The sequence throws `.headMissing` if it does not: events were removed or rewritten since
    /// the head was noted, or this is another log.
    @_disfavoredOverload
    public func follow(after head: Head, matching query: Query = .all) -> CommitFollower {
        CommitFollower(log: log, query: query, start: .head(head))
    }

    /// Reads the next commits with events that match a query, as many as one read may return.
    fileprivate func readOn(
        _ query: Query, after: Position, newest: Position
    ) throws(LogError) -> FollowCursor.Read<[FollowedCommit]> {
        guard after < newest else { return .init(through: after) }
        var last = min(newest.rawValue, after.rawValue + FollowCursor.longestRead)
        // A commit is not divided.
        if let commit = try at(Position(last)) { last = commit.last.rawValue }
        var commits: [FollowedCommit] = []
        var byteCount = 0
        let window = ReadWindow(after: after, through: Position(last))
        try log.reader(query, window).forEachInFull { (event, commit, _) in
            if commits.last?.commit.first == commit.first {
                commits[commits.count - 1].events.append(event)
            } else {
                guard byteCount < FollowCursor.largestRead else {
                    last = commits.last?.commit.last.rawValue ?? last
                    return false
                }
                commits.append(FollowedCommit(commit: commit, events: [event]))
            }
            byteCount += event.payload.count
            return true
        }
        return .init(
            answer: commits.isEmpty ? nil : commits, through: Position(last),
            eventCount: commits.reduce(0) { $0 + $1.events.count })
    }
}
