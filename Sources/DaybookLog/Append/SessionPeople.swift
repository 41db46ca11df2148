import Daybook
import DaybookCryptography
import DaybookLMDB

/// The people whom a write transaction names, with the changes of their rows, which `store` writes.
struct SessionPeople {
    /// A person, with the row as this transaction has changed it.
    private struct Member {
        let number: UInt32
        var row: PersonRow
        var key: PersonKey
        /// True if the row differs from the stored one.
        var isChanged = false
        /// The stored name of a person whom this transaction registers; `nil` for others.
        var newName: String?
    }

    private let log: EventLog
    /// The people that were looked up, in the order of the calls.
    private var members: [Member] = []
    /// The index in `members` of each person that was looked up, by name.
    private var indexOfName: [String: Int] = [:]
    /// The index in `members` of each person that was looked up, by person number.
    private var indexOfNumber: [UInt32: Int] = [:]
    /// The indexes in `members` of people who were named for the first time since the last call of
    /// `removeNewPeople`.
    private var newMembers: Set<Int> = []
    /// The end of the store's log after which unknown people are registered within the transaction;
    /// `nil` in a log without a store.
    private let storeEnd: StoreEnd?
    /// Registers unknown people within the transaction, at their first mention; `nil` if the log has
    /// all of them.
    private var registrar: PersonRegistrar?
    /// The indexes in `members` of people whose rows the current commit has changed; `nil` if rows
    /// are only written at the end of the transaction.
    private var changedByCommit: Set<Int>?
    /// The encrypter of this transaction's texts; `nil` before the first text.
    private var textSealer: AESGCMKey.Sealer?

    /// Begins without people.
    ///
    /// - Parameter end: the end of the store's log, in a transaction whose rows go to a store.
    init(_ log: EventLog, registeringAfter end: StoreEnd?) {
        self.log = log
        storeEnd = end
    }

    /// The encrypter of this transaction's texts.
    var sealer: AESGCMKey.Sealer {
        mutating get {
            let sealer = textSealer ?? AESGCMKey.Sealer()
            textSealer = sealer
            return sealer
        }
    }

    /// Looks up people by name and caches them; returns `false` if the log lacks one of them.
    ///
    /// In a transaction whose rows go to a store, those whom the log lacks are registered when they
    /// are named first.
    mutating func load(
        _ names: some Sequence<String>, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> Bool {
        if storeEnd != nil { changedByCommit = [] }
        for name in names where indexOfName[name] == nil {
            guard let number = try log.file.personNumber(name, in: transaction) else {
                guard let storeEnd else { return false }
                if registrar == nil {
                    registrar = try PersonRegistrar(log, storeEnd, in: transaction)
                }
                continue
            }
            guard case .known(let row, let key) = try log.people.findPerson(number, in: transaction)
            else { throw .damaged(table: log.file.tables.vault.name, .keyGone) }
            indexOfName[name] = members.count
            indexOfNumber[number] = members.count
            members.append(Member(number: number, row: row, key: key))
        }
        return true
    }

    /// Returns the person number of a person whom the event at a position names, and records the
    /// position if it is the first one.
    ///
    /// - Throws: `.damaged` for a person who was not looked up with `load`.
    mutating func number(_ name: String, at position: UInt64) throws(LogError) -> UInt32 {
        members[try index(of: name, at: position)].number
    }

    /// Returns the index in `members` of a person whom the event at a position names; see `number`.
    private mutating func index(of name: String, at position: UInt64) throws(LogError) -> Int {
        var known = indexOfName[name]
        if known == nil { known = try register(name) }
        guard let index = known, indexOfNumber[members[index].number] != nil else {
            throw .damaged(table: log.file.tables.people.name, .missing)
        }
        if members[index].row.firstPosition == 0 {
            members[index].row.firstPosition = position
            members[index].isChanged = true
            newMembers.insert(index)
        }
        if members[index].row.state == .reserved {
            members[index].row.setName(name, members[index].number, under: members[index].key)
            members[index].isChanged = true
        }
        changedByCommit?.insert(index)
        return index
    }

    /// Gives an unknown person a number and a key; returns the index in `members`, and `nil` in a
    /// transaction where people are registered before.
    private mutating func register(_ name: String) throws(LogError) -> Int? {
        guard let (number, slot, key) = try registrar?.register() else { return nil }
        let index = members.count
        members.append(Member(number: number, row: PersonRow(slot: slot), key: key, newName: name))
        (indexOfName[name], indexOfNumber[number]) = (index, index)
        return index
    }

    /// Encrypts a salted text with the key of a person, and counts the text in the person's row.
    ///
    /// - Returns: the row of the table `texts` without its checksum.
    mutating func encrypt(
        _ text: PersonalRow, of name: String, at rowKey: [UInt8], position: UInt64
    ) throws(LogError) -> [UInt8] {
        let index = try index(of: name, at: position)
        members[index].row.textCount += 1
        members[index].isChanged = true
        return TextRow.bytes(
            text, of: members[index].number, at: rowKey, under: members[index].key, with: sealer)
    }

    /// Returns the people whom the current commit is the first to name, in the order of person
    /// numbers, and empties the list for the next commit.
    mutating func removeNewPeople() -> [CommitRecord.NewPerson] {
        defer { newMembers = [] }
        return newMembers.map { members[$0] }
            .filter { indexOfNumber[$0.number] != nil }
            .map { CommitRecord.NewPerson(number: $0.number, seal: $0.row.seal) }
            .sorted { $0.number < $1.number }
    }

    /// Writes the changed rows to the table `people`.
    func store(in transaction: inout LogWriteTransaction) throws(LogError) {
        let changed = members.filter { $0.isChanged && indexOfNumber[$0.number] != nil }
        for member in changed.sorted(by: { $0.number < $1.number }) {
            try transaction.put(
                member.row.bytes, for: UInt64(member.number), in: log.file.tables.people)
        }
        try registrar?.storeSlotCount(in: &transaction)
    }

    /// Writes the rows that one commit has changed, so that a store gets them with this commit.
    mutating func storeOfCommit(in transaction: inout LogWriteTransaction) throws(LogError) {
        try registrar?.storeBlocks(in: &transaction)
        // New people come in the order of their numbers, and after all others.
        let changed = (changedByCommit ?? []).sorted { members[$0].number < members[$1].number }
        changedByCommit = []
        for index in changed where members[index].isChanged {
            let member = members[index]
            try transaction.put(
                member.row.bytes, for: UInt64(member.number), in: log.file.tables.people)
            members[index].isChanged = false
            guard let name = member.newName else { continue }
            let key = log.file.digests.person(name)
            try transaction.put(
                member.number.bytes, for: key.rawSpan, in: log.file.tables.peopleByDigest)
            members[index].newName = nil
        }
    }
}

extension SessionPeople {
    /// Returns the row of a person as this transaction has changed it.
    private func row(
        of number: UInt32, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> PersonRow {
        if let index = indexOfNumber[number] { return members[index].row }
        return try log.file.tables.person(number, in: transaction)
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
        indexOfNumber[number] = nil
        try transaction.put(row.bytes, for: UInt64(number), in: log.file.tables.people)
    }

    /// Replaces a person's key by that of the new slot, encrypts the person's name with the new key,
    /// and subtracts the erased texts from the person's number of texts.
    ///
    /// - Parameter texts: the number of texts that the person loses.
    /// - Returns: the slots of keys that are no longer used: the old one and, if it is another than the
    ///   new one, the reserved one.
    mutating func changeKey(
        _ number: UInt32, _ change: KeyChange, to new: PersonKey, dropping texts: UInt64,
        in transaction: inout LogWriteTransaction
    ) throws(LogError) -> [UInt32] {
        var row = try self.row(of: number, in: transaction)
        guard row.reencryptName(number, from: change.old, to: new) else {
            throw .corrupt(table: log.file.tables.people.name, key: UInt64(number), .cipher)
        }
        let slots = [row.slot, row.nextSlot].filter { $0 != 0 && $0 != change.newSlot }
        (row.slot, row.nextSlot) = (change.newSlot, 0)
        row.textCount = row.textCount > texts ? row.textCount - texts : 0
        if let index = indexOfNumber[number] {
            members[index].row = row
            members[index].key = new
            members[index].isChanged = true
        } else {
            try transaction.put(row.bytes, for: UInt64(number), in: log.file.tables.people)
        }
        return slots
    }
}
