import ArgumentParser
import Daybook
import DaybookInvestigation
import DaybookLog

/// The command `late`, which finds events that arrived after an answer was issued and change it.
struct LateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "late",
        abstract: "List events that arrived after an answer was given and change it.",
        discussion: """
            An answer is a report that was issued, or a ranking that was closed. It is recomputed \
            from the events known at that time, and again after each event that arrived since. \
            The exit code is 1 if a late event changes an answer. --at ignores events after that \
            moment.
            """)

    @Option(help: .text("Only answers with this tag, such as baby:b or ranking:2026-W08.", "tag"))
    var of: String?

    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let catalogue = catalogue()
        let tag = try of.map { try Daybook.Tag(of: "--of", $0, expected: "a tag like baby:b") }
        let zones = try moment.zones.source()
        let log = try log.open(.read)
        let isSame = try moment.answer(log, catalogue, about: tag) { reading in
            try KnownNames(log, catalogue).check(nounsOf: tag.map { [$0] } ?? [], "--of")
            let answers = LateAnswers(in: reading, zones: zones)
            let given = try answers.publishedAnswers(with: tag)
            var isSame = true
            for given in given {
                // An answer that cannot be recomputed does not prevent the output of the others.
                do {
                    let late = try answers.events(lateFor: given)
                    try show(given, late, HistoryPrinter(reading))
                    isSame = isSame && late.changes.isEmpty
                } catch let error as ReportError {
                    StandardError.message(
                        "\(given.publication.title), issued at position \(given.event.position), "
                            + "cannot be recomputed: \(error)")
                    isSame = false
                }
            }
            if given.isEmpty, !output.json {
                Output.line("no answer was issued up to position \(reading.through)")
            }
            return isSame
        }
        if !isSame { throw Failure(.finding) }
    }

    private func show(
        _ issued: LateAnswers.PublishedAnswer, _ late: LateEvents, _ printer: HistoryPrinter
    ) throws(LogError) {
        guard !output.json else {
            for change in late.changes {
                Output.answer(
                    LateAnswer(
                        answerTitle: issued.publication.title,
                        issuedPosition: issued.event.position,
                        basisPosition: issued.publication.position, rules: issued.publication.rules,
                        event: try printer.answer(change.event), changes: change.changes.answer()))
            }
            return
        }
        let headline = try printer.summary(issued.event)
        Output.line(
            "\(issued.publication.title), issued at position "
                + StyledText("\(issued.event.position)", .reference) + "  \(headline.time)"
                + (headline.who.isEmpty ? "" : " · \(headline.who)")
                + ", made from events up to \(issued.publication.position)")
        guard !late.changes.isEmpty else { return Output.line("  no late event changed it") }
        for change in late.changes {
            Output.line(
                "  late: " + (try printer.headline(change.event)) + ", recorded "
                    + Timestamp.text(change.event.envelope.recordedAt))
            for field in change.changes.withoutEmptied.withWholeElements {
                Output.line("  " + HistoryPrinter.line(field) + field.difference)
            }
        }
        if late.changes.count > 1 {
            Output.line(late.totalChanges.isEmpty ? "  in all: no change" : "  in all:")
            for field in late.totalChanges.withoutEmptied.withWholeElements {
                Output.line("  " + HistoryPrinter.line(field) + field.difference)
            }
        }
    }

    static var examples: [String] { ["late", "late --at yesterday --json"] }

    static var answers: [any Answer.Type] { [LateAnswer.self] }

    var isPaged: Bool { true }
}

struct LateAnswer: Answer {
    static let name = "late"
    static let summary = "A late event that changed an answer."

    var answerTitle = ""
    /// Position of the event that records that the answer was issued.
    var issuedPosition = Position.origin
    /// Position of the last event that the answer was computed from.
    var basisPosition = Position.origin
    var rules = RuleSet.standard
    var event = CommittedEvent()
    var changes: [ChangePart] = []

    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("answer", &answerTitle, "issuedPosition", &issuedPosition)
        try field("basisPosition", &basisPosition, "rules", &rules)
        try event.fields(&field)
        try field("changes", &changes)
    }
}

extension FieldChange {
    /// The difference of the two values: ` (+600)` for numbers, ` (+600 s)` for points in time;
    /// empty for other values.
    fileprivate var difference: String {
        guard let before = before.flatMap({ Int64($0) }), let after = after.flatMap({ Int64($0) })
        else { return "" }
        let difference = Int128(after) - Int128(before)
        let sign = difference < 0 ? "" : "+"
        guard isMoment else { return " (\(sign)\(difference))" }
        let (seconds, rest) = difference.quotientAndRemainder(dividingBy: 1_000_000)
        return rest == 0 ? " (\(sign)\(seconds) s)" : " (\(sign)\(difference) µs)"
    }
}
