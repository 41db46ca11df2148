package import Daybook
import DaybookCryptography
import DaybookLMDB
import DaybookLibC

extension EventLog {
    /// Opens the replica of a store's log, creates a missing one, and brings it up to date.
    ///
    /// A replica with keys takes appends, which go to the store. Use the returned log like any
    /// other, but nothing reads the store by itself: call `catchUp` before a question whose answer
    /// must have the newest commits. Followers catch up while they wait.
    ///
    /// - Parameters:
    ///   - path: the path of the replica. Another log is not overwritten.
    ///   - hasKeys: true to keep the encryption keys of people here, which makes texts, names and
    ///     places readable and allows appends.
    ///   - clock: returns the time of this machine; commits are recorded by the store's clock.
    ///   - longestDoubt: the longest time to settle commits after a lost answer.
    ///   - label: the name of the replica, shown to users who erase texts; empty for none.
    ///   - catchesUp: false to leave the replica as it is.
    ///   - progress: called with the replica's last position while it is brought up to date.
    package static func replica(
        of store: any EventStore, path: String, hasKeys: Bool, catalogue: Catalogue = .empty,
        clock: @escaping @Sendable () -> Instant = { EventLog.systemTime() },
        mapSize: Int? = nil, writeWait: Duration = .seconds(10), ignoresClockLead: Bool = false,
        people: PersonNouns? = nil, headFile: HeadFile? = nil, observer: (any LogObserver)? = nil,
        longestDoubt: Duration = .seconds(10), label: String = "", catchesUp: Bool = true,
        progress: (Position) -> Void = { _ in }
    ) throws(StreamError) -> EventLog {
        func opened() throws(StreamError) -> EventLog {
            let link = StoreLink(
                store, longestDoubt: longestDoubt, label: label, clock: clock)
            do throws(LogError) {
                let settings = LogSettings(
                    catalogue: catalogue, clock: { link.now() }, mapSize: mapSize,
                    writeWait: writeWait, ignoresClockLead: ignoresClockLead, people: people,
                    headFile: headFile, observer: observer, link: link)
                return try EventLog(opening: path, .write, settings)
            } catch .notALog {
                throw .notReplica(path: path)
            } catch {
                throw .log(error)
            }
        }
        var status = stat()
        let deadline = ContinuousClock.now + writeWait
        while unsafe lstat(path, &status) != 0, errno == ENOENT {
            do throws(StreamError) {
                try createReplica(path, store.logID)
            } catch .file(.exists) {
                // Another process has created it meanwhile.
                break
            } catch .file(.busy) where ContinuousClock.now < deadline {
                // Another process is creating it.
                usleep(2_000)
            }
        }
        // Opened anew to use new keys, because an open log keeps the secret that it was opened with.
        func prepared() throws(StreamError) -> EventLog? {
            let log = try opened()
            guard try !ReplicaOpening(log: log).checkFollows(store, hasKeys: hasKeys) else {
                return log
            }
            try StreamError.mappingLogErrors(try ReplicaOpening(log: log).adoptKeys(of: store))
            return nil
        }
        var ready = try prepared()
        if ready == nil { ready = try opened() }
        guard let log = ready else { throw .notReplica(path: path) }
        do throws(LogError) {
            log.link?.note(try StoreLink.mappingErrors(try store.end()))
            if catchesUp { try log.catchUp(progress: progress) }
        } catch {
            throw .log(error)
        }
        if catchesUp, log.holdsKeys, let store = store as? any ErasingStore {
            log.finishInterruptedErasures(of: store)
        }
        return log
    }

    /// The store that the log appends to; `nil` for a log whose commits are in its file alone.
    package var store: (any EventStore)? { link?.store }

    /// Throws an error for a replica that takes no appends. Brings a replica up to date whose store
    /// was silent for seven days, because decisions need its texts.
    ///
    /// - Throws: an error for a replica that takes no appends: one without a store, or without keys.
    func prepareForAppends() throws(LogError) {
        guard let link else { throw .replica(path: path) }
        guard holdsKeys else {
            throw .store(
                .keys(
                    name: link.store.name,
                    reason: "the replica \(path) has no encryption keys, so that nothing can be "
                        + "appended through it"))
        }
        if !hasKeys { try catchUp() }
    }
}

/// The checks and keys of a replica that is opened for a store.
struct ReplicaOpening {
    let log: EventLog

    /// Checks that a file is a replica of a store's log.
    ///
    /// - Returns: false if it lacks keys that `hasKeys` asks for.
    func checkFollows(
        _ store: any EventStore, hasKeys: Bool
    ) throws(StreamError) -> Bool {
        guard log.isReplica else { throw .notReplica(path: log.path) }
        guard log.identifier == store.logID else {
            throw .otherLog(name: log.path, found: Hexadecimal.text(store.logID), expected: log.id)
        }
        guard hasKeys || !log.holdsKeys else {
            throw .keys(
                path: log.path,
                reason: "the replica has encryption keys, so it needs those of new people too; "
                    + "open the store with keys")
        }
        return hasKeys == log.holdsKeys
    }

    /// Gives a replica without keys the secret and all keys of its store's log, and makes the people
    /// that it knows findable by name.
    func adoptKeys(of store: any EventStore) throws(LogError) {
        let keys = try StoreLink.mappingErrors(try store.keys(fromBlock: 0))
        try keys.check(store)
        let recorded = try log.erasures().flatMap(\.slotNumbers)
        let own = LogDigests(secret: keys.secret)
        try log.writing { (transaction) throws(LogError) in
            guard var state = try Meta.replica(in: transaction, log.tables.meta), !state.hasKeys
            else {
                return
            }
            var slotCount = recorded.max() ?? 0
            try transaction.scanRows(log.tables.people) {
                (number: UInt64, value) throws(LogError) in
                let row = try mappingRecordErrors(
                    of: log.tables.people.name, number, try PersonRow(decoding: value))
                slotCount = max(slotCount, row.slot, row.nextSlot)
                return true
            }
            guard UInt64(keys.blocks.count) >= Vault.blockCount(ofSlots: slotCount) else {
                throw .store(
                    .keys(name: store.name, reason: "the store has too few blocks of keys"))
            }
            var digests: [(digest: [UInt8], number: UInt32)] = []
            try transaction.scanRows(log.tables.people) {
                (number: UInt64, value) throws(LogError) in
                let row = try mappingRecordErrors(
                    of: log.tables.people.name, number, try PersonRow(decoding: value))
                let number = UInt32(clamping: number)
                guard row.state == .known,
                    case .key(let key) = keys.slot(row.slot, log.tables.vault)
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
                    number.bytes, for: digest.rawSpan, in: log.tables.peopleByDigest)
            }
            let pending = recorded.filter {
                if case .erased = keys.slot($0, log.tables.vault) { false } else { true }
            }
            state.hasKeys = true
            let values = [
                (Meta.secret, keys.secret),
                (Meta.identifierSeal, Meta.seal(of: log.identifier, under: keys.secret)),
                (Meta.slots, slotCount > 0 ? slotCount.bytes : []), (Meta.replica, state.bytes),
                (Meta.erasing, pending.flatMap(\.bytes)),
                (Meta.contact, ContactNote(begunAt: .now).bytes),
            ]
            for (key, value) in values where !value.isEmpty {
                try transaction.put(value, for: key.rawSpan, in: log.tables.meta)
            }
            // Blocks of slots that no commit here has used yet are fetched with their people.
            let count = Int(Vault.blockCount(ofSlots: slotCount))
            for (number, block) in keys.blocks.prefix(count).enumerated() {
                let key = UInt64(number).bytes
                try transaction.putWithoutChecksum(block, for: key.rawSpan, in: log.tables.vault)
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
