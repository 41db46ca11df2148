import Daybook
import DaybookLMDB
import DaybookLibC
import Synchronization

/// The data after a sequence of checked commits that is needed to check the next commit.
struct CheckedCommits: Hashable, Sendable {
    /// The chain value of the last commit; 32 zero bytes before the first.
    var lastChainValue: [UInt8] = Array(repeating: 0, count: 32)
    /// The latest recording time of these commits.
    var recordedAt = Instant(microseconds: .min)
    /// The position after the last event of these commits.
    var nextPosition: UInt64 = 1
    /// The number of rows of the table `names` that these commits are the first to use.
    var nameCount = 0
    /// The number of people whom these commits are the first to name.
    var peopleCount = 0
    /// The number of these commits that the stored tree has.
    var leafCount: UInt64 = 0
}

/// Counts and digests over the checked commits and events, to compare with other tables.
struct CommitTotals: Sendable {
    /// The digest of the index that the events should have.
    var expectedIndex = IndexDigest()
    /// The number of tags and event kinds of events after the index that have their last position
    /// in the table `tags` or `kinds`.
    var lastCount: UInt64 = 0
    /// The number of commits that have an idempotency key.
    var keyCount = 0
    /// The number of stored personal texts whose SHA-256 an event contains.
    var textCount = 0
    /// The number of personal texts that were found, by the owner's person number.
    var textCounts: [UInt32: UInt64] = [:]

    /// Adds the counts and digests over other commits to these.
    mutating func add(_ other: CommitTotals) {
        expectedIndex.add(other.expectedIndex)
        lastCount += other.lastCount
        keyCount += other.keyCount
        textCount += other.textCount
        textCounts.merge(other.textCounts) { $0 + $1 }
    }
}

/// Counts and digests over the checked rows of the index.
struct IndexTotals: Sendable {
    /// The digest of all positions in the stored index.
    var digest = IndexDigest()
    /// The number of tags and event kinds whose last indexed position equals the one in the table
    /// `tags` or `kinds`.
    var settledKeyCount: UInt64 = 0
    /// The tags and event kinds whose last indexed position is later than the one in the table
    /// `tags` or `kinds`, or that the table lacks.
    var outdatedKeys: [(last: UInt64, key: IndexKey)] = []
}

/// A part of `verify` that a thread can carry out without the result of another part.
enum VerificationPart: Sendable {
    /// The check of the file's pages.
    case pages
    /// The check of a range of commits with their events: from the commit after a known state to
    /// the event at the position `through`, or to the end if it is `nil`.
    case commits(after: CheckedCommits, through: UInt64?)
    /// The check of the rows of the index.
    case index
    /// The check of the table `keysByDigest`, which finds commits by idempotency key.
    case keys
    /// The check of the tree's tiles with each other.
    case tree
}

/// The result of one part of `verify`.
struct PartResult: Sendable {
    /// The counts and findings of the part.
    var result: Verification
    /// The data after the last commit of the part, for checking the next one.
    var checked: CheckedCommits
    /// Counts and digests over the commits and events of the part.
    var totals: CommitTotals
    /// Counts and digests over the rows of the index, if the part checks the index.
    var indexTotals: IndexTotals
    /// The number of rows of `keysByDigest` that contain the position of the right commit.
    var validKeyCount: Int
    /// True if an error ended the part early.
    var isCutShort = false
}

/// The parts of one run of `verify`; a thread that is free takes the next part.
final class VerificationParts: Sendable {
    /// All parts of the check.
    let parts: [VerificationPart]
    private let log: EventLog
    private let catalogue: Catalogue
    /// The people, key slots and erasures of the log.
    private let people: PeopleCheck
    /// The position of the last event that the index covers.
    private let indexedThrough: UInt64
    /// The size of the stored tree.
    private let treeState: TreeState
    /// The number of the transaction as of which the log is checked.
    private let stateNumber: UInt64
    private let state = Mutex(State())

    /// The progress of all threads, protected by a lock.
    private struct State {
        /// The index of the first part that no thread has taken.
        var nextPart = 0
        /// The number of events that all threads have checked.
        var eventCount: UInt64 = 0
        /// The results of the finished parts, by index of the part.
        var results: [Int: PartResult] = [:]
    }

    init(
        _ parts: [VerificationPart], of walk: borrowing VerificationWalk,
        _ transaction: borrowing ReadTransaction
    ) {
        self.parts = parts
        log = walk.log
        catalogue = walk.catalogue
        people = walk.people
        indexedThrough = walk.indexedThrough
        treeState = walk.treeLeaves.state
        stateNumber = transaction.stateNumber
    }

    /// Checks parts on the calling thread until no part is left to take.
    ///
    /// Each thread begins its own transaction. If the transaction sees a newer state of the log, or
    /// cannot be begun, the thread checks no part.
    ///
    /// - Parameter progress: called occasionally with the number of events checked by all threads.
    func run(_ progress: (Position) -> Void) {
        guard let transaction = try? log.file.beginReading(), transaction.stateNumber == stateNumber
        else { return }
        while let number = nextPart() {
            guard let result = try? result(of: parts[number], transaction, progress) else { return }
            state.withLock { $0.results[number] = result }
        }
    }

    /// Returns the result of each part, in order; first checks the parts that are not finished.
    func results(
        _ transaction: borrowing ReadTransaction, _ progress: (Position) -> Void
    ) throws(LogError) -> [PartResult] {
        var results: [PartResult] = []
        for (number, part) in parts.enumerated() {
            if let known = state.withLock({ $0.results[number] }) {
                results.append(known)
            } else {
                results.append(try result(of: part, transaction, progress))
            }
        }
        return results
    }

    /// Checks one part and returns its result.
    func result(
        of part: VerificationPart, _ transaction: borrowing ReadTransaction,
        _ progress: (Position) -> Void
    ) throws(LogError) -> PartResult {
        // Each thread reads names of its own, so that threads share no reference counts.
        var walk = try VerificationWalk(log, catalogue, in: transaction)
        walk.people = people
        walk.indexedThrough = indexedThrough
        walk.treeLeaves.state = treeState
        var reportedCount: UInt64 = 0
        let isWhole = walk.check { (walk) throws(LogError) in
            switch part {
            case .pages: walk.result.reportFaults(of: transaction.pages)
            case .commits(let before, let last):
                walk.checked = before
                try walk.checkCommits(through: last, transaction) { count in
                    let news = count - reportedCount
                    reportedCount = count
                    let total = state.withLock { state in
                        state.eventCount += news
                        return state.eventCount
                    }
                    progress(Position(total))
                }
            case .index: try walk.readIndex(transaction)
            case .keys: try walk.readKeys(transaction)
            case .tree: walk.checkTree(transaction)
            }
        }
        return PartResult(
            result: walk.result, checked: walk.checked, totals: walk.totals,
            indexTotals: walk.indexTotals, validKeyCount: walk.validKeyCount,
            isCutShort: !isWhole)
    }

    /// Takes the next part and returns its index; `nil` if no part is left.
    private func nextPart() -> Int? {
        state.withLock { state in
            guard state.nextPart < parts.count else { return nil }
            state.nextPart += 1
            return state.nextPart - 1
        }
    }
}

extension VerificationWalk {
    /// Checks the pages, the commits with their events, the index and idempotency keys on several
    /// threads.
    ///
    /// The commits are divided into ranges. The check of a range begins with the stored data of the
    /// commit before it. If an error ends the check of a range, or the check of the range before it
    /// ends with other data, the calling thread checks all commits in order instead. The findings
    /// therefore do not depend on the number of threads.
    ///
    /// - Parameter progress: called occasionally with the number of checked events.
    /// - Returns: the faults of the pages.
    mutating func checkParts(
        _ transaction: borrowing ReadTransaction, onThreads threadCount: Int,
        _ progress: (Position) -> Void
    ) throws(LogError) -> Verification {
        indexedThrough = try log.file.tables.indexedThrough(in: transaction)
        // The part that reads the tree reports an error.
        treeLeaves.state = (try? log.file.tables.treeState(in: transaction)) ?? TreeState()
        let ranges = commitRanges(threadCount > 1 ? threadCount * 2 : 1, transaction)
        let parts = VerificationParts(
            ranges + [.pages, .index, .keys, .tree], of: self, transaction)
        if threadCount > 1 {
            Threads.perform(beside: threadCount - 1, { _ in parts.run { _ in } }) {
                parts.run(progress)
            }
        }
        let results = try parts.results(transaction, progress)
        let commits = results.prefix(ranges.count)
        if isContinuous(ranges, commits) {
            for part in commits { add(part) }
        } else {
            let all = VerificationPart.commits(after: CheckedCommits(), through: nil)
            add(try parts.result(of: all, transaction, progress))
        }
        result.head = checked.lastChainValue
        let rest = results.suffix(4).map(\.self)
        addIndexResult(rest[1])
        result.add(rest[3].result)
        checkLeafCount()
        check { (walk) throws(LogError) in try walk.addKeysResult(rest[2], transaction) }
        return rest[0].result
    }

    /// Divides the commits into about `count` ranges with about the same number of positions.
    private func commitRanges(
        _ count: Int, _ transaction: borrowing ReadTransaction
    ) -> [VerificationPart] {
        var ranges: [VerificationPart] = []
        var start = CheckedCommits()
        let last =
            (try? transaction.lastKey(of: log.file.tables.commits.table)).flatMap(\.self) ?? 0
        for index in 1..<max(1, count) {
            let position = last / UInt64(count) * UInt64(index)
            guard let next = storedState(at: position, transaction),
                next.nextPosition > start.nextPosition
            else { continue }
            ranges.append(.commits(after: start, through: next.nextPosition - 1))
            start = next
        }
        return ranges + [.commits(after: start, through: nil)]
    }

    /// Returns the data for continuing the check after the last commit that begins at or before a
    /// position, from stored rows; `nil` if there is no such commit or it cannot be read.
    private func storedState(
        at position: UInt64, _ transaction: borrowing ReadTransaction
    ) -> CheckedCommits? {
        var found: CheckedCommits?
        let isRead: Void? = try? transaction.scanRows(
            log.file.tables.commits, .descending, from: position
        ) {
            (first: UInt64, stored) throws(LogError) in
            guard let commit = try? CommitRecord(decoding: stored),
                let last = commit.lastPosition(startingAt: first), last < .max
            else { return false }
            let leafCount = try leafCount(through: last, commitAt: first, transaction)
            found = CheckedCommits(
                lastChainValue: commit.chain, recordedAt: commit.recordedAt,
                nextPosition: last + 1,
                nameCount: names.rows.prefix { $0.firstPosition <= last }.count,
                peopleCount: people.firstUses.prefix { $0.position <= last }.count,
                leafCount: leafCount)
            return false
        }
        return isRead == nil ? nil : found
    }

    /// True if no error ended the check of a range of commits, and each check begins with the data
    /// with which the check of the previous range ended.
    private func isContinuous(
        _ ranges: [VerificationPart], _ results: ArraySlice<PartResult>
    ) -> Bool {
        guard !results.contains(where: \.isCutShort) else { return false }
        return zip(ranges.dropFirst(), results).allSatisfy { range, before in
            guard case .commits(let start, _) = range else { return false }
            return start == before.checked
        }
    }

    /// Takes over the result for the next range of commits, which a thread has checked.
    private mutating func add(_ part: PartResult) {
        result.add(part.result)
        totals.add(part.totals)
        checked = part.checked
    }
}
