public import Daybook
import DaybookLMDB

/// A proof that a log contains an event, which can be checked without the log.
///
/// It has the stored rows of the event and its commit, the paths from them to the root of the tree
/// over the log's commits, and the newest commit with its path, so that the root leads to a head. It
/// can also prove that the tree continues an earlier one. The root itself must be trusted: because
/// it is known, or because it is signed.
///
/// `docs/format.md` describes the text form, which `description` returns and `init(parsing:)` reads.
/// It has no personal texts, names of people or places: rows have their seals and placeholders only.
public struct EventProof: Hashable, Sendable {
    let position: Position
    let kind: EventKind
    /// The time zone of the event; empty for none.
    let zone: String
    /// The row of the event without its checksum.
    let row: [UInt8]
    /// The path from the event to the root of the tree over the events of its commit.
    let path: [[UInt8]]
    let commit: ProvenCommit
    /// The newest commit.
    let head: ProvenCommit
    /// The earlier tree that the tree continues; `nil` for none.
    let earlier: EarlierTree?
    /// The size and root of the tree.
    public private(set) var note: TreeNote

    /// An earlier tree over the first commits of the log.
    struct EarlierTree: Hashable, Sendable {
        /// The number of commits.
        var size: UInt64
        var root: [UInt8]
        /// The newest commit of the earlier tree, with its path to the earlier root.
        var head: ProvenCommit
        /// The proof that the tree continues the earlier one.
        var path: [[UInt8]]
    }

    init(
        position: Position, kind: EventKind, zone: String, row: [UInt8], path: [[UInt8]],
        commit: ProvenCommit, head: ProvenCommit, earlier: EarlierTree?, note: TreeNote
    ) {
        self.position = position
        self.kind = kind
        self.zone = zone
        self.row = row
        self.path = path
        self.commit = commit
        self.head = head
        self.earlier = earlier
        self.note = note
    }

    /// Returns the proof with the tree's root signed by a head key.
    public func signed(by key: HeadSigningKey) throws(HeadKeyError) -> EventProof {
        var proof = self
        proof.note = try note.signed(by: key)
        return proof
    }
}

/// A commit in a proof, with the path from its leaf to the root of a tree over commits.
struct ProvenCommit: Hashable, Sendable {
    /// The number of commits before this one.
    var number: UInt64
    /// The position of the first event.
    var first: UInt64
    /// The root of the tree over the commit's events; empty if it is to be computed from an event.
    var eventsRoot: [UInt8]
    /// The row of the commit without its checksum.
    var row: [UInt8]
    var path: [[UInt8]]
    /// The head that a parsed proof says the commit ends at; `nil` if it says none.
    var namedHead: Head?
}

/// A reason why a proof is false: its parts contradict each other.
public struct ProofFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the field that does not fit the others.
    public let field: String
    /// A sentence about the contradiction.
    public let reason: String

    public var description: String { "\(field): \(reason)" }
}

/// The facts that a proof proves, if its root is trusted.
public struct ProvenEvent: Hashable, Sendable {
    /// The log's id, as 32 hexadecimal digits.
    public var log: String
    /// The event as stored: names of people, personal texts and places have placeholders or seals.
    public var event: RecordedEvent
    /// The positions of the commit's events.
    public var commit: ClosedRange<Position>
    /// The device, correlation and causation of the commit; no actor, which is a number in a log.
    public var metadata: CommitMetadata
    /// The number of commits before the event's commit.
    public var commitNumber: UInt64
    /// The number of commits of the tree.
    public var size: UInt64
    /// The root of the tree, 32 bytes.
    public var root: [UInt8]
    /// The head of the log when it had this tree.
    public var head: Head
    /// The earlier state that the log continues; `nil` if the proof names none.
    public var earlier: Earlier?

    /// An earlier state of a log.
    public struct Earlier: Hashable, Sendable {
        /// The number of commits.
        public var size: UInt64
        /// The root of the tree over these commits, 32 bytes.
        public var root: [UInt8]
        /// The head of the log when it had this tree.
        public var head: Head
    }
}

extension EventProof {
    /// Checks that all parts of the proof lead to the root in its note, and returns the facts.
    ///
    /// Does not check the signature of the note; see `TreeNote.isSigned(by:)`.
    public func check() throws(ProofFault) -> ProvenEvent {
        let (event, commit) = try readRows()
        let last = try self.commit.last("commit")
        var hasher = TreeHasher()
        let place = position.rawValue - self.commit.first
        let leaf = CommitLeaf.hash(
            position: position.rawValue, kind: kind.name, zone: zone, row.rawSpan, &hasher)
        let eventsRoot = MerkleTree.root(
            fromLeaf: leaf, number: place, in: last - self.commit.first + 1, path: path, &hasher)
        guard let eventsRoot else {
            throw ProofFault(field: "event-path", reason: "the path has the wrong number of hashes")
        }
        var proven = self.commit
        proven.eventsRoot = eventsRoot
        let root = (size: note.size, hash: note.root)
        try check(proven, "path", root, "the tree", &hasher)
        try check(head, "head-path", root, "the tree", &hasher)
        return ProvenEvent(
            log: note.log, event: event,
            commit: Position(self.commit.first)...Position(last), metadata: commit.metadata,
            commitNumber: self.commit.number, size: note.size, root: note.root,
            head: try head.head("head-commit"), earlier: try checkEarlier(&hasher))
    }

    /// Decodes the rows of the event and its commit, which must fit each other.
    private func readRows() throws(ProofFault) -> (RecordedEvent, CommitRecord) {
        for (field, name) in [("kind", kind.name), ("zone", zone)] {
            guard name.utf8.count <= CommitLeaf.largestNameByteCount else {
                throw ProofFault(field: field, reason: "the name has \(name.utf8.count) bytes")
            }
        }
        let record = try commit.record("commit")
        let last = try commit.last("commit")
        guard commit.first <= position.rawValue, position.rawValue <= last else {
            throw ProofFault(
                field: "position",
                reason: "the commit has the positions \(commit.first) to \(last)")
        }
        do throws(CorruptRecord) {
            let header = try EventHeader(decoding: row.rawSpan)
            guard UInt64(header.commitOffset) == position.rawValue - commit.first,
                header.recordedAt == record.recordedAt
            else {
                throw CorruptRecord.invalid(
                    field: "commitOffset", found: "\(header.commitOffset)",
                    expected: "the event's place in its commit, and the commit's time")
            }
            let event = RecordedEvent(
                envelope: header.envelope(at: position.rawValue), kind: kind,
                tags: try header.tags(in: row.rawSpan), zone: zone,
                payload: row.rawSpan.extracting(header.payloadRange(in: row.rawSpan)).copied())
            return (event, record)
        } catch {
            throw ProofFault(field: "event", reason: "\(error)")
        }
    }

    /// Checks that the tree continues the earlier one, and returns the facts about that one.
    private func checkEarlier(
        _ hasher: inout TreeHasher
    ) throws(ProofFault) -> ProvenEvent.Earlier? {
        guard let earlier else { return nil }
        let root = (size: earlier.size, hash: earlier.root)
        try check(earlier.head, "since-path", root, "the earlier tree", &hasher)
        let roots = MerkleTree.roots(
            from: earlier.size, to: note.size, oldRoot: earlier.root, path: earlier.path, &hasher)
        guard let roots else {
            throw ProofFault(
                field: "since-consistency", reason: "the path has the wrong number of hashes")
        }
        guard roots.old == earlier.root, roots.new == note.root else {
            throw ProofFault(
                field: "since-consistency",
                reason: "the tree does not continue the earlier tree of \(earlier.size) commits")
        }
        return ProvenEvent.Earlier(
            size: earlier.size, root: earlier.root, head: try earlier.head.head("since-commit"))
    }

    /// Throws a fault unless a commit with its path leads to a root.
    ///
    /// - Parameters:
    ///   - field: the name of the path in the text form.
    ///   - name: the tree's name in the reason.
    private func check(
        _ commit: ProvenCommit, _ field: String, _ root: (size: UInt64, hash: [UInt8]),
        _ name: String, _ hasher: inout TreeHasher
    ) throws(ProofFault) {
        let identifier = Hexadecimal.bytes(note.log) ?? []
        let leaf = CommitLeaf.hash(
            log: identifier, number: commit.number, first: commit.first,
            eventsRoot: commit.eventsRoot, commit.row.rawSpan, &hasher)
        let found = MerkleTree.root(
            fromLeaf: leaf, number: commit.number, in: root.size, path: commit.path, &hasher)
        guard let found else {
            throw ProofFault(
                field: field,
                reason: "commit \(commit.number) of \(root.size) has another number of hashes")
        }
        guard found == root.hash else {
            throw ProofFault(
                field: field,
                reason: "the commit leads to the root \(Base64.text(found)), and not to that of "
                    + "\(name), \(Base64.text(root.hash))")
        }
    }
}

extension ProvenCommit {
    /// Decodes the row of the commit.
    ///
    /// - Parameter field: the name of the row in the text form.
    func record(_ field: String) throws(ProofFault) -> CommitRecord {
        do throws(CorruptRecord) {
            return try CommitRecord(decoding: row.rawSpan)
        } catch {
            throw ProofFault(field: field, reason: "\(error)")
        }
    }

    /// Returns the position of the commit's last event.
    func last(_ field: String) throws(ProofFault) -> UInt64 {
        let record = try record(field)
        guard first > 0, let last = record.lastPosition(startingAt: first),
            last <= UInt64(Int64.max)
        else { throw ProofFault(field: field, reason: "\(record.invalidEventCount)") }
        return last
    }

    /// Returns the head at the end of the commit, which must be the one that the proof names.
    func head(_ field: String) throws(ProofFault) -> Head {
        let head = Head(unchecked: Position(try last(field)), try record(field).chain)
        guard namedHead.map({ $0 == head }) ?? true else {
            throw ProofFault(field: field, reason: "the commit ends at \(head)")
        }
        return head
    }
}
