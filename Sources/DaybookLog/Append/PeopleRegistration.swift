import Daybook
import DaybookCryptography
import DaybookLMDB

/// The reservation of person numbers and key slots, each in a transaction of its own.
struct PeopleRegistration {
    let file: LogFile

    /// Reserves a person number and a key slot for each person whom the log does not know yet.
    ///
    /// Runs in a separate transaction, before anything is encrypted under the people's keys.
    func register(_ names: some Sequence<String>) throws(LogError) {
        let names = Set(names).sorted()
        try file.writing { (transaction) throws(LogError) in
            var number = try transaction.lastKey(of: file.tables.people) ?? 0
            var slots = try SlotAllocator(of: file.tables, in: transaction)
            for name in names {
                guard try file.personNumber(name, in: transaction) == nil else { continue }
                number += 1
                guard let short = UInt32(exactly: number) else { throw .peopleFull }
                let row = PersonRow(slot: try slots.allocate(in: &transaction))
                try transaction.put(row.bytes, for: number, in: file.tables.people)
                let key = file.digests.person(name)
                try transaction.put(short.bytes, for: key.rawSpan, in: file.tables.peopleByDigest)
            }
            try slots.store(in: &transaction)
        }
    }

    /// Reserves a second key slot for each person, for texts that an erasure encrypts again.
    ///
    /// A person who already has a reserved slot keeps it, also in a repeated attempt.
    func reserveNextSlots(of people: some Sequence<UInt32>) throws(LogError) {
        let people = Set(people).sorted()
        guard !people.isEmpty else { return }
        try file.writing { (transaction) throws(LogError) in
            var slots = try SlotAllocator(of: file.tables, in: transaction)
            for number in people {
                var row = try file.tables.person(number, in: transaction)
                guard !row.isGone, row.nextSlot == 0 else { continue }
                row.nextSlot = try slots.allocate(in: &transaction)
                try transaction.put(row.bytes, for: UInt64(number), in: file.tables.people)
            }
            try slots.store(in: &transaction)
        }
    }

    /// Allocates key slots that no person has yet.
    func reserveSlots(_ count: Int) throws(LogError) -> [UInt32] {
        var reserved: [UInt32] = []
        try file.writing { (transaction) throws(LogError) in
            reserved = []
            var slots = try SlotAllocator(of: file.tables, in: transaction)
            for _ in 0..<count { reserved.append(try slots.allocate(in: &transaction)) }
            try slots.store(in: &transaction)
        }
        return reserved
    }
}

/// An allocator of key slots of the table `vault`, for one transaction.
private struct SlotAllocator {
    private let tables: Tables
    /// The number of key slots that were allocated before this transaction.
    private let countBefore: UInt32
    /// The number of allocated key slots, which is also the number of the newest slot.
    private var allocatedCount: UInt32

    init(of tables: Tables, in transaction: borrowing LogWriteTransaction) throws(LogError) {
        self.tables = tables
        countBefore = try tables.allocatedSlotCount(in: transaction)
        allocatedCount = countBefore
    }

    /// Returns the next key slot, and writes a block of new keys if the slot is the first of a
    /// block.
    mutating func allocate(in transaction: inout LogWriteTransaction) throws(LogError) -> UInt32 {
        guard allocatedCount < .max else { throw .peopleFull }
        let known = Vault.blockCount(ofSlots: allocatedCount)
        allocatedCount += 1
        let block = Vault.block(of: allocatedCount)
        if block == known {
            let key = block.bytes
            try transaction.putWithoutChecksum(
                Vault.newBlock(block, in: tables.vault), for: key.rawSpan, in: tables.vault)
        }
        return allocatedCount
    }

    /// Writes the number of allocated key slots if it has changed.
    func store(in transaction: inout LogWriteTransaction) throws(LogError) {
        guard allocatedCount != countBefore else { return }
        let key = Meta.slots
        try transaction.put(allocatedCount.bytes, for: key.rawSpan, in: tables.meta)
    }
}
