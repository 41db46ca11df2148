import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLibC
import DaybookLog

/// The command `append`, which appends commands and events from JSON lines.
struct AppendCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "append",
        abstract: "Append commands or events from JSON lines on standard input.",
        discussion: """
            A line is either {"command": NAME, "data": {…}}, which the rules accept or refuse, or \
            {"event": KIND, "data": {…}}, a fact that is recorded without a rule. Both may have \
            "at" (RFC 3339, by the device's clock; now by default), "zone" (IANA), "actor", \
            "device", "correlation", "causation" (a position) and "key" (idempotency). \
            '\(Program.name) schema' lists names and fields.

            An event line may have a condition: "failIfEventsMatch": {"query": ITEMS, "after": \
            POSITION}. The line is refused, with exit code 1, if an event after that position or \
            of an earlier line matches an item such as [{"kinds": [KIND], "tags": [TAG]}]; \
            '\(Program.name) log --query' takes the same items.

            Either all lines are appended in one transaction, or none. A missing log is created.
            """)

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Append each line as it arrives, and continue after a rejected one.")
    var each = false

    @Flag(help: "Append even if the newest commit is over a day ahead of this machine's clock.")
    var force = false

    /// Number of lines from which a transaction says how long it kept other writers waiting.
    private static let largeCount = 10_000

    func run() throws {
        let catalogue = catalogue()
        let reader = AppendLineReader(catalogue, zones: { ZoneOptions.machineDatabase })
        if each { try appendEach(reader, catalogue) } else { try appendAll(reader, catalogue) }
    }

    /// Appends all lines in one transaction, or none.
    private func appendAll(_ reader: AppendLineReader, _ catalogue: Catalogue) throws {
        var lines = AppendLines(reader)
        try InputFile.forEachLine { number, bytes in
            guard !bytes.isEmpty else { return }
            do throws(InputError) {
                try lines.add(bytes, number: number, now: .now)
                if number.isMultiple(of: 100) { Progress.setCount(number, "lines read") }
            } catch {
                throw Failure(.usage, "\(error.inFile("standard input")); nothing was appended")
            }
        }
        let log = try log.open(.create, force: force)
        var nouns = UnknownNounWarnings(KnownNames(log, catalogue))
        try lines.forEachParsed { try nouns.check($0) }
        let outcome: BatchOutcome
        do throws(AppendError) {
            outcome = try DecisionBatch.retryingConflicts(in: log, catalogue) {
                (batch) throws(AppendError) in
                let last = lines.numbers.last
                let rejected = try lines.first { (line) throws(AppendError) -> BatchOutcome? in
                    if line.number.isMultiple(of: 100) {
                        Progress.setCount(line.number, of: last, "lines decided")
                    }
                    do throws(AppendError) {
                        guard case .refused(let refused) = try line.decide(in: &batch)
                        else { return nil }
                        return .refused(line, refused)
                    } catch {
                        guard case .keyReused = error else { throw error }
                        return .keyReused(line, error)
                    }
                }
                if let rejected { return rejected }
                return .appended(try batch.append())
            }
        } catch { throw error.failureOfAttempts("nothing was appended") }
        switch outcome {
        case .appended(let receipts):
            printReceipts(lines.numbers, receipts)
            if lines.numbers.count >= Self.largeCount {
                StandardError.message(
                    "other writers waited for at most \(log.longestWriteText); with --each they "
                        + "get in between lines")
            }
        case .keyReused(let line, let error):
            throw Failure(.finding, "standard input:\(line.number): \(error); nothing was appended")
        case .refused(let line, let refused):
            if let fault = line.fault(refused)?.inFile("standard input") {
                throw Failure(.usage, "\(fault); nothing was appended")
            }
            if output.json { acknowledge(line.number, nil, refused: refused) }
            let message = "standard input:\(line.number): refused: \(refused.message)"
            throw Failure(.finding, "\(message) (\(refused.code)); nothing was appended")
        }
    }

    /// Result of deciding all lines in one transaction.
    private enum BatchOutcome {
        /// All lines were appended; a receipt is `nil` for a line that changed nothing.
        case appended([Receipt?])
        /// The idempotency key of a line belongs to another request, and nothing was appended.
        case keyReused(AppendLine, AppendError)
        case refused(AppendLine, Daybook.Refusal)
    }

    /// Prints the numbers of events and commits or, with `--json`, the commit of each line.
    private func printReceipts(_ numbers: [Int], _ receipts: [Receipt?]) {
        let appended = receipts.compactMap { $0 }.filter { !$0.isRepeated }
        let events = appended.reduce(0) { $0 + $1.last.rawValue - $1.first.rawValue + 1 }
        let summary = "\(events.counted("event")) in \(appended.count.counted("commit"))"
        Output.note(outcome: "\(summary) \(events.are) appended")
        guard output.json else { return Output.line(summary) }
        for (number, receipt) in zip(numbers, receipts) {
            Output.answer(AppendAnswer(number, receipt, refused: nil))
        }
    }

    private func appendEach(_ reader: AppendLineReader, _ catalogue: Catalogue) throws {
        let log = try log.open(.create, force: force)
        let memory = DecisionMemory()
        var nouns = UnknownNounWarnings(KnownNames(log, catalogue))
        var rejected = 0
        var appended = 0
        var unchanged: [Int] = []
        try InputFile.forEachLine { number, bytes in
            guard !bytes.isEmpty else { return }
            do {
                let line = try reader.read(bytes, line: number, now: .now)
                try line.checkAppendable()
                if case .event(let event) = line.body { try line.check([event]) }
                try nouns.check(line)
                let decided = try line.append(to: log, catalogue, memory)
                switch decided {
                case .appended(let receipt) where !receipt.isRepeated: appended += 1
                case .appended, .nothing: unchanged.append(number)
                case .refused: rejected += 1
                }
                Output.note(outcome: "standard input was processed up to line \(number)")
                Progress.setCount(number, "lines")
                show(line, decided)
            } catch let error as InputError {
                rejected += 1
                StandardError.message("\(error.inFile("standard input"))")
            }
        }
        if let first = unchanged.first {
            let lines = unchanged.count > 1 ? ": lines \(unchanged.asRanges)" : ""
            StandardError.message(
                "standard input:\(first): \(unchanged.count.counted("line")) with nothing new"
                    + lines)
        }
        if !output.json {
            Output.line(
                "\(appended.counted("line")) appended, \(unchanged.count) with nothing new, "
                    + "\(rejected) rejected")
        }
        if rejected > 0 { throw Failure(.finding) }
    }

    /// Prints the answer to a line, with a message if the line was refused.
    private func show(_ line: AppendLine, _ decided: Decided) {
        switch decided {
        case .appended(let receipt): acknowledge(line.number, receipt, refused: nil)
        case .nothing: acknowledge(line.number, nil, refused: nil)
        case .refused(let refused):
            acknowledge(line.number, nil, refused: refused)
            StandardError.message(
                line.fault(refused).map { "\($0.inFile("standard input"))" }
                    ?? "standard input:\(line.number): refused: \(refused.message) "
                    + "(\(refused.code))")
        }
    }

    /// With `--json`, prints the answer to a line at once, before the next line is read.
    private func acknowledge(_ number: Int, _ receipt: Receipt?, refused: Daybook.Refusal?) {
        guard output.json else { return }
        Output.answer(AppendAnswer(number, receipt, refused: refused))
        Output.flush()
    }

    static var examples: [String] {
        ["append < lines.jsonl", "append --each --json < lines.jsonl"]
    }

    static var answers: [any Answer.Type] { [AppendAnswer.self] }

    /// True if a person types the lines.
    var isWaiting: Bool { isatty(STDIN_FILENO) != 0 }
}
