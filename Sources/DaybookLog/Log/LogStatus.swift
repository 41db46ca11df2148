package import Daybook
import DaybookLMDB

/// The row counts and file sizes of a log.
package struct LogStatus: Hashable, Sendable {
    /// The log's id as 32 hexadecimal digits.
    public var id: String
    /// The number of events, which is also the position of the newest event.
    public var events: UInt64
    /// The number of commits.
    public var commits: Int
    /// The chain value of the newest commit; 32 zero bytes in an empty log.
    public var head: [UInt8]
    /// The recording time of the newest commit; `nil` for an empty log.
    public var recordedAt: Instant?
    /// The number of bytes in the file's pages, used or free.
    public var fileBytes: Int
    /// The size of the memory map in bytes, up to which the file can grow without a larger map.
    public var mapBytes: Int
    /// The number of bytes in free pages, which `compact` gives back to the file system.
    public var freeBytes: Int
    /// The version of the file format.
    public var formatVersion: UInt32
    /// The position of the last event that the index covers.
    public var indexedThrough: Position
    /// The number of distinct tags of all events.
    public var tags: Int
    /// The number of commits that were appended under an idempotency key.
    public var keys: Int
    /// The number of people whom a lookup by name finds; erased and lost people do not count.
    public var people: Int
    /// The number of personal texts, including erased ones.
    public var personalTexts: Int
    /// The number of stored snapshots.
    public var snapshots: Int
    /// Each event kind with the position of its newest event, in the order of kinds.
    public var kinds: [(kind: EventKind, last: Position)]
    /// The reader of the oldest state; `nil` if nobody reads an earlier state than the newest.
    public var oldestReader: OldestReader?

    /// A process that reads an earlier state of the log, whose pages nobody can use again meanwhile.
    public struct OldestReader: Hashable, Sendable {
        /// The id of the process, in its own namespace.
        public var processID: Int32
        /// The name of its command; `nil` if the system does not know the process.
        public var commandName: String?
        /// The number of commits to the file since the state that it reads.
        public var commitsBehind: UInt64
        /// The number of bytes in free pages that are kept for it.
        public var keptBytes: Int
    }

    public static func == (a: LogStatus, b: LogStatus) -> Bool {
        a.id == b.id && a.events == b.events && a.head == b.head
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(head)
    }
}

extension LogFile {
    /// Returns counts, sizes and the newest chain value, without reading events.
    package func status() throws(LogError) -> LogStatus {
        let transaction = try beginReading()
        let names = try names(in: transaction)
        let last = try tables.lastCommit(in: transaction)
        var kinds: [(kind: EventKind, last: Position)] = []
        try transaction.scanRows(tables.kinds) { (row: UInt64, value) throws(LogError) in
            guard value.byteCount == 8 else {
                throw .corrupt(
                    table: tables.kinds.name, key: row,
                    .size("position", value.byteCount, expected: 8))
            }
            let name = UInt16(truncatingIfNeeded: row)
            guard let kind = names.knownKind(name) else {
                throw .corrupt(table: tables.kinds.name, key: row, .unknownName(name))
            }
            kinds.append((kind, Position(value.integer(at: 0))))
            return true
        }
        let indexed = try tables.indexedThrough(in: transaction)
        let head = try tables.lastPosition(in: transaction)
        let (freeBytes, oldestReader) = try mappingStorageErrors(
            (try transaction.pages.freeBytes(), try oldestReader(in: transaction)))
        return LogStatus(
            id: id, events: head,
            commits: try transaction.count(of: tables.commits),
            head: last?.chain ?? Array(repeating: 0, count: 32),
            recordedAt: last?.recordedAt, fileBytes: environment.usedBytes,
            mapBytes: environment.mapSize,
            freeBytes: freeBytes,
            formatVersion: Meta.formatVersion,
            indexedThrough: Position(indexed),
            tags: try transaction.count(of: tables.tags),
            keys: try transaction.count(of: tables.keysByDigest),
            people: try transaction.count(of: tables.peopleByDigest),
            personalTexts: try transaction.count(of: tables.texts),
            snapshots: try transaction.count(of: tables.snapshots),
            kinds: kinds.sorted { $0.kind < $1.kind },
            oldestReader: oldestReader)
    }

    /// Returns the reader of the oldest state before that of a transaction; `nil` if there is none.
    private func oldestReader(
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> LogStatus.OldestReader? {
        let newest = transaction.pages.transaction
        guard let reader = environment.activeReaders().min(by: { $0.state < $1.state }),
            reader.state < newest
        else { return nil }
        return LogStatus.OldestReader(
            processID: reader.processID, commandName: environment.commandName(of: reader),
            commitsBehind: newest - reader.state,
            keptBytes: try transaction.pages.bytesKept(for: reader.state))
    }
}

extension LogFile {
    /// Returns the lead of the newest commit over the log's clock; `nil` if it is at most a day.
    package func clockLead() throws(LogError) -> ClockLead? {
        let transaction = try beginReading()
        guard let last = try tables.lastCommit(in: transaction) else { return nil }
        return ClockLead(recordedAt: last.recordedAt, now: clock())
    }

    /// The longest time for which other writers had to wait for one write of this process.
    package var longestWrite: Duration { environment.longestWrite }

    /// Returns a number that the number of entities does not exceed, without reading events.
    package func entityLimit() throws(LogError) -> Int {
        let transaction = try beginReading()
        return try transaction.count(of: tables.tags)
    }

    /// Returns a number that the number of events that match a query does not exceed, without
    /// reading events.
    package func matchLimit(of query: Query) throws(LogError) -> Int {
        let transaction = try beginReading()
        let head = try tables.lastPosition(in: transaction)
        let names = try names(in: transaction)
        guard let items = names.allVersions(of: query).items else {
            return Int(clamping: head)
        }
        // The events after the index may all match.
        var limit = head - min(head, try tables.indexedThrough(in: transaction))
        for item in items where limit < head {
            limit += min(
                head - limit, try tables.indexedLimit(of: item, names, in: transaction) ?? head)
        }
        return Int(clamping: limit)
    }
}

extension LogStatus {
    /// The newest commit's last position and chain value.
    public var chainHead: Head { Head(unchecked: Position(events), head) }
}
