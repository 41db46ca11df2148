import Daybook
import DaybookLMDB

/// The steps of taking and deleting snapshots.
struct SnapshotTaking {
    let log: EventLog

    /// The minimum number of events of an entity between two of its snapshots.
    ///
    /// The number grows with the size of the state, so that snapshots take at most
    /// `bytesPerEvent` bytes for each event.
    static let minimumStride: UInt64 = 256

    /// The maximum number of bytes in snapshots for each event of an entity.
    static let bytesPerEvent: UInt64 = 64

    /// The number of bytes in snapshots after which they are stored, so that other writers wait for
    /// a moment only.
    private static let snapshotBatchBytes = 1 << 22

    /// The number of snapshots that one transaction stores or deletes.
    private static let snapshotBatchSize = 4_096

    /// Takes snapshots of all entities of one projection under one rule set.
    func takeSnapshots(
        of projection: ProjectionDescription, _ rules: RuleSet, _ reader: EntityReader,
        _ pass: inout SnapshotPass
    ) throws(LogError) {
        let fingerprint = try Fingerprint(of: projection, rules, in: reader.catalogue)
        let row = Snapshot.prefix(projection.name, rules)
        var reached = Position.origin
        if let checkpoint = try checkpoint(row), checkpoint.fingerprint == fingerprint.bytes {
            reached = checkpoint.position
        } else {
            pass.droppedCount += try dropSnapshots(beginningWith: row)
        }
        guard reached < reader.through else { return }
        var batch: [Snapshot] = []
        var batchBytes = 0
        for key in try keys(of: projection, after: reached, through: reader.through) {
            let new = try newSnapshots(of: projection, rules, key, fingerprint, reader)
            guard !new.isEmpty else { continue }
            pass.entityCount += 1
            pass.writtenCount += new.count
            batch += new
            batchBytes += new.reduce(0) { $0 + $1.state.count }
            guard batchBytes > Self.snapshotBatchBytes || batch.count > Self.snapshotBatchSize
            else { continue }
            try store(batch)
            pass.byteCount += batchBytes
            (batch, batchBytes) = ([], 0)
        }
        pass.byteCount += batchBytes
        try store(batch, reaching: (row, fingerprint.bytes + reader.through.rawValue.bytes))
    }

    /// Returns the ids of entities with an event in a range and enough events for a snapshot.
    ///
    /// - Parameters:
    ///   - after: the position before the range.
    ///   - end: the last position of the range.
    private func keys(
        of projection: ProjectionDescription, after: Position, through end: Position
    ) throws(LogError) -> [String] {
        let transaction = try log.file.beginReading()
        var fresh: Set<String> = []
        if after == .origin {
            fresh = try log.contents.ids(of: projection.noun, atMost: .max) ?? []
        } else {
            let names = try log.file.names(in: transaction)
            let query = names.allVersions(of: Query(Query.Item(kinds: projection.kinds)))
            let range = after.next.rawValue...end.rawValue
            try log.file.tables.scanMatches(StoredFilter(query, names), range, in: transaction) {
                (position, header, bytes) throws(LogError) in
                let event = try RecordedEvent(position, header, bytes, names)
                fresh.formUnion(projection.keys(of: event))
                return true
            }
        }
        var keys: [String] = []
        for key in fresh {
            let tag = projection.tag(key)
            let summary = try log.file.tables.summary(of: IndexKey(tag), in: transaction)
            if summary?.count ?? 0 >= Self.minimumStride { keys.append(key) }
        }
        return keys.sorted { $0.precedesByBytes($1) }
    }

    /// Folds the new events of one entity, and returns the snapshots that are due.
    private func newSnapshots(
        of projection: ProjectionDescription, _ rules: RuleSet, _ key: String,
        _ fingerprint: Fingerprint, _ reader: EntityReader
    ) throws(LogError) -> [Snapshot] {
        let walk = try reader.walk(of: projection, key)
        guard walk.ids.count == 1 else { return [] }
        let last = try LogSnapshots(log).newest(
            of: projection.name, rules, key, through: reader.through, fingerprint)
        var state = EntityState(fold: projection.fold(rules))
        if let last {
            if (try? unsafe state.fold.restore(last.state.contents.bytes)) != nil {
                state.checkpoint = last.checkpoint
            } else {
                state = EntityState(fold: projection.fold(rules))
            }
        }
        var kept = state.checkpoint.count
        var due = kept + Self.stride(last?.state.count ?? 0)
        var new: [Snapshot] = []
        try reader.forEach(along: walk, after: state.checkpoint.position) {
            (event, _) throws(LogError) in
            try state.apply(event)
            guard state.checkpoint.count >= due else { return true }
            let snapshot = Snapshot(walk, rules, fingerprint, state)
            let stride = Self.stride(snapshot.state.count)
            let since = state.checkpoint.count - kept
            if since >= stride {
                new.append(snapshot)
                kept = state.checkpoint.count
                due = state.checkpoint.count + stride
            } else {
                due = state.checkpoint.count + stride - since
            }
            return true
        }
        return new
    }

    /// Returns the number of events between two snapshots, for a state of `stateBytes` bytes.
    private static func stride(_ stateBytes: Int) -> UInt64 {
        max(Self.minimumStride, UInt64(stateBytes) / Self.bytesPerEvent)
    }

    /// Returns the fingerprint and the last position of the last finished pass over a projection;
    /// `nil` if there was none.
    ///
    /// - Parameter row: the row key in the table `checkpoints`.
    private func checkpoint(
        _ row: [UInt8]
    ) throws(LogError) -> (fingerprint: [UInt8], position: Position)? {
        let transaction = try log.file.beginReading()
        guard let bytes = try transaction.row(row.rawSpan, in: log.file.tables.checkpoints),
            bytes.byteCount == Fingerprint.byteCount + 8
        else { return nil }
        return (
            Array(bytes.copied().prefix(Fingerprint.byteCount)),
            Position(bytes.integer(at: Fingerprint.byteCount))
        )
    }

    /// Writes snapshots and, after the last ones, the checkpoint of the finished pass.
    private func store(
        _ snapshots: [Snapshot], reaching checkpoint: (key: [UInt8], value: [UInt8])? = nil
    ) throws(LogError) {
        try log.file.writing { (transaction) throws(LogError) in
            for snapshot in snapshots {
                let key = snapshot.rowKey
                try transaction.put(
                    snapshot.rowValue, for: key.rawSpan, in: log.file.tables.snapshots)
            }
            if let (key, value) = checkpoint {
                try transaction.put(value, for: key.rawSpan, in: log.file.tables.checkpoints)
            }
        }
    }

    /// Deletes the snapshots whose row keys have a prefix, and returns their number.
    func dropSnapshots(beginningWith prefix: [UInt8]) throws(LogError) -> Int {
        var keys: [[UInt8]] = []
        try LogSnapshots(log).forEach(beginningWith: prefix) { (key, _) in keys.append(key.copied())
        }
        for start in Swift.stride(from: 0, to: keys.count, by: Self.snapshotBatchSize) {
            try log.file.writing { (transaction) throws(LogError) in
                for key in keys[start...].prefix(Self.snapshotBatchSize) {
                    try transaction.remove(key.rawSpan, from: log.file.tables.snapshots)
                }
            }
        }
        return keys.count
    }
}
