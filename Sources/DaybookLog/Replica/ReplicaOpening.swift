import Daybook
import DaybookCryptography
import DaybookLMDB

/// The checks and keys of a replica that is opened for a store.
struct ReplicaOpening {
    let log: EventLog

    /// Checks that a file is a replica of a store's log.
    ///
    /// - Returns: false if it lacks keys that `hasKeys` asks for.
    func checkFollows(
        _ store: any EventStore, hasKeys: Bool
    ) throws(LogError) -> Bool {
        guard log.isReplica else { throw .stream(.notReplica(path: log.path)) }
        guard log.file.identifier == store.logID else {
            throw .stream(
                .otherLog(name: log.path, found: Hexadecimal.text(store.logID), expected: log.id))
        }
        guard hasKeys || !log.file.holdsKeys else {
            throw .stream(
                .keys(
                    path: log.path,
                    reason: "the replica has encryption keys, so it needs those of new people too; "
                        + "open the store with keys"))
        }
        return hasKeys == log.file.holdsKeys
    }

    /// Gives a replica without keys the secret and all keys of its store's log, and makes the people
    /// that it knows findable by name.
    func adoptKeys(of store: any EventStore) throws(LogError) {
        let keys = try store.keys(fromBlock: 0)
        try keys.check(store)
        let recorded = try LogErasures(log: log).records().flatMap(\.slotNumbers)
        let own = LogDigests(secret: keys.secret)
        try log.file.writing { (transaction) throws(LogError) in
            guard var state = try Meta.replica(in: transaction, log.file.tables.meta),
                !state.hasKeys
            else {
                return
            }
            var slotCount = recorded.max() ?? 0
            try transaction.scanRows(log.file.tables.people) {
                (number: UInt64, value) throws(LogError) in
                let row = try PersonRow(value, at: number)
                slotCount = max(slotCount, row.slot, row.nextSlot)
                return true
            }
            guard UInt64(keys.blocks.count) >= Vault.blockCount(ofSlots: slotCount) else {
                throw .store(
                    .keys(name: store.name, reason: "the store has too few blocks of keys"))
            }
            var digests: [(digest: [UInt8], number: UInt32)] = []
            try transaction.scanRows(log.file.tables.people) {
                (number: UInt64, value) throws(LogError) in
                let row = try PersonRow(value, at: number)
                let number = UInt32(clamping: number)
                guard row.state == .known,
                    case .key(let key) = keys.slot(row.slot, log.file.tables.vault)
                else { return true }
                guard let name = row.decryptName(number, under: key) else {
                    throw .store(
                        .keys(
                            name: store.name,
                            reason: "the keys do not open the name of person \(number)"))
                }
                let digest = own.person(name)
                digests.append((digest, number))
                return true
            }
            for (digest, number) in digests {
                try transaction.put(
                    number.bytes, for: digest.rawSpan, in: log.file.tables.peopleByDigest)
            }
            let pending = recorded.filter {
                if case .erased = keys.slot($0, log.file.tables.vault) { false } else { true }
            }
            state.hasKeys = true
            let values = [
                (Meta.secret, keys.secret),
                (Meta.identifierSeal, Meta.seal(of: log.file.identifier, under: keys.secret)),
                (Meta.slots, slotCount > 0 ? slotCount.bytes : []), (Meta.replica, state.bytes),
                (Meta.erasing, pending.flatMap(\.bytes)),
                (Meta.contact, ContactNote(begunAt: .now).bytes),
            ]
            for (key, value) in values where !value.isEmpty {
                try transaction.put(value, for: key.rawSpan, in: log.file.tables.meta)
            }
            // Blocks of slots that no commit here has used yet are fetched with their people.
            let count = Int(Vault.blockCount(ofSlots: slotCount))
            for (number, block) in keys.blocks.prefix(count).enumerated() {
                let key = UInt64(number).bytes
                try transaction.putWithoutChecksum(
                    block, for: key.rawSpan, in: log.file.tables.vault)
            }
        }
    }
}

extension StoreKeys {
    /// Returns the content of a key slot.
    func slot(_ slot: UInt32, _ table: LogTable) -> Vault.Slot {
        Vault.slot(slot, ofBlocks: blocks, table)
    }
}
