import EventSourcing
import LMDB

/// The rows of the table `meta`.
enum Meta {
    /// The format version, 4 bytes, little-endian.
    static let format: [UInt8] = Array("format".utf8)
    /// 16 random bytes.
    static let identifier: [UInt8] = Array("id".utf8)
    /// 32 random bytes.
    static let secret: [UInt8] = Array("secret".utf8)
    /// The position up to which `tagIndex` and `kindIndex` are complete, 8 bytes, little-endian.
    static let indexedThrough: [UInt8] = Array("indexedThrough".utf8)

    /// The rows of a new log.
    static func newRows() -> [(table: String, key: [UInt8], value: [UInt8])] {
        var generator = SystemRandomNumberGenerator()
        var version: [UInt8] = []
        version.append(littleEndian: EventLog.formatVersion)
        return [
            ("meta", format, version),
            ("meta", identifier, (0..<16).map { _ in generator.next() }),
            ("meta", secret, (0..<32).map { _ in generator.next() }),
        ]
    }
}

extension EventLog {
    /// Whether the file has no table at all, so that it can become a log.
    static func rootIsEmpty(_ environment: Environment) throws(LogError) -> Bool {
        do throws(LMDBError) {
            return try environment.isEmpty()
        } catch {
            throw .storage(error)
        }
    }

    /// Checks the format before any table is made, so that a foreign file is left as it is.
    static func checkFormat(of environment: Environment) throws(LogError) {
        do throws(LMDBError) {
            guard let meta = try environment.existingTable("meta", .bytes) else {
                throw LMDBError.incompatible
            }
            let transaction = try ReadTransaction(in: environment)
            guard let bytes = try transaction.bytes(for: Meta.format.rawSpan, in: meta),
                bytes.byteCount == 4
            else { throw LMDBError.incompatible }
            let found: UInt32 = bytes.integer(at: 0)
            guard found == formatVersion else {
                throw LMDBError(rawValue: CInt(bitPattern: found) | Self.otherFormat)
            }
        } catch .incompatible {
            throw .notALog(path: environment.path)
        } catch {
            throw error.rawValue > 0 && error.rawValue & Self.otherFormat != 0
                ? .formatVersion(
                    path: environment.path,
                    found: UInt32(bitPattern: error.rawValue & ~Self.otherFormat))
                : .storage(error)
        }
    }

    private static let otherFormat: CInt = 1 << 30

    static func identity(
        of environment: Environment, _ meta: Table
    ) throws(LogError) -> (identifier: [UInt8], secret: [UInt8]) {
        do throws(LMDBError) {
            let transaction = try ReadTransaction(in: environment)
            return (
                try transaction.bytes(for: Meta.identifier.rawSpan, in: meta)?.copied() ?? [],
                try transaction.bytes(for: Meta.secret.rawSpan, in: meta)?.copied() ?? []
            )
        } catch {
            throw .storage(error)
        }
    }
}
