import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `what-if`, which compares the recorded history with an altered one.
struct WhatIfCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "what-if",
        abstract: "Show how states would differ with events skipped, edited, moved or added.",
        discussion: """
            The log is never changed. Without a key, every entity that the changes concern is \
            compared. --edit 5:distanceMm=1000 sets a field of the event at position 5, and \
            --edit 5:occurredAt=TIME its time; --move 5:2 moves the event to after position 2. \
            --insert names a file of lines as '\(Program.name) append' reads them; a line with \
            "after": POSITION is inserted there, any other at the end. An inserted command is \
            decided on the altered history. --at ignores the events after that moment.

            --again names a file of the commands that were given to '\(Program.name) append'. Each is \
            decided again on the altered history, at the commit with its "key"; a command without \
            a commit is decided in the order of the lines. Only commands whose outcome changes are \
            listed. You need the file because the log stores no commands: they may hold secrets.

            With --report daily --with baby=b --from 2020-03-01 --to 2020-03-31 the answers of the \
            report are compared, and each period that would differ is listed.
            """)

    @OptionGroup var subject: SubjectOptions

    @Argument(
        help: .text(
            "Id of the entity: a launch, a run, …; by default all that the changes concern.",
            "key"), completion: Completions.entityKeys, transform: identifier)
    var key: String?

    @OptionGroup var changed: HistoryChangeOptions

    @Option(
        help: .text("File of commands to decide again; '-' is standard input.", "file"),
        completion: .file())
    var again: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    mutating func validate() throws {
        (subject.projection, key) = try EntityWords.pair(subject.projection, key)
        try subject.validateSelection()
        guard changed.isGiven || again != nil else {
            throw ValidationError("Give a change: --skip, --edit, --move, --insert or --again.")
        }
        if changed.insert == "-", again == "-" {
            throw ValidationError("--insert and --again cannot both read standard input.")
        }
    }

    func run() throws {
        let subject = try subject.selectedSubject(key, as: moment, in: catalogue(), log)
        let opened = try log.open(.read)
        try mappingLogErrors { try opened.requireKeys("an altered history is decided with") }
        try moment.answer(opened, catalogue(), about: tag(of: subject)) { reading in
            var changes = HistoryChanges(in: reading)
            let reader = HistoryChangeOptions.reader(reading.catalogue)
            let refusals = try changed.apply(to: &changes, reading)
            let decided = try again.map { try decide(again: $0, reader, &changes) }
            if let decided { show(decided) }
            switch subject {
            case .report(let question):
                for refusal in refusals { StandardError.message(refusal) }
                let (recorded, altered) = try changes.answers(
                    try question.prepared(in: reading, as: moment))
                try ReportQuestion.check(recorded)
                show(question, recorded, altered, refusals)
            case .projection(let description):
                for refusal in refusals { StandardError.message(refusal) }
                let entities = try changes.entities(of: description, key)
                if entities.isEmpty, !refusals.isEmpty || decided != nil {
                    return showNothing(refusals, description)
                }
                guard !entities.isEmpty else {
                    throw Failure(
                        .finding,
                        "the projection '\(description.name)' uses none of the changed events")
                }
                for entity in entities {
                    let difference = try changes.difference(of: entity, self.subject.rules)
                    if key != nil, refusals.isEmpty, difference.before == nil,
                        difference.after == nil
                    {
                        throw QuestionError.unknownEntity(
                            noun: description.noun, key: entity.key, through: reading.through)
                    }
                    show(entity.key, entity.recordedKey, difference, refusals, description)
                }
            }
        }
    }

    private func tag(of subject: SubjectOptions.Subject) -> Daybook.Tag? {
        guard case .projection(let description) = subject else { return nil }
        return key.map(description.tag)
    }

    /// Decides the commands of a file again on the altered history.
    private func decide(
        again path: String, _ reader: AppendLineReader, _ changes: inout HistoryChanges
    ) throws -> [CommandReplay] {
        var lines: [(line: AppendLine, bytes: [UInt8])] = []
        try reader.forEachLine(of: path) { lines.append(($0, $1)) }
        do {
            return try changes.decideAgain(lines, reader)
        } catch let error as InputError {
            throw Failure(.usage, "\(error.inFile(path == "-" ? "standard input" : path))")
        }
    }

    /// Prints how many commands were decided again, and each whose outcome would change.
    private func show(_ commands: [CommandReplay]) {
        let others = commands.filter { !$0.isSame }
        guard !output.json else {
            Output.answer(
                DecidedAgainAnswer(
                    commandCount: Int64(commands.count),
                    unchangedCount: Int64(commands.count - others.count),
                    changedCount: Int64(others.count)))
            for command in others { Output.answer(CommandAnswer(command)) }
            return
        }
        let same = commands.count - others.count
        Output.line(
            "\(commands.count.counted("command")) decided again: "
                + "\(same) as before, \(others.count) changed")
        for command in others { Output.line("    \(command)") }
    }

    /// Prints the answer if the changes concern no entity; prints nothing without refusals.
    private func showNothing(_ refusals: [String], _ projection: ProjectionDescription) {
        guard !refusals.isEmpty else { return }
        guard output.json else { return Output.line("\(projection.name): nothing would differ") }
        Output.answer(RefusedAnswer(projection: projection.name, refusals: refusals))
    }

    /// Prints how an entity, which the log knows as `known`, differs in the two histories.
    private func show(
        _ key: String, _ known: String, _ difference: HistoryDifference, _ refusals: [String],
        _ projection: ProjectionDescription
    ) {
        guard !output.json else {
            return Output.answer(
                WhatIfAnswer(
                    projection: projection.name, key: key, knownAs: known, rules: subject.rules,
                    foldedCount: Int64(difference.foldedCount), refusals: refusals,
                    before: difference.before.map { JSONText($0) },
                    after: difference.after.map { JSONText($0) },
                    changes: difference.changes.answer(),
                    firstDifference: difference.firstDifference.map {
                        WhatIfAnswer.FirstDifference(
                            position: $0.place.position, isInserted: $0.place.index > 0,
                            kind: $0.kind.name, changes: $0.changes.answer())
                    }))
        }
        let count = difference.changes.withoutEmptied.count
        let found =
            if difference.before == nil, difference.after != nil {
                "would be new"
            } else if difference.before != nil, difference.after == nil {
                "would not exist"
            } else if count == 0 {
                "nothing would differ"
            } else {
                "\(count.counted("field")) would differ"
            }
        let name = key == known ? key : "\(key), known as \(known)"
        Output.line("\(projection.name) \(name): \(found)")
        Output.lines(HistoryPrinter.lines(difference.changes))
        guard let first = difference.firstDifference else { return }
        let (place, position) = (first.place.index == 0 ? "at" : "after", first.place.position)
        Output.line("  first \(place) \(position), \(first.kind)")
        if count == 0 {
            Output.lines(HistoryPrinter.lines(first.changes))
            Output.line("  but the final state would be the same")
        }
    }

    static var examples: [String] {
        let names = ExampleNames.current
        return [
            "what-if \(names.name) \(names.key) --skip 12",
            "what-if \(names.name) --edit '5:occurredAt=2026-03-03 14:00'",
        ]
    }

    static var answers: [any Answer.Type] {
        [
            WhatIfAnswer.self, DecidedAgainAnswer.self, CommandAnswer.self, RefusedAnswer.self,
            WhatIfReportAnswer.self,
        ]
    }

    var isPaged: Bool { true }
}

extension WhatIfCommand {
    private func show(
        _ question: ReportQuestion, _ recorded: [ReportAnswer], _ altered: [ReportAnswer],
        _ refusals: [String]
    ) {
        var comparison = ReportComparison(
            of: question.report.name, ignoring: question.report.basisFields,
            over: question.report.fields)
        comparison.compare(
            recorded.map { ReportTrace.Entry($0) }, altered.map { ReportTrace.Entry($0) })
        guard !output.json else {
            for divergence in comparison.divergences {
                Output.answer(
                    WhatIfReportAnswer(
                        report: question.report.name, period: divergence.period,
                        rules: question.rules, refusals: refusals,
                        changes: divergence.changes.answer()))
            }
            return
        }
        let title = question.title(subject.report.with)
        let count = comparison.divergences.count
        guard count > 0 else { return Output.line("\(title): nothing would differ") }
        if recorded.count > 1 {
            Output.line("\(title): \(count) of \(recorded.count) periods would differ")
        }
        for divergence in comparison.divergences {
            let fields = divergence.changes.count
            let name = recorded.count > 1 ? "  \(divergence.period)" : title
            Output.line("\(name): \(fields.counted("field")) would differ")
            Output.lines(HistoryPrinter.lines(divergence.changes))
        }
    }
}
