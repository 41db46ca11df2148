import DaybookCryptography
import DaybookLMDB
import DaybookLibC

/// The table of encryption keys: one slot for the key of each person, which an erasure overwrites.
///
/// A row of the table `vault` is a block of slots; each slot is a key of 32 random bytes and a
/// checksum of 8 bytes. A block is larger than a page, so that LMDB stores it on separate pages,
/// and it is written only once, with all slots filled. LMDB therefore never moves or copies a
/// block, and assigning a slot to a person writes no key. Slots count from 1; block *n* contains
/// the slots from *n* · 2,047 + 1 on.
package enum Vault {
    static let keyByteCount = 32
    /// The size of a slot in bytes: a key and its checksum.
    static let slotByteCount = 40
    /// The number of slots in a block: as many as fit into twenty pages of 4 KiB.
    static let slotsPerBlock: UInt32 = 2_047
    /// The size of a block, in bytes.
    package static let blockByteCount = Int(slotsPerBlock) * slotByteCount

    /// Returns the number of the block that contains a slot, from 0.
    package static func block(of slot: UInt32) -> UInt64 { UInt64((slot - 1) / slotsPerBlock) }

    /// Returns the byte range of a slot within its block.
    package static func range(of slot: UInt32) -> Range<Int> {
        let start = Int((slot - 1) % slotsPerBlock) * slotByteCount
        return start..<start + slotByteCount
    }

    /// Returns the number of blocks that contain the first `slots` slots.
    package static func blockCount(ofSlots slots: UInt32) -> UInt64 {
        slots == 0 ? 0 : block(of: slots) + 1
    }

    /// Returns a new block with a given number, with a random key in each slot.
    package static func newBlock(_ number: UInt64) -> [UInt8] {
        newBlock(number, in: Tables().vault)
    }

    /// Returns a new block with a given number, with a random key in each slot.
    static func newBlock(_ number: UInt64, in table: LogTable) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(slotsPerBlock) * slotByteCount)
        let first = number * UInt64(slotsPerBlock) + 1
        for slot in first..<first + UInt64(slotsPerBlock) {
            var key: [UInt8] = []
            for _ in 0..<keyByteCount / 8 { key.append(littleEndian: generator.next()) }
            bytes += key.asRow(table, slot)
        }
        return bytes
    }

    /// The content of a slot.
    enum Slot {
        /// The key of a person, or a generated key that no person uses yet.
        case key(PersonKey)
        /// All bytes are zero, because the key was erased.
        case erased
        /// The key does not match its checksum.
        case damaged
    }

    /// Decodes a slot of blocks, from block 0 on; `.damaged` for one that they do not have.
    static func slot(_ slot: UInt32, ofBlocks blocks: [[UInt8]], _ table: LogTable) -> Slot {
        guard slot > 0, Int(block(of: slot)) < blocks.count else { return .damaged }
        return self.slot(slot, in: Array(blocks[Int(block(of: slot))][range(of: slot)]), table)
    }

    /// Decodes the 40 bytes of the slot with a given number.
    static func slot(_ slot: UInt32, in bytes: [UInt8], _ table: LogTable) -> Slot {
        if bytes.allSatisfy({ $0 == 0 }) { return .erased }
        let row = Array(bytes.prefix(keyByteCount))
        guard row.asRow(table, UInt64(slot)) == bytes, let key = PersonKey(row) else {
            return .damaged
        }
        return .key(key)
    }
}

extension Transaction where Self: ~Copyable {
    /// Reads the current content of a key slot; every transaction sees an erasure at once.
    ///
    /// - Returns: `nil` if the block with the slot is missing.
    func presentSlot(_ slot: UInt32, in vault: LogTable) throws(LogError) -> Vault.Slot? {
        guard slot > 0, let block = try stored(Vault.block(of: slot), in: vault) else { return nil }
        let range = Vault.range(of: slot)
        guard range.upperBound <= block.byteCount else { return nil }
        // Another process may be overwriting the slot, which takes only a moment.
        for _ in 0..<1_000 {
            let found = Vault.slot(slot, in: block.extracting(range).copied(), vault)
            guard case .damaged = found else { return found }
            sched_yield()
        }
        return .damaged
    }

    /// Reads the current content of a key slot; throws `.damaged` if its block is missing.
    func slot(_ slot: UInt32, in vault: LogTable) throws(LogError) -> Vault.Slot {
        guard let found = try presentSlot(slot, in: vault) else {
            throw .damaged(table: vault.name, .missing)
        }
        return found
    }

    /// Returns the encryption key in a slot; `nil` if the key is erased.
    func key(inSlot number: UInt32, of vault: LogTable) throws(LogError) -> PersonKey? {
        try slot(number, in: vault).key(of: vault)
    }
}

extension Vault.Slot {
    /// Returns the encryption key; `nil` if it is erased.
    func key(of vault: LogTable) throws(LogError) -> PersonKey? {
        switch self {
        case .key(let key): return key
        case .erased: return nil
        case .damaged: throw .damaged(table: vault.name, .checksum)
        }
    }
}

/// The encryption key for the name and the texts of one person.
struct PersonKey: Sendable {
    private let key: AESGCMKey

    /// Creates a key from its bytes; `nil` unless there are 32 of them.
    init?(_ bytes: [UInt8]) {
        guard let key = AESGCMKey(bytes) else { return nil }
        self.key = key
    }

    /// The number of bytes that encryption adds: the nonce and the authentication tag.
    static let addedByteCount = AESGCMKey.nonceByteCount + AESGCMKey.tagByteCount

    /// Encrypts bytes; returns the nonce, the encrypted bytes and the authentication tag.
    ///
    /// - Parameter place: bytes that identify where the data is stored, as additional authenticated
    ///   data; `open` needs the same bytes.
    func seal(_ bytes: [UInt8], at place: [UInt8]) -> [UInt8] { key.seal(bytes, at: place) }

    /// Encrypts bytes as `seal(_:at:)` does, with an encrypter of many texts, and appends the result
    /// to `target`.
    func seal(
        _ bytes: [UInt8], at place: [UInt8], with sealer: AESGCMKey.Sealer,
        appendingTo target: inout [UInt8]
    ) {
        sealer.seal(bytes, with: key, at: place, appendingTo: &target)
    }

    /// Decrypts the result of `seal`; `nil` unless `seal` got the same key and place.
    func open(_ bytes: [UInt8], at place: [UInt8]) -> [UInt8]? { key.open(bytes, at: place) }

    /// Returns a decrypter of many texts with this key, for one thread.
    func opener() -> AESGCMKey.Opener { AESGCMKey.Opener(key) }
}
