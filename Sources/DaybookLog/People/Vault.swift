import DaybookCryptography
import DaybookLMDB
import DaybookLibC

/// The keys of people's texts: one slot for each person, overwritten to erase.
///
/// A row of the table `vault` is a block of slots, each 32 random bytes and the checksum of the
/// slot in 8. It is larger than a page, so that LMDB keeps it on pages of its own, and it is
/// written once, all slots filled: LMDB never moves or copies it, and giving a slot to a person
/// writes no key. Slots count from 1; block *n* has those from *n* · 2,047 + 1 on.
enum Vault {
    static let keyByteCount = 32
    static let slotByteCount = 40
    /// The slots that fill twenty pages of 4 KiB.
    static let slotsPerBlock: UInt32 = 2_047
    static let blockByteCount = Int(slotsPerBlock) * slotByteCount

    static func block(of slot: UInt32) -> UInt64 { UInt64((slot - 1) / slotsPerBlock) }

    /// Where a slot lies in its block.
    static func range(of slot: UInt32) -> Range<Int> {
        let start = Int((slot - 1) % slotsPerBlock) * slotByteCount
        return start..<start + slotByteCount
    }

    /// Blocks that so many slots take.
    static func blockCount(ofSlots slots: UInt32) -> UInt64 {
        slots == 0 ? 0 : block(of: slots) + 1
    }

    /// A block of new keys.
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
        case key(PersonKey)
        /// All zeros: erased.
        case erased
        case damaged
    }

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
    /// Reads a slot of the vault as it is now: an erasure is seen by every transaction at once.
    func slot(_ slot: UInt32, in vault: LogTable) throws(LogError) -> Vault.Slot {
        guard slot > 0 else { throw .damaged(table: vault.name, .missing) }
        let block: RawSpan?
        do throws(LMDBError) {
            block = try bytes(for: Vault.block(of: slot), in: vault.table)
        } catch {
            throw .storage(error)
        }
        let range = Vault.range(of: slot)
        guard let block, range.upperBound <= block.byteCount else {
            throw .damaged(table: vault.name, .missing)
        }
        // Another process may be overwriting it: what is half done is done soon.
        for _ in 0..<1_000 {
            let found = Vault.slot(slot, in: block.extracting(range).copied(), vault)
            guard case .damaged = found else { return found }
            sched_yield()
        }
        return .damaged
    }

    /// The key in a slot; `nil` where it is erased.
    func key(inSlot number: UInt32, of vault: LogTable) throws(LogError) -> PersonKey? {
        switch try slot(number, in: vault) {
        case .key(let key): return key
        case .erased: return nil
        case .damaged: throw .damaged(table: vault.name, .checksum)
        }
    }
}

/// The key that everything of one person is encrypted under.
struct PersonKey: Sendable {
    private let key: AESGCMKey

    /// - Returns: `nil` unless there are 32 bytes.
    init?(_ bytes: [UInt8]) {
        guard let key = AESGCMKey(bytes) else { return nil }
        self.key = key
    }

    /// Bytes beside the text itself: the nonce and the tag.
    static let overhead = AESGCMKey.nonceByteCount + AESGCMKey.tagByteCount

    /// A nonce, the encrypted bytes and a tag, which fit no other place than the one named.
    func seal(_ bytes: [UInt8], at place: [UInt8]) -> [UInt8] { key.seal(bytes, at: place) }

    /// The bytes that were encrypted; `nil` where these are not what was written there.
    func open(_ bytes: [UInt8], at place: [UInt8]) -> [UInt8]? { key.open(bytes, at: place) }
}
