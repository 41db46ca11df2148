import Daybook
import DaybookLMDB

@testable import DaybookLog

/// A batch that is checked against a log file, within a write transaction of the file.
///
/// The rows are read only if they were made for the end of the log.
struct FileStoreCheck {
    let log: EventLog
    let batch: StoreBatch
    /// The end of the log before the batch.
    let end: StoreEnd
    /// True if the batch was made for this end.
    private let isCurrent: Bool
    /// The first and the last position of each commit.
    private(set) var firsts: [UInt64] = []
    private(set) var lasts: [UInt64] = []
    /// The outcome of each commit.
    private(set) var outcomes: [StoreAnswer.Outcome]
    private(set) var commits: [CommitRecord] = []
    /// The rows of the commits, events and names, without checksums.
    private(set) var commitRows: [[UInt8]] = []
    private(set) var eventRows: [[UInt8]] = []
    private(set) var nameRows: [[UInt8]] = []
    /// True for an erasure, which a clock that ran ahead does not refuse.
    private let erases: Bool
    /// True if a condition reaches back further than it is looked for.
    private var isBehind = false
    /// True if a commit was recorded before the one before it.
    private var isOutOfOrder = false

    /// The greatest number of events that are looked through for a condition without tags.
    private static let mostScanned: UInt64 = 10_000
    private static let secondUs: Int64 = 1_000_000

    init(
        _ store: FileStore, _ batch: StoreBatch, erases: Bool,
        in transaction: borrowing LogWriteTransaction
    ) throws(AppendFault) {
        log = store.log
        self.batch = batch
        self.erases = erases
        let log = log
        do throws(LogError) {
            end = try log.file.storeEnd(in: transaction)
        } catch {
            throw .log(error)
        }
        isCurrent = end.isSame(as: batch.end)
        outcomes = Array(repeating: .unwritten, count: batch.commits.count)
        guard !batch.commits.isEmpty else { throw .bytes("expected commits") }
        if isCurrent { try checkRows() }
        do throws(LogError) {
            for (index, commit) in batch.commits.enumerated() {
                if let first = try store.first(of: commit.digest, in: transaction) {
                    outcomes[index] = .repeated(first)
                }
            }
            for condition in batch.conditions { try look(for: condition, in: transaction) }
        } catch {
            throw .log(error)
        }
        for index in outcomes.indices.prefix(writtenCount) where isCurrent {
            outcomes[index] = .written(firsts[index])
        }
    }

    /// The number of commits before the first group that is not written.
    var writtenCount: Int {
        let index = outcomes.firstIndex {
            switch $0 {
            case .repeated, .forbidden: true
            case .written, .unwritten: false
            }
        }
        guard let index else { return outcomes.count }
        let group = batch.commits[index].group
        return batch.commits.firstIndex { $0.group == group } ?? index
    }

    /// The answer to a batch of which nothing is written; `nil` for any other.
    var refusal: StoreAnswer? {
        func answer(_ result: StoreAnswer.Result) -> StoreAnswer {
            let known = outcomes.map { (outcome) -> StoreAnswer.Outcome in
                if case .written = outcome { .unwritten } else { outcome }
            }
            return StoreAnswer(result, end: end, outcomes: known)
        }
        if !isCurrent { return answer(.moved) }
        let clock = end.clock.microseconds
        let newest = commits.last?.recordedAt.microseconds ?? clock
        let isAhead = newest > clock + Self.secondUs && newest != end.recordedAt?.microseconds
        let isLate = (commits.first?.recordedAt.microseconds ?? clock) < clock - Self.secondUs
        let isFarAhead = newest > clock + Instant.dayUs && !erases
        if isOutOfOrder || isAhead || isLate || isFarAhead {
            return answer(.clock)
        }
        return isBehind ? answer(.behind) : nil
    }

    /// Looks for an event that a condition forbids.
    private mutating func look(
        for condition: StoreBatch.Condition, in transaction: borrowing LogWriteTransaction
    ) throws(LogError) {
        let last = end.head.position.rawValue
        guard condition.after < last else { return }
        var found: UInt64?
        let most = condition.tags.isEmpty ? condition.after + Self.mostScanned : .max
        try log.file.tables.scanEvents(condition.after + 1...last, in: transaction) {
            (position, row) throws(LogError) in
            guard position <= most else { return false }
            let header = try EventHeader(row, at: position)
            guard condition.kinds.isEmpty || condition.kinds.contains(header.kind) else {
                return true
            }
            var tags: Set<[UInt8]> = []
            try header.forEachTag(in: row, at: position) { tags.insert($0.copied()) }
            if tags.isSuperset(of: condition.tags) { found = position }
            return found == nil
        }
        guard let found else {
            isBehind = isBehind || most < last
            return
        }
        for (index, commit) in batch.commits.enumerated() where commit.group == condition.group {
            if outcomes[index] == .unwritten { outcomes[index] = .forbidden(found) }
        }
    }
}

// The rows.
extension FileStoreCheck {
    /// Checks commits, events and names, and that they lead to the chain values of the commits.
    private mutating func checkRows() throws(AppendFault) {
        var place = end.head.position.rawValue
        var newest = end.recordedAt
        var chain = end.head.chain
        for (index, row) in batch.names.enumerated() {
            nameRows.append(
                try Self.value(row, UInt64(end.nextName) + UInt64(index), log.file.tables.names))
        }
        let names = try nameRows.map { (row) throws(AppendFault) in
            try Self.decoding("name") { () throws(CorruptRecord) in
                try Name(decoding: row.rawSpan)
            }
        }
        var nameCount = 0
        guard batch.events.count == batch.commits.reduce(0, { $0 + $1.eventCount }) else {
            throw .bytes("expected as many events as the commits say")
        }
        for commit in batch.commits {
            let row = try Self.value(commit.row, place + 1, log.file.tables.commits)
            let record = try Self.decoding("commit at \(place + 1)") { () throws(CorruptRecord) in
                try CommitRecord(decoding: row.rawSpan)
            }
            guard record.eventCount > 0, Int(record.eventCount) == commit.eventCount,
                record.bytes == row
            else { throw .bytes("the commit at \(place + 1) has another number of events") }
            guard commit.digest.count == 16,
                !record.hasKey || commit.digest == Array(record.keyDigest.prefix(16))
            else { throw .bytes("the commit at \(place + 1) has another digest of its key") }
            if let newest, record.recordedAt < newest { isOutOfOrder = true }
            newest = record.recordedAt
            let last = place + UInt64(record.eventCount)
            var newNames: [Name] = []
            while nameCount < names.count, names[nameCount].firstPosition <= last {
                guard names[nameCount].firstPosition > place else {
                    throw .bytes("a name is first used before its commit at \(place + 1)")
                }
                newNames.append(names[nameCount])
                nameCount += 1
            }
            var hash = ChainHash()
            hash.begin(after: chain, row: row.rawSpan, newNames: newNames)
            for index in 0..<commit.eventCount {
                let event = try checkedEvent(of: record, index, at: place + 1 + UInt64(index))
                hash.add(event.rawSpan)
                eventRows.append(event)
            }
            chain = hash.finish()
            guard chain == record.chain else {
                throw .bytes("the commit at \(place + 1) has another chain value than its rows")
            }
            commitRows.append(row)
            commits.append(record)
            firsts.append(place + 1)
            lasts.append(last)
            place = last
        }
        guard nameCount == names.count else { throw .bytes("names are not used by the commits") }
    }

    /// Checks the row of an event of a commit, and returns it without its checksum.
    private func checkedEvent(
        of commit: CommitRecord, _ index: Int, at position: UInt64
    ) throws(AppendFault) -> [UInt8] {
        let row = try Self.value(batch.events[eventRows.count], position, log.file.tables.events)
        let most = Int(end.nextName) - 1 + batch.names.count
        try Self.decoding("event at \(position)") { () throws(CorruptRecord) in
            let header = try EventHeader(decoding: row.rawSpan)
            try header.forEachTag(in: row.rawSpan) { _ in }
            guard header.recordedAt == commit.recordedAt, Int(header.commitOffset) == index,
                header.kind > 0, Int(max(header.kind, header.zone)) <= most
            else {
                throw .invalid(
                    field: "header", found: "another one",
                    expected: "that of an event of the commit")
            }
        }
        return row
    }

    /// Returns a row with an integer key without its checksum.
    static func value(
        _ row: [UInt8], _ key: UInt64, _ table: LogTable
    ) throws(AppendFault) -> [UInt8] {
        let value = Array(row.dropLast(RowChecksum.byteCount))
        guard value.asRow(table, key) == row else {
            throw .bytes("row \(key) of \(table.name) does not match its checksum")
        }
        return value
    }

    /// Evaluates `body`, which decodes a row.
    static func decoding<Value>(
        _ row: String, _ body: () throws(CorruptRecord) -> Value
    ) throws(AppendFault) -> Value {
        do throws(CorruptRecord) {
            return try body()
        } catch {
            throw .bytes("\(row): \(error)")
        }
    }
}
