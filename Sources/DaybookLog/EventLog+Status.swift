public import Daybook
import DaybookLMDB

/// The contents of a log, in numbers.
public struct LogStatus: Hashable, Sendable {
    public var id: String
    public var events: UInt64
    public var commits: Int
    /// The chain value of the newest commit; 32 zero bytes in an empty log.
    public var head: [UInt8]
    public var recordedAt: Instant?
    /// Bytes of the file in use.
    public var fileBytes: Int
    public var mapBytes: Int
    /// Bytes of pages that are free: `compact` gives them back.
    public var freeBytes: Int
    /// The version of the file's format.
    public var formatVersion: UInt32
    public var indexedThrough: Position
    public var tags: Int
    public var keys: Int
    /// People that commits or texts name, and who are not erased.
    public var people: Int
    /// Erased ones included.
    public var personalTexts: Int
    public var snapshots: Int
    /// The newest position of each kind, by name.
    public var kinds: [(kind: EventKind, last: Position)]

    public static func == (a: LogStatus, b: LogStatus) -> Bool {
        a.id == b.id && a.events == b.events && a.head == b.head
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(head)
    }
}

extension EventLog {
    /// Counts, sizes and the head of the chain; reads no events.
    public func status() throws(LogError) -> LogStatus {
        let transaction = try beginReading()
        let names = try names(in: transaction)
        let last = try lastCommit(in: transaction)
        var kinds: [(kind: EventKind, last: Position)] = []
        try transaction.scanRows(tables.kinds) { (row: UInt64, value) throws(LogError) in
            do throws(CorruptRecord) {
                guard value.byteCount == 8 else {
                    throw CorruptRecord.size("position", value.byteCount, expected: 8)
                }
                let kind = try names.kind(UInt16(truncatingIfNeeded: row))
                kinds.append((kind, Position(value.integer(at: 0))))
            } catch {
                throw .corrupt(table: tables.kinds.name, key: row, error)
            }
            return true
        }
        let indexed = try indexedThrough(in: transaction)
        let head = try lastPosition(in: transaction)
        return try mappingStorageErrors(
            LogStatus(
                id: id, events: head,
                commits: try transaction.count(of: tables.commits.table),
                head: last?.chain ?? Array(repeating: 0, count: 32),
                recordedAt: last?.recordedAt, fileBytes: environment.usedBytes,
                mapBytes: environment.mapSize, freeBytes: try transaction.pages.freeBytes(),
                formatVersion: Self.formatVersion,
                indexedThrough: Position(indexed),
                tags: try transaction.count(of: tables.tags.table),
                keys: try transaction.count(of: tables.keysByDigest.table),
                people: try transaction.count(of: tables.peopleByDigest.table),
                personalTexts: try transaction.count(of: tables.texts.table),
                snapshots: try transaction.count(of: tables.snapshots.table),
                kinds: kinds.sorted { $0.kind < $1.kind }))
    }
}
