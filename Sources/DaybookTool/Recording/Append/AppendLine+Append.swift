import Daybook
import DaybookInvestigation
import DaybookLog

extension AppendLine {
    /// Decides the line's command, or checks its event's condition, and adds to the batch.
    func decide(in batch: inout DecisionBatch) throws(AppendError) -> Outcome {
        switch body {
        case .command(let decision):
            return try batch.decide(decision, metadata: metadata, idempotency: idempotency)
        case .event(let event):
            // A request that was appended earlier met its condition then.
            let condition = try batch.isRepeated(idempotency) ? nil : condition
            if let condition, let refused = try refusal(condition, in: &batch) {
                return .refused(refused)
            }
            try batch.add(
                [event], metadata: metadata, conditions: condition.map { [$0] } ?? [],
                idempotency: idempotency)
            return .events([event])
        }
    }

    /// Refusal code of a line whose own condition, `failIfEventsMatch`, does not hold.
    static let conditionFailed = "conditionFailed"

    /// Returns the refusal if an event violates the condition; `nil` if the condition holds.
    private func refusal(
        _ condition: AppendCondition, in batch: inout DecisionBatch
    ) throws(AppendError) -> Daybook.Refusal? {
        let head = try batch.head
        guard condition.after <= head else {
            return Refusal(
                Self.conditionFailed,
                "failIfEventsMatch is about events after position \(condition.after), but the "
                    + "log ends at position \(head)")
        }
        switch try batch.conflict(with: condition) {
        case nil: return nil
        case .stored(let position):
            return Refusal(
                Self.conditionFailed, "the event at position \(position) matches failIfEventsMatch",
                position: position)
        case .inBatch:
            return Refusal(
                Self.conditionFailed, "an event of an earlier line matches failIfEventsMatch")
        }
    }

    /// Throws an error if the line has `after`, which only `what-if` accepts.
    func checkAppendable() throws(InputError) {
        guard after != nil else { return }
        throw InputError(
            "this field is only for '\(Program.name) what-if'; 'append' adds events at the end of the "
                + "log", line: number, field: "after")
    }

    /// Appends the line as a separate commit.
    ///
    /// - Parameter memory: states that the decisions on earlier lines have read.
    /// - Throws: `InputError` for a fault of the line; `Failure`, which ends the process, for an
    ///   error of the log.
    func append(
        to log: EventLog, _ catalogue: Catalogue, _ memory: DecisionMemory
    ) throws -> Decided {
        do throws(AppendError) {
            switch body {
            case .command(let decision):
                return try log.decide(
                    decision, metadata: metadata, idempotency: idempotency, catalogue: catalogue,
                    memory: memory)
            case .event:
                return try DecisionBatch.retryingConflicts(in: log, catalogue) {
                    (batch) throws(AppendError) in
                    if case .refused(let refused) = try decide(in: &batch) {
                        return .refused(refused)
                    }
                    let receipt = try batch.append().first ?? nil
                    memory.recordAppend(receipt)
                    return receipt.map(Decided.appended) ?? .nothing
                }
            }
        } catch .log(let error) {
            throw Failure(error.code, error)
        } catch .unstorable(let reason) {
            throw fault(reason)
        } catch { throw InputError("\(error)", line: number) }
    }
}
