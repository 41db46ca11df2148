package import Daybook
import DaybookLMDB
import DaybookLibC

@testable package import DaybookLog

/// A log file as a store, of which replicas are kept.
///
/// It checks all that it is given, as a database does whose writers are not trusted: the whole end,
/// checksums, the chain, names, people, conditions, keys and times. The log must be opened for
/// writing, and may be appended to, and erased from, directly as well.
package final class FileStore: EventStore {
    /// The log of the store.
    package let log: EventLog
    package let name: String
    private let hasKeys: Bool
    /// The lock of the log, and the random digests of requests.
    let desk = FileStoreDesk()

    /// Makes a log a store.
    ///
    /// - Parameter hasKeys: false to give no keys.
    package init(_ log: EventLog, hasKeys: Bool = true) {
        self.log = log
        self.hasKeys = hasKeys
        name = "store \(log.path)"
    }

    package var logID: [UInt8] { log.file.identifier }

    package func end() throws(LogError) -> StoreEnd {
        try mapping { () throws(LogError) in
            let transaction = try log.file.beginReading()
            return try log.file.storeEnd(in: transaction)
        }
    }

    package func append(_ batch: StoreBatch) throws(LogError) -> StoreAnswer {
        try appending(batch) { _ in }
    }

    /// Appends a batch, and calls `body` in the same transaction if something is written.
    ///
    /// - Parameter erases: true for an erasure, which is written however far the log is ahead of
    ///   the clock.
    func appending(
        _ batch: StoreBatch, erases: Bool = false,
        _ body: (inout LogWriteTransaction) throws(AppendFault) -> Void
    ) throws(LogError) -> StoreAnswer {
        guard desk.begin() else { throw refusal("lock", "another writer holds the log's lock") }
        defer { desk.end() }
        while true {
            do throws(AppendFault) {
                return try appendOnce(batch, erases, body)
            } catch {
                switch error {
                case .log(.storage(.mapFull)):
                    try mapping { () throws(LogError) in try log.file.growMap() }
                case .log(let error): throw self.error(error)
                case .bytes(let reason):
                    throw refusal("bytes", "the writer has a fault: \(reason)")
                }
            }
        }
    }

    /// Checks a batch and writes its first groups in one transaction.
    private func appendOnce(
        _ batch: StoreBatch, _ erases: Bool,
        _ body: (inout LogWriteTransaction) throws(AppendFault) -> Void
    ) throws(AppendFault) -> StoreAnswer {
        var transaction = try AppendFault.mapping { () throws(LogError) in
            try log.file.beginWriting()
        }
        let check = try FileStoreCheck(self, batch, erases: erases, in: transaction)
        if let answer = check.refusal { return answer }
        let written = check.writtenCount
        let end = try check.write(written, to: &transaction)
        if written > 0 { try body(&transaction) }
        let commits = zip(batch.commits, check.firsts).prefix(written)
        let digests = commits.map { ($0.digest, $1) }
        do throws(LogError) {
            try transaction.commit()
        } catch {
            throw .log(error)
        }
        desk.remember(digests)
        return StoreAnswer(.appended, end: end, outcomes: check.outcomes)
    }

    package func lock(after head: Head) throws(LogError) -> (end: StoreEnd, segment: [UInt8]?) {
        guard desk.lock() else { throw refusal("lock", "another writer holds the log's lock") }
        return (try end(), try segment(after: head, most: .max))
    }

    package func unlock() { desk.unlock() }

    package func outcomes(
        of digests: [[UInt8]]
    ) throws(LogError) -> (end: StoreEnd, firsts: [UInt64?]) {
        // In this order: a request that is not found after the end was read, was not written before.
        let end = try end()
        let firsts = try mapping { () throws(LogError) in
            let transaction = try log.file.beginReading()
            var firsts: [UInt64?] = []
            for digest in digests { firsts.append(try first(of: digest, in: transaction)) }
            return firsts
        }
        return (end, firsts)
    }

    /// Returns the first position of the commit with a digest; `nil` if there is none.
    func first(
        of digest: [UInt8], in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> UInt64? {
        if let first = desk.first(of: digest) { return first }
        return try log.file.tables.storedPosition(
            digest.rawSpan, in: log.file.tables.keysByDigest, transaction)
    }

    package func segment(after head: Head, most: Int) throws(LogError) -> [UInt8]? {
        try mapping { () throws(LogError) in
            try log.segment(after: head, most: UInt64(max(1, most)), of: name)
        }
    }

    package func wait(
        after position: Position, atMost duration: Duration
    ) throws(LogError) -> Bool {
        let deadline = ContinuousClock.now + duration
        while true {
            if try mapping({ () throws(LogError) in try log.head() }) > position { return true }
            guard ContinuousClock.now < deadline else { return false }
            usleep(2_000)
        }
    }

    package func keys(fromBlock block: UInt64) throws(LogError) -> StoreKeys {
        guard hasKeys else {
            throw .store(.keys(name: name, reason: "the store was opened without keys"))
        }
        return try mapping { () throws(LogError) in
            let transaction = try log.file.beginReading()
            let keys = try ReplicaKeys(of: log, .origin, in: transaction)
            let blocks = keys.blocks.dropFirst(Int(clamping: block))
            return StoreKeys(secret: keys.secret, blocks: Array(blocks))
        }
    }

    func refusal(_ code: String, _ reason: String) -> LogError {
        .store(.refused(name: name, code: code, reason: reason))
    }

    /// Evaluates `body`, which uses the file, and maps its errors.
    func mapping<Result>(
        _ body: () throws(LogError) -> Result
    ) throws(LogError) -> Result {
        do throws(LogError) {
            return try body()
        } catch {
            throw self.error(error)
        }
    }

    private func error(_ error: LogError) -> LogError {
        switch error {
        case .store: error
        case .corrupt, .damaged, .stream, .file: .store(.damaged(name: name, reason: "\(error)"))
        case .storage(.replacedDuringCommit), .storage(.inputOutput):
            .store(.unknown(name: name, reason: "\(error)"))
        default: refusal("file", "\(error)")
        }
    }
}

/// The reason why a batch is not written.
enum AppendFault: Error {
    /// The file could not be read or written.
    case log(LogError)
    /// The rows are not those of commits at the end of the log.
    case bytes(String)

    /// Evaluates `body` and wraps its errors.
    static func mapping<Result: ~Copyable>(
        _ body: () throws(LogError) -> Result
    ) throws(AppendFault) -> Result {
        do throws(LogError) {
            return try body()
        } catch {
            throw .log(error)
        }
    }
}

extension EventLog {
    /// Returns the commits after a head as a segment; `nil` if the log ends with it.
    ///
    /// After an erasure, the segment has all people and all earlier texts, because their rows do not
    /// say when they were changed.
    fileprivate func segment(
        after head: Head, most: UInt64, of name: String
    ) throws(LogError) -> [UInt8]? {
        if let mismatch = try mismatch(with: head) {
            guard case .shorter(let end) = mismatch else {
                throw .store(.parted(name: name, at: head.position))
            }
            throw .store(.restored(name: name, end: end, replica: head.position))
        }
        let transaction = try file.beginReading()
        var writer = try ShipmentWriter(
            self, after: head, knownPeople: .max, segmentByteCount: .max, most: most,
            in: transaction)
        guard writer.hasNews else { return nil }
        var people: Set<UInt32>?
        if try writer.addErasedPeople(since: head.position) {
            let last = try transaction.lastKey(of: file.tables.people) ?? 0
            people = last > 0 ? Set(1...UInt32(clamping: last)) : []
        }
        if let people { try writer.begin(rewritingTextsOf: people, in: transaction) }
        return try writer.next(in: transaction)?.bytes
    }
}
