import DaybookLMDB

@testable import DaybookLog

extension EventLog {
    /// Puts another version into the row `format`: formats before 3 have it without a checksum.
    func write(format version: UInt32) throws {
        let key = Meta.format
        try write(
            stored: version < 3 ? version.bytes : version.bytes.asRow(file.tables.meta, key.rawSpan)
        )
    }

    /// Puts bytes in the place of the row `format`.
    func write(stored bytes: [UInt8]) throws {
        try file.writing { (transaction) throws(LogError) in
            let key = Meta.format
            try transaction.putWithoutChecksum(bytes, for: key.rawSpan, in: file.tables.meta)
        }
    }
}
