import Daybook
import DaybookCryptography
import DaybookLMDB
import DaybookLibC

/// An erasure on its way into a store.
///
/// A busy log moves faster than an erasure is made. So what takes time is prepared first, as of a head
/// of the replica: the plan, the texts that are kept under new keys, and the blocks without the erased
/// keys. Then the store's lock is taken, and only what came meanwhile is added under it.
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
    /// The slots that the store has given for the new keys, by person number.
    private var reserved: [UInt32: UInt32] = [:]

    /// The number of attempts after which the erasure gives up.
    private static let attemptLimit = 48

    /// The parts that were prepared as of a head of the replica.
    private struct Prepared {
        var head: Head
        var plan: ErasurePlan
        var keyChanges: [UInt32: KeyChange]
        /// The slots of the keys that are erased.
        var slots: Set<UInt32>
        /// The texts of people with new keys, by row key: encrypted anew, or erased.
        var texts: [(key: [UInt8], row: TextRow)]
        var blocks: PreparedErasure
    }

    /// The outcome of an attempt.
    private enum Attempt {
        case written
        /// There is nothing to erase.
        case nothing
        /// The erasure must be prepared for another end.
        case late
        /// The store's answer was lost.
        case unknown(StoreBatch, [StoreBatch.Text], PreparedErasure)
    }

    /// - Throws: `.store(.refused)` for a store in which nothing can be erased.
    init(
        _ log: EventLog, _ link: StoreLink, _ target: ErasureTarget, _ reason: String?,
        _ metadata: CommitMetadata, _ names: Set<String>, _ catalogue: Catalogue
    ) throws(LogError) {
        try log.prepareForAppends()
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

    /// Erases the texts, and finishes this and earlier erasures as far as that is possible now.
    mutating func run() throws(LogError) -> Erasure {
        var erasure = try record()
        var position = erasure.position
        if position == nil { position = try log.lastErasure() }
        erasure.reach = try log.finishErasures(of: store, since: position ?? .origin)
        return erasure
    }

    /// Records the erasure in the store and in the replica.
    private mutating func record() throws(LogError) -> Erasure {
        for _ in 0..<Self.attemptLimit {
            try log.catchUp()
            guard let prepared = try prepare() else { return try planned() }
            var erasure = prepared.plan.erasure
            let attempt: Attempt
            do throws(LogError) {
                attempt = try send(prepared, &erasure)
            } catch .storage(.mapFull) {
                try log.growMap()
                continue
            }
            switch attempt {
            case .nothing: return erasure
            case .late: continue
            case .unknown(let batch, let changed, let blocks):
                guard try resolve(batch, changed, blocks) else { continue }
                try log.catchUp()
                return erasure
            case .written:
                try log.catchUp()
                try log.finishErasures()
                return erasure
            }
        }
        throw .store(
            .refused(
                name: store.name, code: "moved",
                reason: "other erasures were faster \(Self.attemptLimit) times"))
    }

    /// The effect of an erasure of nothing.
    private func planned() throws(LogError) -> Erasure {
        try log.erasure(of: target, catalogue: catalogue)
    }
}

// Before the lock.
extension StoreErasure {
    /// Prepares the erasure as of the end of the replica; `nil` if there is nothing to erase.
    private mutating func prepare() throws(LogError) -> Prepared? {
        while true {
            let transaction = try log.beginReading()
            let plan = try ErasurePlan(target, of: log, catalogue, in: transaction)
            guard !plan.erasure.isNothing else { return nil }
            let people = plan.droppedTextKeys.keys.filter { reserved[$0] == nil }.sorted()
            guard people.isEmpty else {
                try reserveSlots(for: people)
                continue
            }
            let keyChanges = try keyChanges(of: plan, in: transaction)
            var texts: [(key: [UInt8], row: TextRow)] = []
            if !keyChanges.isEmpty {
                texts = try rewritten(from: 0, plan, keyChanges, in: transaction)
            }
            let slots = try slots(of: plan, keyChanges, in: transaction)
            return Prepared(
                head: try log.chainHead(in: transaction).head, plan: plan, keyChanges: keyChanges,
                slots: slots, texts: texts,
                blocks: try StoreLink.mappingErrors(try store.prepareErasure(of: slots)))
        }
    }

    /// Takes a slot of the store for each of some people, who keep some texts.
    private mutating func reserveSlots(for people: [UInt32]) throws(LogError) {
        let slots = try StoreLink.mappingErrors(try store.reserveSlots(people.count))
        guard slots.count == people.count else {
            throw .store(.damaged(name: store.name, reason: "it gave too few key slots"))
        }
        for (person, slot) in zip(people, slots) { reserved[person] = slot }
        try log.fetchKeys(through: slots.max() ?? 0)
    }

    /// Returns the key changes of the people who lose only some texts, by person number.
    private func keyChanges(
        of plan: ErasurePlan, in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [UInt32: KeyChange] {
        var keyChanges = try plan.keyChanges(in: transaction)
        for number in keyChanges.keys {
            guard let slot = reserved[number],
                let key = try transaction.key(inSlot: slot, of: log.tables.vault)
            else { throw .damaged(table: log.tables.vault.name, .keyGone) }
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
            let row = try log.person(number, in: transaction)
            slots.formUnion([row.slot, row.nextSlot].filter { $0 != 0 })
        }
        return slots
    }

    /// Encrypts the texts of people with new keys anew, or marks them as erased.
    ///
    /// - Parameter first: the position of the first event whose texts are looked at.
    private func rewritten(
        from first: UInt64, _ plan: ErasurePlan, _ keyChanges: [UInt32: KeyChange],
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> [(key: [UInt8], row: TextRow)] {
        let table = log.tables.texts
        let sealer = AESGCMKey.Sealer()
        var texts: [(key: [UInt8], row: TextRow)] = []
        let start = PersonalRow.key(first, 0)
        try transaction.scanRows(table, from: start.rawSpan) {
            (key: RawSpan, value) throws(LogError) in
            let person = value.byteCount < 4 ? 0 : value.integer(at: 0, as: UInt32.self)
            guard let change = keyChanges[person], let new = change.new else { return true }
            let place = key.copied()
            guard plan.droppedTextKeys[person]?.contains(place) != true else {
                texts.append((place, .erased))
                return true
            }
            let row = try TextRow(value, at: key, in: table)
            guard let text = row.open(at: place, under: change.old) else {
                throw .damaged(table: table.name, row: place, .cipher)
            }
            texts.append((place, TextRow(text, of: person, at: place, under: new, with: sealer)))
            return true
        }
        return texts
    }
}

// Under the lock.
extension StoreErasure {
    /// Takes the store's lock, brings the replica to the end that the lock keeps, and erases there.
    ///
    /// Other processes are kept from the replica meanwhile; see `StoreTurn.sendUnderLock`.
    private func send(
        _ prepared: Prepared, _ erasure: inout Erasure
    ) throws(LogError) -> Attempt {
        var attempt = Attempt.late
        var found = erasure
        try log.environment.holdingWrites({ LogError.storage($0) }) { () throws(LogError) in
            do throws(LogError) {
                let head = try log.chainHead()
                let (end, segment) = try StoreLink.mappingErrors(try store.lock(after: head))
                link.note(end)
                if end.epoch == prepared.blocks.epoch {
                    if let segment { _ = try log.apply(segment) }
                    try log.fetchKeys(through: UInt32(clamping: end.nextSlot - 1))
                    attempt = try erase(prepared, &found)
                }
            } catch {
                store.unlock()
                throw error
            }
            // Ends nothing if the erasure has ended the lock.
            store.unlock()
        }
        erasure = found
        return attempt
    }

    /// Makes the rows of the erasure at the end of the replica, and erases in the store.
    private func erase(
        _ prepared: Prepared, _ erasure: inout Erasure
    ) throws(LogError) -> Attempt {
        var session = try AppendSession(opening: log)
        guard let captured = session.transaction.captured else { throw .replica(path: log.path) }
        _ = try session.people.load(names, in: session.transaction)
        var plan = prepared.plan
        if captured.batch.end.head != prepared.head {
            plan = try ErasurePlan(target, of: log, catalogue, in: session.transaction)
        }
        guard !plan.erasure.isNothing else {
            erasure = plan.erasure
            return .nothing
        }
        guard Set(plan.droppedTextKeys.keys) == Set(prepared.keyChanges.keys),
            try slots(of: plan, prepared.keyChanges, in: session.transaction) == prepared.slots,
            let texts = try texts(of: plan, prepared, in: session.transaction)
        else { return .late }
        erasure = plan.erasure
        erasure.rewritten = UInt64(texts.count { !$0.row.isGone })
        var changed = plan.missingTextKeys.compactMap { changedText($0, .erased) }
        for (key, row) in texts {
            try session.transaction.put(row.bytes, for: key.rawSpan, in: log.tables.texts)
            if let text = changedText(key, row) { changed.append(text) }
        }
        let slotCount = UInt32(clamping: captured.batch.end.nextSlot - 1)
        if slotCount > (try log.allocatedSlotCount(in: session.transaction)) {
            let key = Meta.slots
            try session.transaction.put(slotCount.bytes, for: key.rawSpan, in: log.tables.meta)
        }
        _ = try session.record(plan, prepared.keyChanges, &erasure, reason, metadata)
        do throws(AppendError) {
            try session.storeLastRows()
            try AppendError.mappingLogErrors(try session.storeReplicaState())
        } catch {
            throw error.logError
        }
        return try send(session, captured.batch, changed, prepared.blocks)
    }

    /// Returns the texts of people with new keys as of the end of the replica; `nil` if they must be
    /// prepared anew.
    private func texts(
        of plan: ErasurePlan, _ prepared: Prepared, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) -> [(key: [UInt8], row: TextRow)]? {
        guard !prepared.keyChanges.isEmpty else { return [] }
        let last = prepared.head.position.rawValue
        for (key, row) in prepared.texts where row.isGone {
            let isDropped = plan.droppedTextKeys.values.contains { $0.contains(key) }
            guard isDropped else { return nil }
        }
        var dropped: Set<[UInt8]> = []
        for keys in plan.droppedTextKeys.values { dropped.formUnion(keys) }
        let known = prepared.texts.map { (key, row) in
            (key: key, row: dropped.contains(key) ? TextRow.erased : row)
        }
        return known
            + (try rewritten(from: last + 1, plan, prepared.keyChanges, in: transaction))
    }

    /// Returns a text of an earlier event in its new form.
    private func changedText(_ key: [UInt8], _ row: TextRow) -> StoreBatch.Text? {
        guard let position = PersonalRow.position(of: key.rawSpan) else { return nil }
        let field = key.rawSpan.integer(at: 8, as: UInt32.self).byteSwapped
        return StoreBatch.Text(
            position: position, field: field,
            row: row.bytes.asRow(log.tables.texts, key.rawSpan))
    }

    /// Erases in the store, and then commits the replica's transaction.
    private func send(
        _ session: consuming AppendSession, _ batch: StoreBatch, _ changed: [StoreBatch.Text],
        _ blocks: PreparedErasure
    ) throws(LogError) -> Attempt {
        let answer: StoreAnswer
        do throws(StoreError) {
            answer = try store.erase(batch, changing: changed, blocks)
        } catch .unknown {
            return .unknown(batch, changed, blocks)
        } catch {
            throw .store(error)
        }
        link.note(answer.end)
        guard answer.hasWritten(all: batch) else { return .late }
        guard answer.end.head == session.chainHead else {
            throw .store(
                .damaged(
                    name: store.name,
                    reason: "it ends with the head \(answer.end.head) after an erasure that leads "
                        + "to \(session.chainHead)"))
        }
        do throws(AppendError) {
            try session.commitStoredRows()
        } catch {
            // The erasure is durable. The replica is behind, as after a crash at this point.
        }
        return .written
    }

    /// Finds out what became of an erasure whose answer was lost; returns false if it is not written.
    private func resolve(
        _ batch: StoreBatch, _ changed: [StoreBatch.Text], _ blocks: PreparedErasure
    ) throws(LogError) -> Bool {
        let deadline = ContinuousClock.now + link.longestDoubt
        var pause: UInt32 = 2_000
        var reason = "its answer was lost"
        let digests = batch.commits.map(\.digest)
        while ContinuousClock.now < deadline {
            do throws(StoreError) {
                let (end, firsts) = try store.outcomes(of: digests)
                link.note(end)
                guard end.isSame(as: batch.end) else { return firsts.allSatisfy { $0 != nil } }
                // The lost call may still be on its way; it finds another end after this one.
                let answer = try store.erase(batch, changing: changed, blocks)
                link.note(answer.end)
                if answer.hasWritten(all: batch) { return true }
                // Neither this call nor the lost one is written any more.
                if answer.result == .clock { return false }
            } catch {
                switch error {
                case .unknown(_, let why), .unreachable(_, let why): reason = why
                default: throw .store(.unknown(name: store.name, reason: "\(error)"))
                }
            }
            usleep(pause)
            pause = min(2 * pause, 200_000)
        }
        throw .store(.unknown(name: store.name, reason: reason))
    }
}
