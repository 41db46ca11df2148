import Daybook
import DaybookCryptography
import DaybookLMDB

/// A salted personal text: 16 random bytes, then the text in UTF-8.
///
/// The table `texts` stores it encrypted, under the event's position in 8 bytes and the number of
/// the personal field in 4 bytes, both big-endian. The personal integers of an event are one more
/// row, with the highest field number and binary content; see `SealedNumbers`. The event stores the
/// seal, SHA-256 of this value; seal and chain stay unchanged when the text is erased.
struct PersonalRow {
    static let saltByteCount = 16

    /// The salt and the content.
    let bytes: [UInt8]

    /// Creates a row for a text, with a new random salt.
    init(text: String) {
        self.init(Array(text.utf8), salt: Self.newSalt())
    }

    init(_ content: [UInt8], salt: [UInt8]) {
        bytes = salt + content
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns 16 random bytes.
    static func newSalt() -> [UInt8] {
        // Each number comes from the system's random generator.
        var generator = SystemRandomNumberGenerator()
        let (first, second): (UInt64, UInt64) = (generator.next(), generator.next())
        return first.bytes + second.bytes
    }

    /// SHA-256 of the salt and the content, which the event stores.
    var seal: [UInt8] { SHA256.hash(bytes) }
    var salt: [UInt8] { Array(bytes.prefix(Self.saltByteCount)) }

    /// The content as text; `nil` if it is not valid UTF-8.
    var text: String? {
        String(validating: bytes.dropFirst(Self.saltByteCount), as: UTF8.self)
    }

    /// Returns the key of a row in the table `texts`.
    ///
    /// - Parameter ordinal: the number of the personal field in the event, from 0.
    static func key(_ position: UInt64, _ ordinal: UInt32) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(12)
        key.append(littleEndian: position.byteSwapped)
        key.append(littleEndian: ordinal.byteSwapped)
        return key
    }

    /// Returns the position of the event in a row key; `nil` for a key of another size.
    static func position(of key: RawSpan) -> UInt64? {
        key.byteCount == 12 ? key.integer(at: 0, as: UInt64.self).byteSwapped : nil
    }
}

/// A row of the table `texts`: an encrypted personal text with the number of its person.
///
/// The person's number takes 4 bytes; then follow the nonce, the encrypted salt and text, and the
/// authentication tag.
///
/// The number 0 without content marks a text that was erased individually. The highest number
/// without content marks a text that was lost with damage before the log was salvaged.
struct TextRow {
    /// The number of the person whose key encrypts the text; 0 if erased, the highest if lost.
    let person: UInt32
    /// The nonce, the encrypted salt and text, and the authentication tag; empty if erased or lost.
    let sealed: [UInt8]

    /// A text that was erased individually.
    static let erased = TextRow(person: 0, sealed: [])
    /// A text that was lost with damage.
    static let lost = TextRow(person: .max, sealed: [])

    /// Encrypts a salted text of a person for a row key.
    init(_ row: PersonalRow, of person: UInt32, at rowKey: [UInt8], under key: PersonKey) {
        self.person = person
        sealed = key.seal(row.bytes, at: Self.place(person, rowKey))
    }

    private init(person: UInt32, sealed: [UInt8]) {
        self.person = person
        self.sealed = sealed
    }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount >= 4 else { throw .truncated(["person": 4], bytes: bytes.byteCount) }
        person = bytes.integer(at: 0)
        sealed = bytes.copied(from: 4)
        let isGone = person == 0 || person == .max
        let least = isGone ? 0 : PersonKey.overhead + PersonalRow.saltByteCount
        guard sealed.count >= least, !isGone || sealed.isEmpty else {
            throw .invalid(
                field: "text", found: "\(sealed.count) bytes",
                expected: isGone ? "none" : "at least \(least)")
        }
    }

    /// True if the text was erased individually or lost; false for a text erased with its person.
    var isGone: Bool { person == 0 || isLost }
    /// True if the text was lost with damage.
    var isLost: Bool { person == .max }

    /// The stored row without its checksum.
    var bytes: [UInt8] { person.bytes + sealed }

    /// Decrypts the salted text; `nil` if the key, the row key or the person does not match.
    func open(at rowKey: [UInt8], under key: PersonKey) -> PersonalRow? {
        key.open(sealed, at: Self.place(person, rowKey)).map { PersonalRow($0) }
    }

    /// Decrypts the salt and the text; `nil` if the key, the row key or the person does not match.
    func open(at rowKey: [UInt8], with opener: AESGCMKey.Opener) -> [UInt8]? {
        unsafe sealed.withUnsafeBytes {
            unsafe opener.open($0, at: Self.place(person, rowKey))
        }
    }

    /// Returns the bytes that bind an encrypted text to its row key and its person.
    private static func place(_ person: UInt32, _ rowKey: [UInt8]) -> [UInt8] {
        rowKey + person.bytes
    }
}
