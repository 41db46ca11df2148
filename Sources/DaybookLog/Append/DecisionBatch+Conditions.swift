public import Daybook

// Conditions of a caller's own, for events that no rule judges.
extension DecisionBatch {
    /// The first event that a condition forbids, in the log or among those of the batch, which have
    /// no position yet; `nil` where it holds.
    ///
    /// - Returns: `.stored` where the log has it.
    public mutating func conflict(
        with condition: AppendCondition
    ) throws(AppendError) -> Conflict? {
        let head = try start()
        do throws(LogError) {
            let window = ReadWindow(after: condition.after, through: head)
            let query = condition.query
            if condition.after < head,
                let event = try log.reader(query, window).collect(limit: 1).first
            {
                return .stored(event.position)
            }
        } catch {
            throw .log(error)
        }
        return pending(condition.query, []).isEmpty ? nil : .inBatch
    }

    /// An event that a condition forbids.
    public enum Conflict: Hashable, Sendable {
        case stored(Position)
        case inBatch
    }

    /// True where a request was appended before, under the same key.
    public func isRepeated(
        _ idempotency: AppendRequest.Idempotency?
    ) throws(AppendError) -> Bool {
        guard let idempotency else { return false }
        return try isKnown(idempotency)
    }

    /// Position of the newest event that the decisions see.
    public var head: Position {
        mutating get throws(AppendError) { try start() }
    }
}
