public import Daybook
import DaybookLMDB
import DaybookLibC

/// The result of a check of the whole log.
public struct Verification: Hashable, Sendable {
    /// The number of events that were read.
    public var events: UInt64 = 0
    /// The number of commits that were read.
    public var commits: UInt64 = 0
    /// The chain value of the newest commit; 32 zero bytes in an empty log.
    public var head: [UInt8] = Array(repeating: 0, count: 32)
    /// The number of personal texts that were erased.
    public var erasedTexts: UInt64 = 0
    /// The number of personal texts that were lost with damage before the log was salvaged.
    public var lostTexts: UInt64 = 0
    /// The number of people who were lost, with their names, before the log was salvaged.
    public var lostPeople: UInt64 = 0
    /// The number of snapshots that a fold from the first event on reproduces.
    public var snapshots: UInt64 = 0
    /// The number of snapshots of changed folds or of merged entities; no fault, because such
    /// snapshots are never used.
    public var staleSnapshots: UInt64 = 0
    /// The number of events of each kind that the catalogue does not know; no fault.
    public var unknownKinds: [EventKind: UInt64] = [:]
    /// The faults that were found, at most 1,000.
    public var findings: [Finding] = []

    /// True if no fault was found.
    public var isSound: Bool { findings.isEmpty }

    /// A fault of the log.
    public struct Finding: Record {
        /// The position of the faulty event or commit; `.origin` for other faults.
        public var position = Position.origin
        /// The name of the broken rule; see `EventLog.verify(against:progress:)`.
        public var rule = ""
        /// A sentence that describes the fault.
        public var message = ""

        public static var blank: Self { Self() }

        public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
            try field("position", &position, "rule", &rule, "message", &message)
        }
    }

    /// True if a fault was found other than intact payloads with a layout unknown to this program.
    ///
    /// Includes faults that are not listed because of the limit of `findings`.
    public private(set) var isDamaged = false

    /// True if the only faults are intact payloads whose layouts this program does not know.
    public var isOfOtherLayouts: Bool { !isSound && !isDamaged }

    /// The maximum number of listed findings.
    static let findingLimit = 1_000

    /// Adds a fault to the findings, of which at most `findingLimit` are listed.
    ///
    /// - Parameters:
    ///   - position: the position of the faulty event or commit; 0 for other faults.
    ///   - rule: the name of the broken rule.
    ///   - isOfLayout: true for an intact payload that does not match its kind's layout.
    mutating func report(
        _ position: UInt64, _ rule: String, _ message: String, isOfLayout: Bool = false
    ) {
        isDamaged = isDamaged || !isOfLayout
        guard findings.count < Self.findingLimit else { return }
        findings.append(
            Finding(position: Position(position), rule: rule, message: message))
    }

    /// Adds the faults of a file's pages to the findings.
    mutating func reportFaults(of pages: PageMap) {
        for fault in pages.faults() {
            report(0, "page", "page \(fault.page) \(fault.message)")
        }
    }

    /// Adds the counts and findings of a later part of the check, all except `head`.
    mutating func add(_ part: Verification) {
        events += part.events
        commits += part.commits
        erasedTexts += part.erasedTexts
        lostTexts += part.lostTexts
        lostPeople += part.lostPeople
        unknownKinds.merge(part.unknownKinds) { $0 + $1 }
        findings += part.findings.prefix(Self.findingLimit - findings.count)
        isDamaged = isDamaged || part.isDamaged
    }
}

extension EventLog {
    /// Reads the whole log and checks it against the rules of the format and of the catalogue.
    ///
    /// The rules:
    ///
    /// - `page`: each page is used once or is free, and its content matches its place in a tree.
    /// - `checksum`: each row matches its checksum.
    /// - `damage`: every part of the log is readable.
    /// - `table`: the file has only tables of the format.
    /// - `meta`: the table `meta` has only rows of the format, and they match the log.
    /// - `gap`: positions have no gaps.
    /// - `record`: rows follow the format.
    /// - `clock`: `recordedAt` never decreases.
    /// - `chain`: the commits and events hash to the stored chain values.
    /// - `last`: the stored newest position of each tag and kind is correct.
    /// - `index`: the index is correct and complete.
    /// - `key`: each idempotency key leads to its commit.
    /// - `seal`: personal texts match their seals, the SHA-256 digests that events store.
    /// - `person`: people are numbered without gaps and can be found by name.
    /// - `vault`: encryption keys are undamaged.
    /// - `erasure`: each missing text and overwritten key has a recorded erasure, and each recorded
    ///   erasure has overwritten its keys.
    /// - `payload`: payloads are in canonical form.
    /// - `tags`: events carry the tags that their payloads require, in normalisation form C.
    /// - `snapshot`: a fold of all events of an entity reproduces the stored states.
    ///
    /// - Parameters:
    ///   - catalogue: the catalogue that decodes payloads; by default the log's.
    ///   - progress: called occasionally with the number of checked events, as a position.
    public func verify(
        against catalogue: Catalogue? = nil, progress: (Position) -> Void = { _ in }
    ) throws(LogError) -> Verification {
        let catalogue = catalogue ?? self.catalogue
        // Without a lock, a writer may change pages during the check: retry until the file is
        // unchanged.
        for _ in 0..<(isReadWithoutLock ? 5 : 0) {
            let number = try newestTransactionNumber()
            let result = try verifyOnce(catalogue, progress)
            let isUnchanged = try newestTransactionNumber() == number
            if result.isSound || isUnchanged { return result }
        }
        guard !isReadWithoutLock else { throw .storage(.changedWhileReading) }
        return try verifyOnce(catalogue, progress)
    }

    /// Returns the number of the newest committed transaction, which each write increases.
    private func newestTransactionNumber() throws(LogError) -> UInt64 {
        try mappingStorageErrors(try environment.newestTransactionNumber())
    }

    /// Checks the whole log once, as of one transaction.
    ///
    /// - Parameters:
    ///   - threadCount: the number of threads that check parts of the log at once.
    ///   - progress: called occasionally with the number of checked events, as a position.
    func verifyOnce(
        _ catalogue: Catalogue, onThreads threadCount: Int = min(Threads.coreCount, 8),
        _ progress: (Position) -> Void
    ) throws(LogError) -> Verification {
        let transaction = try beginReading()
        var result = Verification()
        var walk: VerificationWalk
        do throws(LogError) {
            walk = try VerificationWalk(self, catalogue, in: transaction)
        } catch {
            result.reportFaults(of: transaction.pages)
            result.report(error)
            return result
        }
        walk.check { (walk) throws(LogError) in try walk.checkTables(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkMeta(transaction) }
        walk.check { (walk) throws(LogError) in try walk.readErasures(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkPeople(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkVault(transaction) }
        walk.check { (walk) throws(LogError) in
            result = try walk.checkParts(transaction, onThreads: threadCount, progress)
        }
        walk.check { (walk) throws(LogError) in try walk.checkLastPositions(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkPersonalRows(transaction) }
        walk.check { (walk) throws(LogError) in try walk.checkSnapshotRows(transaction) }
        result.add(walk.result)
        result.head = walk.result.head
        do throws(LogError) {
            try checkSnapshots(against: catalogue, &result)
        } catch {
            result.report(error)
        }
        return result
    }
}

extension Verification {
    /// Adds an error that stopped the reading of a part of the log.
    mutating func report(_ error: LogError) {
        report(error.position?.rawValue ?? 0, "damage", "\(error)")
    }
}

extension VerificationWalk {
    /// Runs one part of the check and adds an error that ends this part to the findings.
    ///
    /// - Returns: `false` if an error ended the part.
    @discardableResult
    mutating func check(_ part: (inout Self) throws(LogError) -> Void) -> Bool {
        do throws(LogError) {
            try part(&self)
            return true
        } catch {
            result.report(error)
            return false
        }
    }
}
