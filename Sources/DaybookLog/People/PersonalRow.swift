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

/// A row of the table `texts`: an encrypted personal text and the person number of its owner.
///
/// The row consists of the person number in 4 bytes, the nonce, the encrypted salt and text, and
/// the authentication tag.
///
/// A row with only the person number 0 marks a text that was erased individually. A row with only
/// the highest number marks a text that was lost through damage before the log was salvaged.
struct TextRow {
    /// The number of the person whose key encrypts the text; 0 if erased, `UInt32.max` if lost.
    let personNumber: UInt32
    /// The nonce, the encrypted salt and text, and the authentication tag; empty if erased or lost.
    let sealed: [UInt8]

    /// The row of a text that was erased individually.
    static let erased = TextRow(personNumber: 0, sealed: [])
    /// The row of a text that was lost through damage.
    static let lost = TextRow(personNumber: .max, sealed: [])

    /// Encrypts a salted text with the key of its owner, and binds it to its row key.
    init(
        _ row: PersonalRow, of person: UInt32, at rowKey: [UInt8], under key: PersonKey,
        with sealer: AESGCMKey.Sealer
    ) {
        personNumber = person
        sealed = key.seal(row.bytes, at: Self.place(person, rowKey), with: sealer)
    }

    private init(personNumber: UInt32, sealed: [UInt8]) {
        self.personNumber = personNumber
        self.sealed = sealed
    }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount >= 4 else { throw .truncated(["person": 4], bytes: bytes.byteCount) }
        personNumber = bytes.integer(at: 0)
        sealed = bytes.copied(from: 4)
        let isGone = personNumber == 0 || personNumber == .max
        let least = isGone ? 0 : PersonKey.addedByteCount + PersonalRow.saltByteCount
        guard sealed.count >= least, !isGone || sealed.isEmpty else {
            throw .invalid(
                field: "text", found: "\(sealed.count) bytes",
                expected: isGone ? "none" : "at least \(least)")
        }
    }

    /// True if the text was erased individually or lost; false if erased with its person.
    var isGone: Bool { personNumber == 0 || isLost }
    /// True if the text was lost through damage.
    var isLost: Bool { personNumber == .max }

    /// The stored row without its checksum.
    var bytes: [UInt8] { personNumber.bytes + sealed }

    /// Decrypts the salted text; `nil` if the encryption key, the row key or the person is wrong.
    func open(at rowKey: [UInt8], under key: PersonKey) -> PersonalRow? {
        key.open(sealed, at: Self.place(personNumber, rowKey)).map { PersonalRow($0) }
    }

    /// Decrypts salt and text; `nil` if the encryption key, the row key or the person is wrong.
    func open(at rowKey: [UInt8], with opener: AESGCMKey.Opener) -> [UInt8]? {
        unsafe sealed.withUnsafeBytes {
            unsafe opener.open($0, at: Self.place(personNumber, rowKey))
        }
    }

    /// Returns the additional authenticated data of an encrypted text, which binds it to its row
    /// key and its person.
    private static func place(_ person: UInt32, _ rowKey: [UInt8]) -> [UInt8] {
        rowKey + person.bytes
    }
}
