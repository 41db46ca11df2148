package import Daybook
import DaybookLMDB

/// The result of one pass over a log that takes snapshots of entities.
package struct SnapshotPass: Hashable, Sendable {
    /// The number of snapshots that were written.
    public var writtenCount = 0
    /// The total size of the states in the written snapshots, in bytes.
    public var byteCount = 0
    /// The number of snapshots that were deleted, because the fold of their projection has changed
    /// or they contained personal values.
    public var droppedCount = 0
    /// The number of entities for which snapshots were written.
    public var entityCount = 0

    /// Creates the result of a pass that has only deleted snapshots.
    public init(droppedCount: Int = 0) {
        self.droppedCount = droppedCount
    }
}

/// The snapshots of a log, and the taking of new ones.
package struct LogSnapshots: Sendable {
    private let log: EventLog

    package init(_ log: EventLog) { self.log = log }

    /// True if the log has no snapshot, usable or not.
    var isEmpty: Bool {
        get throws(LogError) {
            let transaction = try log.file.beginReading()
            var isEmpty = true
            try transaction.scanRows(log.file.tables.snapshots, from: nil as RawSpan?) { (_, _) in
                isEmpty = false
                return false
            }
            return isEmpty
        }
    }

    /// Returns the newest usable snapshot of an entity; `nil` if there is none.
    ///
    /// A snapshot is usable if its fingerprint and the times of its events fit.
    ///
    /// - Parameters:
    ///   - end: the last position that the snapshot may cover.
    ///   - fingerprint: the fingerprint of the projection as it is now.
    ///   - latest: the latest time at which an event that the snapshot covers may have occurred.
    func newest(
        of projection: String, _ rules: RuleSet, _ key: String, through end: Position,
        _ fingerprint: Fingerprint, validThrough latest: Instant = Instant(microseconds: .max)
    ) throws(LogError) -> Snapshot? {
        let prefix = Snapshot.prefix(projection, rules, key)
        let start = Snapshot.key(projection, rules, key, end)
        var found: Snapshot?
        let transaction = try log.file.beginReading()
        try transaction.scanRows(log.file.tables.snapshots, .descending, from: start.rawSpan) {
            (keyBytes: RawSpan, value) in
            guard keyBytes.byteCount == start.count, keyBytes.begins(with: prefix),
                let snapshot = Snapshot(projection, rules, key: keyBytes, value: value)
            else { return false }
            guard snapshot.fingerprint == fingerprint.bytes,
                snapshot.checkpoint.latestOccurredAt <= latest
            else { return true }
            found = snapshot
            return false
        }
        return found
    }

    /// Takes snapshots of entities with many events, for the events since the last pass.
    ///
    /// Deletes snapshots of projections that have changed, and snapshots with personal values,
    /// which an erasure could not erase.
    ///
    /// - Parameter progress: called with each projection before its snapshots are taken.
    package func take(
        _ catalogue: Catalogue, of projections: [ProjectionDescription],
        progress: (ProjectionDescription) -> Void = { _ in }
    ) throws(LogError) -> SnapshotPass {
        try log.reindex()
        var pass = SnapshotPass()
        let reader = try EntityReader(log, catalogue)
        // The states of a projection that follows others change with events of other entities.
        for projection in projections where projection.followedNouns.isEmpty {
            guard !projection.holdsPersonalValues else {
                // An earlier program version may have stored such values, also in snapshots.
                for rules in projection.rules {
                    let row = Snapshot.prefix(projection.name, rules)
                    pass.droppedCount += try SnapshotTaking(log: log).dropSnapshots(
                        beginningWith: row)
                }
                continue
            }
            progress(projection)
            for rules in projection.rules {
                try SnapshotTaking(log: log).takeSnapshots(of: projection, rules, reader, &pass)
            }
        }
        return pass
    }

    /// Calls `body` with the row key and value of each snapshot with a key prefix, in key order.
    func forEach(
        beginningWith prefix: [UInt8], _ body: (RawSpan, RawSpan) throws(LogError) -> Void
    ) throws(LogError) {
        let transaction = try log.file.beginReading()
        try transaction.scanRows(log.file.tables.snapshots, from: prefix.rawSpan) {
            (key: RawSpan, value) throws(LogError) in
            guard key.begins(with: prefix) else { return false }
            try body(key, value)
            return true
        }
    }
}

extension RawSpan {
    /// True if the span begins with the bytes `prefix`.
    func begins(with prefix: [UInt8]) -> Bool {
        guard byteCount >= prefix.count else { return false }
        for index in prefix.indices where integer(at: index, as: UInt8.self) != prefix[index] {
            return false
        }
        return true
    }
}
