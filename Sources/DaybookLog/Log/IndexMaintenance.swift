import Daybook
import DaybookLMDB
import Synchronization

/// The catching up of the index and of the tree for proofs after commits, in transactions of their
/// own.
///
/// Readers scan the events that the index lacks, and proofs hash the commits that the tree lacks.
/// How many these may become is bounded here, at a cost for each event that does not grow with the
/// log.
struct IndexMaintenance {
    let log: EventLog

    /// The number of events that an index may always lack.
    static let smallestLag: UInt64 = 1_024

    /// Returns the position at which an index with the events up to `last` is to be caught up.
    ///
    /// Up to an eighth of the log may be missing, because an update of a larger index changes more
    /// pages for each event.
    static func indexDue(after last: UInt64) -> UInt64 {
        last + min(max(last / 8, smallestLag), IndexUpdate.batchSize)
    }

    /// Returns the position at which a tree with the commits up to `last` is to be caught up.
    ///
    /// A proof hashes the commits of at most so many events, or those of one larger commit.
    static func treeDue(after last: UInt64) -> UInt64 { last + 4_096 }

    /// Catches up the index and the tree if one of them is far behind the newest event.
    ///
    /// Never fails, because both are derived: readers do without what they lack, and a later call
    /// or `reindex` tries again.
    ///
    /// - Parameters:
    ///   - head: the position of the newest event.
    ///   - count: the number of events that were just added to the log.
    func run(through head: UInt64, afterEvents count: UInt64) {
        let due = log.file.maintenanceDue.load(ordering: .relaxed)
        // One thread catches up, while others append; who appends much catches up for itself.
        let claim = head + Self.smallestLag
        guard count > 0, head >= due,
            log.file.maintenanceDue.compareExchange(
                expected: due, desired: claim, ordering: .relaxed
            ).exchanged
        else { return }
        let next = catchUp(through: head, afterEvents: count)
        // Fails if another thread has begun to catch up meanwhile, and will know better.
        _ = log.file.maintenanceDue.compareExchange(
            expected: claim, desired: next, ordering: .relaxed)
    }

    /// Catches up what is far behind the newest event, and returns the position at which to look
    /// again.
    ///
    /// Both get a batch for every 1,024 events that were added, and at least one, so that they
    /// catch up with a log without them, and no append waits much longer than it has events. A
    /// failure of one does not keep the other from catching up.
    ///
    /// - Parameters:
    ///   - head: the position of the newest event.
    ///   - count: the number of events that were just added to the log.
    func catchUp(through head: UInt64, afterEvents count: UInt64) -> UInt64 {
        let file = log.file
        let most = max(1, count / Self.smallestLag)
        let indexDue = extend(
            through: head, most, due: Self.indexDue,
            reached: { () throws(LogError) in
                try file.tables.indexedThrough(in: file.beginReading())
            },
            batch: { () throws(LogError) in
                try IndexUpdate(file: file).indexBatch(clearing: false)
            })
        let treeDue = extend(
            through: head, most, due: Self.treeDue,
            reached: { () throws(LogError) in
                try file.tables.treeState(in: file.beginReading())?.through ?? 0
            },
            batch: { () throws(LogError) in try TreeUpdate(file: file).extendOnce(clearing: false) }
        )
        return min(indexDue, treeDue)
    }

    /// Adds at most `most` batches to one of both if it is due, and returns when it is due next.
    private func extend(
        through head: UInt64, _ most: UInt64, due: (UInt64) -> UInt64,
        reached: () throws(LogError) -> UInt64, batch: () throws(LogError) -> Bool
    ) -> UInt64 {
        // A failure that lasts is not met at each append.
        var next = head + Self.smallestLag
        log.operations.absorbing(.index) { () throws(LogError) in
            let start = log.operations.start
            let before = try reached()
            guard head >= due(before) else { return next = due(before) }
            var number: UInt64 = 1
            while try batch(), number < most { number += 1 }
            let after = try reached()
            next = due(after)
            guard after > before else { return }
            log.operations.observe(.index, since: start) { operation in
                operation.eventCount = Int(after - before)
                operation.position = Position(after)
            }
        }
        return next
    }
}
