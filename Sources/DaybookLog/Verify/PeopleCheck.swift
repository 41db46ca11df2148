import Daybook
import DaybookCryptography
import DaybookLMDB

/// The people, key slots and erasures of a log, as far as `verify` has read them.
struct PeopleCheck {
    let log: EventLog
    /// The first position at which each person is named, ordered by position and person number.
    var firstUses: [(position: UInt64, number: UInt32)] = []
    /// The position of the first event that names each person, by person number minus 1; 0 if no
    /// event does, `nil` for lost people.
    var firstPositions: [UInt64?] = []
    /// The number of people in the log, including erased and lost ones.
    var count: UInt32 = 0
    /// The state of each allocated key slot, by slot number minus 1.
    var slotStates: [SlotState] = []
    /// The recorded erasures.
    var erasures = RecordedErasures()

    /// The state of a key slot of the table `vault`, according to the rest of the log.
    enum SlotState: UInt8 {
        /// No person uses the key in the slot.
        case unassigned
        /// The slot contains the current or the next key of a person.
        case assigned
        /// A recorded erasure has overwritten the key.
        case erased
        /// A recorded erasure still has to overwrite the key.
        case beingErased
        /// The key was lost through damage before the log was salvaged.
        case lost
    }
}

/// The result of looking up the owner of a personal text, which `verify` caches.
enum KnownPerson {
    /// The person's key is known; the decrypter uses it.
    case known(AESGCMKey.Opener)
    /// The person was erased or lost.
    case erased
    /// The log is a replica without encryption keys.
    case notHere
    /// The person's key is overwritten without a recorded erasure.
    case keyGone
}

extension PeopleCheck {
    /// Reads the recorded erasures and the lists of lost and pending key slots.
    mutating func readErasures(
        _ transaction: borrowing ReadTransaction, _ result: inout Verification
    ) throws(LogError) {
        let given = try log.file.tables.allocatedSlotCount(in: transaction)
        slotStates = Array(repeating: .unassigned, count: Int(given))
        try LogErasures(log: log).forEach { (event, found) in
            let position = event.position.rawValue
            let record: TextsErased
            switch found {
            case .success(let read): record = read
            case .failure(let error):
                return result.report(
                    position, "payload", "the payload of \(event.kind) cannot be read: \(error)")
            }
            erasures.add(record, at: position)
            for slot in log.file.holdsKeys ? record.slots : [] {
                guard let slot = UInt32(exactly: slot), (1...max(given, 1)).contains(slot),
                    given > 0
                else {
                    result.report(
                        position, "erasure",
                        "the recorded erasure names key slot \(slot), which is not allocated")
                    continue
                }
                slotStates[Int(slot) - 1] = .erased
            }
        }
        for slot in try log.file.tables.slots(listedIn: Meta.lostSlots, in: transaction) {
            if slotStates[Int(slot) - 1] == .erased {
                result.report(0, "vault", "key slot \(slot) is recorded both as lost and as erased")
            }
            slotStates[Int(slot) - 1] = .lost
        }
        let pending = try log.file.tables.slots(listedIn: Meta.erasing, in: transaction)
        for slot in pending {
            if slotStates[Int(slot) - 1] != .erased {
                result.report(
                    0, "erasure",
                    "key slot \(slot) is listed for overwriting, but in no recorded erasure")
            }
            slotStates[Int(slot) - 1] = .beingErased
        }
        if !pending.isEmpty {
            result.report(
                0, "erasure",
                "\(pending.count.counted("encryption key")) \(pending.count.are) not overwritten "
                    + "yet; any command that writes to the log completes the erasure")
        }
    }

    /// Checks that people are numbered without gaps, share no key slots and can be found by name.
    mutating func checkPeople(
        _ transaction: borrowing ReadTransaction, _ result: inout Verification
    ) throws(LogError) {
        let tables = log.file.tables
        // A replica does not know the names of people who are only reserved.
        var (known, living) = (0, 0)
        try transaction.scanRows(tables.people) { (key: UInt64, value) throws(LogError) in
            guard key == UInt64(count) + 1, let number = UInt32(exactly: key) else {
                throw .corrupt(table: tables.people.name, key: key, .missing)
            }
            count = number
            let row: PersonRow
            do throws(CorruptRecord) {
                row = try PersonRow(decoding: value)
            } catch {
                firstPositions.append(0)
                result.report(0, "person", "person \(number): \(error)")
                return true
            }
            firstPositions.append(row.state == .lost ? nil : row.firstPosition)
            if row.firstPosition > 0 { firstUses.append((row.firstPosition, number)) }
            if row.state == .lost { result.lostPeople += 1 }
            guard log.file.holdsKeys else { return true }
            claimSlots(of: row, number, &result)
            if !row.isGone { living += 1 }
            guard row.state == .known else { return true }
            known += 1
            try checkName(of: row, number, transaction, &result)
            return true
        }
        firstUses.sort { ($0.position, $0.number) < ($1.position, $1.number) }
        var digests = 0
        try transaction.scanRows(tables.peopleByDigest, from: nil as RawSpan?) {
            (_, value) throws(LogError) in
            digests += 1
            let number = value.byteCount == 4 ? value.integer(at: 0, as: UInt32.self) : 0
            guard (1...max(count, 1)).contains(number), count > 0,
                !(try log.file.tables.person(number, in: transaction).isGone)
            else {
                result.report(
                    0, "person",
                    "a digest of a name leads to person \(number), who does not exist or was erased"
                )
                return true
            }
            return true
        }
        if digests > living || digests < known {
            result.report(
                0, "person",
                "\(digests) digests of names are stored, expected \(living), one for each person")
        }
    }

    /// Marks the key slots of a person as assigned, and checks that no other person uses them.
    private mutating func claimSlots(
        of row: PersonRow, _ number: UInt32, _ result: inout Verification
    ) {
        guard row.state != .lost else { return }
        guard row.state != .erased else {
            let slot = slotState(row.slot)
            if !erasures.people.contains(number) || (slot != .erased && slot != .beingErased) {
                result.report(
                    0, "erasure",
                    "person \(number) is marked as erased, but no recorded erasure names the "
                        + "person and the key slot")
            }
            return
        }
        for slot in [row.slot, row.nextSlot] where slot != 0 || row.slot == 0 {
            guard slotState(slot) == .unassigned else {
                result.report(
                    0, "person",
                    "person \(number) holds key slot \(slot), which belongs to another person, is "
                        + "erased or lost, or is not allocated")
                continue
            }
            slotStates[Int(slot) - 1] = .assigned
        }
    }

    /// Returns the state of a key slot; `nil` if the slot is not allocated.
    private func slotState(_ slot: UInt32) -> SlotState? {
        slot > 0 && Int(slot) <= slotStates.count ? slotStates[Int(slot) - 1] : nil
    }

    /// Checks that a person's name can be decrypted, and that a lookup by name finds the person.
    private func checkName(
        of row: PersonRow, _ number: UInt32, _ transaction: borrowing ReadTransaction,
        _ result: inout Verification
    ) throws(LogError) {
        guard case .key(let key) = try transaction.slot(row.slot, in: log.file.tables.vault) else {
            // `checkVault` reports this.
            return
        }
        guard let name = row.decryptName(number, under: key) else {
            return result.report(
                0, "person",
                "the name of person \(number) cannot be decrypted or does not match its digest")
        }
        if try log.file.personNumber(name, in: transaction) != number {
            result.report(
                0, "person", "a lookup by the name of person \(number) does not find this person")
        }
    }

    /// Checks that each key slot contains a key, or zeros if an erasure is recorded.
    func checkVault(
        _ transaction: borrowing ReadTransaction, _ result: inout Verification
    ) throws(LogError) {
        let vault = log.file.tables.vault
        var blocks: UInt64 = 0
        let broken = try transaction.scan(vault.table) {
            (block: UInt64, bytes) throws(LogError) in
            guard block == blocks,
                bytes.byteCount == Int(Vault.slotsPerBlock) * Vault.slotByteCount
            else { throw .corrupt(table: vault.name, key: block, .missing) }
            blocks += 1
            let first = UInt32(truncatingIfNeeded: block) * Vault.slotsPerBlock + 1
            for slot in first..<first + Vault.slotsPerBlock {
                let found = Vault.slot(
                    slot, in: bytes.extracting(Vault.range(of: slot)).copied(), vault)
                checkSlot(found, slot, &result)
            }
            return true
        }
        if let broken { throw .storage(broken) }
        if blocks != Vault.blockCount(ofSlots: UInt32(slotStates.count)) {
            result.report(
                0, "vault",
                "the number of blocks of encryption keys, \(blocks), does not fit the number of "
                    + "allocated key slots, \(slotStates.count)")
        }
    }

    /// Compares the content of a key slot with the state that the rest of the log requires.
    private func checkSlot(_ found: Vault.Slot, _ number: UInt32, _ result: inout Verification) {
        switch (found, slotState(number)) {
        case (_, .beingErased), (_, .lost): break
        case (.key, .assigned), (.key, nil), (.erased, .erased): break
        // A killed erasure in a store leaves slots that it has reserved.
        case (.key, .unassigned) where log.file.lease != nil: break
        case (.key, .unassigned), (.erased, .unassigned):
            result.report(0, "vault", "key slot \(number) is allocated, but belongs to no person")
        case (.key, .erased):
            result.report(
                0, "erasure",
                "the encryption key in slot \(number) is recorded as erased, but still present")
        case (.erased, .assigned), (.erased, nil):
            result.report(
                0, "erasure",
                "the encryption key in slot \(number) is overwritten without a recorded erasure")
        case (.damaged, _):
            result.report(
                0, "vault", "the encryption key in slot \(number) does not match its checksum")
        }
    }

    /// Checks that each person owns as many personal texts as the person's row states.
    ///
    /// - Parameter counts: the numbers of personal texts that were found, by person number.
    func checkTextCounts(
        _ counts: [UInt32: UInt64], _ transaction: borrowing ReadTransaction,
        _ result: inout Verification
    ) throws(LogError) {
        try transaction.scanRows(log.file.tables.people) { (key: UInt64, value) in
            let found = UInt32(exactly: key).flatMap { counts[$0] } ?? 0
            if let row = try? PersonRow(decoding: value), row.textCount != found {
                result.report(
                    0, "person",
                    "person \(key) has \(found) personal texts, but the person's row states "
                        + "\(row.textCount)")
            }
            return true
        }
    }
}
