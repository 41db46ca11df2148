package import Daybook

// Conditions that a caller checks for events that it adds without a decision.
extension DecisionBatch {
    /// Looks for an event that a condition forbids, in the log and in the batch.
    ///
    /// - Returns: the place of the event; `nil` if there is none.
    public mutating func conflict(
        with condition: AppendCondition
    ) throws(AppendError) -> Conflict? {
        let head = try decisionHead()
        if condition.after < head {
            let reader = log.reader(
                condition.query, ReadWindow(after: condition.after, through: head))
            let found = try AppendError.mappingLogErrors(try reader.collect(limit: 1).first)
            if let found { return .stored(found.position) }
        }
        return pendingMatches(condition.query, []).isEmpty ? nil : .inBatch
    }

    /// A conflict with an append condition: the place of an event that the condition forbids.
    package enum Conflict: Hashable, Sendable {
        /// The event is in the log, at this position.
        case stored(Position)
        /// The event is in the batch and has no position yet.
        case inBatch
    }

    /// True if the log or this batch has the idempotency key; false for a request without a key.
    ///
    /// - Throws: `.keyReused` if the batch or the log has the idempotency key for another request.
    public func isRepeated(
        _ idempotency: AppendRequest.Idempotency?
    ) throws(AppendError) -> Bool {
        guard let idempotency else { return false }
        return try isKnown(idempotency)
    }

    /// True if the batch or the log has the idempotency key.
    ///
    /// - Parameter digest: the digest of the key; `nil` to compute it if needed.
    /// - Throws: `.keyReused` if the batch or the log has the idempotency key for another request.
    func isKnown(
        _ idempotency: AppendRequest.Idempotency, _ digest: [UInt8]? = nil
    ) throws(AppendError) -> Bool {
        if let known = keyedRequests[idempotency.key] {
            guard let earlier = known else { return false }
            guard earlier == idempotency else {
                // Names the position of the other request, if it was recorded before the batch.
                _ = try log.receipt(for: idempotency)
                throw .keyReused(key: idempotency.key, at: .origin)
            }
            return true
        }
        let digest = digest ?? log.file.digests.key(idempotency.key)
        return try EarlierCommit.find(idempotency, digest, in: log)?.outcome.get() != nil
    }

    /// The position of the newest stored event that the decisions of the batch take into account.
    public var head: Position {
        mutating get throws(AppendError) { try decisionHead() }
    }
}
