package import Daybook
import DaybookLMDB

extension EventLog {
    /// Brings a replica up to the end of its store's log, and carries out erasures.
    ///
    /// Several threads and processes may do so at once; each commit is written once. Does nothing
    /// for a log without a store.
    ///
    /// - Parameters:
    ///   - limit: the number of events after which to stop, at the end of a commit.
    ///   - progress: called after each part with the replica's last position.
    /// - Returns: the number of events that were new, and the head of the replica.
    @discardableResult
    package func catchUp(
        atMost limit: UInt64 = .max, progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Pulled {
        var pulled = Pulled()
        pulled.hasKeys = hasKeys
        guard let link else {
            pulled.head = try chainHead()
            return pulled
        }
        var isAtEnd = false
        try link.fetching { () throws(LogError) in
            while pulled.eventCount < limit {
                let most = Int(min(UInt64(CatchUp.eventsPerPart), limit - pulled.eventCount))
                let head = try chainHead()
                guard
                    let segment = try CatchUp(log: self).segment(after: head, most, of: link.store)
                else {
                    isAtEnd = true
                    break
                }
                let (part, isLast) = try apply(segment)
                pulled.eventCount += part.eventCount
                pulled.segmentCount += part.segmentCount
                progress(part.head.position)
                isAtEnd = isLast
                if isLast { break }
            }
        }
        if isAtEnd, holdsKeys {
            try renewLease()
            reportToStore()
        }
        pulled.hasKeys = hasKeys
        pulled.head = try chainHead()
        if pulled.eventCount > 0 { recordHead() }
        if pulled.head.position.rawValue >= (try indexedThrough().rawValue) + Self.indexLag {
            try reindex()
        }
        return pulled
    }

    /// Writes the commits of a segment that the replica lacks, and carries out their erasures.
    ///
    /// - Returns: the new commits, and true if the segment is the last one of its shipment.
    func apply(_ segment: [UInt8]) throws(LogError) -> (pulled: Pulled, isLast: Bool) {
        guard let link else { throw .replica(path: path) }
        do throws(StreamError) {
            let reader = try SegmentReader(segment, named: link.store.name)
            if holdsKeys { try CatchUp(log: self).fetchKeys(for: reader) }
            let pulled = try CatchUp(log: self).write(reader)
            if holdsKeys { try StreamError.mappingLogErrors(try finishErasures()) }
            return (pulled, reader.end.isLast)
        } catch {
            throw LogError(error, of: link.store)
        }
    }

    /// Fetches the missing blocks of keys up to a number of slots.
    func fetchKeys(through slotCount: UInt32) throws(LogError) {
        guard try CatchUp(log: self).blockCount() < Vault.blockCount(ofSlots: slotCount) else {
            return
        }
        try CatchUp(log: self).fetchKeys()
    }
}

/// The steps of bringing a replica up to date with its store.
struct CatchUp {
    let log: EventLog

    /// The number of events after which the fetched commits are written.
    static let eventsPerPart = 20_000

    /// Returns the commits after the head of the replica; `nil` if there is none.
    ///
    /// - Throws: `.parted` with the position from which the histories differ.
    func segment(
        after head: Head, _ most: Int, of store: any EventStore
    ) throws(LogError) -> [UInt8]? {
        do throws(StoreError) {
            return try store.segment(after: head, most: most)
        } catch .parted(let name, _) {
            throw .store(.parted(name: name, at: try log.parting(from: store)))
        } catch {
            throw .store(error)
        }
    }

    /// Writes a segment; repeats this if another thread or process has written to the replica
    /// meanwhile.
    func write(_ reader: SegmentReader) throws(StreamError) -> Pulled {
        var mayFetchKeys = true
        while true {
            do throws(StreamError) {
                var writer = try ReplicaWriter(log)
                try writer.apply(reader)
                return writer.pulled
            } catch .file(.busy) {
                continue
            } catch .log(.store(.keys)) where mayFetchKeys {
                mayFetchKeys = false
                try StreamError.mappingLogErrors(try fetchKeys())
            }
        }
    }

    /// Fetches the blocks of keys that the people of a segment need and that the replica lacks.
    func fetchKeys(for segment: SegmentReader) throws(StreamError) {
        var reader = segment
        var slotCount: UInt32 = 0
        while let record = try reader.next(), record.kind == .person {
            let (_, row) = try reader.person(record)
            slotCount = max(slotCount, row.slot, row.nextSlot)
        }
        try StreamError.mappingLogErrors(try log.fetchKeys(through: slotCount))
    }

    /// Fetches all blocks of keys that the replica lacks.
    func fetchKeys() throws(LogError) {
        guard let link = log.link else { return }
        let known = try blockCount()
        let keys = try StoreLink.mappingErrors(try link.store.keys(fromBlock: known))
        try keys.check(link.store)
        guard keys.secret == log.secret else {
            throw .store(
                .keys(
                    name: link.store.name,
                    reason: "the keys are not those of the replica \(log.path); make a new one"))
        }
        try log.writing { (transaction) throws(LogError) in
            // Another thread or process may have fetched them meanwhile.
            let here = try mappingStorageErrors(
                try transaction.lastKey(of: log.tables.vault.table).map { $0 + 1 } ?? 0)
            for (index, block) in keys.blocks.enumerated() where known + UInt64(index) >= here {
                let key = (known + UInt64(index)).bytes
                try transaction.putWithoutChecksum(block, for: key.rawSpan, in: log.tables.vault)
            }
        }
    }

    /// Returns the number of blocks of keys.
    func blockCount() throws(LogError) -> UInt64 {
        let transaction = try log.beginReading()
        return try mappingStorageErrors(
            try transaction.lastKey(of: log.tables.vault.table).map { $0 + 1 } ?? 0)
    }
}

extension StoreKeys {
    /// Throws an error unless the secret and the blocks have their sizes.
    func check(_ store: any EventStore) throws(LogError) {
        guard secret.count == 32, blocks.allSatisfy({ $0.count == Vault.blockByteCount }) else {
            throw .store(
                .keys(name: store.name, reason: "the keys of the store have another size"))
        }
    }
}

extension LogError {
    /// The error of a segment that a store gave.
    init(_ error: StreamError, of store: any EventStore) {
        switch error {
        case .log(let error): self = error
        case .parted(_, let position):
            self = .store(.parted(name: store.name, at: position))
        case .keys(_, let reason): self = .store(.keys(name: store.name, reason: reason))
        case .segment(_, _, let reason): self = .store(.damaged(name: store.name, reason: reason))
        default: self = .store(.damaged(name: store.name, reason: "\(error)"))
        }
    }
}

extension EventLog: WatchedReplica {
    func fetchNews() throws(LogError) -> Position { try catchUp().position }
}
