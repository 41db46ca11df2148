import Daybook
import DaybookLMDB

/// The erasures that commits of the new log record; a record is moved if its position changes.
struct SalvageErasures {
    /// The numbers of people who were erased completely.
    private(set) var personNumbers: Set<UInt32> = []
    /// The key slots whose encryption keys were erased.
    private(set) var slots: Set<UInt32> = []
    /// The positions of events that were erased one by one, according to unmoved records.
    private var erasedPositions: Set<UInt64> = []
    /// The position of the newest unmoved record of the erasure of each erased tag, by tag.
    private var lastErasureOfTag: [String: UInt64] = [:]

    /// Adds a recorded erasure to the sets.
    ///
    /// - Parameters:
    ///   - position: the position of the record in the damaged log.
    ///   - isMoved: true if the record has another position in the new log.
    mutating func add(_ record: TextsErased, at position: UInt64, isMoved: Bool) {
        personNumbers.formUnion(record.people.compactMap { UInt32(exactly: $0) })
        slots.formUnion(record.slots.compactMap { UInt32(exactly: $0) }.filter { $0 > 0 })
        guard !isMoved else { return }
        if let erased = record.position.flatMap({ UInt64(exactly: $0) }) {
            erasedPositions.insert(erased)
        }
        for tag in record.erasedTags {
            lastErasureOfTag[tag] = max(position, lastErasureOfTag[tag] ?? 0)
        }
    }

    /// True if an unmoved record covers the texts of an event; the event must be unmoved, too.
    func hasErased(_ position: UInt64, _ eventTags: [[UInt8]]) -> Bool {
        erasedPositions.contains(position)
            || eventTags.contains {
                lastErasureOfTag[String(decoding: $0, as: UTF8.self), default: 0] > position
            }
    }
}

/// All people of a damaged log, with the rows and encryption keys that could be recovered.
struct SalvagePeople {
    /// The outcome of recovering a person.
    enum Outcome {
        /// The encryption key and the name were recovered.
        case known(PersonKey, name: String)
        /// A recorded erasure has overwritten the encryption key.
        case erased
        /// The row or the encryption key was lost through damage.
        case lost

        /// True if the person could not be recovered.
        var isLost: Bool {
            if case .lost = self { return true }
            return false
        }
    }

    /// Each person's row in the new log, and the outcome of recovery, by person number minus 1.
    private(set) var people: [(row: PersonRow, person: Outcome)] = []
    /// The number of people who could not be recovered.
    private(set) var lostCount = 0
    /// The number of allocated key slots in the new log, including erased slots.
    private(set) var slotCount: UInt32 = 0
    /// The allocated key slots whose encryption keys were lost.
    private(set) var lostSlots: [UInt32] = []
    /// The people whom events name, each with the position of the first such event in the damaged
    /// log, ascending.
    private(set) var firstMentions: [(first: UInt64, number: UInt32)] = []
    /// The 40 bytes of each key slot with a recovered key, by slot number.
    private var recoveredSlots: [UInt32: [UInt8]] = [:]

    /// Recovers the people of a damaged log.
    ///
    /// - Parameters:
    ///   - named: the people whom the commits to write are the first to name, by person number.
    ///   - end: the position after the last commit whose position is unchanged.
    ///   - count: the highest person number that the commits mention.
    init(
        _ rows: SalvageRows, _ named: [UInt32: PersonRow.FirstMention], _ erasures: SalvageErasures,
        end: UInt64,
        count: UInt32
    ) {
        let last = UInt32(truncatingIfNeeded: rows.people.last?.key ?? 0)
        for number in 0..<max(count, last) {
            let number = number + 1
            let name = named[number]
            var (row, person) = recover(rows.people(number, name?.seal), number, rows, erasures)
            if let name {
                row.firstPosition = name.position
                if case .lost = person { row = .lost(name) }
            } else if row.firstPosition < end {
                // The row was written by an unfinished transaction.
                row.firstPosition = 0
            }
            people.append((row, person))
            if row.firstPosition > 0 { firstMentions.append((row.firstPosition, number)) }
            if case .lost = person { lostCount += 1 }
        }
        firstMentions.sort { ($0.first, $0.number) < ($1.first, $1.number) }
        slotCount = max(recoveredSlots.keys.max() ?? 0, erasures.slots.max() ?? 0)
        guard slotCount > 0 else { return }
        lostSlots = (1...slotCount).filter {
            recoveredSlots[$0] == nil && !erasures.slots.contains($0)
        }
    }

    /// Returns the outcome for a person by person number; `nil` if there is no such person.
    func person(_ number: UInt32) -> Outcome? {
        number > 0 && Int(number) <= people.count ? people[Int(number) - 1].person : nil
    }

    /// Recovers a person from all rows found for the person; returns the row for the new log.
    private mutating func recover(
        _ found: [PersonRow], _ number: UInt32, _ rows: SalvageRows,
        _ erasures: SalvageErasures
    ) -> (PersonRow, Outcome) {
        let first = found.map(\.firstPosition).max() ?? 0
        for var row in found where row.state == .known && recoveredSlots[row.slot] == nil {
            guard !erasures.slots.contains(row.slot),
                let bytes = rows.vault.key(inSlot: row.slot, rows.tables.vault),
                let key = PersonKey(Array(bytes.prefix(Vault.keyByteCount)))
            else { continue }
            guard let name = row.decryptName(number, under: key) else { continue }
            recoveredSlots[row.slot] = bytes
            (row.firstPosition, row.nextSlot, row.textCount) = (first, 0, 0)
            return (row, .known(key, name: name))
        }
        let erased = found.first { row in
            row.state == .erased && erasures.personNumbers.contains(number)
                && erasures.slots.contains(row.slot)
        }
        if var row = erased {
            (row.firstPosition, row.textCount) = (first, 0)
            return (row, .erased)
        }
        let named = found.first { $0.firstPosition == first && first > 0 }
        return (.lost(named.map { PersonRow.FirstMention(position: first, seal: $0.seal) }), .lost)
    }

    /// Writes the people and their encryption keys into a new log.
    ///
    /// `SalvageWriter.finish` adds the number of their texts and their first positions later.
    func write(to log: EventLog) throws(LogError) {
        try log.file.writing { (transaction) throws(LogError) in
            let tables = log.file.tables
            for block in 0..<Vault.blockCount(ofSlots: slotCount) {
                let key = block.bytes
                try transaction.putWithoutChecksum(
                    bytes(of: block, tables.vault), for: key.rawSpan, in: tables.vault)
            }
            for (index, (row, person)) in people.enumerated() {
                var row = row
                row.firstPosition = 0
                let number = UInt32(index) + 1
                try transaction.put(row.bytes, for: UInt64(number), in: tables.people)
                guard case .known(_, let name) = person else { continue }
                let key = log.file.digests.person(name)
                try transaction.put(number.bytes, for: key.rawSpan, in: tables.peopleByDigest)
            }
            guard slotCount > 0 else { return }
            let (slots, lost) = (Meta.slots, Meta.lostSlots)
            try transaction.put(slotCount.bytes, for: slots.rawSpan, in: tables.meta)
            guard !lostSlots.isEmpty else { return }
            try transaction.put(
                lostSlots.flatMap(\.bytes), for: lost.rawSpan, in: tables.meta)
        }
    }

    /// Returns a block of the table `vault` with the recovered keys, zeros for lost and erased
    /// keys, and new keys in slots that are not allocated.
    private func bytes(of block: UInt64, _ table: LogTable) -> [UInt8] {
        var bytes = Vault.newBlock(block, in: table)
        let first = UInt32(truncatingIfNeeded: block) * Vault.slotsPerBlock + 1
        let none = [UInt8](repeating: 0, count: Vault.slotByteCount)
        for slot in first..<first + Vault.slotsPerBlock where slot <= slotCount {
            bytes.replaceSubrange(Vault.range(of: slot), with: recoveredSlots[slot] ?? none)
        }
        return bytes
    }
}

extension SalvageRows {
    /// Returns all rows of a person that were found in the file, including older versions.
    ///
    /// - Parameter seal: selects rows with this SHA-256 of the salted name; `nil` for all rows.
    fileprivate func people(_ number: UInt32, _ seal: [UInt8]?) -> [PersonRow] {
        Self.rows(people, at: UInt64(number)).compactMap { row in
            guard let value = value(row), let person = try? PersonRow(decoding: value.rawSpan)
            else { return nil }
            return seal == nil || person.seal == seal ? person : nil
        }
    }
}
