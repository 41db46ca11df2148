import Daybook
import DaybookCryptography
import DaybookLMDB

/// The row keys of the table `meta`, which describes the log as a whole.
enum Meta {
    /// The only version of the file format that this program reads and writes.
    static let formatVersion: UInt32 = 3

    /// Key of the format version: 4 bytes; from format 3 on, a checksum follows.
    static let format: [UInt8] = Array("format".utf8)
    /// Key of the log's id: 16 random bytes.
    static let identifier: [UInt8] = Array("id".utf8)
    /// Key of the HMAC-SHA256 of the log's id under its secret: 32 bytes. It no longer matches if
    /// only the id or only the secret is changed.
    static let identifierSeal: [UInt8] = Array("idSeal".utf8)
    /// Key of the log's secret: 32 random bytes.
    static let secret: [UInt8] = Array("secret".utf8)
    /// Key of the position up to which the table `index` is complete: 8 bytes.
    static let indexedThrough: [UInt8] = Array("indexedThrough".utf8)
    /// Key of the number of allocated key slots of the table `vault`: 4 bytes.
    static let slots: [UInt8] = Array("slots".utf8)
    /// Key of the list of key slots that an erasure still has to overwrite: 4 bytes each.
    static let erasing: [UInt8] = Array("erasing".utf8)
    /// Key of the notes about unfinished copies of the log; see `CopyNote.bytes`.
    static let copies: [UInt8] = Array("copies".utf8)
    /// Key of the list of key slots whose encryption keys were lost before a salvage: 4 bytes each.
    static let lostSlots: [UInt8] = Array("lostSlots".utf8)

    /// Key of the state of a replica; see `ReplicaState`.
    static let replica: [UInt8] = Array("replica".utf8)

    /// Key of the note of when the store of a replica with keys answered last; see `ContactNote`.
    static let contact: [UInt8] = Array("contact".utf8)

    /// All row keys that the table `meta` can have.
    static let all = [
        format, identifier, identifierSeal, secret, indexedThrough, slots, erasing, lostSlots,
        copies, replica, contact,
    ]

    /// Returns the first rows of a new log, with a random id and secret.
    static func newRows() -> [(table: String, key: [UInt8], value: [UInt8])] {
        var generator = SystemRandomNumberGenerator()
        let meta = Tables().meta
        let id: [UInt8] = (0..<16).map { _ in generator.next() }
        let key: [UInt8] = (0..<32).map { _ in generator.next() }
        let rows = [
            (format, formatVersion.bytes), (identifier, id), (secret, key),
            (identifierSeal, seal(of: id, under: key)),
        ]
        return rows.map { (meta.name, $0, $1.asRow(meta, $0.rawSpan)) }
    }

    /// Returns the value of the row `idSeal`: HMAC-SHA256 of the log's id, 32 bytes.
    static func seal(of identifier: [UInt8], under secret: [UInt8]) -> [UInt8] {
        HMACSHA256.code(of: Array("id".utf8) + [0] + identifier, key: secret)
    }

    /// Reads the log's id, 16 bytes.
    static func identifier(
        in transaction: borrowing ReadTransaction, _ table: LogTable
    ) throws(LogError) -> [UInt8] {
        try bytes(identifier, 16, in: transaction, table)
    }

    /// Reads the log's secret, 32 bytes.
    static func secret(
        in transaction: borrowing ReadTransaction, _ table: LogTable
    ) throws(LogError) -> [UInt8] {
        try bytes(secret, 32, in: transaction, table)
    }

    /// Returns the value of the row with a key; throws `.damaged` unless it has `count` bytes.
    private static func bytes(
        _ key: [UInt8], _ count: Int, in transaction: borrowing ReadTransaction, _ table: LogTable
    ) throws(LogError) -> [UInt8] {
        guard let value = try transaction.row(key.rawSpan, in: table) else {
            throw .damaged(table: table.name, row: key, .missing)
        }
        guard value.byteCount == count else {
            throw .damaged(
                table: table.name, row: key, .size("value", value.byteCount, expected: count))
        }
        return value.copied()
    }
}

extension FixedWidthInteger where Self: BitwiseCopyable {
    /// The integer's bytes, little-endian.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: self)
        return bytes
    }
}
