public import Daybook
import DaybookLMDB

/// The findings of a check of the whole log.
public struct Verification: Hashable, Sendable {
    public var events: UInt64 = 0
    public var commits: UInt64 = 0
    /// The chain value of the newest commit; 32 zero bytes in an empty log.
    public var head: [UInt8] = Array(repeating: 0, count: 32)
    /// Personal texts that have been erased. Their seals still hold.
    public var erasedTexts: UInt64 = 0
    /// Texts, and people with their names, that were lost with damage before the log was salvaged.
    public var lostTexts: UInt64 = 0
    public var lostPeople: UInt64 = 0
    /// Snapshots that a fold from the first event on gives again.
    public var snapshots: UInt64 = 0
    /// Those of folds that this program does not have; no fault, since none is used.
    public var staleSnapshots: UInt64 = 0
    /// Events of kinds the catalogue does not know; no fault.
    public var unknownKinds: [EventKind: UInt64] = [:]
    public var findings: [Finding] = []

    public var isSound: Bool { findings.isEmpty }

    /// One thing that is not as it must be.
    public struct Finding: Record {
        public var position = Position.origin
        public var rule = ""
        public var message = ""

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "rule", &rule, "message", &message)
        }
    }

    /// True where something else was found than payloads that this program's layouts do not fit,
    /// listed or not.
    public private(set) var isDamaged = false

    /// True where whole payloads do not fit this program's layouts, and nothing else was found.
    public var isOfOtherLayouts: Bool { !isSound && !isDamaged }

    /// Findings are listed up to this number.
    static let findingLimit = 1_000

    /// - Parameter isOfLayout: true for a payload that is whole and that its layout does not fit.
    mutating func find(
        _ position: UInt64, _ rule: String, _ message: String, isOfLayout: Bool = false
    ) {
        isDamaged = isDamaged || !isOfLayout
        guard findings.count < Self.findingLimit else { return }
        findings.append(
            Finding(position: Position(position), rule: rule, message: message))
    }
}

extension EventLog {
    /// Reads every commit and event and checks what must hold of them.
    ///
    /// The rules: `page` every page is used once or free, and holds what its tree needs;
    /// `checksum` rows are those that were written; `damage` nothing is unreadable; `table` the
    /// file has the format's tables; `meta` the table has its rows, which fit the log; `gap` positions are dense; `record` rows are as the format says; `clock`
    /// `recordedAt` never falls; `chain` the hash holds; `name` kinds and zones are known;
    /// `last` the last positions of tags and kinds are right; `index` the indexes are complete; `forms`
    /// tags that are not in normalisation form C are listed;
    /// `key` idempotency keys lead to their commits; `seal` personal texts fit their seals;
    /// `person` people are numbered without gaps and found by their names; `vault` keys are whole;
    /// `erasure` every text that is gone and every key that is overwritten is on record, and what
    /// is on record is overwritten;
    /// `payload` and `tags` payloads are canonical and carry the tags they ask for; `snapshot` what
    /// is kept of an entity is what all its events give, each folded once.
    ///
    /// - Parameters:
    ///   - catalogue: knows what events hold; by default the log's.
    ///   - progress: called now and then with the position reached.
    public func verify(
        against catalogue: Catalogue? = nil, progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Verification {
        let catalogue = catalogue ?? self.catalogue
        // Without a lock a writer may have changed the pages that were being read.
        for _ in 0..<(isReadWithoutLock ? 5 : 0) {
            let number = try newestTransactionNumber()
            let result = try verifyOnce(catalogue, progress)
            let isUnchanged = try newestTransactionNumber() == number
            if result.isSound || isUnchanged { return result }
        }
        guard !isReadWithoutLock else { throw .storage(.changedWhileReading) }
        return try verifyOnce(catalogue, progress)
    }

    private func newestTransactionNumber() throws(LogError) -> UInt64 {
        try mappingStorageErrors(try environment.newestTransactionNumber())
    }

    private func verifyOnce(
        _ catalogue: Catalogue, _ progress: (Position) -> Void
    ) throws(LogError) -> Verification {
        var result = Verification()
        let transaction = try beginReading()
        for fault in transaction.pages.faults() {
            result.find(0, "page", "page \(fault.page) \(fault.message)")
        }
        var walk: VerificationWalk?
        do throws(LogError) {
            // Read from the file and not from what this process knows of it.
            var names = Names()
            try names.refresh(in: transaction, from: tables.names)
            walk = VerificationWalk(log: self, names: names, catalogue: catalogue, result)
        } catch {
            result.find(error)
        }
        guard var walk else { return result }
        walk.check { (walk) throws(LogError) in try walk.checkTables(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkMeta(transaction) }
        walk.check { (walk) throws(LogError) in try walk.readErasures(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkPeople(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkVault(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkCommits(transaction, progress) }
        walk.check { (walk) throws(LogError) in try walk.checkLastPositions(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkIndex(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkKeys(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkPersonalRows(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkKept(transaction) }
        result = walk.result
        do throws(LogError) {
            try checkSnapshots(against: catalogue, &result)
        } catch {
            result.find(error)
        }
        return result
    }
}

extension Verification {
    /// A part of the log that cannot be read.
    mutating func find(_ error: LogError) {
        find(error.position?.rawValue ?? 0, "damage", "\(error)")
    }
}

extension VerificationWalk {
    /// Runs one part of the check; damage that ends it is a finding.
    mutating func check(_ part: (inout Self) throws(LogError) -> Void) {
        do throws(LogError) {
            try part(&self)
        } catch {
            result.find(error)
        }
    }
}
