package import Daybook
import DaybookLMDB

/// The steps of bringing a replica up to date with its store.
package struct CatchUp {
    private let log: EventLog
    private let link: StoreLink

    init(_ log: EventLog, _ link: StoreLink) {
        self.log = log
        self.link = link
    }

    /// Brings a log up to the end of its store's log; see the method `run`.
    ///
    /// Does nothing for a log without a store.
    @discardableResult
    package static func run(
        _ log: EventLog, atMost limit: UInt64 = .max, progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Pulled {
        try log.kind.catchUp(log, atMost: limit, progress)
    }

    /// The number of events after which the fetched commits are written.
    static let eventsPerPart = 20_000

    /// Brings a replica up to the end of its store's log, and carries out erasures.
    ///
    /// Several threads and processes may do so at once; each commit is written once.
    ///
    /// - Parameters:
    ///   - limit: the number of events after which to stop, at the end of a commit.
    ///   - progress: called after each part with the replica's last position.
    /// - Returns: the number of events that were new, and the head of the replica.
    @discardableResult
    func run(
        atMost limit: UInt64 = .max, progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Pulled {
        var pulled = Pulled()
        var isAtEnd = false
        try link.fetching { () throws(LogError) in
            while pulled.eventCount < limit {
                let most = Int(min(UInt64(Self.eventsPerPart), limit - pulled.eventCount))
                let head = try log.chainHead()
                guard let segment = try segment(after: head, most, of: link.store) else {
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
        if isAtEnd, log.file.holdsKeys {
            try StoreContact(log, link).renewLease()
            StoreContact(log, link).report()
        }
        pulled.hasKeys = log.hasKeys
        pulled.head = try log.chainHead()
        if pulled.eventCount > 0 { log.file.recordHead() }
        IndexMaintenance(log: log).run(
            through: pulled.head.position.rawValue, afterEvents: pulled.eventCount)
        return pulled
    }

    /// Writes the commits of a segment that the replica lacks, and carries out their erasures.
    ///
    /// - Returns: the new commits, and true if the segment is the last one of its shipment.
    func apply(_ segment: [UInt8]) throws(LogError) -> (pulled: Pulled, isLast: Bool) {
        do throws(LogError) {
            let reader = try SegmentReader(segment, named: link.store.name)
            if log.file.holdsKeys { try fetchKeys(for: reader) }
            let pulled = try write(reader)
            if log.file.holdsKeys {
                try LogErasures(log: log).finish()
            }
            return (pulled, reader.end.isLast)
        } catch {
            throw error.ofSegment(from: link.store)
        }
    }

    /// Fetches the missing blocks of keys up to a number of slots.
    func fetchKeys(through slotCount: UInt32) throws(LogError) {
        guard try blockCount() < Vault.blockCount(ofSlots: slotCount) else { return }
        try fetchKeys()
    }

    /// Returns the commits after the head of the replica; `nil` if there is none.
    ///
    /// - Throws: `.parted` with the position from which the histories differ.
    private func segment(
        after head: Head, _ most: Int, of store: any EventStore
    ) throws(LogError) -> [UInt8]? {
        do throws(LogError) {
            return try store.segment(after: head, most: most)
        } catch .store(.parted(let name, _)) {
            throw .store(.parted(name: name, at: try parting(from: store)))
        }
    }

    /// Writes a segment; repeats this if another thread or process has written to the replica
    /// meanwhile.
    private func write(_ reader: SegmentReader) throws(LogError) -> Pulled {
        var mayFetchKeys = true
        while true {
            do throws(LogError) {
                var writer = try ReplicaWriter(log, isFromStore: true)
                try writer.apply(reader)
                return writer.pulled
            } catch .file(.busy) {
                continue
            } catch .store(.keys) where mayFetchKeys {
                mayFetchKeys = false
                try fetchKeys()
            }
        }
    }

    /// Fetches the blocks of keys that the people of a segment need and that the replica lacks.
    private func fetchKeys(for segment: SegmentReader) throws(LogError) {
        var reader = segment
        var slotCount: UInt32 = 0
        while let record = try reader.next(), record.kind == .person {
            let (_, row) = try reader.person(record)
            slotCount = max(slotCount, row.slot, row.nextSlot)
        }
        try fetchKeys(through: slotCount)
    }

    /// Fetches all blocks of keys that the replica lacks.
    private func fetchKeys() throws(LogError) {
        let known = try blockCount()
        let keys = try link.store.keys(fromBlock: known)
        try keys.check(link.store)
        guard keys.secret == log.file.secret else {
            throw .store(
                .keys(
                    name: link.store.name,
                    reason: "the keys are not those of the replica \(log.path); make a new one"))
        }
        try log.file.writing { (transaction) throws(LogError) in
            // Another thread or process may have fetched them meanwhile.
            let here = try transaction.lastKey(of: log.file.tables.vault).map { $0 + 1 } ?? 0
            for (index, block) in keys.blocks.enumerated() where known + UInt64(index) >= here {
                let key = (known + UInt64(index)).bytes
                try transaction.putWithoutChecksum(
                    block, for: key.rawSpan, in: log.file.tables.vault)
            }
        }
    }

    /// Returns the number of blocks of keys.
    private func blockCount() throws(LogError) -> UInt64 {
        let transaction = try log.file.beginReading()
        return try transaction.lastKey(of: log.file.tables.vault).map { $0 + 1 } ?? 0
    }
}

extension CatchUp {
    /// Returns the first position at which the histories of a replica and its store differ. The
    /// store must lack the head of the replica.
    ///
    /// Asks the store for some of the replica's heads: about 20 for a million commits.
    private func parting(from store: any EventStore) throws(LogError) -> Position {
        var known = Position.origin
        var unknown = try log.head()
        var parting = unknown
        while known < unknown {
            let middle = Position(known.rawValue + (unknown.rawValue - known.rawValue + 1) / 2)
            guard let (first, head) = try log.file.commitHead(at: middle) else { break }
            if try Self.has(head, store) {
                known = head.position
            } else {
                parting = first
                unknown = Position(first.rawValue - 1)
            }
        }
        return parting
    }

    /// True if a store's log has this head.
    private static func has(_ head: Head, _ store: any EventStore) throws(LogError) -> Bool {
        do throws(LogError) {
            _ = try store.segment(after: head, most: 1)
            return true
        } catch .store(.parted) {
            return false
        } catch .store(.restored) {
            return false
        }
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
    fileprivate func ofSegment(from store: any EventStore) -> LogError {
        switch self {
        case .stream(.parted(_, let position)): .store(.parted(name: store.name, at: position))
        case .stream(.keys(_, let reason)): .store(.keys(name: store.name, reason: reason))
        case .stream(.segment(_, _, let reason)): .store(.damaged(name: store.name, reason: reason))
        case .stream, .file: .store(.damaged(name: store.name, reason: description))
        default: self
        }
    }
}
