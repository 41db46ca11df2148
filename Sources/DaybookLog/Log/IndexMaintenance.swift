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

    /// The last positions that are in the index and in the tree.
    struct Reached: Hashable {
        var index: UInt64
        var tree: UInt64

        /// The position at which the index is to be caught up.
        ///
        /// Up to an eighth of the log may be missing, because an update of a larger index changes
        /// more pages for each event.
        var indexDue: UInt64 {
            index + min(max(index / 8, IndexMaintenance.smallestLag), IndexUpdate.batchSize)
        }

        /// The position at which the tree is to be caught up.
        ///
        /// A proof hashes the commits of at most so many events, or those of one larger commit.
        var treeDue: UInt64 { tree + 4_096 }

        /// The position at which one of them is to be caught up.
        var due: UInt64 { min(indexDue, treeDue) }
    }

    /// The number of events that an index may always lack.
    static let smallestLag: UInt64 = 1_024

    /// Returns how far index and tree reach.
    func reached() throws(LogError) -> Reached {
        let transaction = try log.file.beginReading()
        return Reached(
            index: try log.file.tables.indexedThrough(in: transaction),
            tree: try log.file.tables.treeState(in: transaction)?.through ?? 0)
    }

    /// Catches up the index and the tree if one of them is far behind the newest event.
    ///
    /// Never fails, because both are derived: readers do without what they lack, and a later call
    /// or `reindex` tries again.
    ///
    /// - Parameters:
    ///   - head: the position of the newest event.
    ///   - count: the number of events that were just added to the log.
    func run(through head: UInt64, afterEvents count: UInt64) {
        // One thread catches up, while the others append.
        let due = log.file.maintenanceDue.load(ordering: .relaxed)
        guard head >= due,
            log.file.maintenanceDue.compareExchange(
                expected: due, desired: .max, ordering: .relaxed
            ).exchanged
        else { return }
        // A failure that lasts is not met at each append.
        var next = head + Self.smallestLag
        log.operations.absorbing(.index) { () throws(LogError) in
            let start = log.operations.start
            let (before, after) = try catchUp(through: head, afterEvents: count)
            next = after.due
            guard after != before else { return }
            let isIndex = after.index > before.index
            log.operations.observe(.index, since: start) { operation in
                let from = isIndex ? before.index : before.tree
                let to = isIndex ? after.index : after.tree
                operation.eventCount = Int(to - min(to, from))
                operation.position = Position(to)
            }
        }
        log.file.maintenanceDue.store(next, ordering: .relaxed)
    }

    /// Catches up what is far behind the newest event, and returns how far index and tree reached
    /// before and reach now.
    ///
    /// Both get a batch for every 1,024 events that were added, and at least one, so that they
    /// catch up with a log without them, and no append waits much longer than it has events.
    ///
    /// - Parameters:
    ///   - head: the position of the newest event.
    ///   - count: the number of events that were just added to the log.
    func catchUp(
        through head: UInt64, afterEvents count: UInt64
    ) throws(LogError) -> (before: Reached, after: Reached) {
        let before = try reached()
        guard head >= before.due else { return (before, before) }
        let most = max(1, count / Self.smallestLag)
        if head >= before.indexDue {
            let index = IndexUpdate(file: log.file)
            var number: UInt64 = 1
            while try index.indexBatch(clearing: false), number < most { number += 1 }
        }
        if head >= before.treeDue {
            let tree = TreeUpdate(file: log.file)
            var number: UInt64 = 1
            while try tree.extendOnce(clearing: false), number < most { number += 1 }
        }
        return (before, try reached())
    }
}
