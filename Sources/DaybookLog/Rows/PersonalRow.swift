import Daybook
import DaybookCryptography
import DaybookLMDB

/// A personal text with its salt: 16 random bytes, then the text in UTF-8.
///
/// The table `texts` stores it encrypted. The row key is the event's position (8 bytes) and the
/// index of the personal text in the event (4 bytes), both big-endian. The personal integers of an
/// event are one more row, with the highest index and binary content; see `SealedNumbers`. The
/// event itself stores the text's seal: SHA-256 of the salt and the text. Seal and chain value stay
/// unchanged when the text is erased.
struct PersonalRow {
    static let saltByteCount = 16

    /// The salt followed by the content.
    let bytes: [UInt8]

    /// Creates the salted form of a text or of personal integers, with a new random salt.
    init(_ content: some Collection<UInt8>, saltedBy sealer: AESGCMKey.Sealer) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.saltByteCount + content.count)
        sealer.appendRandomBytes(Self.saltByteCount, to: &bytes)
        bytes.append(contentsOf: content)
        self.bytes = bytes
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns a salt of 16 random bytes.
    static func newSalt() -> [UInt8] { RandomBytes.fresh(saltByteCount) }

    /// SHA-256 of salt and content, 32 bytes, which the event stores instead of the content.
    var seal: [UInt8] { SHA256.hash(bytes) }
    var salt: [UInt8] { Array(bytes.prefix(Self.saltByteCount)) }

    /// The content as text; `nil` if it is not valid UTF-8.
    var text: String? {
        String(validating: bytes.dropFirst(Self.saltByteCount), as: UTF8.self)
    }

    /// Returns the row key of a personal text in the table `texts`.
    ///
    /// - Parameter ordinal: the index of the text among the personal texts of the event, from 0.
    static func key(_ position: UInt64, _ ordinal: UInt32) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(12)
        key.append(littleEndian: position.byteSwapped)
        key.append(littleEndian: ordinal.byteSwapped)
        return key
    }

    /// Returns the position of the event from a row key of `texts`; `nil` for a key of another
    /// size.
    static func position(of key: RawSpan) -> UInt64? {
        key.byteCount == 12 ? key.integer(at: 0, as: UInt64.self).byteSwapped : nil
    }
}
