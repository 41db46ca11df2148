import Daybook
import DaybookInput
import DaybookLog

extension StoryFolding {
    /// Largest number of rows after each of which a report is computed, even if no event of the
    /// report came: its answer may change as time passes.
    private static let rowLimit = 2_000

    /// Computes a report as of each row that may change its answer, and adds the changes of the
    /// answer and its pictures.
    ///
    /// The answer at a row is the one that the report gives if no later event is known. A change
    /// that only the time until the row's event made has the writer `StoryChanges.timeWriter`.
    ///
    /// - Returns: the row from which there is an answer; `nil` if there is none at any row.
    mutating func fold(
        _ choice: StoryOptions.ReportChoice, _ options: StoryOptions, entity: Int32,
        into changes: inout StoryChanges
    ) throws -> Int32? {
        let context = ReportContext(
            rules: options.rules, zones: options.zones, position: reading.through,
            knownAt: options.knownAt, validAt: reading.entities.validThrough,
            opensTexts: options.values.showsTexts)
        var pending: any PendingReport
        do throws(InputError) {
            pending = try choice.report.prepare(choice.arguments, rules: .standard, context)
        } catch { throw QuestionError.invalid("\(error)") }
        var answers = ReportAnswers(
            choice.report, entity: entity, pictures.renderer(of: choice.report, options.values))
        try add(&pending, &answers, into: &changes)
        answers.changes.end(&fields, &changes)
        return answers.changes.firstRow < 0 ? nil : answers.changes.firstRow
    }

    /// Adds the answers of a report as of each row.
    private mutating func add<Pending: PendingReport>(
        _ pending: inout Pending, _ answers: inout ReportAnswers, into changes: inout StoryChanges
    ) throws {
        let (rows, reading) = (rows, reading)
        let seesEachRow = rows.count <= Self.rowLimit
        var next = 0
        /// Adds the answers as of the rows before a position, which the passing time may change.
        func pass(before position: UInt64, _ report: inout Pending) throws {
            while seesEachRow, next < rows.count, rows.positions[next] < position {
                try add(&report, at: rows.positions[next], .time, &answers, into: &changes)
                next += 1
            }
        }
        try reading.feedAgain(&pending) { event, report in
            let position = event.position.rawValue
            try pass(before: position, &report)
            // What the time until the event changed is not the event's.
            guard seesEachRow, rows.row(of: position) != nil else { return }
            try add(&report, at: position, .time, &answers, into: &changes)
        } after: { event, mayAffect, report in
            let position = event.position.rawValue
            let (row, isOwn) = rows.row(at: position)
            guard row < rows.count else { return }
            if isOwn { next = row + 1 }
            guard mayAffect || seesEachRow && isOwn else { return }
            try add(&report, at: position, mayAffect ? .event : .time, &answers, into: &changes)
        }
        try pass(before: .max, &pending)
    }

    private enum Cause {
        /// An event of the report.
        case event
        /// The time that passed until an event of the story.
        case time
    }

    /// Adds the answer of a report as of a position.
    private mutating func add(
        _ report: inout some PendingReport, at position: UInt64, _ cause: Cause,
        _ answers: inout ReportAnswers, into changes: inout StoryChanges
    ) throws {
        report.context.position = Position(position)
        if let commit = try reading.log.commits.at(Position(position)) {
            report.context.knownAt = commit.recordedAt
        }
        guard let content = report.content else { return }
        let next = content.leaves(redaction).filter { !answers.basisFields.contains($0.path) }
        let found = FieldChange.between(answers.leaves, next)
        answers.leaves = next
        let (row, isOwn) = rows.row(at: position)
        let writer = cause == .time ? StoryChanges.timeWriter : nil
        answers.changes.add(
            found, row, isOwn, position, by: writer, &answers.paths, &fields, into: &changes)
        guard !found.isEmpty, let renderer = answers.renderer,
            case .text(let svg) = try renderer.page(of: report, reading)
        else { return }
        pictures.add(svg, entity: answers.changes.entity, row: row)
    }
}

/// The answers of one report, while their changes are found.
private struct ReportAnswers {
    var changes: EntityChanges
    var paths: StoryPaths
    /// The single values of the last answer.
    var leaves: [FlatFields.Leaf] = []
    /// Fields that only describe the origin of an answer.
    let basisFields: Set<String>
    /// Draws the answer; `nil` without pictures.
    let renderer: ReportRenderer?

    init(_ report: ReportDescription, entity: Int32, _ renderer: ReportRenderer?) {
        changes = EntityChanges(entity: entity)
        paths = StoryPaths(report.fields)
        basisFields = report.basisFields
        self.renderer = renderer
    }
}
