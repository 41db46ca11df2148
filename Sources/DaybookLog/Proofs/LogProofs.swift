public import Daybook
import DaybookLMDB

/// Proofs that a log contains an event, and that it continues an earlier log.
///
///     let proof = try log.proofs.proof(of: event.position)
///     let proven = try EventProof(parsing: Array("\(proof)".utf8)).check()
public struct LogProofs: Sendable {
    let log: EventLog
}

extension EventLog {
    /// Proofs that the log contains an event, and that it continues an earlier log.
    public var proofs: LogProofs { LogProofs(log: self) }
}

/// An earlier state of a log that a proof is to show as the beginning of the log.
public enum EarlierLog: Hashable, Sendable {
    /// The log when it had this head.
    case head(Head)
    /// The log when it had this number of commits.
    case commits(UInt64)
}

extension LogProofs {
    /// Returns the number of events that the stored tree lacks, which a proof has to hash.
    package func missingEventCount() throws(LogError) -> UInt64 {
        let transaction = try log.file.beginReading()
        let through = try log.file.tables.treeState(in: transaction)?.through ?? 0
        return try log.file.tables.lastPosition(in: transaction) - through
    }

    /// Returns the size and root of the tree over all commits.
    public func note() throws(LogError) -> TreeNote {
        try TreeReading(log: log).withTree { (tree, transaction) throws(LogError) in
            var hasher = TreeHasher()
            let roots = try tree.roots(
                of: [0..<tree.size], &hasher, log.file.tables, in: transaction)
            return TreeNote(log: log.file.identifier, size: tree.size, root: roots[0])
        }
    }

    /// Stores the tree over all commits, or adds the newer ones to a stored tree.
    ///
    /// Appends do so too once the tree lacks some thousand events. A proof hashes the commits that
    /// the tree lacks, and keeps 32 bytes for each in memory.
    public func storeTree() throws(LogError) {
        try TreeUpdate(file: log.file).extend()
    }

    /// Returns a proof that the log contains the event at a position.
    ///
    /// Takes less than a millisecond if the tree has all commits (`storeTree`) or an earlier proof
    /// hashed the others. The time grows with the events of the commit.
    ///
    /// - Parameter earlier: an earlier state of the log, which the proof is to show as the beginning
    ///   of the log; `nil` for none.
    public func proof(
        of position: Position, since earlier: EarlierLog? = nil
    ) throws(LogError) -> EventProof {
        try TreeReading(log: log).withTree { (tree, transaction) throws(LogError) in
            guard position > .origin, position.rawValue <= tree.through else {
                throw .proof(.noEvent(position, last: Position(tree.through)))
            }
            let old = try earlier.map { (earlier) throws(LogError) in
                try oldSize(earlier, &tree, in: transaction)
            }
            return try proof(of: position.rawValue, since: old, &tree, in: transaction)
        }
    }

    /// Returns the number of commits of an earlier state of the log.
    private func oldSize(
        _ earlier: EarlierLog, _ tree: inout CommitTree, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> UInt64 {
        switch earlier {
        case .commits(let size):
            guard size > 0, size <= tree.size else {
                throw .proof(.noSuchSize(size, commits: tree.size))
            }
            return size
        case .head(let head):
            guard head.position > .origin else { throw .proof(.noSuchSize(0, commits: tree.size)) }
            // The look-up of a mismatch may see a newer log than this transaction.
            guard head.position.rawValue <= tree.through else {
                throw .proof(.notContained(head, .shorter(lastPosition: Position(tree.through))))
            }
            if let mismatch = try log.mismatch(with: head) {
                throw .proof(.notContained(head, mismatch))
            }
            let first = try log.file.tables.firstPosition(
                ofCommitAt: head.position.rawValue, in: transaction)
            return try tree.number(ofCommitAt: first, log.file.tables, in: transaction) + 1
        }
    }

    /// Returns the proof of an event that exists.
    ///
    /// - Parameter old: the number of commits of an earlier state; `nil` for none.
    private func proof(
        of position: UInt64, since old: UInt64?, _ tree: inout CommitTree,
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> EventProof {
        let names = try log.file.names(in: transaction)
        var hasher = CommitLeafHasher(log: log.file.identifier)
        let first = try log.file.tables.firstPosition(ofCommitAt: position, in: transaction)
        let number = try tree.number(ofCommitAt: first, log.file.tables, in: transaction)
        let (commit, leaves) = try provenCommit(
            first, number, in: tree.size, names, &hasher, tree, in: transaction)
        guard let row = try transaction.row(position, in: log.file.tables.events)?.copied(),
            position - first < UInt64(leaves.count)
        else { throw .corrupt(table: log.file.tables.events.name, key: position, .missing) }
        let path = MerkleTree.inclusionPath(of: position - first, in: UInt64(leaves.count))
        let header = try EventHeader(row.rawSpan, at: position)
        let kind = try names.kind(header.kind, at: position)
        let zone = try names.zone(header.zone, at: position)
        let whole = try tree.roots(
            of: [0..<tree.size], &hasher.hasher, log.file.tables, in: transaction)[0]
        return EventProof(
            position: Position(position), kind: kind, zone: zone, row: row,
            path: path.map { range in
                MerkleTree.root(of: range, ofLeaves: leaves, &hasher.hasher)
            },
            commit: commit, head: try newest(names, &hasher, &tree, in: transaction),
            earlier: try old.map { (old) throws(LogError) in
                try earlierTree(old, names, &hasher, tree, in: transaction)
            },
            note: TreeNote(log: log.file.identifier, size: tree.size, root: whole))
    }

    /// Returns the newest commit with its path, and keeps its hashes in `tree`.
    private func newest(
        _ names: Names, _ hasher: inout CommitLeafHasher, _ tree: inout CommitTree,
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> ProvenCommit {
        let number = tree.size - 1
        if let known = tree.newest, known.number == number {
            let path = try tree.roots(
                of: MerkleTree.inclusionPath(of: number, in: tree.size), &hasher.hasher,
                log.file.tables,
                in: transaction)
            return ProvenCommit(
                number: number, first: known.first, eventsRoot: known.eventsRoot,
                row: try commitRow(known.first, in: transaction), path: path)
        }
        let first = try log.file.tables.firstPosition(ofCommitAt: tree.through, in: transaction)
        let (commit, _) = try provenCommit(
            first, number, in: tree.size, names, &hasher, tree, in: transaction)
        tree.newest = HashedCommit(number: number, first: first, eventsRoot: commit.eventsRoot)
        return commit
    }

    /// Returns the tree of the first `size` commits, with the proof that the log's tree continues
    /// it.
    private func earlierTree(
        _ size: UInt64, _ names: Names, _ hasher: inout CommitLeafHasher, _ tree: CommitTree,
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> EventProof.EarlierTree {
        let first = try tree.first(ofCommit: size - 1, log.file.tables, in: transaction)
        let (commit, _) = try provenCommit(
            first, size - 1, in: size, names, &hasher, tree, in: transaction)
        let paths = [0..<size] + MerkleTree.consistencyPath(from: size, to: tree.size)
        let roots = try tree.roots(of: paths, &hasher.hasher, log.file.tables, in: transaction)
        return EventProof.EarlierTree(
            size: size, root: roots[0], head: commit, path: Array(roots.dropFirst()))
    }

    /// Returns a commit with its path, and the leaf hashes of its events.
    ///
    /// - Parameter size: the number of commits of the tree to whose root the path leads.
    private func provenCommit(
        _ first: UInt64, _ number: UInt64, in size: UInt64, _ names: Names,
        _ hasher: inout CommitLeafHasher, _ tree: CommitTree,
        in transaction: borrowing ReadTransaction
    ) throws(LogError) -> (commit: ProvenCommit, leaves: [[UInt8]]) {
        let row = try commitRow(first, in: transaction)
        let last = try log.file.tables.lastPosition(ofCommit: row.rawSpan, at: first)
        var leaves: [[UInt8]] = []
        var events = RunningRoot()
        try log.file.tables.scanEvents(first...last, in: transaction) {
            (position, event) throws(LogError) in
            let leaf = try hasher.eventLeaf(position, event, names)
            events.add(leaf, &hasher.hasher)
            leaves.append(leaf)
            return true
        }
        let path = try tree.roots(
            of: MerkleTree.inclusionPath(of: number, in: size), &hasher.hasher, log.file.tables,
            in: transaction)
        let commit = ProvenCommit(
            number: number, first: first, eventsRoot: events.finish(&hasher.hasher), row: row,
            path: path)
        return (commit, leaves)
    }

    /// Returns the row of a commit without its checksum.
    private func commitRow(
        _ first: UInt64, in transaction: borrowing ReadTransaction
    ) throws(LogError) -> [UInt8] {
        guard let row = try transaction.row(first, in: log.file.tables.commits)?.copied() else {
            throw .corrupt(table: log.file.tables.commits.name, key: first, .missing)
        }
        return row
    }
}

extension MerkleTree {
    /// Returns the root of a subtree of a tree whose leaf hashes are known.
    fileprivate static func root(
        of range: Range<UInt64>, ofLeaves leaves: [[UInt8]], _ hasher: inout TreeHasher
    ) -> [UInt8] {
        var root = RunningRoot()
        for index in range { root.add(leaves[Int(index)], &hasher) }
        return root.finish(&hasher)
    }
}
