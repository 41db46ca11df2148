import Daybook
import DaybookInvestigation
import DaybookLog

extension AppendLine {
    /// Decides the line in a batch.
    func decide(in batch: inout DecisionBatch) throws(AppendError) -> Outcome {
        switch body {
        case .command(let decision):
            return try batch.decide(decision, metadata: metadata, idempotency: idempotency)
        case .event(let event):
            // A request that was appended before met its condition then.
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

    /// The code of a refusal by the line's own condition.
    static let conditionFailed = "conditionFailed"

    private func refusal(
        _ condition: AppendCondition, in batch: inout DecisionBatch
    ) throws(AppendError) -> Daybook.Refusal? {
        let head = try batch.head
        guard condition.after <= head else {
            return Refusal(
                Self.conditionFailed,
                "failIfEventsMatch is about what came after position \(condition.after), and the "
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

    /// Refuses what only an overlay may say.
    func checkAppendable() throws(InputError) {
        guard after != nil else { return }
        throw InputError(
            "belongs to '\(ReplayTool.name) what-if'; an append goes to the end", line: number,
            field: "after")
    }

    /// Appends the line as a commit of its own. What the line cannot be blamed for ends the
    /// process.
    ///
    /// - Parameter memory: of the decisions on the lines before.
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
                return try log.deciding(catalogue) { (batch) throws(AppendError) in
                    if case .refused(let refused) = try decide(in: &batch) {
                        return .refused(refused)
                    }
                    let receipt = try batch.append().first ?? nil
                    memory.note(receipt)
                    return receipt.map(Decided.appended) ?? .nothing
                }
            }
        } catch .log(let error) {
            throw Failure(.log, error)
        } catch .unstorable(let reason) {
            throw fault(reason)
        } catch {
            throw InputError("\(error)", line: number)
        }
    }

    /// The outcome of the line.
    func answer(_ receipt: Receipt?, refused: Daybook.Refusal?) -> AppendAnswer {
        AppendAnswer(
            line: Int64(number), first: receipt?.first, last: receipt?.last,
            recordedAt: receipt?.recordedAt, repeated: receipt?.isRepeated ?? false,
            refused: refused.map {
                RefusalPart(code: $0.code, message: $0.message, position: $0.position)
            })
    }
}

struct AppendAnswer: Answer {
    static let name = "append"
    static let summary = "A line of standard input: the commit that it became, if any."

    var line: Int64 = 0
    var first: Position?
    var last: Position?
    var recordedAt: Instant?
    var repeated = false
    var refused: RefusalPart?

    static var blank: Self { Self() }

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("line", &line, "first", &first, "last", &last, "recordedAt", &recordedAt)
        try field("repeated", &repeated)
        try field.optionalField("refused", &refused)
    }
}

extension AppendLineReader {
    /// Reads the lines of a file; `-` is standard input.
    ///
    /// - Parameter body: receives each line, parsed and as bytes; the file's name is added to the
    ///   errors that it throws.
    func forEachLine(
        of path: String, _ body: (AppendLine, [UInt8]) throws -> Void
    ) throws {
        let lines = try InputFile.bytes(of: path)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, bytes) in lines.enumerated() where !bytes.isEmpty {
            do {
                let bytes = Array(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
                if bytes.isEmpty { continue }
                try body(
                    try read(bytes, line: index + 1, now: EventLog.systemTime()), bytes)
            } catch let error as InputError {
                throw Failure(.usage, "\(error.inFile(path == "-" ? "standard input" : path))")
            }
        }
    }
}
