import Daybook
import DaybookCryptography
import DaybookLMDB
import DaybookLibC

/// An erasure on its way into a store.
///
/// Other writers append while an erasure is prepared. The slow part therefore comes first, as of a
/// head of the replica: the plan, the kept texts under new keys, and the blocks without the erased
/// keys. It is sent to the store, and then the changes by new commits, until few are left. Only
/// then is the store's lock taken, and the last commits are handled under it.
struct StoreErasure {
    let log: EventLog
    let link: StoreLink
    let store: any ErasingStore
    private let target: ErasureTarget
    private let reason: String?
    private let metadata: CommitMetadata
    /// The names of the actor and of the owner of the reason.
    private let names: Set<String>
    private let catalogue: Catalogue
    /// The slots that the store has reserved for the new keys, by person number.
    private var reserved: [UInt32: UInt32] = [:]

    /// The number of attempts after which the erasure gives up.
    private static let attemptLimit = 48

    /// The greatest number of passes over new commits before the lock is taken.
    private static let roundLimit = 16
    /// The number of new events that may be left for the time under the lock.
    private static let fewEvents: UInt64 = 32
    /// The number of texts sent in one call.
    private static let textsPerStep = 500

    /// The parts of the erasure, prepared as of a head of the replica.
    private struct Prepared {
        var head: Head
        var plan: ErasurePlan
        var keyChanges: [UInt32: KeyChange]
        var blocks: PreparedErasure
        /// Changed texts that the store does not have yet: texts under new keys, erased texts, and
        /// texts that are recorded as missing.
        var texts: [StoreBatch.Text] = []
        /// The number of texts encrypted anew.
        var rewritten: UInt64 = 0
    }

    /// The outcome of an attempt.
    private enum Attempt {
        case written(Erasure)
        /// The erasure must be prepared anew.
        case late
        /// The store's answer was lost.
        case unknown(Erasure, StoreBatch)
    }

    /// - Throws: `.store(.refused)` for a store in which nothing can be erased.
    init(
        _ log: EventLog, _ link: StoreLink, _ target: ErasureTarget, _ reason: String?,
        _ metadata: CommitMetadata, _ names: Set<String>, _ catalogue: Catalogue
    ) throws(LogError) {
        try log.kind.prepareForAppends(to: log)
        guard let store = link.store as? any ErasingStore else {
            throw .store(
                .refused(
                    name: link.store.name, code: "erase",
                    reason: "texts of this store cannot be erased"))
        }
        self.log = log
        self.link = link
        self.store = store
        self.target = target
        self.reason = reason
        self.metadata = metadata
        self.names = names
        self.catalogue = catalogue
    }

    /// Erases the texts, and finishes this and earlier erasures as far as possible now.
    mutating func run() throws(LogError) -> Erasure {
        var erasure = try record()
        var position = erasure.position
        if position == nil { position = try LogErasures(log: log).lastPosition() }
        erasure.reach = try StoreContact(log, link).finishErasures(
            of: store, since: position ?? .origin)
        return erasure
    }

    /// Records the erasure in the store, and carries it out in the replica.
    private mutating func record() throws(LogError) -> Erasure {
        for _ in 0..<Self.attemptLimit {
            try CatchUp(log, link).run()
            let attempt: Attempt
            do throws(LogError) {
                guard let prepared = try prepare() else { return try planned() }
                attempt = try carryOut(prepared)
            } catch .storage(.mapFull) {
                try log.file.growMap()
                continue
            }
            // What was sent may be in the store's WAL, so that its keys are not used again.
            reserved = [:]
            switch attempt {
            case .late: continue
            case .unknown(let erasure, let batch):
                guard try isWritten(batch) else { continue }
                try CatchUp(log, link).run()
                return erasure
            case .written(let erasure):
                try CatchUp(log, link).run()
                return erasure
            }
        }
        throw .store(
            .refused(
                name: store.name, code: "moved",
                reason: "other erasures were faster \(Self.attemptLimit) times"))
    }

    /// The effect of an erasure that finds no text.
    private func planned() throws(LogError) -> Erasure {
        try log.erasure(of: target, catalogue: catalogue)
    }
}

// Before the lock.
extension StoreErasure {
    /// Prepares the erasure as of the end of the replica; `nil` if there is nothing to erase.
    private mutating func prepare() throws(LogError) -> Prepared? {
        while true {
            let transaction = try log.file.beginReading()
            let plan = try ErasurePlan(target, of: log, catalogue, in: transaction)
            guard !plan.erasure.isNothing else { return nil }
            let people = plan.droppedTextKeys.keys.filter { reserved[$0] == nil }.sorted()
            guard people.isEmpty else {
                try reserveSlots(for: people)
                continue
            }
            let keyChanges = try keyChanges(of: plan, in: transaction)
            let slots = try slots(of: plan, keyChanges, in: transaction)
            let used = Set(keyChanges.values.map(\.newSlot))
            let blocks = try store.prepareErasure(of: slots, using: used)
            guard let blocks else {
                reserved = [:]
                try CatchUp(log, link).run()
                continue
            }
            var prepared = Prepared(
                head: try log.file.tables.chainHead(in: transaction).head, plan: plan,
                keyChanges: keyChanges,
                blocks: blocks)
            prepared.texts = plan.missingTextKeys.compactMap { changedText($0, .erased) }
            let last = max(1, prepared.head.position.rawValue)
            try addTexts(1...last, to: &prepared, in: transaction)
            return prepared
        }
    }

    /// Reserves a slot of the store for each person who keeps some texts.
    private mutating func reserveSlots(for people: [UInt32]) throws(LogError) {
        let slots = try store.reserveSlots(people.count)
        guard slots.count == people.count else {
            throw .store(.damaged(name: store.name, reason: "it reserved too few key slots"))
        }
        for (person, slot) in zip(people, slots) { reserved[person] = slot }
        try CatchUp(log, link).fetchKeys(through: slots.max() ?? 0)
    }

    /// Returns the key changes of the people who lose only some texts, by person number.
    private func keyChanges(
        of plan: ErasurePlan, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [UInt32: KeyChange] {
        var keyChanges = try plan.keyChanges(in: transaction)
        for number in keyChanges.keys {
            guard let slot = reserved[number],
                let key = try transaction.key(inSlot: slot, of: log.file.tables.vault)
            else { throw .damaged(table: log.file.tables.vault.name, .keyGone) }
            keyChanges[number]?.new = key
            keyChanges[number]?.newSlot = slot
        }
        return keyChanges
    }

    /// Returns the slots whose keys an erasure drops.
    private func slots(
        of plan: ErasurePlan, _ keyChanges: [UInt32: KeyChange],
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> Set<UInt32> {
        var slots: Set<UInt32> = []
        for number in Array(plan.erasedNames.keys) + keyChanges.keys {
            let row = try log.file.tables.person(number, in: transaction)
            slots.formUnion([row.slot, row.nextSlot].filter { $0 != 0 })
        }
        return slots
    }

    /// Carries a prepared erasure out in one transaction of the store.
    private func carryOut(_ prepared: Prepared) throws(LogError) -> Attempt {
        var prepared = prepared
        let hasBegun = try store.beginErasure(prepared.blocks)
        guard hasBegun else { return .late }
        // Does nothing once the erasure is recorded.
        defer { store.abandonErasure() }
        try send(&prepared)
        for _ in 0..<Self.roundLimit {
            let before = prepared.head.position.rawValue
            try CatchUp(log, link).run()
            guard try extend(&prepared) else { return .late }
            try send(&prepared)
            guard prepared.head.position.rawValue - before > Self.fewEvents else { break }
        }
        return try recordUnderLock(&prepared)
    }

    /// Sends the texts that are changed, some at a time.
    private func send(_ prepared: inout Prepared) throws(LogError) {
        let texts = prepared.texts
        for start in stride(from: 0, to: texts.count, by: Self.textsPerStep) {
            let part = Array(texts[start..<min(start + Self.textsPerStep, texts.count)])
            try store.replace(part, prepared.blocks)
        }
        prepared.texts = []
    }

    /// Extends the erasure by the replica's new commits; returns false if it must be prepared anew.
    private func extend(_ prepared: inout Prepared) throws(LogError) -> Bool {
        let transaction = try log.file.beginReading()
        let head = try log.file.tables.chainHead(in: transaction).head
        return try extend(&prepared, to: head, in: transaction)
    }

    /// Extends the erasure by the new commits up to the head of a transaction.
    private func extend(
        _ prepared: inout Prepared, to head: Head,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> Bool {
        let known = prepared.head.position.rawValue
        guard head.position.rawValue > known else { return true }
        guard try prepared.plan.extend(after: known, in: transaction) else { return false }
        prepared.head = head
        try addTexts(known + 1...head.position.rawValue, to: &prepared, in: transaction)
        return true
    }

    /// Encrypts the texts of people with new keys anew, or marks them as erased.
    ///
    /// - Parameter range: the positions of the events whose texts are looked at.
    private func addTexts(
        _ range: ClosedRange<UInt64>, to prepared: inout Prepared,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) {
        guard !prepared.keyChanges.isEmpty else { return }
        let table = log.file.tables.texts
        let sealer = AESGCMKey.Sealer()
        var texts: [StoreBatch.Text] = []
        var rewritten: UInt64 = 0
        let (dropped, keyChanges) = (prepared.plan.droppedTextKeys, prepared.keyChanges)
        let start = PersonalRow.key(range.lowerBound, 0)
        try transaction.scanRows(table, from: start.rawSpan) {
            (key: RawSpan, value) throws(LogError) in
            guard PersonalRow.position(of: key).map({ $0 <= range.upperBound }) ?? true else {
                return false
            }
            let person = value.byteCount < 4 ? 0 : value.integer(at: 0, as: UInt32.self)
            guard let change = keyChanges[person], let new = change.new else { return true }
            let place = key.copied()
            var changed = TextRow.erased
            if dropped[person]?.contains(place) != true {
                let row = try TextRow(value, at: key)
                guard let text = row.open(at: place, under: change.old) else {
                    throw .damaged(table: table.name, row: place, .cipher)
                }
                changed = TextRow(text, of: person, at: place, under: new, with: sealer)
                rewritten += 1
            }
            if let text = changedText(place, changed) { texts.append(text) }
            return true
        }
        prepared.texts += texts
        prepared.rewritten += rewritten
    }

    /// Returns a text of an earlier event in its new form.
    private func changedText(_ key: [UInt8], _ row: TextRow) -> StoreBatch.Text? {
        guard let position = PersonalRow.position(of: key.rawSpan) else { return nil }
        let field = key.rawSpan.integer(at: 8, as: UInt32.self).byteSwapped
        return StoreBatch.Text(
            position: position, field: field,
            row: row.bytes.asRow(log.file.tables.texts, key.rawSpan))
    }
}

// Under the lock.
extension StoreErasure {
    /// Takes the store's lock, brings the replica to the locked end, and erases there.
    ///
    /// Other processes are kept from the replica meanwhile; see `StoreTurn.sendUnderLock`.
    private func recordUnderLock(_ prepared: inout Prepared) throws(LogError) -> Attempt {
        var attempt = Attempt.late
        try log.file.environment.holdingWrites({ LogError.storage($0) }) { () throws(LogError) in
            let head = try log.chainHead()
            let (end, segment) = try store.lockErasure(after: head)
            link.note(end)
            guard end.epoch == prepared.blocks.epoch else { return }
            if let segment { _ = try CatchUp(log, link).apply(segment) }
            try CatchUp(log, link).fetchKeys(through: UInt32(clamping: end.nextSlot - 1))
            attempt = try erase(&prepared)
        }
        return attempt
    }

    /// Makes the rows of the erasure at the end of the replica, and erases in the store.
    ///
    /// The replica gets them from the store afterwards, so that no writer waits for its texts.
    private func erase(_ prepared: inout Prepared) throws(LogError) -> Attempt {
        var session = try AppendSession(log, ignoresClockLead: true)
        guard let captured = session.captured else { throw .replica(path: log.path) }
        _ = try session.people.load(names, in: session.transaction)
        guard try extend(&prepared, to: captured.batch.end.head, in: session.transaction) else {
            return .late
        }
        let slotCount = UInt32(clamping: captured.batch.end.nextSlot - 1)
        if slotCount > (try log.file.tables.allocatedSlotCount(in: session.transaction)) {
            let key = Meta.slots
            try session.transaction.put(slotCount.bytes, for: key.rawSpan, in: log.file.tables.meta)
        }
        var erasure = prepared.plan.erasure
        erasure.rewritten = prepared.rewritten
        let slots = try session.record(
            prepared.plan, prepared.keyChanges, dropping: prepared.blocks.unused.sorted(), &erasure,
            reason, metadata)
        guard Set(slots) == prepared.blocks.slots else { return .late }
        try session.storeLastRows()
        let batch = captured.batch
        let (texts, blocks) = (prepared.texts, prepared.blocks)
        let answer = try StoreAnswer.unlessLost { () throws(LogError) in
            try store.erase(batch, changing: texts, blocks)
        }
        guard let answer else { return .unknown(erasure, batch) }
        link.note(answer.end)
        guard answer.hasWritten(all: batch) else { return .late }
        guard answer.end.head == session.chainHead else {
            throw .store(
                .damaged(
                    name: store.name,
                    reason: "it ends with the head \(answer.end.head) after an erasure that leads "
                        + "to \(session.chainHead)"))
        }
        session.abort()
        return .written(erasure)
    }

    /// Settles an erasure after a lost answer; returns true if it is written.
    private func isWritten(_ batch: StoreBatch) throws(LogError) -> Bool {
        let digests = batch.commits.map(\.digest)
        return try link.settling { () throws(LogError) in
            try isWritten(batch, digests)
        }
    }

    /// Asks the store once whether an erasure is written.
    private func isWritten(
        _ batch: StoreBatch, _ digests: [[UInt8]]
    ) throws(LogError) -> Bool {
        var (end, firsts) = try store.outcomes(of: digests)
        if end.isSame(as: batch.end) {
            // The lost call has the lock as long as it may still be written.
            _ = try store.lock(after: batch.end.head)
            defer { store.unlock() }
            (end, firsts) = try store.outcomes(of: digests)
        }
        link.note(end)
        return firsts.allSatisfy { $0 != nil }
    }
}
