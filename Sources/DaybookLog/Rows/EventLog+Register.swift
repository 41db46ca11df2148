import Daybook
import DaybookLMDB

extension EventLog {
    /// Reserves a person number and a key slot for each person whom the log does not know yet.
    ///
    /// Runs in a separate transaction, before anything is encrypted under the people's keys.
    func register(_ names: some Sequence<String>) throws(LogError) {
        let names = Set(names).sorted()
        try writing { (transaction) throws(LogError) in
            var number: UInt64
            number = try mappingStorageErrors(
                try transaction.lastKey(of: tables.people.table) ?? 0)
            var slots = try SlotAllocator(of: self, in: transaction)
            for name in names {
                guard try personNumber(name, in: transaction) == nil else { continue }
                number += 1
                guard let short = UInt32(exactly: number) else { throw .peopleFull }
                let row = PersonRow(slot: try slots.allocate(in: &transaction))
                try transaction.put(row.bytes, for: number, in: tables.people)
                let key = personDigest(name)
                try transaction.put(short.bytes, for: key.rawSpan, in: tables.peopleByDigest)
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
        try writing { (transaction) throws(LogError) in
            var slots = try SlotAllocator(of: self, in: transaction)
            for number in people {
                var row = try person(number, in: transaction)
                guard !row.isGone, row.nextSlot == 0 else { continue }
                row.nextSlot = try slots.allocate(in: &transaction)
                try transaction.put(row.bytes, for: UInt64(number), in: tables.people)
            }
            try slots.store(in: &transaction)
        }
    }

    /// Returns the number of allocated key slots of the table `vault`.
    func allocatedSlotCount(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt32 {
        let key = Meta.slots
        guard let value = try transaction.row(key.rawSpan, in: tables.meta) else { return 0 }
        guard value.byteCount == 4 else {
            throw .damaged(
                table: tables.meta.name, row: key, .size("slots", value.byteCount, expected: 4))
        }
        return value.integer(at: 0)
    }
}

/// An allocator of key slots of the table `vault`, for one transaction.
private struct SlotAllocator {
    private let tables: Tables
    /// The number of key slots that were allocated before this transaction.
    private let countBefore: UInt32
    /// The number of allocated key slots, which is also the number of the newest slot.
    private var allocatedCount: UInt32

    init(of log: EventLog, in transaction: borrowing LogWriteTransaction) throws(LogError) {
        tables = log.tables
        countBefore = try log.allocatedSlotCount(in: transaction)
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

/// The people whom a write transaction names, with the changes of their rows, which `store` writes.
struct SessionPeople {
    /// A person, with the row as this transaction has changed it.
    private struct Member {
        var name: String
        var row: PersonRow
        var key: PersonKey
        /// True if the row differs from the stored one.
        var isChanged = false
    }

    private let log: EventLog
    /// The person numbers of the people that were looked up, by name.
    private var numbers: [String: UInt32] = [:]
    /// The people that were looked up, by person number.
    private var members: [UInt32: Member] = [:]
    /// The numbers of people who were named for the first time since the last call of
    /// `removeNewPeople`.
    private var newPersonNumbers: Set<UInt32> = []

    init(_ log: EventLog) { self.log = log }

    /// Looks up people by name and caches them; returns `false` if the log lacks one of them.
    mutating func load(
        _ names: some Sequence<String>, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> Bool {
        for name in names where numbers[name] == nil {
            guard let number = try log.personNumber(name, in: transaction) else { return false }
            guard case .known(let row, let key) = try log.findPerson(number, in: transaction)
            else { throw .damaged(table: log.tables.vault.name, .keyGone) }
            numbers[name] = number
            members[number] = Member(name: name, row: row, key: key)
        }
        return true
    }

    /// Returns the person number of a person whom the event at a position names, and records the
    /// position if it is the first one.
    ///
    /// - Throws: `.damaged` for a person who was not looked up with `load`.
    mutating func number(_ name: String, at position: UInt64) throws(LogError) -> UInt32 {
        guard let number = numbers[name], var member = members[number] else {
            throw .damaged(table: log.tables.people.name, .missing)
        }
        if member.row.firstPosition == 0 {
            member.row.firstPosition = position
            member.isChanged = true
            newPersonNumbers.insert(number)
        }
        if member.row.state == .reserved {
            member.row.setName(name, number, under: member.key)
            member.isChanged = true
        }
        members[number] = member
        return number
    }

    /// Encrypts a salted text with the key of a person, and counts the text in the person's row.
    mutating func encrypt(
        _ text: PersonalRow, of name: String, at rowKey: [UInt8], position: UInt64
    ) throws(LogError) -> TextRow {
        let number = try number(name, at: position)
        guard var member = members[number] else {
            throw .damaged(table: log.tables.people.name, .missing)
        }
        member.row.textCount += 1
        member.isChanged = true
        members[number] = member
        return TextRow(text, of: number, at: rowKey, under: member.key)
    }

    /// Returns the people whom the current commit is the first to name, in the order of person
    /// numbers, and empties the list for the next commit.
    mutating func removeNewPeople() -> [CommitRecord.NewPerson] {
        defer { newPersonNumbers = [] }
        return newPersonNumbers.sorted().compactMap { number in
            members[number].map { CommitRecord.NewPerson(number: number, seal: $0.row.seal) }
        }
    }

    /// Writes the changed rows to the table `people`.
    func store(in transaction: inout LogWriteTransaction) throws(LogError) {
        for (number, member) in members.sorted(by: { $0.key < $1.key }) where member.isChanged {
            try transaction.put(member.row.bytes, for: UInt64(number), in: log.tables.people)
        }
    }
}

extension SessionPeople {
    /// Returns the row of a person as this transaction has changed it.
    private func row(
        of number: UInt32, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> PersonRow {
        if let member = members[number] { return member.row }
        return try log.person(number, in: transaction)
    }

    /// Returns the key slots of a person: the current one and, if any, the reserved one.
    func slots(
        of number: UInt32, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> [UInt32] {
        let row = try self.row(of: number, in: transaction)
        return [row.slot, row.nextSlot].filter { $0 != 0 }
    }

    /// Marks a person as erased and deletes the encrypted name.
    mutating func erase(
        _ number: UInt32, in transaction: inout LogWriteTransaction
    ) throws(LogError) {
        var row = try self.row(of: number, in: transaction)
        row.erase()
        members[number] = nil
        try transaction.put(row.bytes, for: UInt64(number), in: log.tables.people)
    }

    /// Replaces a person's key by the key in the reserved slot, encrypts the person's name with the
    /// new key, and subtracts the erased texts from the person's number of texts.
    ///
    /// - Parameter texts: the number of texts that the person loses.
    /// - Returns: the slot of the old key, which is no longer used.
    mutating func changeKey(
        _ number: UInt32, from old: PersonKey, to new: PersonKey, dropping texts: UInt64,
        in transaction: inout LogWriteTransaction
    ) throws(LogError) -> UInt32 {
        var row = try self.row(of: number, in: transaction)
        guard row.reencryptName(number, from: old, to: new) else {
            throw .corrupt(table: log.tables.people.name, key: UInt64(number), .cipher)
        }
        let slot = row.slot
        (row.slot, row.nextSlot) = (row.nextSlot, 0)
        row.textCount = row.textCount > texts ? row.textCount - texts : 0
        if var member = members[number] {
            member.row = row
            member.key = new
            member.isChanged = true
            members[number] = member
        } else {
            try transaction.put(row.bytes, for: UInt64(number), in: log.tables.people)
        }
        return slot
    }
}
