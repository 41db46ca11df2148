import Daybook
import DaybookLMDB

/// The erasures recorded by the commits of the new log.
struct SalvageErasures {
    /// The numbers of people who were erased completely.
    private(set) var people: Set<UInt32> = []
    /// The slots of the vault whose keys were erased.
    private(set) var slots: Set<UInt32> = []
    /// Positions of erased events, from erasures that are not moved.
    private var positions: Set<UInt64> = []
    /// The position of the newest erasure of each tag, from erasures that are not moved.
    private var tags: [String: UInt64] = [:]

    /// Adds a recorded erasure.
    ///
    /// - Parameter isMoved: true if the new log has the record under another position.
    mutating func add(_ record: TextsErased, at position: UInt64, isMoved: Bool) {
        people.formUnion(record.people.compactMap { UInt32(exactly: $0) })
        slots.formUnion(record.slots.compactMap { UInt32(exactly: $0) }.filter { $0 > 0 })
        guard !isMoved else { return }
        if let erased = record.position.flatMap({ UInt64(exactly: $0) }) {
            positions.insert(erased)
        }
        for tag in record.erasedTags { tags[tag] = max(position, tags[tag] ?? 0) }
    }

    /// True if an erasure of the texts of an unmoved event is recorded.
    func hasErased(_ position: UInt64, _ eventTags: [[UInt8]]) -> Bool {
        positions.contains(position)
            || eventTags.contains {
                tags[String(decoding: $0, as: UTF8.self), default: 0] > position
            }
    }
}

/// The people of a damaged log whose rows and keys can be found, and lost people.
struct SalvagePeople {
    /// The state of a person in the new log.
    enum Person {
        /// The key and the name were recovered.
        case known(PersonKey, name: String)
        /// A recorded erasure has overwritten the key.
        case erased
        /// The row or the key was lost with damage.
        case lost

        /// True if the person could not be recovered.
        var isLost: Bool {
            if case .lost = self { return true }
            return false
        }
    }

    /// The row in the new log and the person, by person number minus 1.
    private(set) var people: [(row: PersonRow, person: Person)] = []
    /// Number of people who could not be recovered.
    private(set) var lostCount = 0
    /// The number of allocated slots in the new log, including erased slots.
    private(set) var slotCount: UInt32 = 0
    /// The allocated slots whose keys were lost.
    private(set) var lostSlots: [UInt32] = []
    /// The named people with their first positions in the damaged log, in order.
    private(set) var firstMentions: [(first: UInt64, number: UInt32)] = []
    /// The bytes of the slots that hold keys, by slot number.
    private var keys: [UInt32: [UInt8]] = [:]

    /// A person as described by the first commit that names the person.
    struct Named {
        /// The first position of the commit.
        var position: UInt64
        /// SHA-256 of the person's salted name.
        var seal: [UInt8]
    }

    /// Finds the people of a damaged log.
    ///
    /// - Parameters:
    ///   - named: the people whom the commits to write are the first to name.
    ///   - end: the position after the last unmoved commit.
    ///   - count: the highest person number in the commits.
    init(
        _ rows: SalvageRows, _ named: [UInt32: Named], _ erasures: SalvageErasures, end: UInt64,
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
        slotCount = max(keys.keys.max() ?? 0, erasures.slots.max() ?? 0)
        guard slotCount > 0 else { return }
        lostSlots = (1...slotCount).filter { keys[$0] == nil && !erasures.slots.contains($0) }
    }

    /// Returns the person with a number; `nil` for an unknown number.
    func person(_ number: UInt32) -> Person? {
        number > 0 && Int(number) <= people.count ? people[Int(number) - 1].person : nil
    }

    /// Returns the row and state of a person from all rows that were found for the person.
    private mutating func recover(
        _ found: [PersonRow], _ number: UInt32, _ rows: SalvageRows,
        _ erasures: SalvageErasures
    ) -> (PersonRow, Person) {
        let first = found.map(\.firstPosition).max() ?? 0
        for var row in found where row.state == .known && keys[row.slot] == nil {
            guard !erasures.slots.contains(row.slot),
                let bytes = rows.vault.key(inSlot: row.slot, rows.tables.vault),
                let key = PersonKey(Array(bytes.prefix(Vault.keyByteCount)))
            else { continue }
            guard let name = row.name(number, under: key) else { continue }
            keys[row.slot] = bytes
            (row.firstPosition, row.nextSlot, row.texts) = (first, 0, 0)
            return (row, .known(key, name: name))
        }
        let erased = found.first { row in
            row.state == .erased && erasures.people.contains(number)
                && erasures.slots.contains(row.slot)
        }
        if var row = erased {
            (row.firstPosition, row.texts) = (first, 0)
            return (row, .erased)
        }
        let named = found.first { $0.firstPosition == first && first > 0 }
        return (.lost(named.map { Named(position: first, seal: $0.seal) }), .lost)
    }

    /// Writes the people and their keys into a new log.
    ///
    /// `SalvageWriter.finish` adds their text counts and first positions later.
    func write(to log: EventLog) throws(LogError) {
        try log.writing { (transaction) throws(LogError) in
            let tables = log.tables
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
                let key = log.personDigest(name)
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

    /// Returns a block with the remaining keys, and with new keys in unallocated slots.
    private func bytes(of block: UInt64, _ table: LogTable) -> [UInt8] {
        var bytes = Vault.newBlock(block, in: table)
        let first = UInt32(truncatingIfNeeded: block) * Vault.slotsPerBlock + 1
        let none = [UInt8](repeating: 0, count: Vault.slotByteCount)
        for slot in first..<first + Vault.slotsPerBlock where slot <= slotCount {
            bytes.replaceSubrange(Vault.range(of: slot), with: keys[slot] ?? none)
        }
        return bytes
    }
}

extension SalvageRows {
    /// Returns all rows of a person in the file, including older versions.
    ///
    /// - Parameter seal: selects rows with this SHA-256 of the name; `nil` for all rows.
    fileprivate func people(_ number: UInt32, _ seal: [UInt8]?) -> [PersonRow] {
        Self.rows(people, at: UInt64(number)).compactMap { row in
            guard let value = value(row) else { return nil }
            do throws(CorruptRecord) {
                let person = try PersonRow(decoding: value.rawSpan)
                return seal == nil || person.seal == seal ? person : nil
            } catch {
                return nil
            }
        }
    }
}
