import Daybook
import DaybookLMDB

/// Gives unknown people their numbers and key slots within the transaction that names them first.
///
/// Only for transactions whose rows go to a store: what such a transaction leaves behind if it is
/// aborted is encrypted under an epoch's key there. Numbers are in the order of first mentions, so
/// that the first commits of a batch need only the first of them.
struct PersonRegistrar {
    private let log: EventLog
    /// The number of the newest person.
    private var lastNumber: UInt64
    /// The number of allocated key slots, which is also the number of the newest slot.
    private var slotCount: UInt32
    private let slotCountBefore: UInt32
    /// The block of the newest slot; empty before the first slot.
    private var block: [UInt8] = []
    /// New blocks of keys that are not written yet.
    private var newBlocks: [(number: UInt64, bytes: [UInt8])] = []

    /// Begins after the people and slots of an end of the log.
    ///
    /// - Throws: `.store(.keys)` if the block of the newest slot is not here.
    init(
        _ log: EventLog, _ end: StoreEnd, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) {
        self.log = log
        lastNumber = end.nextPerson - 1
        guard let slotCount = UInt32(exactly: end.nextSlot - 1) else { throw .peopleFull }
        self.slotCount = slotCount
        slotCountBefore = try log.file.tables.allocatedSlotCount(in: transaction)
        guard slotCount > 0 else { return }
        let number = Vault.block(of: slotCount)
        block = try transaction.stored(number, in: log.file.tables.vault)?.copied() ?? []
        guard block.count == Vault.blockByteCount else {
            throw .store(
                .keys(name: log.path, reason: "block \(number) of the keys of people is not here"))
        }
    }

    /// Gives the next person a number and a key slot.
    mutating func register() throws(LogError) -> (number: UInt32, slot: UInt32, key: PersonKey) {
        guard let number = UInt32(exactly: lastNumber + 1), slotCount < .max else {
            throw .peopleFull
        }
        let blockCount = Vault.blockCount(ofSlots: slotCount)
        lastNumber += 1
        slotCount += 1
        let next = Vault.block(of: slotCount)
        if next == blockCount {
            block = Vault.newBlock(next, in: log.file.tables.vault)
            newBlocks.append((next, block))
        }
        let bytes = Array(block[Vault.range(of: slotCount)])
        guard case .key(let key) = Vault.slot(slotCount, in: bytes, log.file.tables.vault) else {
            throw .damaged(table: log.file.tables.vault.name, .checksum)
        }
        return (number, slotCount, key)
    }

    /// Writes the new blocks of keys.
    mutating func storeBlocks(in transaction: inout LogWriteTransaction) throws(LogError) {
        for (number, bytes) in newBlocks {
            let key = number.bytes
            try transaction.putWithoutChecksum(bytes, for: key.rawSpan, in: log.file.tables.vault)
        }
        newBlocks = []
    }

    /// Writes the number of allocated key slots if it has changed.
    func storeSlotCount(in transaction: inout LogWriteTransaction) throws(LogError) {
        guard slotCount != slotCountBefore else { return }
        let key = Meta.slots
        try transaction.put(slotCount.bytes, for: key.rawSpan, in: log.file.tables.meta)
    }
}
