import Crypto
import EventSourcing

/// A personal text, put away from the event that seals it.
///
/// Key: the event's position in 8 bytes, then which of its personal fields in 4, both big-endian.
/// Value: 16 random bytes, then the text in UTF-8. Deleting the row erases the text; the seal in
/// the event, SHA-256 over this value, stays and so does the chain.
struct PersonalRow {
    static let saltByteCount = 16

    let bytes: [UInt8]

    init(salt: [UInt8], text: String) {
        bytes = salt + Array(text.utf8)
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var seal: [UInt8] { Array(SHA256.hash(data: bytes)) }

    var text: String? {
        String(validating: bytes.dropFirst(Self.saltByteCount), as: UTF8.self)
    }

    static func key(_ position: UInt64, _ ordinal: UInt32) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: position >> (56 - 8 * $0)) }
            + (0..<4).map { UInt8(truncatingIfNeeded: ordinal >> (24 - 8 * $0)) }
    }
}
