public import EventSourcing

/// What a check of the whole log found.
public struct Verification: Hashable, Sendable {
    public var events: UInt64 = 0
    public var commits: UInt64 = 0
    /// The chain value of the newest commit; 32 zero bytes in an empty log.
    public var head: [UInt8] = Array(repeating: 0, count: 32)
    /// Personal texts that have been erased. Their seals still hold.
    public var erasedTexts: UInt64 = 0
    /// Snapshots that a fold from the first event on gives again.
    public var snapshots: UInt64 = 0
    /// Those of folds that this program does not have; no fault, since none is used.
    public var staleSnapshots: UInt64 = 0
    /// Events of kinds the catalogue does not know; no fault.
    public var unknownKinds: [EventKind: UInt64] = [:]
    public var findings: [Finding] = []

    public var isSound: Bool { findings.isEmpty }

    /// One thing that is not as it must be.
    public struct Finding: Hashable, Sendable {
        public var position: Position
        public var rule: String
        public var message: String
    }

    /// Findings are listed up to this number.
    static let findingLimit = 1_000

    mutating func find(_ position: UInt64, _ rule: String, _ message: String) {
        guard findings.count < Self.findingLimit else { return }
        findings.append(
            Finding(position: Position(position), rule: rule, message: message))
    }
}

extension EventLog {
    /// Reads every commit and event and checks what must hold of them.
    ///
    /// The rules: `gap` positions are dense; `record` rows are as the format says; `clock`
    /// `recordedAt` never falls; `chain` the hash holds; `name` kinds and zones are known;
    /// `last` the last positions of tags and kinds are right; `index` the indexes are complete;
    /// `key` idempotency keys lead to their commits; `seal` personal texts fit their seals;
    /// `payload` and `tags` payloads are canonical and carry the tags they ask for; `snapshot` what
    /// is kept of an entity is what all its events give, each folded once.
    ///
    /// - Parameter progress: called now and then with the position reached.
    public func verify(
        against catalogue: Catalogue, progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Verification {
        let transaction = try beginReading()
        // Read from the file and not from what this process knows of it.
        var names = Names()
        try names.refresh(in: transaction, from: tables.names)
        var walk = VerificationWalk(log: self, names: names, catalogue: catalogue)
        try walk.checkCommits(transaction, progress)
        try walk.checkLastPositions(transaction)
        try walk.checkIndexes(transaction)
        try walk.checkKeys(transaction)
        try walk.checkPersonalRows(transaction)
        var result = walk.result
        try checkSnapshots(against: catalogue, &result)
        return result
    }
}
