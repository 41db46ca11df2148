public import Daybook

/// The events of a log, first those that are recorded, then each as soon as it is committed.
///
///     for try await event in log.follow(after: position) { … }
///
/// Events of this and of other processes arrive in the order of their positions, none is skipped
/// and none comes twice. The sequence has no end: it ends when its task is cancelled, or with an
/// error if the log is damaged, removed or replaced. No transaction is open while the caller has
/// an event, however long that is, and no thread of Swift's pool is blocked.
///
/// A kind in the query matches all schema versions of the kind. Events are returned as recorded,
/// without upcasting; a `DecodedFollower` returns them as values of an event set.
public struct EventFollower: AsyncSequence, Sendable {
    public typealias Element = RecordedEvent
    public typealias Failure = LogError

    /// The log that is followed.
    public let log: EventLog
    /// The query that selects the events.
    public let query: Query
    let start: FollowStart

    /// The same events, several at once if there are several.
    public var batches: Batches { Batches(follower: self) }

    public func makeAsyncIterator() -> Iterator { Iterator(batches: batches.makeAsyncIterator()) }

    /// The iterator over the events.
    public struct Iterator: AsyncIteratorProtocol {
        var batches: Batches.Iterator
        /// The events of the last batch that were not returned yet, the newest first.
        private var rest: [RecordedEvent] = []

        init(batches: Batches.Iterator) { self.batches = batches }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(LogError) -> RecordedEvent? {
            if rest.isEmpty {
                rest = try await batches.next(isolation: actor)?.reversed() ?? []
            }
            return Task.isCancelled ? nil : rest.popLast()
        }
    }

    /// The events of a follower, as many at once as are recorded when they are read.
    ///
    /// A batch has at least one event, and at most some thousand or some megabyte of payloads. It
    /// may begin and end within a commit. A program that writes on what it reads, such as a table
    /// of its own, should do so once for each batch.
    public struct Batches: AsyncSequence, Sendable {
        public typealias Element = [RecordedEvent]
        public typealias Failure = LogError

        let follower: EventFollower

        public func makeAsyncIterator() -> Iterator {
            Iterator(
                cursor: FollowCursor(follower.log, follower.start), query: follower.query)
        }

        /// The iterator over the batches.
        public struct Iterator: AsyncIteratorProtocol {
            let cursor: FollowCursor
            let query: Query

            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(LogError) -> [RecordedEvent]? {
                try await cursor.next { [query] (log, after, newest) throws(LogError) in
                    try .events(matching: query, of: log, after: after, newest: newest) {
                        (event, _) in event
                    }
                }
            }
        }
    }
}
