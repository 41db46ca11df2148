import Daybook
import DaybookCryptography
import DaybookLMDB

/// A run of `verify` in progress; its memory does not grow with the number of events.
struct VerificationWalk {
    let log: EventLog
    /// The event kinds and time zones of the table `names`, read from the file.
    let names: Names
    let catalogue: Catalogue
    /// The counts and findings so far.
    var result = Verification()
    /// The data after the commits that were checked so far, for checking the next one.
    var checked = CheckedCommits()
    /// Counts and digests over the commits and events that were checked.
    var totals = CommitTotals()
    /// The position of the last event that the index covers.
    var indexedThrough: UInt64 = 0
    /// Counts and digests over the rows of the index that were checked.
    var indexTotals = IndexTotals()
    /// True if the index contains exactly the positions of the indexed events.
    var isIndexComplete = false
    /// The leaves of the stored tree, with which the commits are compared.
    var treeLeaves: TreeLeaves
    /// The number of rows of `keysByDigest` that contain the position of the right commit.
    var validKeyCount = 0
    /// The people, key slots and erasures of the log.
    var people: PeopleCheck
    /// A decoder that puts separately stored names and integers back into payloads.
    let opener: EventOpener
    /// The kinds of the events checked so far, by their rows in the table `names`.
    var kinds: [CheckedKind?] = []
    /// The byte ranges of the tags of the event that is being checked.
    var tags = StoredTags()
    /// A cache of the owners of personal texts, by person number.
    var knownPeople: [UInt32: KnownPerson] = [:]
    /// A cache of rows of the tables `tags` and `kinds`.
    var lastPositions = LastPositions()
    /// The hash of the commit that is being checked.
    private var commitHash = ChainHash()
    /// Computes the digest of the text that is being compared with the digest in its event.
    var sealHasher = SHA256()

    /// Creates a check, which reads the table `names` from the file instead of the cache.
    init(
        _ log: EventLog, _ catalogue: Catalogue, in transaction: borrowing ReadTransaction
    ) throws(LogError) {
        self.log = log
        self.catalogue = catalogue
        opener = EventOpener(log, isLenient: true)
        treeLeaves = TreeLeaves(log)
        people = PeopleCheck(log: log)
        var names = Names()
        try names.refresh(in: transaction, from: log.file.tables.names)
        self.names = names
    }

    /// Checks the commits that follow the checked ones, with their events, in order.
    ///
    /// - Parameters:
    ///   - last: the position of the last event to check; `nil` to check all events.
    ///   - progress: called occasionally with the number of events checked by this call.
    mutating func checkCommits(
        through last: UInt64?, _ transaction: borrowing ReadTransaction,
        _ progress: (UInt64) -> Void
    ) throws(LogError) {
        let commits = log.file.tables.commits
        let start = checked.nextPosition
        let broken = try transaction.scan(commits.table, from: start == 1 ? nil : start) {
            (first: UInt64, stored) throws(LogError) in
            if let last, first > last { return false }
            if first != checked.nextPosition {
                result.report(
                    checked.nextPosition, "gap",
                    "no commit begins at \(checked.nextPosition); the next commit begins at \(first)"
                )
            }
            checked.nextPosition = first == .max ? first : first + 1
            if let commit = decode(commits, first, stored, transaction) {
                if let last = commit.lastPosition(startingAt: first) {
                    checked.nextPosition = last == .max ? last : last + 1
                    let row = stored.extracting(..<(stored.byteCount - RowChecksum.byteCount))
                    try checkCommit(commit, row, first...last, transaction)
                } else {
                    result.report(
                        first, "record",
                        "the commit has no events, or ends after the highest possible position")
                }
            }
            result.commits += 1
            if result.commits % 500 == 0 { progress(result.events) }
            return true
        }
        if let broken { throw .storage(broken) }
        guard last == nil else { return }
        if let head = try transaction.lastKey(of: log.file.tables.events),
            head >= checked.nextPosition
        {
            result.report(
                checked.nextPosition, "gap",
                "events \(checked.nextPosition) to \(head) belong to no commit")
        }
    }

    /// Decodes a row of a table with integer keys; returns `nil` and adds a finding if that fails.
    private mutating func value<Result>(
        _ table: LogTable, _ key: UInt64, _ stored: RawSpan,
        _ transaction: borrowing ReadTransaction, _ body: (RawSpan) throws(CorruptRecord) -> Result
    ) -> Result? {
        guard let value = transaction.value(ofRow: stored, key, table) else {
            result.report(
                key, "checksum",
                "the row of table '\(table.name)' was changed: its checksum differs")
            return nil
        }
        do throws(CorruptRecord) {
            return try body(value)
        } catch {
            result.report(
                key, "record", "the row of table '\(table.name)' is malformed: \(error)")
            return nil
        }
    }

    /// Decodes a row of the table `commits`; returns `nil` and adds a finding if that fails.
    private mutating func decode(
        _ commits: LogTable, _ first: UInt64, _ stored: RawSpan,
        _ transaction: borrowing ReadTransaction
    ) -> CommitRecord? {
        value(commits, first, stored, transaction) { (bytes) throws(CorruptRecord) in
            try CommitRecord(decoding: bytes)
        }
    }

    /// Checks a commit with its events and its chain value.
    ///
    /// - Parameters:
    ///   - row: the row of the commit without its checksum.
    ///   - range: the positions of the commit's events.
    private mutating func checkCommit(
        _ commit: CommitRecord, _ row: RawSpan, _ range: ClosedRange<UInt64>,
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) {
        let first = range.lowerBound
        if commit.recordedAt < checked.recordedAt {
            result.report(
                first, "clock",
                "the commit's recording time is earlier than that of the previous commit")
        }
        checked.recordedAt = max(checked.recordedAt, commit.recordedAt)
        if commit.hasKey { totals.keyCount += 1 }
        try checkPeople(of: commit, range, transaction)
        var newNames: [Name] = []
        while checked.nameCount < names.rows.count,
            names.rows[checked.nameCount].firstPosition <= range.upperBound
        {
            newNames.append(names.rows[checked.nameCount])
            checked.nameCount += 1
        }
        commitHash.begin(after: checked.lastChainValue, row: row, newNames: newNames)
        let isLeaf = treeLeaves.begin(range)
        var next = first
        let broken = try transaction.scan(log.file.tables.events.table, from: first) {
            (position: UInt64, stored) throws(LogError) in
            guard position == next, range.contains(position) else { return false }
            if let bytes = checkedEvent(position, stored, transaction) {
                commitHash.add(bytes)
                if isLeaf { treeLeaves.add(position, bytes, names) }
                try checkEvent(position, bytes, of: commit, startingAt: first, transaction)
            }
            next += 1
            return next <= range.upperBound
        }
        if let broken { throw .storage(broken) }
        let chainValue = commitHash.finish()
        result.events += next - first
        if next <= range.upperBound {
            result.report(
                next, "gap",
                "the commit at \(first) ends at \(range.upperBound); event \(next) is missing")
        } else if chainValue != commit.chain {
            result.report(
                first, "chain",
                "the commit and its events do not hash to the stored chain value: one was changed")
        }
        if isLeaf { checkLeaf(row, range, isWhole: next > range.upperBound, transaction) }
        checked.lastChainValue = commit.chain
    }

    /// Returns the row of an event without its checksum; returns `nil` and adds a finding if the
    /// checksum does not match.
    @_lifetime(copy stored)
    private mutating func checkedEvent(
        _ position: UInt64, _ stored: RawSpan, _ transaction: borrowing ReadTransaction
    ) -> RawSpan? {
        let value = transaction.value(ofRow: stored, position, log.file.tables.events)
        if value == nil {
            result.report(position, "checksum", "the event's row does not match its checksum")
        }
        return value
    }
}
