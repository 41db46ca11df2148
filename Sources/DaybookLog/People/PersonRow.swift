import Daybook
import DaybookCryptography
import DaybookLMDB

/// A row of the table `people`: a person to whom commits and personal texts refer by number.
///
/// Stored under the person number, which counts from 1. Integers are little-endian:
///
/// | offset | bytes | field |
/// |-------:|------:|-------|
/// | 0 | 8 | position of the first event whose commit or text names the person; 0 until then |
/// | 8 | 4 | slot of the person's encryption key in the table `vault` |
/// | 12 | 4 | slot reserved for the person's next key; 0 for none |
/// | 16 | 8 | number of personal texts |
/// | 24 | 1 | state: 0 reserved, 1 known, 2 erased, 3 lost through damage |
/// | 25 | 7 | zero |
/// | 32 | 32 | seal, SHA-256(salt ‖ name); zero while reserved |
/// | 64 | | while known: nonce, encrypted salt and name, authentication tag |
///
/// The row and its key slot are reserved in a separate transaction before anything is encrypted
/// under the key. Data that an aborted commit left in the file is therefore encrypted under the
/// same key.
struct PersonRow: StoredRow, Hashable {
    static var tableName: String { "people" }

    /// The state of a person, from the reservation of the number to the erasure of the name.
    enum State: UInt8 {
        /// The person has a number and an encryption key, but no event names the person yet.
        case reserved = 0
        /// An event names the person, and the row contains the encrypted name.
        case known = 1
        /// The name was deleted and the encryption key overwritten.
        case erased = 2
        /// The row or the encryption key was lost through damage before the log was salvaged.
        case lost = 3
    }

    /// The size of the fixed-size fields, in bytes.
    static let fixedByteCount = 64
    /// The position of the first event that names the person; 0 if there is none yet.
    var firstPosition: UInt64 = 0
    /// The slot of the person's encryption key in the table `vault`; 0 for a lost person.
    var slot: UInt32
    /// The slot reserved for the person's next encryption key; 0 for none.
    var nextSlot: UInt32 = 0
    /// The number of personal texts that belong to the person.
    var textCount: UInt64 = 0
    private(set) var state = State.reserved
    /// SHA-256 of the salted name, 32 bytes, which the first commit to name the person contains
    /// too; zero while reserved.
    private(set) var seal: [UInt8] = Array(repeating: 0, count: 32)
    /// The nonce, the encrypted salt and name, and the authentication tag; empty unless known.
    private(set) var sealedName: [UInt8] = []

    init(slot: UInt32) {
        self.slot = slot
    }

    /// The data about a person in the first commit that names the person.
    struct FirstMention {
        /// The first position of this commit.
        var position: UInt64
        /// SHA-256 of the person's salted name, 32 bytes.
        var seal: [UInt8]
    }

    /// Returns a row in place of a person's row that is lost through damage.
    ///
    /// - Parameter named: the position and the SHA-256 of the salted name from the first commit
    ///   that names the person; `nil` if unknown.
    static func lost(_ named: FirstMention?) -> PersonRow {
        var row = PersonRow(slot: 0)
        row.state = .lost
        if let named { (row.firstPosition, row.seal) = (named.position, named.seal) }
        return row
    }

    /// True if the person's name and texts can no longer be read.
    var isGone: Bool { state == .erased || state == .lost }

    init(decoding bytes: RawSpan) throws(CorruptRecord) {
        guard bytes.byteCount >= Self.fixedByteCount else {
            throw .truncated(
                [
                    "first position": 8, "slot": 12, "next slot": 16, "texts": 24, "state": 32,
                    "seal": Self.fixedByteCount,
                ], bytes: bytes.byteCount)
        }
        firstPosition = bytes.integer(at: 0)
        slot = bytes.integer(at: 8)
        nextSlot = bytes.integer(at: 12)
        textCount = bytes.integer(at: 16)
        // The state and seven zero bytes.
        let number: UInt64 = bytes.integer(at: 24)
        guard let raw = UInt8(exactly: number), let state = State(rawValue: raw) else {
            throw .invalid(field: "state", found: "\(number)", expected: "0 to 3")
        }
        self.state = state
        let copy = bytes.copied()
        seal = Array(copy[32..<64])
        sealedName = Array(copy[64...])
        let least = state == .known ? PersonKey.addedByteCount + PersonalRow.saltByteCount : 0
        guard sealedName.count >= least, state == .known || sealedName.isEmpty else {
            throw .invalid(
                field: "name", found: "\(sealedName.count) bytes",
                expected: state == .known ? "at least \(least)" : "none")
        }
    }

    /// The stored row without its checksum.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.fixedByteCount + sealedName.count)
        bytes.append(littleEndian: firstPosition)
        bytes.append(littleEndian: slot)
        bytes.append(littleEndian: nextSlot)
        bytes.append(littleEndian: textCount)
        bytes.append(littleEndian: UInt64(state.rawValue))
        return bytes + seal + sealedName
    }

    /// Encrypts and sets the name of a reserved person, whose state becomes `known`.
    mutating func setName(_ name: String, _ number: UInt32, under key: PersonKey) {
        let salted = PersonalRow.newSalt() + Array(name.utf8)
        seal = SHA256.hash(salted)
        sealedName = key.seal(salted, at: Self.place(number))
        state = .known
    }

    /// Encrypts the name under a new key; returns `false` if the old key is wrong.
    mutating func reencryptName(_ number: UInt32, from old: PersonKey, to new: PersonKey) -> Bool {
        guard state == .known else { return true }
        guard let salted = old.open(sealedName, at: Self.place(number)) else { return false }
        sealedName = new.seal(salted, at: Self.place(number))
        return true
    }

    /// Marks the person as erased and removes the encrypted name.
    mutating func erase() {
        state = .erased
        sealedName = []
        nextSlot = 0
    }

    /// Decrypts the name; `nil` if the key is wrong, or if the name does not match its SHA-256 or
    /// is no valid UTF-8.
    func decryptName(_ number: UInt32, under key: PersonKey) -> String? {
        guard let salted = key.open(sealedName, at: Self.place(number)),
            SHA256.hash(salted) == seal
        else { return nil }
        return String(validating: salted.dropFirst(PersonalRow.saltByteCount), as: UTF8.self)
    }

    /// Returns the additional authenticated data of an encrypted name, which binds it to its
    /// person: the word `person` and the number.
    private static func place(_ number: UInt32) -> [UInt8] { Array("person".utf8) + number.bytes }
}
