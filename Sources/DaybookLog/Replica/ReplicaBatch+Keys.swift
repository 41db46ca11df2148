import Daybook
import DaybookLMDB

// A replica with keys and a store is kept findable by name, and its erasures are listed, batch by
// batch, so that a pull without new people reads no people.
extension ReplicaBatch {
    /// Writes the rows that depend on people's keys: digests of names, slots and erasures.
    ///
    /// - Throws: `.store(.keys)` if a block of keys is missing, which `fetchKeys` adds.
    func writeKeys(
        _ reader: SegmentReader, to transaction: inout LogWriteTransaction, _ log: EventLog
    ) throws(LogError) {
        guard log.file.holdsKeys else { return }
        let before = try log.file.tables.allocatedSlotCount(in: transaction)
        var slotCount = before
        for body in people {
            let span = reader.content(body)
            let number: UInt32 = span.integer(at: 0)
            let row = try PersonRow(
                span.extracting(4...), at: UInt64(number))
            slotCount = max(slotCount, row.slot, row.nextSlot)
            try writeDigest(of: number, row, to: &transaction, log)
        }
        let erased = try erasures(reader, log, try log.file.names(in: transaction))
            .flatMap(\.record.slotNumbers)
        slotCount = max(slotCount, erased.max() ?? 0)
        guard slotCount > 0 else { return }
        let block = Vault.block(of: slotCount)
        guard
            try transaction.lastKey(of: log.file.tables.vault)
                .map({ $0 >= block }) ?? false
        else {
            throw .store(
                .keys(name: log.path, reason: "block \(block) of the keys of people is not here"))
        }
        if slotCount > before {
            let key = Meta.slots
            try transaction.put(slotCount.bytes, for: key.rawSpan, in: log.file.tables.meta)
        }
        guard !erased.isEmpty else { return }
        // A program that opens the log finishes the erasure if this one is killed.
        let listed = try log.file.tables.slots(listedIn: Meta.erasing, in: transaction)
        let pending = Set(listed).union(erased).sorted()
        let key = Meta.erasing
        try transaction.put(pending.flatMap(\.bytes), for: key.rawSpan, in: log.file.tables.meta)
    }

    /// Adds or removes the digest by which a person is found by name.
    ///
    /// - Parameter row: the new row of the person.
    private func writeDigest(
        of number: UInt32, _ row: PersonRow, to transaction: inout LogWriteTransaction,
        _ log: EventLog
    ) throws(LogError) {
        let tables = log.file.tables
        var old: PersonRow?
        if let value = try transaction.row(UInt64(number), in: tables.people) {
            old = try PersonRow(value, at: UInt64(number))
        }
        switch (old?.state, row.state) {
        case (.known, .known): return
        case (_, .known):
            guard let name = try name(of: number, row, in: transaction, log) else { return }
            let key = log.file.digests.person(name)
            try transaction.put(number.bytes, for: key.rawSpan, in: tables.peopleByDigest)
        case (.known, _):
            guard let old, let name = try name(of: number, old, in: transaction, log) else {
                return try removeDigest(of: number, from: &transaction, log)
            }
            let key = log.file.digests.person(name)
            try transaction.remove(key.rawSpan, from: tables.peopleByDigest)
        default: return
        }
    }

    /// Decrypts the name of a person; `nil` if the key is erased.
    private func name(
        of number: UInt32, _ row: PersonRow, in transaction: borrowing LogWriteTransaction,
        _ log: EventLog
    ) throws(LogError) -> String? {
        guard let key = try transaction.key(inSlot: row.slot, of: log.file.tables.vault) else {
            return nil
        }
        guard let name = row.decryptName(number, under: key) else {
            throw .corrupt(table: log.file.tables.people.name, key: UInt64(number), .cipher)
        }
        return name
    }

    /// Removes the digest that leads to a person whose name can no longer be read.
    private func removeDigest(
        of number: UInt32, from transaction: inout LogWriteTransaction, _ log: EventLog
    ) throws(LogError) {
        var found: [UInt8]?
        try transaction.scanRows(log.file.tables.peopleByDigest, from: nil as RawSpan?) {
            key, value in
            guard value.byteCount == 4, value.integer(at: 0, as: UInt32.self) == number else {
                return true
            }
            found = key.copied()
            return false
        }
        if let found { try transaction.remove(found.rawSpan, from: log.file.tables.peopleByDigest) }
    }

    /// Returns the erasures that the commits of the batch record, with their positions.
    func erasures(
        _ reader: SegmentReader, _ log: EventLog, _ known: Names
    ) throws(LogError) -> [(position: UInt64, record: TextsErased)] {
        let kind = TextsErased.kind.name
        let first = nameCount - names.count
        var row = known.row(of: TextsErased.kind)
        if let index = names.firstIndex(where: { $0.category == .kind && $0.text == kind }) {
            row = UInt16(exactly: first + index + 1)
        }
        guard let row, lastPositionOfKind[row] != nil else { return [] }
        var erasures: [(position: UInt64, record: TextsErased)] = []
        for commit in commits {
            for (index, body) in commit.events.enumerated() {
                let event = reader.content(body)
                let position = commit.first + UInt64(index)
                let header = try EventHeader(event, at: position)
                guard header.kind == row else { continue }
                let payload = event.extracting(header.payloadRange(in: event))
                do throws(CorruptPayload) {
                    erasures.append(
                        (position, try BinaryReader.read(TextsErased.self, from: payload)))
                } catch {
                    throw .fold(.corrupt(Position(position), TextsErased.kind, error))
                }
            }
        }
        return erasures
    }
}
