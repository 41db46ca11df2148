import Daybook
import DaybookCryptography
import DaybookLMDB

/// The commit that was found for an idempotency key.
struct EarlierCommit {
    /// The idempotency key.
    var key: String
    /// The position of the commit's first event.
    var first: UInt64
    /// The position of the commit's last event.
    var last: UInt64
    var recordedAt: Instant
    /// True if the commit was made for the same request, or its request can no longer be compared.
    var isSameRequest: Bool

    /// The receipt of the commit.
    var receipt: Receipt {
        Receipt(
            first: Position(first), last: Position(last), recordedAt: recordedAt,
            isRepeated: true)
    }

    /// The receipt of the commit; `.keyReused` if it was made for another request.
    var outcome: Result<Receipt, AppendError> {
        isSameRequest ? .success(receipt) : .failure(.keyReused(key: key, at: receipt.first))
    }
}

// Lookup of commits by idempotency key.
extension EarlierCommit {
    /// Looks up the commit with an idempotency key in a transaction of its own; `nil` if the key is
    /// new.
    ///
    /// - Parameter keyDigest: the digest of the key; see `LogDigests.key`.
    static func find(
        _ idempotency: AppendRequest.Idempotency, _ keyDigest: [UInt8], in log: EventLog
    ) throws(AppendError) -> EarlierCommit? {
        try AppendError.mappingLogErrors(
            try log.people.readingPeople { (transaction) throws(LogError) -> EarlierCommit?? in
                try find(idempotency, keyDigest, in: log, transaction)
            })
    }

    /// Looks up the commit with an idempotency key.
    ///
    /// - Parameter keyDigest: the digest of the key; see `LogDigests.key`.
    /// - Returns: `nil` if an encryption key was overwritten after the transaction began, so that a
    ///   newer transaction must look up the commit; `.some(nil)` if the idempotency key is new.
    static func find(
        _ idempotency: AppendRequest.Idempotency, _ keyDigest: [UInt8],
        in log: EventLog, _ transaction: borrowing some Transaction & ~Copyable
    ) throws(LogError) -> EarlierCommit?? {
        guard
            let first = try log.file.tables.firstPosition(
                ofKeyDigest: keyDigest, in: transaction)
        else {
            return .some(nil)
        }
        let commit = try log.file.tables.commit(startingAt: first, in: transaction)
        guard let last = commit.lastPosition(startingAt: first) else {
            throw .corrupt(
                table: log.file.tables.commits.name, key: first, commit.invalidEventCount)
        }
        var earlier = EarlierCommit(
            key: idempotency.key, first: first, last: last, recordedAt: commit.recordedAt,
            isSameRequest: true)
        guard let texts = try log.people.texts(first...last, in: transaction) else { return nil }
        // If a salt is erased, the requests can no longer be compared, and are taken to be the
        // same.
        if texts.allSatisfy({ $0.row != nil }) {
            let salts = texts.flatMap { $0.row?.salt ?? [] }
            earlier.isSameRequest =
                commit.requestDigest == log.file.digests.request(idempotency, salts)
        }
        return earlier
    }
}
