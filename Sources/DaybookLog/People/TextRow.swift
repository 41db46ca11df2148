import Daybook
import DaybookCryptography

/// A row of the table `texts`: an encrypted personal text and the person number of its owner.
///
/// The row consists of the person number in 4 bytes, the nonce, the encrypted salt and text, and
/// the authentication tag.
///
/// A row with only the person number 0 marks a text that was erased individually. A row with only
/// the highest number marks a text that was lost through damage before the log was salvaged.
struct TextRow: StoredRow {
    static var tableName: String { "texts" }

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
        var sealed: [UInt8] = []
        key.seal(row.bytes, at: Self.place(person, rowKey), with: sealer, appendingTo: &sealed)
        self.sealed = sealed
    }

    /// Returns the stored row, without its checksum, of a salted text that is encrypted with the key
    /// of its owner; see `init(_:of:at:under:with:)`.
    static func bytes(
        _ row: PersonalRow, of person: UInt32, at rowKey: [UInt8], under key: PersonKey,
        with sealer: AESGCMKey.Sealer
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            4 + row.bytes.count + PersonKey.addedByteCount + RowChecksum.byteCount)
        bytes.append(littleEndian: person)
        key.seal(
            row.bytes, at: Self.place(person, rowKey), with: sealer, appendingTo: &bytes)
        return bytes
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
        var place: [UInt8] = []
        place.reserveCapacity(rowKey.count + 4)
        place.append(contentsOf: rowKey)
        place.append(littleEndian: person)
        return place
    }
}
