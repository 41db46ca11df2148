import Daybook
import DaybookLMDB

@testable import DaybookLog

extension FileStoreCheck {
    /// Writes the first commits of the batch, and returns the end of the log after them.
    func write(
        _ count: Int, to transaction: inout LogWriteTransaction
    ) throws(AppendFault) -> StoreEnd {
        guard count > 0 else { return end }
        let last = lasts[count - 1]
        var end = end
        do throws(LogError) {
            try writeCommits(count, through: last, to: &transaction)
            for row in nameRows where row.rawSpan.integer(at: 1, as: UInt64.self) <= last {
                try transaction.put(row, for: UInt64(end.nextName), in: log.file.tables.names)
                end.nextName += 1
            }
        } catch {
            throw .log(error)
        }
        try writePeople(of: count, &end, to: &transaction)
        try writeTexts(through: last, to: &transaction)
        end.head = Head(unchecked: Position(last), commits[count - 1].chain)
        end.recordedAt = commits[count - 1].recordedAt
        return end
    }

    /// Writes commits and their events, and what is derived from them.
    private func writeCommits(
        _ count: Int, through last: UInt64, to transaction: inout LogWriteTransaction
    ) throws(LogError) {
        let tables = log.file.tables
        var tags = TagRows()
        var lastOfKind: [UInt16: UInt64] = [:]
        let before = end.head.position.rawValue
        for index in 0..<count {
            let (row, first) = (commitRows[index], firsts[index])
            try transaction.append(row, for: first, to: tables.commits)
            let key = Array(row[CommitRecord.shortKeyRange])
            if key.contains(where: { $0 != 0 }) {
                try transaction.put(first.bytes, for: key.rawSpan, in: tables.keysByDigest)
            }
        }
        for (index, row) in eventRows.enumerated() {
            let position = before + 1 + UInt64(index)
            guard position <= last else { break }
            try transaction.append(row, for: position, to: tables.events)
            let header = try EventHeader(row.rawSpan, at: position)
            try header.forEachTag(in: row.rawSpan, at: position) { tags.add($0, position) }
            lastOfKind[row.rawSpan.integer(at: 16)] = position
        }
        try tags.forEachLastPosition { (tag, position) throws(LogError) in
            try transaction.put(position.bytes, for: tag, in: tables.tags)
        }
        for (kind, position) in lastOfKind {
            try transaction.put(position.bytes, for: UInt64(kind), in: tables.kinds)
        }
    }

    /// Writes the rows of people that the first commits add or change, and their keys.
    ///
    /// - Parameter end: gets the next person and slot.
    private func writePeople(
        of count: Int, _ end: inout StoreEnd, to transaction: inout LogWriteTransaction
    ) throws(AppendFault) {
        let tables = log.file.tables
        var sums: [UInt32: [UInt8]] = [:]
        var blocks = batch.blocks[...]
        var block: [UInt8]?
        for person in batch.people where person.commit < count {
            let number = UInt64(person.number)
            let value = try Self.value(person.row, number, tables.people)
            let row = try Self.decoding("person \(number)") { () throws(CorruptRecord) in
                try PersonRow(decoding: value.rawSpan)
            }
            if number == end.nextPerson, person.replaced.isEmpty {
                guard UInt64(row.slot) == end.nextSlot, row.state == .known else {
                    throw .bytes("person \(number) has another slot than the next one")
                }
                if (end.nextSlot - 1) % UInt64(Vault.slotsPerBlock) == 0 {
                    guard let new = blocks.popFirst(), new.count == Vault.blockByteCount else {
                        throw .bytes("person \(number) needs a new block of keys")
                    }
                    block = new
                    try write(block: new, Vault.block(of: row.slot), to: &transaction)
                }
                try writeDigest(person.number, row, block, to: &transaction)
                end.nextPerson += 1
                end.nextSlot += 1
            } else {
                var known = sums[person.number] ?? []
                if known.isEmpty { known = try storedSum(of: number, in: transaction) }
                guard known == person.replaced, !known.isEmpty else {
                    throw .bytes("person \(number) has another row than the one to replace")
                }
            }
            sums[person.number] = Array(person.row.suffix(RowChecksum.byteCount))
            try AppendFault.mapping { () throws(LogError) in
                try transaction.put(value, for: number, in: tables.people)
            }
        }
        guard end.nextSlot != self.end.nextSlot else { return }
        let (key, slots) = (Meta.slots, UInt32(truncatingIfNeeded: end.nextSlot - 1))
        try AppendFault.mapping { () throws(LogError) in
            try transaction.put(slots.bytes, for: key.rawSpan, in: tables.meta)
        }
    }

    /// Returns the checksum of a stored row of a person; empty if there is none.
    private func storedSum(
        of number: UInt64, in transaction: borrowing LogWriteTransaction
    ) throws(AppendFault) -> [UInt8] {
        do throws(LMDBError) {
            let stored = try transaction.bytes(for: number, in: log.file.tables.people.table)?
                .copied()
            return Array((stored ?? []).suffix(RowChecksum.byteCount))
        } catch {
            throw .log(.storage(error))
        }
    }

    /// Writes a new block of keys.
    private func write(
        block: [UInt8], _ number: UInt64, to transaction: inout LogWriteTransaction
    ) throws(AppendFault) {
        let key = number.bytes
        try AppendFault.mapping { () throws(LogError) in
            try transaction.putWithoutChecksum(block, for: key.rawSpan, in: log.file.tables.vault)
        }
    }

    /// Makes a new person findable by name.
    ///
    /// - Parameter block: the newest block of the batch; `nil` if it has none yet.
    private func writeDigest(
        _ number: UInt32, _ row: PersonRow, _ block: [UInt8]?,
        to transaction: inout LogWriteTransaction
    ) throws(AppendFault) {
        let vault = log.file.tables.vault
        let found: Vault.Slot
        if let block {
            found = Vault.slot(row.slot, in: Array(block[Vault.range(of: row.slot)]), vault)
        } else {
            do throws(LogError) {
                found = try transaction.slot(row.slot, in: vault)
            } catch {
                throw .log(error)
            }
        }
        guard case .key(let key) = found, let name = row.decryptName(number, under: key) else {
            throw .bytes("the key of person \(number) does not open the name")
        }
        let digest = log.file.digests.person(name)
        try AppendFault.mapping { () throws(LogError) in
            try transaction.put(
                number.bytes, for: digest.rawSpan, in: log.file.tables.peopleByDigest)
        }
    }

    /// Writes the texts of the events up to a position.
    private func writeTexts(
        through last: UInt64, to transaction: inout LogWriteTransaction
    ) throws(AppendFault) {
        let table = log.file.tables.texts
        for text in batch.texts {
            guard text.position > end.head.position.rawValue else {
                throw .bytes("a text is of an event before the commits")
            }
            guard text.position <= last else { continue }
            let key = PersonalRow.key(text.position, text.field)
            let value = Array(text.row.dropLast(RowChecksum.byteCount))
            guard value.asRow(table, key.rawSpan) == text.row else {
                throw .bytes("a text at \(text.position) does not match its checksum")
            }
            try AppendFault.mapping { () throws(LogError) in
                try transaction.put(value, for: key.rawSpan, in: table)
            }
        }
    }
}
