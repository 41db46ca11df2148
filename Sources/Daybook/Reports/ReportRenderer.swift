/// A form that a report is written in, by name.
public struct ReportForm: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name on the command line: `csv`.
    public let name: String

    public init(_ name: String) { self.name = name }
    public init(stringLiteral name: String) { self.init(name) }

    /// For people. Without a renderer: the fields that have a value.
    public static let text: ReportForm = "text"
    /// The answer as an object, for every report.
    public static let json: ReportForm = "json"
    /// A table for spreadsheets.
    public static let csv: ReportForm = "csv"
    /// A picture of one answer.
    public static let svg: ReportForm = "svg"
}

/// An answer in some form.
public enum ReportPage: Hashable, Sendable {
    /// Whole lines of a format that has made them safe: SVG, text without hidden characters.
    case text(String)
    /// An object of JSON.
    case json(String)
    /// Lines for people, in which hidden characters are shown.
    case lines([String])
    /// A table for spreadsheets, written as CSV.
    case table(CSVTable)
    /// A heading, and the fields that have a value but for some.
    case fields(heading: String? = nil, omitting: Set<String> = [])
}

/// Answers of a report, and all they were made from.
public struct AnsweredReport<Body: Report>: Sendable {
    /// At least one; they differ in their period alone.
    public let reports: [Body]
    /// The names of their periods.
    public let periods: [String]
    /// One for each report.
    public let answers: [Body.Answer]
    /// The folded state.
    public let state: Body.Model.State
    /// The circumstances of the question.
    public let context: ReportContext
}

/// States of single entities, for names and totals that a page shows beside an answer.
public protocol EntityStates {
    /// The states of a projection folded from the events with each of the tags, personal texts
    /// included.
    func states<Target: Projection>(
        _ projection: Target.Type, of tags: [Tag]
    ) throws -> [Tag: Target.State]
}

/// Writes the answers of a report in one form.
///
/// Any area may have them, also for the reports of another.
public struct ReportRenderer: Sendable {
    /// The name of the report.
    public let report: String
    /// The form that it renders.
    public let form: ReportForm
    /// The rule set that the form is of: the answer of another program. `nil` for any.
    public let rules: RuleSet?
    /// True for the JSON of another program.
    public let isShape: Bool
    /// The text of an error in this form; `nil` where errors are not part of it.
    public let failure: (@Sendable (ReportError) -> String)?
    let type: ObjectIdentifier
    private let make: @Sendable (any PendingReport, any EntityStates) throws -> ReportPage

    /// - Parameters:
    ///   - rules: the rule set that the form is of, for the answer of another program.
    ///   - isShape: true for another program's JSON of an answer by any rules.
    ///   - failure: writes an error in this form.
    public init<Body: Report>(
        _ report: Body.Type, _ form: ReportForm, by rules: RuleSet? = nil, isShape: Bool = false,
        failure: (@Sendable (ReportError) -> String)? = nil,
        _ make:
            @escaping @Sendable (AnsweredReport<Body>, any EntityStates) throws -> ReportPage
    ) {
        self.report = Body.name
        self.form = form
        self.rules = rules
        self.isShape = isShape || rules != nil
        self.failure = failure
        type = ObjectIdentifier(report)
        self.make = { pending, states in
            guard let prepared = pending as? PreparedReport<Body> else {
                preconditionFailure("the catalogue joins a renderer and a report of one type")
            }
            return try make(try prepared.answered(), states)
        }
    }

    /// A page that shows nothing beside the answers.
    public init<Body: Report>(
        _ report: Body.Type, _ form: ReportForm,
        _ make: @escaping @Sendable (AnsweredReport<Body>) throws(ReportError) -> ReportPage
    ) {
        self.init(report, form) { (answered, _) in try make(answered) }
    }

    /// - Throws: `ReportError`, and errors of the log that `states` reads.
    public func page(
        of report: any PendingReport, _ states: any EntityStates
    ) throws -> ReportPage {
        try make(report, states)
    }
}
