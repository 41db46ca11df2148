import Daybook
import DaybookCryptography
import DaybookLMDB

/// A salted personal text as its event seals it: 16 random bytes, then the text in UTF-8.
///
/// The table `texts` stores it encrypted, under the event's position in 8 bytes and the number of
/// the personal field in 4 bytes, both big-endian. The personal integers of an event are one more
/// row, with the highest field number and binary content; see `SealedNumbers`. The event stores the
/// seal, SHA-256 of this value; seal and chain stay unchanged when the text is erased.
struct PersonalRow {
    static let saltByteCount = 16

    let bytes: [UInt8]

    init(text: String) {
        self.init(Array(text.utf8), salt: Self.newSalt())
    }

    init(_ content: [UInt8], salt: [UInt8]) {
        bytes = salt + content
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// 16 random bytes.
    static func newSalt() -> [UInt8] {
        // Each number comes from the system's random generator.
        var generator = SystemRandomNumberGenerator()
        let (first, second): (UInt64, UInt64) = (generator.next(), generator.next())
        return first.bytes + second.bytes
    }

    var seal: [UInt8] { SHA256.hash(bytes) }
    var salt: [UInt8] { Array(bytes.prefix(Self.saltByteCount)) }

    var text: String? {
        String(validating: bytes.dropFirst(Self.saltByteCount), as: UTF8.self)
    }

    static func key(_ position: UInt64, _ ordinal: UInt32) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(12)
        key.append(littleEndian: position.byteSwapped)
        key.append(littleEndian: ordinal.byteSwapped)
        return key
    }

    static func position(of key: RawSpan) -> UInt64? {
        key.byteCount == 12 ? key.integer(at: 0, as: UInt64.self).byteSwapped : nil
    }
}

/// A row of `texts`: the person's number in 4 bytes, then the nonce, encrypted salt and text, and
/// tag.
///
/// The number 0 without content marks a text that was erased individually. The highest number
/// without content marks a text that was lost with damage before the log was salvaged.
struct TextRow {
    let person: UInt32
    let sealed: [UInt8]

    static let erased = TextRow(person: 0, sealed: [])
    static let lost = TextRow(person: .max, sealed: [])

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
    var isLost: Bool { person == .max }

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

    private static func place(_ person: UInt32, _ rowKey: [UInt8]) -> [UInt8] {
        rowKey + person.bytes
    }
}
