import Daybook
import DaybookLMDB

/// The catching up of the index and of the tree for proofs after commits, in transactions of their
/// own.
///
/// Readers scan the events that the index lacks, and proofs hash the commits that the tree lacks.
/// How many these may become is bounded here, at a cost for each event that does not grow with the
/// log.
struct IndexMaintenance {
    let file: LogFile

    /// The last positions that are in the index and in the tree.
    struct Reached: Hashable {
        var index: UInt64
        var tree: UInt64

        /// The position at which the index is to be caught up.
        ///
        /// Up to an eighth of the log may be missing, because an update of a larger index changes
        /// more pages for each event.
        var indexDue: UInt64 {
            index + min(max(index / 8, IndexMaintenance.smallestIndexLag), IndexUpdate.batchSize)
        }

        /// The position at which the tree is to be caught up.
        ///
        /// A proof hashes the commits of at most so many events, or those of one larger commit.
        var treeDue: UInt64 { tree + 4_096 }

        /// The position at which one of them is to be caught up.
        var due: UInt64 { min(indexDue, treeDue) }
    }

    /// The number of events that an index may always lack, and from which on appended events are
    /// enough for everything missing to be added.
    static let smallestIndexLag: UInt64 = 1_024

    /// Returns how far index and tree reach.
    func reached() throws(LogError) -> Reached {
        let transaction = try file.beginReading()
        return Reached(
            index: try file.tables.indexedThrough(in: transaction),
            tree: try file.tables.treeState(in: transaction)?.through ?? 0)
    }

    /// Catches up what is far behind the newest event.
    ///
    /// - Parameters:
    ///   - reached: how far index and tree reach.
    ///   - head: the position of the newest event.
    ///   - count: the number of events that were just added to the log. After few events, index
    ///     and tree get one batch each, so that no lone append waits for a whole log without them.
    func catchUp(
        from reached: Reached, to head: UInt64, afterEvents count: UInt64
    ) throws(LogError) {
        let addsAll = count >= Self.smallestIndexLag
        if head >= reached.indexDue {
            let index = IndexUpdate(file: file)
            while try index.indexBatch(clearing: false), addsAll {}
        }
        if head >= reached.treeDue {
            let tree = TreeUpdate(file: file)
            while try tree.extendOnce(clearing: false), addsAll {}
        }
    }
}
