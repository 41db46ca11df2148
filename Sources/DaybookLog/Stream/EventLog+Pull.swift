package import Daybook
import DaybookCryptography
import DaybookLMDB
import DaybookLibC

extension EventLog {
    /// Brings a replica up to date with segments that `ship` wrote, and creates a missing one.
    ///
    /// The replica gets the same commits with the same head, and carries out erasures. A pull that
    /// was interrupted is continued by the next one. Each commit is checked by its chain value.
    ///
    /// - Parameters:
    ///   - path: the path of the replica. Another log is not overwritten.
    ///   - keyPath: the file of `ship --texts`, which makes personal texts, names and places readable;
    ///     `nil` leaves them out.
    ///   - promotes: `true` to make a replica with keys a log of its own, which can be appended to.
    ///   - replacesEmpty: `true` to make a log without events a replica.
    ///   - progress: called after each segment with the replica's last position.
    package static func pull(
        _ source: SegmentSource, into path: String, keysFrom keyPath: String? = nil,
        promotes: Bool = false, replacesEmpty: Bool = false, progress: (Position) -> Void = { _ in }
    ) throws(StreamError) -> Pulled {
        let keys = try keyPath.map { path throws(StreamError) in
            try ReplicaKeys(
                decoding: try StreamError.mappingFileErrors(try WholeFile.read(path)), path: path)
        }
        var writer: ReplicaWriter?
        var isAhead = false
        try forEachSegment(of: source) { (segment) throws(StreamError) in
            if writer == nil {
                writer = try ReplicaWriter(
                    try openReplica(
                        path, segment.header.logID, keys, keyPath ?? "",
                        replacesEmpty: replacesEmpty))
            }
            if let keys, segment.header.shipment > keys.head.position.rawValue {
                isAhead = true
                return
            }
            try writer?.apply(segment)
            progress(writer?.head.position ?? .origin)
        }
        guard let writer else { throw .noSegments(name: path) }
        if let keys, let keyPath {
            guard writer.head == keys.head, !isAhead else {
                throw .keys(
                    path: keyPath,
                    reason: "the keys are of the head \(keys.head), but the segments end "
                        + (isAhead ? "after it" : "with \(writer.head)")
                        + "; write both again, and take segments and keys of one run")
            }
            try StreamError.mappingLogErrors(try writer.log.finishPull(keys))
        }
        try StreamError.mappingLogErrors(try writer.log.reindex())
        if promotes {
            guard writer.pulled.hasKeys else {
                throw .keys(
                    path: path,
                    reason: "a replica without keys cannot become a log of its own; pull with keys")
            }
            try StreamError.mappingLogErrors(try writer.log.promote())
        }
        return writer.pulled
    }

    /// Calls `body` with each segment of a source, in order.
    private static func forEachSegment(
        of source: SegmentSource, _ body: (SegmentReader) throws(StreamError) -> Void
    ) throws(StreamError) {
        switch source {
        case .folder(let path):
            let folder: SegmentFolder
            folder = try StreamError.mappingFileErrors(try SegmentFolder(path))
            guard !folder.names.isEmpty else { throw .noSegments(name: path) }
            for name in folder.names { try body(try folder.reader(of: name)) }
        case .stream(let descriptor, let name):
            var stream = SegmentStream(descriptor: descriptor, name: name)
            while let segment = try stream.next() { try body(segment) }
        }
    }

    /// Opens the replica of a log, and creates a missing one.
    private static func openReplica(
        _ path: String, _ logID: [UInt8], _ keys: ReplicaKeys?, _ keyPath: String,
        replacesEmpty: Bool
    ) throws(StreamError) -> EventLog {
        if let keys, keys.logID != logID {
            throw .keys(
                path: keyPath,
                reason: "the keys are of the log \(Hexadecimal.text(keys.logID)), but the segments "
                    + "of the log \(Hexadecimal.text(logID))")
        }
        var status = stat()
        if unsafe lstat(path, &status) != 0, errno == ENOENT { try createReplica(path, logID) }
        if replacesEmpty { try makeReplica(ofEmpty: path, logID) }
        if let log = try preparedReplica(path, logID, keys) { return log }
        // Opened anew, because an open log keeps the secret that it was opened with.
        return try StreamError.mappingLogErrors(try EventLog(path: path, access: .write))
    }

    /// Checks that a file is a replica of a log, and gives it the keys.
    ///
    /// - Returns: the replica; `nil` if it must be opened again to use new keys.
    private static func preparedReplica(
        _ path: String, _ logID: [UInt8], _ keys: ReplicaKeys?
    ) throws(StreamError) -> EventLog? {
        let log: EventLog
        do throws(LogError) {
            log = try EventLog(path: path, access: .write)
        } catch .notALog {
            throw .notReplica(path: path)
        } catch {
            throw .log(error)
        }
        guard let state = log.replica else { throw .notReplica(path: path) }
        guard log.identifier == logID else {
            throw .otherLog(
                name: path, found: Hexadecimal.text(logID), expected: log.id)
        }
        guard keys != nil || !state.hasKeys else {
            throw .keys(
                path: path,
                reason: "the replica has encryption keys, so it needs those of new people too; "
                    + "give the file of --texts")
        }
        guard let keys else { return log }
        guard try StreamError.mappingLogErrors(try log.head()) <= keys.head.position else {
            throw .keys(
                path: path,
                reason: "the replica is at a later position than the keys, \(keys.head.position); "
                    + "take segments and keys of one run")
        }
        guard try StreamError.mappingLogErrors(try log.continues(keys)) else {
            throw .keys(
                path: path,
                reason: "the replica has other keys than the log, which was salvaged meanwhile; "
                    + "pull a new replica")
        }
        try StreamError.mappingLogErrors(try log.adopt(keys))
        return state.hasKeys ? log : nil
    }

    /// Creates an empty replica without keys.
    static func createReplica(_ path: String, _ logID: [UInt8]) throws(StreamError) {
        let file: StagedFile
        file = try StreamError.mappingFileErrors(try StagedFile(for: path))
        do throws(LogError) {
            let log = try EventLog(path: file.path, access: .create)
            try log.makeReplica(of: logID)
        } catch {
            throw .log(error)
        }
        do throws(FileError) {
            try file.publish()
        } catch {
            throw .file(error)
        }
    }

    /// Makes a log without events a replica without keys; leaves any other file as it is.
    private static func makeReplica(ofEmpty path: String, _ logID: [UInt8]) throws(StreamError) {
        do throws(LogError) {
            let log = try EventLog(path: path, access: .write)
            guard log.replica == nil else { return }
            try log.makeReplica(of: logID)
        } catch .notALog {
            return
        } catch {
            throw .log(error)
        }
    }

    /// Gives a log without events and people the id of another log, as its replica without keys;
    /// leaves any other log as it is.
    private func makeReplica(of logID: [UInt8]) throws(LogError) {
        try writing { (transaction) throws(LogError) in
            let isEmpty = try lastPosition(in: transaction) == 0
            let hasPeople = try mappingStorageErrors(
                try transaction.lastKey(of: tables.people.table) != nil)
            guard isEmpty, !hasPeople else { return }
            for key in [Meta.secret, Meta.identifierSeal] {
                try transaction.remove(key.rawSpan, from: tables.meta)
            }
            let values = [
                (Meta.identifier, logID),
                (Meta.replica, ReplicaState(hasKeys: false, target: 0).bytes),
            ]
            for (key, value) in values {
                try transaction.put(value, for: key.rawSpan, in: tables.meta)
            }
        }
    }

    /// Writes the secret and the blocks of keys that the replica lacks.
    private func adopt(_ keys: ReplicaKeys) throws(LogError) {
        try writing { (transaction) throws(LogError) in
            guard var state = try Meta.replica(in: transaction, tables.meta) else {
                throw .notALog(path: path)
            }
            state.hasKeys = true
            // Until its segments are applied, the keys are ahead of the events.
            state.target = max(state.target, keys.head.position.rawValue)
            let values = [
                (Meta.secret, keys.secret),
                (Meta.identifierSeal, Meta.seal(of: identifier, under: keys.secret)),
                (Meta.slots, keys.slotCount > 0 ? keys.slotCount.bytes : []),
                (Meta.lostSlots, keys.lostSlots.flatMap(\.bytes)), (Meta.replica, state.bytes),
            ]
            for (key, value) in values where !value.isEmpty {
                try transaction.put(value, for: key.rawSpan, in: tables.meta)
            }
            let known = try mappingStorageErrors(
                try transaction.lastKey(of: tables.vault.table).map { $0 + 1 } ?? 0)
            for (number, block) in keys.blocks.enumerated() where UInt64(number) >= known {
                let key = UInt64(number).bytes
                try transaction.putWithoutChecksum(block, for: key.rawSpan, in: tables.vault)
            }
        }
    }

    /// True if the blocks of keys of a replica differ from those of its log by erased slots at most.
    private func continues(_ keys: ReplicaKeys) throws(LogError) -> Bool {
        let transaction = try beginReading()
        var isContinued = true
        let broken = transaction.scan(tables.vault.table) { (number: UInt64, bytes) in
            guard number < UInt64(keys.blocks.count) else {
                isContinued = false
                return false
            }
            let (own, other) = (bytes.copied(), keys.blocks[Int(number)])
            for slot in 1...Vault.slotsPerBlock {
                let range = Vault.range(of: slot)
                guard own[range] != other[range] else { continue }
                let isErased = [own, other].contains { $0[range].allSatisfy { $0 == 0 } }
                isContinued = isContinued && isErased
            }
            return isContinued
        }
        if let broken { throw .storage(broken) }
        return isContinued
    }

    /// Lists the slots of recorded erasures whose keys are still there, so that they are
    /// overwritten.
    private func listErasedSlots() throws(LogError) {
        let slots = Set(try erasures().flatMap(\.slotNumbers))
        guard !slots.isEmpty else { return }
        try writing { (transaction) throws(LogError) in
            var left: [UInt32] = []
            for slot in slots.sorted() {
                if case .erased = try transaction.slot(slot, in: tables.vault) { continue }
                left.append(slot)
            }
            guard !left.isEmpty else { return }
            let key = Meta.erasing
            try transaction.put(left.flatMap(\.bytes), for: key.rawSpan, in: tables.meta)
        }
    }

    /// Overwrites the keys that erasures have overwritten, leaves out those of slots that no commit
    /// has used yet, and makes people findable by name.
    private func finishPull(_ keys: ReplicaKeys) throws(LogError) {
        try listErasedSlots()
        try finishErasures()
        let erasedSlots = try erasures().flatMap(\.slotNumbers)
        try writing { (transaction) throws(LogError) in
            var digests: [(digest: [UInt8], number: UInt32)] = []
            var slotCount = max(erasedSlots.max() ?? 0, keys.lostSlots.max() ?? 0)
            try transaction.scanRows(tables.people) { (number: UInt64, value) throws(LogError) in
                let row = try mappingRecordErrors(
                    of: tables.people.name, number, try PersonRow(decoding: value))
                slotCount = max(slotCount, row.slot, row.nextSlot)
                let number = UInt32(clamping: number)
                guard row.state == .known,
                    let key = try transaction.key(inSlot: row.slot, of: tables.vault)
                else { return true }
                guard let name = row.decryptName(number, under: key) else {
                    throw .corrupt(table: tables.people.name, key: UInt64(number), .cipher)
                }
                digests.append((personDigest(name), number))
                return true
            }
            try transaction.clear(tables.peopleByDigest)
            for (digest, number) in digests {
                try transaction.put(
                    number.bytes, for: digest.rawSpan, in: tables.peopleByDigest)
            }
            // The log may have reserved slots for people since its last commit.
            guard slotCount < keys.slotCount else { return }
            let key = Meta.slots
            if slotCount > 0 {
                try transaction.put(slotCount.bytes, for: key.rawSpan, in: tables.meta)
            } else {
                try transaction.remove(key.rawSpan, from: tables.meta)
            }
            for block in Vault.blockCount(ofSlots: slotCount)..<UInt64(keys.blocks.count) {
                let key = block.bytes
                try transaction.remove(key.rawSpan, from: tables.vault)
            }
        }
    }

    /// Makes a replica a log of its own.
    private func promote() throws(LogError) {
        try writing { (transaction) throws(LogError) in
            for key in [Meta.replica, Meta.contact] {
                try transaction.remove(key.rawSpan, from: tables.meta)
            }
        }
    }
}
