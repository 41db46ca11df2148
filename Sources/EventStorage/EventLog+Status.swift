public import CivilTime
public import EventSourcing
import LMDB

/// What a log holds, in numbers.
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
    public var indexedThrough: Position
    public var tags: Int
    public var keys: Int
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
        let broken = try transaction.scan(tables.kinds) {
            (row: UInt64, value) throws(LogError) in
            do throws(CorruptRecord) {
                let kind = try names.kind(UInt16(truncatingIfNeeded: row))
                let position: UInt64 = value.byteCount == 8 ? value.integer(at: 0) : 0
                kinds.append((kind, Position(position)))
            } catch {
                throw .corrupt(table: "kinds", key: row, error)
            }
            return true
        }
        if let broken { throw .storage(broken) }
        do throws(LMDBError) {
            return LogStatus(
                id: id, events: try transaction.lastKey(of: tables.events) ?? 0,
                commits: try transaction.count(of: tables.commits),
                head: last?.chain ?? Array(repeating: 0, count: 32),
                recordedAt: last?.recordedAt, fileBytes: environment.usedBytes,
                mapBytes: environment.mapSize,
                indexedThrough: try indexedPosition(transaction),
                tags: try transaction.count(of: tables.tags),
                keys: try transaction.count(of: tables.keys),
                personalTexts: try transaction.count(of: tables.personal),
                snapshots: try transaction.count(of: tables.snapshots),
                kinds: kinds.sorted { $0.kind < $1.kind })
        } catch {
            throw .storage(error)
        }
    }

    private func indexedPosition(
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> Position {
        let key = Meta.indexedThrough
        guard let bytes = try transaction.bytes(for: key.rawSpan, in: tables.meta),
            bytes.byteCount == 8
        else { return .origin }
        return Position(bytes.integer(at: 0))
    }
}
