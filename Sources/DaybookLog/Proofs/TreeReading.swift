import DaybookLMDB
import Synchronization

/// The tree over the commits of a log, as a proof needs it.
struct TreeReading {
    let log: EventLog

    /// The number of events after which a read for a proof begins another transaction.
    private static let tailBatchSize: UInt64 = 50_000

    /// Calls `body` with the tree over all commits up to the newest one that a transaction sees.
    ///
    /// Hashes the commits that the stored tree lacks, and keeps their hashes for the next call.
    func withTree<Result>(
        _ body: (inout CommitTree, borrowing ReadTransaction) throws(LogError) -> Result
    ) throws(LogError) -> Result {
        while true {
            let transaction = try log.file.beginReading()
            var (tree, isComplete) = try commitTree(in: transaction)
            defer {
                log.file.keptTree.withLock { kept in
                    // Another thread may have kept the tree of a newer transaction.
                    guard let known = kept, known.stored == tree.stored,
                        known.through > tree.through
                    else {
                        kept = tree
                        return
                    }
                }
            }
            if isComplete { return try body(&tree, transaction) }
        }
    }

    /// Returns the tree over the commits that a transaction sees, or over more commits than the
    /// last call; `isComplete` is true if the tree has them all.
    func commitTree(
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> (tree: CommitTree, isComplete: Bool) {
        let stored = try log.file.tables.treeState(in: transaction) ?? TreeState()
        var tree: CommitTree
        if let kept = log.file.keptTree.withLock(\.self), kept.stored == stored {
            tree = kept
        } else {
            tree = CommitTree(
                stored: stored, builder: try log.file.tables.treeBuilder(stored, in: transaction))
        }
        let head = try log.file.tables.lastPosition(in: transaction)
        guard tree.through <= head else {
            // Another thread has kept the tree of a newer transaction.
            tree = CommitTree(
                stored: stored, builder: try log.file.tables.treeBuilder(stored, in: transaction))
            return (tree, stored.through == head)
        }
        if tree.through < head {
            try TreeUpdate(file: log.file).addCommits(
                to: &tree.builder, atMost: Self.tailBatchSize, in: transaction
            ) {
                tree.newest = $0
            }
        }
        return (tree, tree.through == head)
    }
}
