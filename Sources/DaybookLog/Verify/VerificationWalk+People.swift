import Daybook
import DaybookCryptography
import DaybookLMDB

extension VerificationWalk {
    /// Reads the recorded erasures and the lists of lost and pending key slots into `people`.
    mutating func readErasures(_ transaction: borrowing ReadTransaction) throws(LogError) {
        let given = try log.file.tables.allocatedSlotCount(in: transaction)
        people.slotStates = Array(repeating: .unassigned, count: Int(given))
        try LogErasures(log: log).forEach { (event, found) in
            let position = event.position.rawValue
            let record: TextsErased
            switch found {
            case .success(let read): record = read
            case .failure(let error):
                return result.report(
                    position, "payload", "the payload of \(event.kind) cannot be read: \(error)")
            }
            people.erasures.add(record, at: position)
            for slot in log.file.holdsKeys ? record.slots : [] {
                guard let slot = UInt32(exactly: slot), (1...max(given, 1)).contains(slot),
                    given > 0
                else {
                    result.report(
                        position, "erasure",
                        "the recorded erasure names key slot \(slot), which is not allocated")
                    continue
                }
                people.slotStates[Int(slot) - 1] = .erased
            }
        }
        for slot in try log.file.tables.slots(listedIn: Meta.lostSlots, in: transaction) {
            if people.slotStates[Int(slot) - 1] == .erased {
                result.report(0, "vault", "key slot \(slot) is recorded both as lost and as erased")
            }
            people.slotStates[Int(slot) - 1] = .lost
        }
        let pending = try log.file.tables.slots(listedIn: Meta.erasing, in: transaction)
        for slot in pending {
            if people.slotStates[Int(slot) - 1] != .erased {
                result.report(
                    0, "erasure",
                    "key slot \(slot) is listed for overwriting, but in no recorded erasure")
            }
            people.slotStates[Int(slot) - 1] = .beingErased
        }
        if !pending.isEmpty {
            result.report(
                0, "erasure",
                "\(pending.count.counted("encryption key")) \(pending.count.are) not overwritten "
                    + "yet; any command that writes to the log completes the erasure")
        }
    }

    /// Checks that people are numbered without gaps, share no key slots and can be found by name.
    mutating func checkPeople(_ transaction: borrowing ReadTransaction) throws(LogError) {
        let tables = log.file.tables
        // A replica does not know the names of people who are only reserved.
        var (known, living) = (0, 0)
        try transaction.scanRows(tables.people) { (key: UInt64, value) throws(LogError) in
            guard key == UInt64(people.count) + 1, let number = UInt32(exactly: key) else {
                throw .corrupt(table: tables.people.name, key: key, .missing)
            }
            people.count = number
            let row: PersonRow
            do throws(CorruptRecord) {
                row = try PersonRow(decoding: value)
            } catch {
                people.firstPositions.append(0)
                result.report(0, "person", "person \(number): \(error)")
                return true
            }
            people.firstPositions.append(row.state == .lost ? nil : row.firstPosition)
            if row.firstPosition > 0 { people.firstUses.append((row.firstPosition, number)) }
            if row.state == .lost { result.lostPeople += 1 }
            guard log.file.holdsKeys else { return true }
            claimSlots(of: row, number)
            if !row.isGone { living += 1 }
            guard row.state == .known else { return true }
            known += 1
            try checkName(of: row, number, transaction)
            return true
        }
        people.firstUses.sort { ($0.position, $0.number) < ($1.position, $1.number) }
        var digests = 0
        try transaction.scanRows(tables.peopleByDigest, from: nil as RawSpan?) {
            (_, value) throws(LogError) in
            digests += 1
            let number = value.byteCount == 4 ? value.integer(at: 0, as: UInt32.self) : 0
            guard (1...max(people.count, 1)).contains(number), people.count > 0,
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
    private mutating func claimSlots(of row: PersonRow, _ number: UInt32) {
        guard row.state != .lost else { return }
        guard row.state != .erased else {
            let slot = slotState(row.slot)
            if !people.erasures.people.contains(number)
                || (slot != .erased && slot != .beingErased)
            {
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
            people.slotStates[Int(slot) - 1] = .assigned
        }
    }

    /// Returns the state of a key slot; `nil` if the slot is not allocated.
    private func slotState(_ slot: UInt32) -> PeopleCheck.SlotState? {
        slot > 0 && Int(slot) <= people.slotStates.count ? people.slotStates[Int(slot) - 1] : nil
    }

    /// Checks that a person's name can be decrypted, and that a lookup by name finds the person.
    private mutating func checkName(
        of row: PersonRow, _ number: UInt32, _ transaction: borrowing ReadTransaction
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
    mutating func checkVault(_ transaction: borrowing ReadTransaction) throws(LogError) {
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
                checkSlot(found, slot)
            }
            return true
        }
        if let broken { throw .storage(broken) }
        if blocks != Vault.blockCount(ofSlots: UInt32(people.slotStates.count)) {
            result.report(
                0, "vault",
                "the number of blocks of encryption keys, \(blocks), does not fit the number of "
                    + "allocated key slots, \(people.slotStates.count)")
        }
    }

    /// Compares the content of a key slot with the state that the rest of the log requires.
    private mutating func checkSlot(_ found: Vault.Slot, _ number: UInt32) {
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

    /// Checks that the people whom a commit is the first to name match their rows in `people`.
    mutating func checkPeople(
        of commit: CommitRecord, _ range: ClosedRange<UInt64>,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        if commit.actor > people.count {
            result.report(
                range.lowerBound, "person",
                "the actor of the commit is person \(commit.actor), who does not exist")
        }
        var new: [UInt32] = []
        while checked.peopleCount < people.firstUses.count,
            people.firstUses[checked.peopleCount].position <= range.upperBound
        {
            new.append(people.firstUses[checked.peopleCount].number)
            checked.peopleCount += 1
        }
        var named: [CommitRecord.NewPerson] = []
        for number in new.sorted() {
            named.append(
                CommitRecord.NewPerson(
                    number: number, seal: try log.file.tables.person(number, in: transaction).seal))
        }
        if named != commit.newPeople {
            result.report(
                range.lowerBound, "person",
                "the people whom the commit is the first to name do not match their rows")
        }
    }

    /// Checks the separately stored names and integers of an event.
    ///
    /// Each name must be that of a person whom this or an earlier commit has named, the integers
    /// must match the digest in the event, and the payload with names and integers put back must be
    /// in canonical form.
    mutating func checkSeparateValues(
        _ position: UInt64, _ header: EventHeader, _ kind: EventKind, _ stored: RawSpan,
        through last: UInt64, _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        guard header.parts != 0 else { return }
        for index in 0..<header.nameCount {
            let person = NamePlace(index, header, stored).personNumber
            guard person > 0, person <= people.count else {
                return result.report(
                    position, "person", "the event names person \(person), who does not exist")
            }
            let first = people.firstPositions[Int(person) - 1]
            if let first, !(1...max(last, 1)).contains(first) {
                result.report(
                    position, "person",
                    "the event names person \(person), but the person's row gives a later first "
                        + "position, or none")
            }
        }
        if let seal = header.numbersSeal(in: stored) {
            let isRestorable = try checkSeal(
                seal, SealedNumbers.ordinal, position, header, stored, transaction)
            guard isRestorable else { return }
        }
        let found = try restoredPayloadFault(position, header, stored, of: kind, transaction)
        if let found { result.report(position, "payload", found) }
    }

    /// Puts the separate names and integers back into a payload, and returns the payload's fault;
    /// `nil` if it is canonical.
    private func restoredPayloadFault(
        _ position: UInt64, _ header: EventHeader, _ stored: RawSpan, of kind: EventKind,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> String? {
        var found: String?
        do throws(LogError) {
            _ = try opener.withRestored(position, header, stored, in: transaction) {
                (_, header, bytes) throws(LogError) in
                let payload = bytes.extracting(header.payloadOffset...)
                do throws(CorruptPayload) {
                    if let known = catalogue.events[kind], try !known.inspect(payload).isCanonical {
                        found = "the restored payload of \(kind) is not canonical"
                    }
                } catch {
                    found = "the restored payload of \(kind) cannot be read: \(error)"
                }
                return true
            }
        } catch .corrupt(_, _, .parts(let offset)) {
            found = "\(CorruptRecord.parts(offset: offset))"
        }
        return found
    }

    /// Checks that a personal text matches its digest in the event or has a recorded erasure.
    ///
    /// - Parameters:
    ///   - seal: the SHA-256 digest of the salted text, from the event.
    ///   - ordinal: the index of the text in the event, or `SealedNumbers.ordinal`.
    /// - Returns: `false` if the text exists but does not match the digest or cannot be decrypted.
    mutating func checkSeal(
        _ seal: [UInt8], _ ordinal: UInt32, _ position: UInt64, _ header: EventHeader,
        _ bytes: RawSpan, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> Bool {
        let key = PersonalRow.key(position, ordinal)
        guard let stored = try transaction.row(key.rawSpan, in: log.file.tables.texts) else {
            result.report(
                position, "erasure", "a personal text is missing without a recorded erasure")
            return true
        }
        totals.textCount += 1
        let row = try TextRow(stored, at: key.rawSpan, in: log.file.tables.texts)
        guard !row.isGone else {
            guard !row.isLost else {
                result.lostTexts += 1
                return true
            }
            result.erasedTexts += 1
            let tags = (try? header.tags(in: bytes)) ?? []
            if !people.erasures.cover(position, tags) {
                result.report(
                    position, "erasure", "a personal text was erased without a recorded erasure")
            }
            return true
        }
        return try checkText(row, at: key, seal, position, transaction)
    }

    /// Decrypts a personal text and checks that it matches its digest.
    ///
    /// - Parameter seal: the SHA-256 digest of the salted text, from the event.
    /// - Returns: `false` if the text does not match the digest or cannot be decrypted.
    private mutating func checkText(
        _ row: TextRow, at key: [UInt8], _ seal: [UInt8], _ position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> Bool {
        guard row.personNumber <= people.count else {
            result.report(
                position, "person",
                "a personal text belongs to person \(row.personNumber), who does not exist")
            return false
        }
        totals.textCounts[row.personNumber, default: 0] += 1
        switch try person(row.personNumber, transaction) {
        case .erased: result.erasedTexts += 1
        case .notHere: result.textsNotHere += 1
        case .keyGone:
            result.report(
                position, "erasure",
                "the encryption key of a personal text is overwritten without a recorded erasure")
            return false
        case .known(let opener):
            let salted = row.open(at: key, with: opener)
            sealHasher.update(salted ?? [])
            guard sealHasher.finish() == seal, salted != nil else {
                result.report(
                    position, "seal",
                    "a personal text cannot be decrypted or does not match its digest in the event")
                return false
            }
        }
        return true
    }

    /// Looks up a person by person number, in the cache first.
    private mutating func person(
        _ number: UInt32, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> KnownPerson {
        if let known = knownPeople[number] { return known }
        if knownPeople.count > 4_096 { knownPeople = [:] }
        let person: KnownPerson =
            switch try log.people.findPerson(number, in: transaction) {
            case .known(_, let key): .known(key.opener())
            case .erased: .erased
            case .notHere: .notHere
            case .keyGone: .keyGone
            }
        knownPeople[number] = person
        return person
    }
}
