public import Daybook
import DaybookCryptography
import DaybookLMDB

// Commits that were appended under idempotency keys.
extension EventLog {
    /// Finds the commit that was appended under an idempotency key, or `nil` if the key is new.
    public func receipt(
        for idempotency: AppendRequest.Idempotency
    ) throws(AppendError) -> Receipt? {
        let earlier: EarlierCommit?
        do throws(LogError) {
            earlier = try readingPeople { (transaction) throws(LogError) -> EarlierCommit?? in
                try find(idempotency, in: transaction)
            }
        } catch {
            throw .log(error)
        }
        return try earlier?.receipt()
    }

    /// The same as a write transaction sees it.
    func receipt(
        for idempotency: AppendRequest.Idempotency, in transaction: borrowing LogWriting
    ) throws(AppendError) -> Receipt? {
        let earlier: EarlierCommit?
        do throws(LogError) {
            guard let found = try find(idempotency, in: transaction) else {
                throw .damaged(table: tables.vault.name, .keyGone)
            }
            earlier = found
        } catch {
            throw .log(error)
        }
        return try earlier?.receipt()
    }

    /// - Returns: `nil` where a newer state has to say.
    private func find(
        _ idempotency: AppendRequest.Idempotency,
        in transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> EarlierCommit?? {
        guard let first = try firstPosition(ofKey: idempotency.key, in: transaction) else {
            return .some(nil)
        }
        let commit = try commit(startingAt: first, in: transaction)
        guard let last = commit.lastPosition(startingAt: first) else {
            throw .corrupt(table: tables.commits.name, key: first, commit.countMisfit)
        }
        var earlier = EarlierCommit(
            key: idempotency.key, first: first, last: last, recordedAt: commit.recordedAt,
            isSame: true)
        guard let texts = try texts(first...last, in: transaction) else { return nil }
        // Without the salts nobody can tell what was asked: an erased text takes that with it.
        if texts.allSatisfy({ $0.row != nil }) {
            let salts = texts.flatMap { $0.row?.salt ?? [] }
            earlier.isSame = commit.asked == digest(idempotency, salts)
        }
        return earlier
    }

    /// HMAC-SHA256 under the log's secret, of what was asked and the salts of all texts of the
    /// commit: with these erased, no guess at a text can be held to it.
    func digest(_ idempotency: AppendRequest.Idempotency, _ salts: [UInt8]) -> [UInt8] {
        HMACSHA256.code(of: idempotency.asked + salts, key: secret)
    }
}

/// A commit that was appended under a key.
struct EarlierCommit {
    var key: String
    var first: UInt64
    var last: UInt64
    var recordedAt: Instant
    /// True where the same was asked, as far as that can still be told.
    var isSame: Bool

    func receipt() throws(AppendError) -> Receipt {
        guard isSame else { throw .keyReused(key: key, at: Position(first)) }
        return Receipt(
            first: Position(first), last: Position(last), recordedAt: recordedAt,
            isRepeated: true)
    }
}
