import Daybook
import DaybookLMDB

/// An update of the tree for proofs, which is derived: it has the commits up to a position stored
/// in it, and a proof hashes later commits itself.
///
/// Each transaction adds one batch of commits.
struct TreeUpdate {
    let file: LogFile

    /// The number of events after which the commits that were hashed are stored.
    private static let batchSize: UInt64 = 32_768

    /// Adds all commits up to the newest to the tree, in several transactions.
    ///
    /// - Parameter afresh: `true` to delete the tree first and build it anew.
    func extend(afresh: Bool = false) throws(LogError) {
        var isFirst = afresh
        while try extendOnce(clearing: isFirst) { isFirst = false }
    }

    /// Adds the commits that follow a tree, until they have a number of events or none is left.
    ///
    /// - Parameter receive: called with the last commit that was added.
    func addCommits(
        to builder: inout TreeBuilder, atMost eventCount: UInt64,
        in transaction: borrowing some Transaction & ~Copyable,
        newest receive: (HashedCommit) -> Void
    ) throws(LogError) {
        let names = try file.names(in: transaction)
        var hasher = CommitLeafHasher(log: file.identifier)
        let start = builder.state.through
        var tree = builder
        var last: HashedCommit?
        try transaction.scanRows(file.tables.commits, from: start + 1) {
            (first: UInt64, row) throws(LogError) in
            guard first == tree.state.through + 1 else {
                throw .corrupt(
                    table: file.tables.commits.name, key: tree.state.through + 1, .missing)
            }
            let end = try file.tables.lastPosition(ofCommit: row, at: first)
            let (commit, leaf) = try file.tables.hashedCommit(
                first...end, number: tree.state.size, row, names, &hasher, in: transaction)
            tree.add(leaf, first...end, &hasher.hasher)
            last = commit
            return end - start < eventCount
        }
        let newest = try file.tables.lastPosition(in: transaction)
        guard tree.state.through > start || newest == start else {
            throw .corrupt(
                table: file.tables.tree.name, key: TreeState.key,
                .invalid(field: "through", found: "\(start)", expected: "the end of a commit"))
        }
        file.activity.add(Int(tree.state.through - start), .eventsIndexed)
        builder = tree
        if let last { receive(last) }
    }

    /// Adds one batch of commits to the tree; returns `false` if no commits are left to add.
    ///
    /// The commits are hashed before other writers are kept out.
    func extendOnce(clearing clears: Bool) throws(LogError) -> Bool {
        guard let (stored, builder, head) = try commitsToAdd(clearing: clears) else { return false }
        let state = builder.state
        try file.writing { (transaction) throws(LogError) in
            // Another process may have added these commits meanwhile.
            let now = clears ? nil : try file.tables.treeState(in: transaction)
            guard now ?? TreeState() == stored else { return }
            if clears { try transaction.clear(file.tables.tree) }
            for (key, tile) in builder.tiles {
                try transaction.put(tile.bytes, for: key, in: file.tables.tree)
            }
            try transaction.put(state.bytes, for: TreeState.key, in: file.tables.tree)
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
        let transaction = try file.beginReading()
        let known = clears ? nil : try file.tables.treeState(in: transaction)
        let stored = known ?? TreeState()
        let head = try file.tables.lastPosition(in: transaction)
        guard clears || stored.through < head else { return nil }
        var builder = try file.tables.treeBuilder(stored, in: transaction)
        try addCommits(to: &builder, atMost: Self.batchSize, in: transaction) { _ in }
        return (stored, builder, head)
    }
}
