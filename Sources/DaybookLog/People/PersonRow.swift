import Daybook
import DaybookCryptography
import DaybookLMDB

/// A person whom commits or texts name by a number.
///
/// Stored under the number, from 1, little-endian:
///
/// | offset | bytes | field |
/// |-------:|------:|-------|
/// | 0 | 8 | position of the first event whose commit or text names the person; 0 until then |
/// | 8 | 4 | slot of the vault with the person's key |
/// | 12 | 4 | slot that an erasure under way goes over to; 0 for none |
/// | 16 | 8 | number of texts |
/// | 24 | 1 | state: 0 reserved, 1 known, 2 erased, 3 lost with damage |
/// | 25 | 7 | zero |
/// | 32 | 32 | seal, SHA-256(salt ‖ name); zero while reserved |
/// | 64 | | while known: nonce, encrypted salt and name, tag |
///
/// The row is reserved, with its slot, in a transaction of its own before anything is encrypted
/// under the key: what a commit that never came about left in the file is under no other key.
struct PersonRow: Hashable {
    enum State: UInt8 {
        case reserved = 0
        case known = 1
        case erased = 2
        /// The row or the key was lost with damage, and the log salvaged.
        case lost = 3
    }

    static let fixedByteCount = 64
    var firstPosition: UInt64 = 0
    var slot: UInt32
    var nextSlot: UInt32 = 0
    var texts: UInt64 = 0
    private(set) var state = State.reserved
    private(set) var seal: [UInt8] = Array(repeating: 0, count: 32)
    private(set) var sealedName: [UInt8] = []

    init(slot: UInt32) {
        self.slot = slot
    }

    /// A person of whom a salvage found the seal at most.
    static func lost(_ named: SalvagePeople.Named?) -> PersonRow {
        var row = PersonRow(slot: 0)
        row.state = .lost
        if let named { (row.firstPosition, row.seal) = (named.position, named.seal) }
        return row
    }

    /// True where nobody can read the person's name and texts any more.
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
        texts = bytes.integer(at: 16)
        // The state and seven zeros.
        let number: UInt64 = bytes.integer(at: 24)
        guard let raw = UInt8(exactly: number), let state = State(rawValue: raw) else {
            throw .invalid(field: "state", found: "\(number)", expected: "0 to 3")
        }
        self.state = state
        let copy = bytes.copied()
        seal = Array(copy[32..<64])
        sealedName = Array(copy[64...])
        let least = state == .known ? PersonKey.overhead + PersonalRow.saltByteCount : 0
        guard sealedName.count >= least, state == .known || sealedName.isEmpty else {
            throw .invalid(
                field: "name", found: "\(sealedName.count) bytes",
                expected: state == .known ? "at least \(least)" : "none")
        }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.fixedByteCount + sealedName.count)
        bytes.append(littleEndian: firstPosition)
        bytes.append(littleEndian: slot)
        bytes.append(littleEndian: nextSlot)
        bytes.append(littleEndian: texts)
        bytes.append(littleEndian: UInt64(state.rawValue))
        return bytes + seal + sealedName
    }

    /// Puts the name of a reserved person in.
    mutating func name(_ name: String, _ number: UInt32, under key: PersonKey) {
        let salted = PersonalRow.newSalt() + Array(name.utf8)
        seal = SHA256.hash(salted)
        sealedName = key.seal(salted, at: Self.place(number))
        state = .known
    }

    /// The salted name under another key. `false` where it cannot be read under the old one.
    mutating func move(_ number: UInt32, from old: PersonKey, to new: PersonKey) -> Bool {
        guard state == .known else { return true }
        guard let salted = old.open(sealedName, at: Self.place(number)) else { return false }
        sealedName = new.seal(salted, at: Self.place(number))
        return true
    }

    mutating func erase() {
        state = .erased
        sealedName = []
        nextSlot = 0
    }

    /// The name; `nil` where it does not fit its key or its seal.
    func name(_ number: UInt32, under key: PersonKey) -> String? {
        guard let salted = key.open(sealedName, at: Self.place(number)),
            SHA256.hash(salted) == seal
        else { return nil }
        return String(validating: salted.dropFirst(PersonalRow.saltByteCount), as: UTF8.self)
    }

    private static func place(_ number: UInt32) -> [UInt8] { Array("person".utf8) + number.bytes }
}
