import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `compare`, which finds where two traces, logs or rule sets differ.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Find the first event and field in which two traces, logs or rule sets differ.",
        discussion: """
            Each side is a file written by '\(Program.name) trace', or a log, which is traced first \
            (with --rules; the second log with --other-rules). A single side is compared with \
            --log or DAYBOOK_LOG. With --other-rules a single side is compared with itself under \
            the other rules. Differences are grouped by cause: the kind of event and the fields.

            Only states are compared by default. A reducer can leave every state unchanged and \
            still change a report: --report compares reports. --expect names a YAML file of \
            expected differences, each with a field, a reason, and optionally a kind and a key: \
            '- {field: kcal, reason: rule 2}'. The exit code is 0 if all differences are expected, \
            otherwise 1. --at and --valid-at apply to sides that are logs.

            With --report daily --with baby=b --from 2020-01-01 --to 2020-12-31, or two traces of a \
            report, the answers are compared period by period, and differences are grouped by \
            field. List elements with an id or a day are matched by it, as in entries[e1].kind. \
            Fields that are null on one side and 0 on the other are counted on one line at the \
            end; --all lists them. Between logs or rule sets, each difference names the entities \
            that cause it. Fields that only describe the origin of an answer (position, rules) are \
            ignored. In --expect, the key of a report is its period.
            """)

    @Argument(
        help: .text("Trace or log; by default the log of --log.", "first"), completion: .file())
    var first: String?

    @Argument(
        help: .text(
            "Trace or log to compare with; by default the log of --log, or the first side again.",
            "second"), completion: .file())
    var second: String?

    @Option(
        help: .text(
            "Log to use for a side that is not named; by default the value of the variable "
                + "DAYBOOK_LOG.", "path"), completion: .file())
    var log: String?

    @Option(
        help: .text("Projection to compare (logs only).", "projection"),
        completion: Completions.projections)
    var projection: String?

    @OptionGroup(title: "Report") var report: ReportOptions

    @Option(
        help: .text("Only this entity (logs only).", "key"), completion: Completions.entityKeys,
        transform: identifier)
    var key: String?

    @Option(help: "Rule set of both sides (logs only).", completion: Completions.rules)
    var rules = RulesOption(.standard)

    @Option(help: "Rule set of the second side (logs only).", completion: Completions.rules)
    var otherRules: RulesOption?

    @Option(help: .text("YAML file of expected differences.", "file"), completion: .file())
    var expect: String?

    @Flag(help: "Show every entity that differs; by default one for each cause.")
    var all = false

    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: GateOptions

    mutating func validate() throws {
        (projection, key) = try EntityWords.pair(projection, key)
        guard !firstPath.isEmpty else {
            throw ValidationError(
                "Give a trace or a log as argument, or set the log with --log PATH or the variable "
                    + "DAYBOOK_LOG.")
        }
        guard log == nil || second == nil else {
            throw ValidationError("The arguments already give both sides to compare; omit --log.")
        }
        guard secondPath != nil || otherRules != nil else {
            throw ValidationError(
                "Give a second trace or log, or --other-rules to compare the first with itself.")
        }
        guard report.report == nil || (projection == nil && key == nil) else {
            throw ValidationError("--report cannot be combined with --projection or --key.")
        }
        for path in [firstPath, secondPath] { StoreAddress.prepare(path) }
    }

    /// The log that an option or the environment names; `nil` if none is named.
    private var namedLog: String? { log ?? Terminal.variable("DAYBOOK_LOG") }

    /// The path of the first side; empty if none is named.
    private var firstPath: String { first ?? namedLog ?? "" }

    /// The path of the second side; `nil` if the first side is compared with itself.
    private var secondPath: String? {
        guard second == nil, first != nil else { return second }
        return otherRules == nil ? namedLog : log
    }

    func run() throws {
        let catalogue = catalogue()
        let expectations = try expect.map(Self.expectations) ?? []
        let (firstSide, log) = try side(firstPath, rules.rules, nil, catalogue)
        let isOne = secondPath == nil || secondPath == firstPath
        let (secondSide, _) = try side(
            secondPath ?? firstPath, (otherRules ?? rules).rules, isOne ? log : nil, catalogue)
        if moment.isGiven, firstSide.isFile, secondSide.isFile {
            throw ValidationError(
                "--at and --valid-at can only be used with a log, but both sides are traces.")
        }
        switch (firstSide, secondSide) {
        case (.projection(let first), .projection(let second)):
            try compare(first, second, expectations, catalogue)
        case (.report(let first, let evidence), .report(let second, let other)):
            let evidence = [evidence, other].compactMap(\.self)
            try compare(first, second, evidence, expectations, catalogue)
        default:
            throw Failure(
                .usage,
                "one side is a trace of a projection, the other a trace of a report; give two of the "
                    + "same kind")
        }
    }

    private enum Side {
        /// The states of a projection, from a log or a file.
        case projection(any TraceSide)
        /// The answers of a report, and the events behind them, which are `nil` for a file.
        case report(ReportSide, ReportEvidence?)

        /// True if the side is a trace in a file, not a log.
        var isFile: Bool {
            switch self {
            case .projection(let side): side is TraceFile
            case .report(_, let evidence): evidence == nil
            }
        }
    }

    private func compare(
        _ firstSide: any TraceSide, _ secondSide: any TraceSide,
        _ expectations: [TraceComparison.Expectation], _ catalogue: Catalogue
    ) throws {
        let projection = catalogue.projections[firstSide.header.projection]
        var comparison = TraceComparison(
            expecting: expectations, over: projection?.fields ?? [],
            from: projection?.fold(.standard).leaves ?? [])
        try mappingLogErrors { try comparison.compare(firstSide, secondSide) }
        if let key, comparison.entityCount == 0 {
            let reason = "neither side has an event of \(projection?.noun ?? "the entity") '\(key)'"
            if output.form.isForBuildServers {
                GateReport(missing: key, reason, firstSide.header.projection, projection?.place)
                    .print(as: output.form, of: firstPath)
            }
            throw Failure(.finding, reason)
        }
        switch output.form {
        case .text: show(comparison, firstSide, secondSide, catalogue)
        case .json: showJSON(comparison)
        case .junit, .sarif, .annotations:
            GateReport(of: comparison, firstSide.header.projection, projection?.place, all: all)
                .print(as: output.form, of: firstPath)
        }
        if !comparison.divergences.isEmpty { throw Failure(.finding) }
    }

    /// Returns a side of the comparison, and the log that it is read from; `nil` for a trace.
    ///
    /// - Parameter openLog: log to read if it is open already; `nil` opens the log at `path`.
    private func side(
        _ path: String, _ rules: RuleSet, _ openLog: EventLog?, _ catalogue: Catalogue
    ) throws -> (Side, EventLog?) {
        switch try StoreAddress.isAddress(path) ? nil : RecordedTrace(path) {
        case .projection(let trace): return (.projection(trace), nil)
        case .report(let trace): return (.report(trace, nil), nil)
        case nil: break
        }
        let question = try report.question(rules, as: moment, in: catalogue) {
            try openLog ?? LogOptions.open(path, .read)
        }
        if let question {
            let log = try openLog ?? LogOptions.open(path, .read)
            return try moment.answer(log, catalogue) { reading in
                let (header, answers) = try question.answers(in: reading, as: moment)
                return (
                    .report(
                        ReportSide(header, answers), question.evidence(in: reading, as: moment)),
                    log
                )
            }
        }
        guard let projection else {
            let known = catalogue.projections.keys.sorted().joined(separator: ", ")
            throw ValidationError(
                "'\(path)' is not a trace; to compare it as a log, give a projection with "
                    + "--projection: \(known).")
        }
        // A process must not open a log twice: of two logs, a head file may belong to one.
        let log = try openLog ?? LogOptions.open(path, .read)
        let description = try ProjectionOptions.description(
            of: projection, key, [rules], as: moment, in: catalogue
        ) { log }
        return try moment.answer(log, catalogue, about: key.map(description.tag)) { reading in
            if key == nil, openLog == nil { try KeptStates.detailed.announce(for: log) }
            return (.projection(try LogTrace(of: description, key, rules, in: reading)), log)
        }
    }

    private static func expectations(_ path: String) throws -> [TraceComparison.Expectation] {
        let text = String(decoding: try InputFile.bytes(of: path), as: UTF8.self)
        do throws(InputError) { return try TraceComparison.expectations(of: text) } catch {
            throw Failure(.usage, "\(error.inFile(path))")
        }
    }

    /// Prints the differing entities, grouped by cause.
    private func show(
        _ comparison: TraceComparison, _ first: any TraceSide, _ second: any TraceSide,
        _ catalogue: Catalogue
    ) {
        let differ = comparison.divergences.count
        Output.line(
            "compare \(first.header.projection): \(firstPath), \(first.header.rules.name) rules, with "
                + "\(secondPath ?? firstPath), \(second.header.rules.name) rules")
        Output.line(
            "  \(comparison.matchedCount.counted("event")) of "
                + comparison.entityCount.counted("entity", "entities")
                + (differ == 0
                    ? "; 0 differ" : ", each up to its first difference; \(differ) differ"))
        for (reason, keys) in comparison.expectedKeysByReason.sorted(by: { $0.key < $1.key }) {
            Output.line("  expected in \(keys.count): \(reason)")
        }
        if differ == 0, !catalogue.reports.isEmpty {
            Output.line("  compared: the states of \(first.header.projection), event by event")
            Output.line(
                "  not compared: reports, which a change may affect alone; see 'compare --report'")
        }
        for (cause, divergences) in comparison.causes {
            Output.line("\(divergences.count) with this cause: \(cause)")
            for divergence in all ? divergences[...] : divergences.prefix(1) {
                Output.line("  \(divergence.key), first at position \(divergence.position)")
                for change in divergence.changes { Output.line("  " + HistoryPrinter.line(change)) }
                Output.line("      after \(divergence.recentEvents.joined(separator: ", "))")
            }
        }
    }

    private func showJSON(_ comparison: TraceComparison) {
        for divergence in comparison.divergences {
            Output.answer(
                CompareAnswer(
                    key: divergence.key, position: Position(UInt64(clamping: divergence.position)),
                    kind: divergence.kind, sides: divergence.presence.rawValue,
                    cause: divergence.cause,
                    changes: divergence.changes.answer(), events: divergence.recentEvents))
        }
    }
}

// Reports.
extension CompareCommand {
    /// Compares the report's answers of two sides, and prints the differences.
    ///
    /// - Parameter evidence: the events behind the answers of each side that is a log.
    private func compare(
        _ first: ReportSide, _ second: ReportSide, _ evidence: [ReportEvidence],
        _ expectations: [TraceComparison.Expectation], _ catalogue: Catalogue
    ) throws {
        let (a, b) = (first.header, second.header)
        guard a.report == b.report, a.with == b.with else {
            throw Failure(
                .usage,
                "the first side is a trace of \(a.title), the second of \(b.title); give two traces of "
                    + "the same report")
        }
        let description = catalogue.reports[a.report]
        var comparison = ReportComparison(
            expecting: expectations, of: a.report, ignoring: description?.basisFields ?? [],
            over: description?.fields ?? [])
        comparison.compare(first.entries, second.entries)
        let hasPeriods = first.entries.contains { !$0.period.isEmpty }
        let causes =
            evidence.count == 2
            ? ReportCauses(of: evidence[0], and: evidence[1], in: comparison) : nil
        try mappingLogErrors {
            switch output.form {
            case .text: try show(comparison, a, b, hasPeriods, causes)
            case .json: try showJSON(comparison, causes)
            case .junit, .sarif, .annotations:
                GateReport(of: comparison, a, description?.place, all: all)
                    .print(as: output.form, of: firstPath)
            }
        }
        if !comparison.divergences.isEmpty { throw Failure(.finding) }
    }

    /// Prints the differing fields of a report, each with an example.
    private func show(
        _ comparison: ReportComparison, _ first: ReportTrace.Header, _ second: ReportTrace.Header,
        _ hasPeriods: Bool, _ causes: ReportCauses?
    ) throws {
        Output.line(
            "compare \(first.title): \(firstPath), \(first.rules.name) rules, with "
                + "\(secondPath ?? firstPath), \(second.rules.name) rules")
        let differing = comparison.divergences.count
        if hasPeriods {
            Output.line("  \(comparison.periodCount.counted("period")); \(differing) differ")
        } else {
            Output.line(differing == 0 ? "  the same answer" : "  a different answer")
        }
        let expected = comparison.expectedPeriodsByReason
        for (reason, periods) in expected.sorted(by: { $0.key < $1.key }) {
            Output.line("  expected in \(periods.count): \(reason)")
        }
        let fields = comparison.fields
        var known: [String: [ReportCauses.Cause]] = [:]
        for field in all ? fields : fields.filter({ !$0.isMissingVersusEmpty }) {
            if hasPeriods { Output.line("\(field.periodCount) in \(field.generalPath)") }
            for (period, change) in all ? field.differences[...] : field.examples.prefix(1) {
                if hasPeriods { Output.line("  \(period)") }
                Output.line("  " + HistoryPrinter.line(change))
                guard let causes else { continue }
                if known[period] == nil, let divergence = comparison.divergence(of: period) {
                    known[period] = try causes.causes(of: divergence)
                }
                show(known[period] ?? [], of: change)
            }
        }
        if !all { showEmptyValues(fields.filter(\.isMissingVersusEmpty), hasPeriods) }
    }

    /// Prints the entities that cause the difference of a field, on one line.
    private func show(_ causes: [ReportCauses.Cause], of change: FieldChange) {
        let own = causes.filter { cause in
            cause.fields.contains { $0 == change.path || $0.hasPrefix(change.path + ".") }
        }
        guard !own.isEmpty else { return }
        let shown = all ? own : Array(own.prefix(3))
        let more = own.count - shown.count
        Output.line(
            "        because of "
                + shown.map { "\($0.entity) (\($0.eventLabels.joined(separator: ", ")))" }
                .joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
    }

    /// Prints one line about fields that are missing or null on one side, empty on the other.
    private func showEmptyValues(_ fields: [ReportComparison.Field], _ hasPeriods: Bool) {
        guard !fields.isEmpty else { return }
        let periods = Set(fields.flatMap { $0.differences.map(\.period) }).count
        let within = hasPeriods ? " of \(periods.counted("period"))" : ""
        let names = fields.prefix(4).map(\.generalPath) + (fields.count > 4 ? ["…"] : [])
        Output.line(
            "nothing on one side, 0 or an empty list on the other, in \(fields.count.counted("field"))\(within): "
                + names.joined(separator: ", ") + "; --all shows each")
    }

    private func showJSON(_ comparison: ReportComparison, _ causes: ReportCauses?) throws {
        for divergence in comparison.divergences {
            let causes = try causes?.causes(of: divergence)
            Output.answer(
                CompareReportAnswer(
                    period: divergence.period, sides: divergence.presence.rawValue,
                    changes: divergence.changes.answer(), entities: causes?.map(\.entity),
                    events: causes?.flatMap(\.eventLabels)))
        }
    }
}
