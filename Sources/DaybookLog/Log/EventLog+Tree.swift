import Daybook
import DaybookLMDB

// The table `tree` is derived: it has the commits up to a position stored in it, and a proof hashes
// later commits itself.
extension EventLog {
    /// Adds all commits up to the newest to the tree, in several transactions.
    ///
    /// - Parameter afresh: `true` to delete the tree first and build it anew; `false` to add
    ///   nothing to a log that has no tree.
    func extendTree(afresh: Bool) throws(LogError) {
        var isFirst = afresh
        while try TreeUpdate(log: self).extendTreeOnce(clearing: isFirst) { isFirst = false }
    }

    /// Adds the commits that follow a tree, until they have a number of events or none is left.
    ///
    /// - Parameter receive: called with the last commit that was added.
    func addCommits(
        to builder: inout TreeBuilder, atMost eventCount: UInt64,
        in transaction: borrowing some Transaction & ~Copyable,
        newest receive: (HashedCommit) -> Void
    ) throws(LogError) {
        let names = try names(in: transaction)
        var hasher = CommitLeafHasher(log: identifier)
        let start = builder.state.through
        var tree = builder
        var last: HashedCommit?
        try transaction.scanRows(tables.commits, from: start + 1) {
            (first: UInt64, row) throws(LogError) in
            guard first == tree.state.through + 1 else {
                throw .corrupt(
                    table: tables.commits.name, key: tree.state.through + 1, .missing)
            }
            let end = try mappingRecordErrors(
                of: tables.commits.name, first,
                try CommitRecord.lastPosition(of: row, startingAt: first))
            let (commit, leaf) = try tables.hashedCommit(
                first...end, number: tree.state.size, row, names, &hasher, in: transaction)
            tree.add(leaf, first...end, &hasher.hasher)
            last = commit
            return end - start < eventCount
        }
        let newest = try tables.lastPosition(in: transaction)
        guard tree.state.through > start || newest == start else {
            throw .corrupt(
                table: tables.tree.name, key: TreeState.key,
                .invalid(field: "through", found: "\(start)", expected: "the end of a commit"))
        }
        activity.add(Int(tree.state.through - start), .eventsIndexed)
        builder = tree
        if let last { receive(last) }
    }
}

/// The steps of an update of the tree for proofs: one batch of commits a transaction.
struct TreeUpdate {
    let log: EventLog

    /// The number of events after which the commits that were hashed are stored.
    private static let treeBatchSize: UInt64 = 100_000

    /// Adds one batch of commits to the tree; returns `false` if no commits are left to add.
    ///
    /// The commits are hashed before other writers are kept out.
    func extendTreeOnce(clearing clears: Bool) throws(LogError) -> Bool {
        guard let (stored, builder, head) = try commitsToAdd(clearing: clears) else { return false }
        let state = builder.state
        try log.writing { (transaction) throws(LogError) in
            // Another process may have added these commits meanwhile.
            let now: TreeState? = clears ? stored : try log.tables.treeState(in: transaction)
            guard now == stored else { return }
            if clears { try transaction.clear(log.tables.tree) }
            for (key, tile) in builder.tiles {
                try transaction.put(tile.bytes, for: key, in: log.tables.tree)
            }
            try transaction.put(state.bytes, for: TreeState.key, in: log.tables.tree)
        }
        return state.through < head
    }

    /// Hashes the commits that one transaction adds to the tree.
    ///
    /// - Parameter clears: `true` to begin with the first commit.
    /// - Returns: the stored size, the tree with these commits and the newest position; `nil` if no
    ///   commits are left.
    private func commitsToAdd(
        clearing clears: Bool
    ) throws(LogError) -> (stored: TreeState, builder: TreeBuilder, head: UInt64)? {
        let transaction = try log.beginReading()
        let stored = clears ? TreeState() : try log.tables.treeState(in: transaction)
        let head = try log.tables.lastPosition(in: transaction)
        guard let stored, clears || stored.through < head else { return nil }
        var builder = try log.tables.treeBuilder(stored, in: transaction)
        try log.addCommits(to: &builder, atMost: Self.treeBatchSize, in: transaction) { _ in }
        return (stored, builder, head)
    }
}
