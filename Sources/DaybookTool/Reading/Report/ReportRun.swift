import ArgumentParser
package import Daybook
import DaybookInput
import DaybookInvestigation
import DaybookLog

/// Run of a report, which reads a log, prints the answers and can record that they were issued.
package struct ReportRun {
    private let report: ReportDescription
    /// Arguments of the report, without the one that names a period.
    private let arguments: [Tree.Member]
    /// Names of the periods; empty for a report without periods.
    private let periods: [String]
    private let form: ReportForm
    private let rules: RuleSet
    private let log: LogOptions
    private let moment: MomentOptions
    /// Name of the argument for the present time, if the command supplies its value; else `nil`.
    private let clockArgument: String?
    /// True to record in the log that the answers were issued.
    private let recordsIssue: Bool
    /// True to leave texts of a table that look like formulas unescaped.
    private let isRaw: Bool
    /// Id of the user who asks for the report; `nil` if not given.
    private let requester: String?
    /// Time that answers take as the present time, unless an option sets another time.
    private let startedAt = CommandTime.now

    /// Creates a run.
    ///
    /// - Parameter clock: argument for the present time, if the command line does not give it. Its
    ///   value is the point in time as of which the log is read, else the time of the clock.
    package init(
        _ report: ReportDescription, _ arguments: [Tree.Member], periods: [String],
        form: ReportForm, rules: RuleSet = .standard, log: LogOptions,
        moment: MomentOptions, clock: String? = nil, recordsIssue: Bool = false,
        isRaw: Bool = false, by: String? = nil
    ) {
        self.report = report
        self.arguments = arguments
        self.periods = periods
        self.form = form
        self.rules = rules
        self.log = log
        self.moment = moment
        clockArgument = clock
        self.recordsIssue = recordsIssue
        self.isRaw = isRaw
        requester = by
    }

    /// Runs the report for each entity of the kind `subject`, or with the given arguments.
    package func run(ofAll subject: ReportSubject? = nil) throws {
        try checkForm()
        try checkIssue()
        let zones = Result { try moment.zones.source() }
        // Reports that do not count days need no tz database.
        if moment.zones.tzdata != ZoneOptions.standardFolder { _ = try zones.get() }
        let isFinal = recordsIssue && report.publishing?.isFinal == true
        let log = try log.open(recordsIssue ? .write : .read)
        if isFinal {
            try withContext(log, zones) { reading, context in
                let notes = try notes(of: try gatheredReport(in: reading, context))
                for note in notes { try appendNote(note, on: log, nil, reading, context) }
                Output.note(outcome: "\(notes.map(\.title).joined(separator: ", ")) is final")
            }
        }
        try withContext(log, zones) { reading, context in
            printPresent(context)
            if let subject { return try showAll(subject, in: reading, context) }
            let pending = try gatheredReport(in: reading, context)
            try show(pending, reading)
            guard recordsIssue, !isFinal else { return }
            // The note records that the answer was given, so it comes after the answer.
            Output.makeDurable()
            for note in try notes(of: pending) {
                let identity = try reading.identity(of: note)
                try appendNote(note, on: log, identity, reading, context)
            }
        }
    }

    private func checkForm() throws {
        guard ![.text, .json, .csv].contains(form), report.renderers[form] == nil else {
            guard form != .svg || periods.count < 2 else {
                throw ValidationError(
                    "--format svg shows only one \(report.period?.noun ?? "answer"); omit --from "
                        + "and --to.")
            }
            return
        }
        throw ValidationError(
            "--format \(form.name): the report '\(report.name)' has no such form; its forms are "
                + report.formNames.joined(separator: ", ") + ".")
    }

    /// Throws a usage error if an issued report could not be recomputed from its position alone.
    private func checkIssue() throws {
        guard recordsIssue else { return }
        guard let publishing = report.publishing else {
            throw ValidationError(
                "--issue: the report '\(report.name)' cannot be issued: the program has no event "
                    + "that records it.")
        }
        if publishing.isFinal, moment.isGiven {
            throw ValidationError(
                "--issue makes the report final as of now; omit --at and --valid-at.")
        }
        let isTime = moment.at.map { UInt64($0) == nil } ?? false
        guard !isTime, moment.validAt == nil else {
            throw ValidationError(
                "--issue accepts only --at POSITION, so that the report can be recomputed.")
        }
    }

    /// Calls `body` with a reading as of the selected moment; throws if the report has no answer.
    private func withContext(
        _ log: EventLog, _ zones: Result<ZoneSource, any Error>,
        _ body: (ProjectionReading, ReportContext) throws -> Void
    ) throws {
        try moment.answer(log, catalogue()) { reading in
            var reading = reading
            reading.willKeepEvents = KeptStates.announcer()
            let context = ReportContext(
                rules: rules, zones: try? zones.get(), position: reading.through,
                knownAt: try moment.knownAt(log), validAt: reading.entities.validThrough,
                opensTexts: true, columns: Terminal.layoutWidth)
            do {
                try body(reading, context)
            } catch let error as ReportError {
                if let failure = report.renderers[form]?.failure { Output.json(failure(error)) }
                if case .noZones = error { _ = try zones.get() }
                throw failure(error, at: reading.through)
            }
        }
    }

    /// Returns the error that ends the command: code 2 for wrong arguments, 1 for no answer.
    private func failure(_ error: ReportError, at position: Position) -> any Error {
        switch error {
        case .input(let error): return ValidationError("\(option(error.field)): \(error.message).")
        case .invalid(let argument, let reason):
            return ValidationError("\(option(argument)): \(reason).")
        case .zone, .noZones: return Failure(.usage, error)
        case .fold(let error): return Failure(.log, error)
        case .unanswerable(let reason):
            return Failure(.finding, "\(reason) at position \(position)")
        }
    }

    /// Returns the option of an argument, for messages: `--date`.
    private func option(_ argument: String) -> String {
        let field = report.arguments.first { $0.name == argument }
        return field.map { "--\($0.option)" } ?? argument
    }
}

// Answers.
extension ReportRun {
    /// Returns the report after it has read all events that it needs.
    private func gatheredReport(
        in reading: ProjectionReading, _ context: ReportContext
    ) throws -> any PendingReport {
        var pending = try preparedReport(arguments, context)
        try reading.gather(&pending)
        if let unknown = pending.unknownEntityMessage { throw ReportError.unanswerable(unknown) }
        return pending
    }

    /// Returns the report with its arguments, before any event is read.
    private func preparedReport(
        _ arguments: [Tree.Member], _ context: ReportContext
    ) throws -> any PendingReport {
        var arguments = arguments
        if let clockArgument {
            let now = presentTime(context).instant
            arguments.append(
                Tree.Member(key: clockArgument, value: Tree(.integer(now.microseconds), line: 1)))
        }
        do throws(InputError) {
            return try report.prepare(
                Tree(.map(arguments), line: 1), rules: .standard, context, periods: periods)
        } catch { throw ReportError.input(error) }
    }

    /// Returns the time that counts as the present for an answer, and the name of the option or
    /// clock that determines the time.
    private func presentTime(_ context: ReportContext) -> (instant: Instant, source: String) {
        if let validAt = context.validAt { return (validAt, "--valid-at") }
        if moment.at != nil { return (context.knownAt, "--at") }
        return (startedAt, "this machine's clock")
    }

    /// Prints the present time on standard error, if the command supplies it as an argument.
    private func printPresent(_ context: ReportContext) {
        guard clockArgument != nil else { return }
        let (now, source) = presentTime(context)
        StandardError.message("as of \(Timestamp.text(now)), by \(source)")
    }

    /// Prints the report's answer for each entity of the kind `subject`, sorted by id.
    private func showAll(
        _ subject: ReportSubject, in reading: ProjectionReading, _ context: ReportContext
    ) throws {
        let ids = try reading.subjects(subject)
        var reports = try ids.map { id in
            let member = Tree.Member(key: subject.argument, value: Tree(.text(id), line: 1))
            return try preparedReport(arguments + [member], context)
        }
        try reading.gather(&reports)
        for (id, report) in zip(ids, reports) where report.isCurrent {
            printRemarks(of: report)
            for answer in report.answers() {
                Output.json(try row(of: answer, context, subject: (subject.argument, id)))
            }
        }
    }

    /// Returns an answer as a line of JSON, with the report's name and the arguments that differ
    /// from line to line.
    ///
    /// A program can thus read each line by itself. A member of the answer is not replaced.
    private func row(
        of answer: ReportAnswer, _ context: ReportContext, subject: (argument: String, id: String)?
    ) throws -> String {
        let content = try answer.result.get().answer
        var row = ReportRow(report: report.name, position: context.position)
        if let subject { row.arguments.append([subject.argument, subject.id]) }
        if let period = report.period, answer.period != "" {
            row.arguments.append([period.argument, answer.period])
        }
        row.memberNames = Set(report.fields.map(\.name))
        let members = content.dropFirst()
        return row.json.dropLast() + (members == "}" ? "" : ",") + members
    }

    private func show(_ pending: any PendingReport, _ reading: ProjectionReading) throws {
        printRemarks(of: pending)
        guard form != .json, let renderer = report.renderers[form] else {
            let answers = pending.answers()
            if form == .json {
                let rows = try answers.map { try row(of: $0, pending.context, subject: nil) }
                for row in rows { Output.json(row) }
                return
            }
            if form == .csv {
                let rows = try AnswerTable.rows(
                    of: answers, periodName: report.period?.argument ?? "period")
                Output.text(CSVWriter.text(rows, isRaw: isRaw))
            } else {
                let contents = try answers.map { try $0.result.get() }
                show(contents, heading: heading(pending.context.position), omitting: [])
            }
            return
        }
        switch try renderer.page(of: pending, reading) {
        case .text(let text): Output.text(text)
        case .json(let text): Output.json(text)
        case .lines(let lines): Output.lines(lines)
        case .table(let rows): Output.text(CSVWriter.text(rows, isRaw: isRaw))
        case .fields(let heading, let omitted):
            let answers = try pending.answers().map { try $0.result.get() }
            show(answers, heading: heading, omitting: omitted)
        }
    }

    private func printRemarks(of pending: any PendingReport) {
        for remark in pending.remarks { StandardError.message(remark) }
    }

    /// Returns the heading of an answer: `overdue, at position 11`.
    private func heading(_ position: Position) -> String {
        let rules = rules == .standard ? "" : ", by the rules of '\(rules.name)'"
        return "\(report.name), at position \(position)\(rules)"
    }

    /// Prints each answer under its heading, with one line for each field that has a value.
    private func show(
        _ answers: [ReportAnswer.Content], heading: String?, omitting omitted: Set<String>
    ) {
        for (index, answer) in answers.enumerated() {
            if index > 0 { Output.line() }
            if let heading {
                let period = periods.count > 1 ? ", \(periods[index])" : ""
                Output.line(heading + period)
            }
            let leaves = answer.leaves.filter {
                !["null", "[]", "{}"].contains($0.value) && !omitted.contains($0.path)
            }
            var table = Table(.leading, .leading)
            for leaf in leaves { table.add(leaf.path, leaf.readable) }
            Output.lines(table.lines)
        }
    }
}

// Notes in the log.
extension ReportRun {
    /// Returns the notes to record in the log, which say that the answers were issued; empty if the
    /// report cannot be issued.
    private func notes(of pending: any PendingReport) throws(ReportError) -> [PendingPublication] {
        try report.publishing?
            .notes(of: pending, by: requester.map { Author($0) }, rules: .standard) ?? []
    }

    /// Records in the log that an answer was issued.
    ///
    /// The same answer from the same events is recorded only once for the same user, so an
    /// interrupted command can be run again.
    ///
    /// - Parameter identity: bytes that identify the answer; `nil` to record it in any case.
    private func appendNote(
        _ note: PendingPublication, on log: EventLog, _ identity: [UInt8]?,
        _ reading: ProjectionReading, _ context: ReportContext
    ) throws {
        let now = Instant.now
        let zone = try context.zone(note.zone)
        let decision = note.decision(
            in: CommandContext(now: now, zone: zone.name, offsetS: Int32(zone.offsetS(at: now))))
        let key = identity.map { bytes in
            var digest = ContentDigest()
            digest.add(bytes)
            return AppendRequest.Idempotency(
                key: "report-issued/sha256:\(digest.text.prefix(16))", asked: bytes)
        }
        let receipt = try decideOrFail(
            decision, on: log, by: requester, reading.catalogue, once: key)
        if let receipt, receipt.isRepeated {
            StandardError.message("\(note.title): issued already, at position \(receipt.first)")
        } else if let receipt {
            StandardError.message("\(note.title): issued, recorded at position \(receipt.first)")
        }
    }
}
