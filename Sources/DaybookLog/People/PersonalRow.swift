import Daybook
import DaybookCryptography
import DaybookLMDB

/// A salted personal text, as the event seals it: 16 random bytes, then the text in UTF-8.
///
/// The table `texts` has it encrypted, under the event's position in 8 bytes and the number of the
/// personal field in 4, both big-endian. The personal integers of an event are one more row, under
/// the highest number and as bytes; see `SealedNumbers`. The seal in the event, SHA-256 over this
/// value, stays when the text is erased, and so does the chain.
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
        // The system is asked for each number anew.
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
        (0..<8).map { UInt8(truncatingIfNeeded: position >> (56 - 8 * $0)) }
            + (0..<4).map { UInt8(truncatingIfNeeded: ordinal >> (24 - 8 * $0)) }
    }

    static func position(of key: RawSpan) -> UInt64? {
        key.byteCount == 12 ? key.integer(at: 0, as: UInt64.self).byteSwapped : nil
    }
}

/// A row of `texts`: the person's number in 4 bytes, then the nonce, the encrypted salt and text,
/// and the tag. A number of 0 alone is what is left of a text that was erased by itself, the
/// highest number alone of one that was lost with damage before the log was salvaged.
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

    /// True where the text was erased by itself, and not with its person, or lost.
    var isGone: Bool { person == 0 || isLost }
    var isLost: Bool { person == .max }

    var bytes: [UInt8] { person.bytes + sealed }

    /// The salted text; `nil` where it is not what was written there.
    func open(at rowKey: [UInt8], under key: PersonKey) -> PersonalRow? {
        key.open(sealed, at: Self.place(person, rowKey)).map { PersonalRow($0) }
    }

    private static func place(_ person: UInt32, _ rowKey: [UInt8]) -> [UInt8] {
        rowKey + person.bytes
    }
}
