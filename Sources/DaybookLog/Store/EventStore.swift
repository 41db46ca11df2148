package import Daybook

/// The place of a log's commits if its file is only a replica, such as a database.
///
/// A store takes commits as rows of `docs/format.md`, made for the end of the log that a replica
/// knows, and returns commits. Queries are answered by an `EventLog` over a replica. Safe to use
/// from any thread.
package protocol EventStore: AnyObject, Sendable {
    /// The log's id, 16 bytes.
    var logID: [UInt8] { get }

    /// The name of the store in messages, without any password.
    var name: String { get }

    /// Returns the end of the log.
    func end() throws(LogError) -> StoreEnd

    /// Appends commits, or the first groups of them, if the log still ends where they were made
    /// for.
    ///
    /// When the call returns `.appended`, the commits are as durable as the store makes them. Ends
    /// the lock of `lock`, also by an error.
    ///
    /// - Throws: `.unknown` if the answer was lost, so that the commits may be written or not; ask
    ///   `outcomes`.
    func append(_ batch: StoreBatch) throws(LogError) -> StoreAnswer

    /// Takes the log's lock for the next `append` of the calling thread, which then cannot lose to
    /// another writer.
    ///
    /// The store ends a lock that is held for a second without an append.
    ///
    /// - Returns: the log's end, which stays until the append, and the commits after a head as
    ///   `segment` gives them, up to that end; `nil` if the log ends with this head.
    func lock(after head: Head) throws(LogError) -> (end: StoreEnd, segment: [UInt8]?)

    /// Ends the lock of `lock` without an append.
    func unlock()

    /// Returns the outcomes of the requests of an `append` whose answer was lost.
    ///
    /// - Parameter digests: `StoreBatch.Commit.digest` of each request.
    /// - Returns: the log's end, and the first position of each request's commit; `nil` if it is
    ///   not written. At the same end for which the commits were made, the lost append may still
    ///   arrive.
    func outcomes(
        of digests: [[UInt8]]
    ) throws(LogError) -> (end: StoreEnd, firsts: [UInt64?])

    /// Returns the commits after a head as a segment of `docs/format.md`; `nil` if there is none.
    ///
    /// The segment is part 0 of a shipment of its own, with the people and texts that its commits
    /// or later ones changed.
    ///
    /// - Parameter most: the number of events after which the segment ends with a commit.
    /// - Throws: `.parted` if the log has no commit that ends with this head; `.restored` if the
    ///   log ends before it.
    func segment(after head: Head, most: Int) throws(LogError) -> [UInt8]?

    /// Waits until the log grows past `position`, or `duration` passes.
    ///
    /// - Returns: false if the time ended first.
    func wait(after position: Position, atMost duration: Duration) throws(LogError) -> Bool

    /// Returns the log's secret and the encryption keys of its people.
    ///
    /// - Parameter block: the number of the first row of `vault` that is returned, from 0.
    /// - Throws: `.keys` for a store that was opened without them.
    func keys(fromBlock block: UInt64) throws(LogError) -> StoreKeys
}

/// The end of a stored log: all values that the rows of further commits depend on.
package struct StoreEnd: Hashable, Sendable {
    /// The position and chain value of the newest commit.
    package var head: Head
    /// The recording time of the newest commit; `nil` for an empty log.
    package var recordedAt: Instant?
    /// The row number of the next event kind or time zone in the table `names`.
    package var nextName: UInt32
    /// The number of the next person.
    package var nextPerson: UInt64
    /// The next key slot of the table `vault`.
    package var nextSlot: UInt64
    /// The epoch whose key encrypts new blocks of keys.
    package var epoch: Int32
    /// The store's clock when it answered.
    package var clock: Instant

    package init(
        head: Head, recordedAt: Instant?, nextName: UInt32, nextPerson: UInt64, nextSlot: UInt64,
        epoch: Int32, clock: Instant
    ) {
        self.head = head
        self.recordedAt = recordedAt
        self.nextName = nextName
        self.nextPerson = nextPerson
        self.nextSlot = nextSlot
        self.epoch = epoch
        self.clock = clock
    }

    /// True if commits for one end fit the other: all values but the clocks are equal.
    package func isSame(as other: StoreEnd) -> Bool {
        var other = other
        other.clock = clock
        return self == other
    }
}

/// Commits to append, as the rows that a log stores, with their checksums.
package struct StoreBatch: Sendable {
    /// The end of the log for which the rows were made.
    package var end: StoreEnd
    /// The commits, in order.
    package var commits: [Commit] = []
    /// The rows of the commits' events, in order.
    package var events: [[UInt8]] = []
    /// The rows of new names, from `end.nextName` on.
    package var names: [[UInt8]] = []
    /// The new and changed rows of people, in the order of their commits.
    package var people: [Person] = []
    /// The new rows of `texts`.
    package var texts: [Text] = []
    /// New blocks of people's keys in clear, in the order of their first slots.
    package var blocks: [[UInt8]] = []
    /// The query items of which no event may have been appended.
    package var conditions: [Condition] = []

    package init(for end: StoreEnd) {
        self.end = end
    }

    /// A commit of a batch.
    package struct Commit: Sendable {
        /// The commits of a group are written together or not at all; groups are numbered in order.
        package var group: Int32
        /// The row of `commits`.
        package var row: [UInt8]
        /// The number of its events.
        package var eventCount: Int
        /// The first 16 bytes of the digest of the idempotency key, or 16 random bytes for a commit
        /// without a key; `outcomes` finds the commit by it.
        package var digest: [UInt8]

        package init(group: Int32, row: [UInt8], eventCount: Int, digest: [UInt8]) {
            self.group = group
            self.row = row
            self.eventCount = eventCount
            self.digest = digest
        }
    }

    /// The row of a person that a batch adds or changes.
    package struct Person: Sendable {
        /// The index of the commit in `StoreBatch.commits` that changes the row.
        package var commit: Int
        package var number: UInt32
        /// The checksum, 8 bytes, of the row that this row replaces; empty for a new person.
        package var replaced: [UInt8]
        package var row: [UInt8]

        package init(commit: Int, number: UInt32, replaced: [UInt8], row: [UInt8]) {
            self.commit = commit
            self.number = number
            self.replaced = replaced
            self.row = row
        }
    }

    /// An encrypted personal text.
    package struct Text: Sendable {
        /// The position of its event.
        package var position: UInt64
        /// The number of the field in its event, or 4,294,967,295 for the event's integers.
        package var field: UInt32
        package var row: [UInt8]

        package init(position: UInt64, field: UInt32, row: [UInt8]) {
            self.position = position
            self.field = field
            self.row = row
        }
    }

    /// A query item that no event after a position may match.
    package struct Condition: Sendable {
        /// The group whose commits are not written if an event matches.
        package var group: Int32
        package var after: UInt64
        /// The row numbers of the kinds, of which an event has one; empty for any kind.
        package var kinds: [UInt16]
        /// The tags in form C, as UTF-8, of which an event has all; empty for any tags.
        package var tags: [[UInt8]]

        package init(group: Int32, after: UInt64, kinds: [UInt16], tags: [[UInt8]]) {
            self.group = group
            self.after = after
            self.kinds = kinds
            self.tags = tags
        }
    }
}

/// The answer to a batch.
package struct StoreAnswer: Sendable {
    package enum Result: Hashable, Sendable {
        /// All commits were written, or those before the first one with another outcome than
        /// `.written`.
        case appended
        /// The log has another end than the batch was made for; nothing was written.
        case moved
        /// The recording times go back, or are more than a second off the store's clock; nothing
        /// was written.
        case clock
        /// A condition without tags reaches back further than the store looks; nothing was written.
        case behind
    }

    /// The outcome of one commit.
    package enum Outcome: Hashable, Sendable {
        /// The commit was written, and begins at this position.
        case written(UInt64)
        /// An earlier commit, which begins at this position, has the digest.
        case repeated(UInt64)
        /// The event at this position matches a condition.
        case forbidden(UInt64)
        /// The commit was not written, and must be made again for the new end.
        case unwritten
    }

    package var result: Result
    /// The log's end after the append.
    package var end: StoreEnd
    /// The outcome of each commit of the batch.
    package var outcomes: [Outcome]

    package init(_ result: Result, end: StoreEnd, outcomes: [Outcome]) {
        self.result = result
        self.end = end
        self.outcomes = outcomes
    }
}

/// The log's secret and the encryption keys of its people, as a file stores them.
package struct StoreKeys: Sendable {
    /// The secret, 32 bytes.
    package var secret: [UInt8]
    /// Rows of the table `vault`, in order; erased slots are zero.
    package var blocks: [[UInt8]]

    package init(secret: [UInt8], blocks: [[UInt8]]) {
        self.secret = secret
        self.blocks = blocks
    }
}
