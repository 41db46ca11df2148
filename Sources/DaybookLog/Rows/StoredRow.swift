import Daybook
import DaybookLMDB

/// A row of a table, which is decoded from its bytes alone.
@usableFromInline
protocol StoredRow {
    /// The name of the table with the rows.
    static var tableName: String { get }

    /// Decodes a row without its checksum.
    init(decoding bytes: RawSpan) throws(CorruptRecord)
}

extension StoredRow {
    /// Decodes the row with an integer key; an error names the table and the key.
    @inlinable @inline(__always)
    init(_ bytes: RawSpan, at key: UInt64) throws(LogError) {
        do throws(CorruptRecord) {
            try self.init(decoding: bytes)
        } catch {
            throw .corrupt(table: Self.tableName, key: key, error)
        }
    }

    /// Decodes the row with a byte key; an error names the table and the key.
    init(_ bytes: RawSpan, at key: RawSpan) throws(LogError) {
        do throws(CorruptRecord) {
            try self.init(decoding: bytes)
        } catch {
            throw .damaged(table: Self.tableName, row: key.copied(), error)
        }
    }
}

extension EventHeader: StoredRow {
    @inlinable static var tableName: String { "events" }
}

extension CommitRecord: StoredRow {
    static var tableName: String { "commits" }
}

extension Name: StoredRow {
    static var tableName: String { "names" }
}

/// The header and the tags of a stored event.
struct TaggedHeader: StoredRow {
    static var tableName: String { "events" }

    let header: EventHeader
    let tags: [Tag]

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        header = try EventHeader(decoding: bytes)
        tags = try header.tags(in: bytes)
    }
}
