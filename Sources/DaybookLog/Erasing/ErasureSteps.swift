import Daybook
import DaybookLMDB

/// The steps of an erasure in a log file.
struct ErasureSteps {
    let log: EventLog

    /// Erases personal texts, again after the people of the erasure were registered.
    func eraseAgain(
        _ target: ErasureTarget, _ reason: String?, _ metadata: CommitMetadata,
        _ catalogue: Catalogue
    ) throws(AppendError) -> Erasure {
        var names: Set<String> = []
        if !metadata.actor.isEmpty { names.insert(PersonName.actor(metadata.actor)) }
        if reason != nil { names.insert(log.personNouns.textOwner(of: [], actor: metadata.actor)) }
        let asked = AppendRequest([], metadata: metadata)
        if let reason = asked.reasonUnstorable(isFromLog: true) { throw .unstorable(reason) }
        return try AppendError.mappingLogErrors(
            try erase(target, reason, metadata, names, catalogue))
    }

    /// Erases personal texts in the store of a replica, or in the file.
    private func erase(
        _ target: ErasureTarget, _ reason: String?, _ metadata: CommitMetadata,
        _ names: Set<String>, _ catalogue: Catalogue
    ) throws(LogError) -> Erasure {
        if let link = log.kind.link {
            var turn = try StoreErasure(log, link, target, reason, metadata, names, catalogue)
            return try turn.run()
        }
        while true {
            let found = try log.file.growingMap { () throws(LogError) in
                try eraseOnce(target, reason, metadata, names, catalogue)
            }
            guard let found else { continue }
            if found.position != nil { try LogErasures(log: log).finish() }
            return found
        }
    }

    /// Plans an erasure and carries it out in one transaction.
    ///
    /// - Parameter names: the names of the actor and of the owner of the reason.
    /// - Returns: the effect; `nil` if this call only registered unknown people or reserved key
    ///   slots, so that the caller must try again.
    func eraseOnce(
        _ target: ErasureTarget, _ reason: String?, _ metadata: CommitMetadata,
        _ names: Set<String>, _ catalogue: Catalogue
    ) throws(LogError) -> Erasure? {
        var session = try AppendSession(log, ignoresClockLead: true)
        guard try session.people.load(names, in: session.transaction) else {
            session.abort()
            try PeopleRegistration(file: log.file).register(names)
            return nil
        }
        let plan = try ErasurePlan(target, of: log, catalogue, in: session.transaction)
        var erasure = plan.erasure
        guard !erasure.isNothing else { return erasure }
        let keyChanges = try plan.keyChanges(in: session.transaction)
        guard keyChanges.allSatisfy({ $0.value.new != nil }) else {
            session.abort()
            try PeopleRegistration(file: log.file).reserveNextSlots(of: keyChanges.keys)
            return nil
        }
        try session.erase(plan, keyChanges, &erasure, reason, metadata)
        log.file.recordHead()
        return erasure
    }
}

extension ErasurePlan {
    /// Returns the key changes of the people who lose only some texts, by person number.
    func keyChanges(
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [UInt32: KeyChange] {
        var keyChanges: [UInt32: KeyChange] = [:]
        for number in droppedTextKeys.keys {
            guard case .known(let row, let old) = try log.people.findPerson(number, in: transaction)
            else { throw .damaged(table: log.file.tables.vault.name, .keyGone) }
            keyChanges[number] = KeyChange(old: old)
            guard row.nextSlot != 0 else { continue }
            keyChanges[number]?.newSlot = row.nextSlot
            keyChanges[number]?.new = try transaction.key(
                inSlot: row.nextSlot, of: log.file.tables.vault)
        }
        return keyChanges
    }
}

extension AppendSession {
    /// Carries out an erasure plan and appends the event that records the erasure, in one
    /// transaction.
    ///
    /// - Parameter erasure: receives the counts and the position of the event.
    consuming func erase(
        _ plan: ErasurePlan, _ keyChanges: [UInt32: KeyChange], _ erasure: inout Erasure,
        _ reason: String?, _ metadata: CommitMetadata
    ) throws(LogError) {
        erasure.rewritten = try rewrite(plan, keyChanges)
        _ = try record(plan, keyChanges, &erasure, reason, metadata)
        try commit()
    }

    /// Writes all of an erasure except the texts that it keeps, and appends the event that records
    /// it.
    ///
    /// - Parameters:
    ///   - unused: slots that nobody has, whose keys are dropped as well.
    ///   - erasure: receives the number of slots and the position of the event.
    /// - Returns: the slots of the erased keys.
    mutating func record(
        _ plan: ErasurePlan, _ keyChanges: [UInt32: KeyChange], dropping unused: [UInt32] = [],
        _ erasure: inout Erasure, _ reason: String?, _ metadata: CommitMetadata
    ) throws(LogError) -> [UInt32] {
        let tables = log.file.tables
        var slots: [UInt32] = []
        for (number, change) in keyChanges.sorted(by: { $0.key < $1.key }) {
            guard let new = change.new else { continue }
            let dropped = UInt64(plan.droppedTextKeys[number]?.count ?? 0)
            slots += try people.changeKey(
                number, change, to: new, dropping: dropped, in: &transaction)
        }
        for key in plan.missingTextKeys {
            try transaction.put(TextRow.erased.bytes, for: key.rawSpan, in: tables.texts)
        }
        for number in plan.erasedNames.keys.sorted() {
            slots += try people.slots(of: number, in: transaction)
        }
        erasure.slots = slots.count
        var record = TextsErased.blank
        record.erasedTags = plan.tags.map(\.text)
        record.position = plan.position.map { Int64(clamping: $0) }
        record.people = plan.erasedNames.keys.sorted().map(Int64.init)
        record.erasedTextCount = Int64(clamping: erasure.texts)
        record.slots = (slots + unused).map(Int64.init)
        record.reason = reason.map { PersonalText($0) }
        erasure.position = try write(
            AppendRequest([NewEvent(record, occurredAt: log.file.clock())], metadata: metadata)
        )?.first
        // After the record, because the erased person may be the actor of the erasure.
        for (number, name) in plan.erasedNames.sorted(by: { $0.key < $1.key }) {
            try people.erase(number, in: &transaction)
            let digest = log.file.digests.person(name)
            try transaction.remove(digest.rawSpan, from: tables.peopleByDigest)
        }
        let key = Meta.erasing
        let pending =
            try log.file.tables.slots(listedIn: Meta.erasing, in: transaction) + slots + unused
        try transaction.put(pending.flatMap(\.bytes), for: key.rawSpan, in: tables.meta)
        return slots
    }

    /// Encrypts the texts that a plan keeps under new keys, and deletes the people's other texts.
    ///
    /// - Returns: the number of texts that were encrypted again.
    private mutating func rewrite(
        _ plan: ErasurePlan, _ keyChanges: [UInt32: KeyChange]
    ) throws(LogError) -> UInt64 {
        guard !keyChanges.isEmpty else { return 0 }
        let table = log.file.tables.texts
        var rewritten: UInt64 = 0
        var start: [UInt8]? = PersonalRow.key(0, 0)
        while let from = start {
            start = nil
            var batch: [(key: [UInt8], row: TextRow)] = []
            try transaction.scanRows(table, from: from.rawSpan) {
                (key: RawSpan, value) throws(LogError) in
                guard batch.count < 10_000 else {
                    start = key.copied()
                    return false
                }
                let person = value.byteCount < 4 ? 0 : value.integer(at: 0, as: UInt32.self)
                if keyChanges[person] != nil {
                    batch.append((key.copied(), try TextRow(value, at: key)))
                }
                return true
            }
            for (key, row) in batch {
                guard let change = keyChanges[row.personNumber], let new = change.new
                else { continue }
                var changed = TextRow.erased
                if plan.droppedTextKeys[row.personNumber]?.contains(key) != true {
                    guard let text = row.open(at: key, under: change.old) else {
                        throw .damaged(table: table.name, row: key, .cipher)
                    }
                    changed = TextRow(
                        text, of: row.personNumber, at: key, under: new, with: people.sealer)
                    rewritten += 1
                }
                try transaction.put(changed.bytes, for: key.rawSpan, in: table)
            }
        }
        return rewritten
    }
}
