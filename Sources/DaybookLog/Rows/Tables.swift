public import DaybookLMDB

/// A table of the log, with the table number that the checksums of its rows cover.
@usableFromInline
struct LogTable: Sendable {
    @usableFromInline let table: Table
    /// The table's number in the format, from 1, over which each row's checksum is computed.
    @usableFromInline let number: UInt64

    var name: String { table.name }
}

/// The tables of a log; `docs/format.md` describes their keys and values.
@usableFromInline
final class Tables: Sendable {
    /// The format version, id, secret and counters of the log, by row name.
    let meta: LogTable
    /// Stored events, by position.
    @usableFromInline let events: LogTable
    /// Commits, by the position of their first event.
    let commits: LogTable
    /// The position of the newest event with each tag.
    let tags: LogTable
    /// The position of the newest event of each kind, by the event kind's row in `names`.
    let kinds: LogTable
    /// Event kinds and time zones, by the row number with which events refer to them.
    let names: LogTable
    /// Snapshots: stored states of entities, by projection, entity and position.
    let snapshots: LogTable
    /// The position up to which snapshots of each projection were taken.
    let checkpoints: LogTable
    /// The positions of the events with each tag and of each kind, in blocks.
    let index: LogTable
    /// Encrypted personal texts and integers, by event position and field number.
    let texts: LogTable
    /// Encrypted names of people and the slots of their encryption keys, by person number.
    let people: LogTable
    /// Person numbers, by a digest of the person's name.
    let peopleByDigest: LogTable
    /// First positions of commits, by a digest of the idempotency key.
    let keysByDigest: LogTable
    /// Encryption keys of people, in blocks of slots that an erasure overwrites in place.
    let vault: LogTable
    /// Hashes of the tree over the commits, in tiles.
    let tree: LogTable
    /// The name, number and LMDB layout of each table, in the order of the numbers.
    ///
    /// Numbers that are missing here belonged to tables of formats before 3.
    static let layouts: [(name: String, number: UInt64, layout: Table.Layout)] = [
        ("meta", 1, .bytes), ("events", 2, .records), ("commits", 3, .records),
        ("tags", 5, .bytes), ("kinds", 6, .integers), ("names", 7, .integers),
        ("snapshots", 9, .bytes), ("checkpoints", 10, .bytes), ("index", 11, .bytes),
        ("texts", 12, .bytes), ("people", 13, .integers), ("peopleByDigest", 14, .bytes),
        ("keysByDigest", 15, .bytes), ("vault", 16, .integers),
        ("tree", 18, .integers),
    ]

    /// Creates table handles for reading, without opening any table.
    convenience init() {
        self.init(Self.layouts.map { Table(reading: $0.name, $0.layout) })
    }

    /// Opens the tables for writing, and creates missing ones.
    ///
    /// - Parameter rows: the rows to write first into a new log; empty for an existing log.
    convenience init(
        in environment: Environment, rows: [(table: String, key: [UInt8], value: [UInt8])]
    ) throws(LogError) {
        self.init(
            try Self.opening(environment) { () throws(LMDBError) in
                try environment.open(Self.layouts.map { ($0.name, $0.layout) }, rows: rows)
            })
    }

    /// Calls `body`, which opens a file; throws `.notALog` for the file of another program.
    static func opening<Result: ~Copyable>(
        _ environment: Environment, _ body: () throws(LMDBError) -> Result
    ) throws(LogError) -> Result {
        do throws(LMDBError) {
            return try body()
        } catch .incompatible {
            throw .notALog(path: environment.path)
        } catch {
            throw .storage(error)
        }
    }

    private init(_ tables: [Table]) {
        let tables = zip(tables, Self.layouts).map { table, layout in
            LogTable(table: table, number: layout.number)
        }
        meta = tables[0]
        events = tables[1]
        commits = tables[2]
        tags = tables[3]
        kinds = tables[4]
        names = tables[5]
        snapshots = tables[6]
        checkpoints = tables[7]
        index = tables[8]
        texts = tables[9]
        people = tables[10]
        peopleByDigest = tables[11]
        keysByDigest = tables[12]
        vault = tables[13]
        tree = tables[14]
    }
}
