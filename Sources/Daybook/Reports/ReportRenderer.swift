/// An output form of a report, such as `text`, `json` or `csv`.
public struct ReportForm: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name of the form on the command line: `csv`.
    public let name: String

    public init(_ name: String) { self.name = name }
    public init(stringLiteral name: String) { self.init(name) }

    /// Text for people; without a renderer, a list of the fields that have a value.
    public static let text: ReportForm = "text"
    /// The answer as a JSON object, which every report has.
    public static let json: ReportForm = "json"
    /// A table for spreadsheets.
    public static let csv: ReportForm = "csv"
    /// A picture of one answer.
    public static let svg: ReportForm = "svg"
}

/// Answers written in one form.
public enum ReportPage: Hashable, Sendable {
    /// Whole lines in which hidden characters are escaped already, such as SVG.
    case text(String)
    /// A JSON object.
    case json(String)
    /// Lines for people, in which the tool escapes hidden characters.
    case lines([String])
    /// A table for spreadsheets, written as CSV.
    case table(CSVTable)
    /// A heading and the list of the fields that have a value, without the omitted fields.
    case fields(heading: String? = nil, omitting: Set<String> = [])
}

/// The answers of a report, with the arguments, the state and the context behind them.
public struct AnsweredReport<Body: Report>: Sendable {
    /// The reports, at least one, which differ only in their period.
    public let reports: [Body]
    /// The names of the reports' periods; empty for a report without periods.
    public let periods: [String]
    /// The answers, one for each report.
    public let answers: [Body.Answer]
    /// The folded state.
    public let state: Body.Model.State
    /// Everything that the answers depend on in addition to the events.
    public let context: ReportContext
}

/// A source of entities' states, for names and totals that a page shows beside an answer.
public protocol EntityStates {
    /// Returns the state of the entity of each tag, folded with personal texts.
    ///
    /// Every id of a renamed entity counts.
    func states<Target: Projection>(
        _ projection: Target.Type, of tags: [Tag]
    ) throws -> [Tag: Target.State]
}

/// A function that writes the answers of a report in one form.
///
/// Any area may list renderers, even for reports of other areas.
public struct ReportRenderer: Sendable {
    /// The name of the report.
    public let report: String
    /// The form that it renders.
    public let form: ReportForm
    /// The rule set of another program that answers in this form; `nil` for any rule set.
    public let rules: RuleSet?
    /// True if the form is the JSON of another program.
    public let isShape: Bool
    /// Returns the text of an error in this form; `nil` if the form cannot express errors.
    public let failure: (@Sendable (ReportError) -> String)?
    /// The identity of the report's type.
    let type: ObjectIdentifier
    /// Writes the answers of a report, with states of other entities beside them.
    private let make: @Sendable (any PendingReport, any EntityStates) throws -> ReportPage

    /// Declares a renderer.
    ///
    /// - Parameters:
    ///   - rules: the rule set of another program that answers in this form; `nil` for any.
    ///   - isShape: true if the form is the JSON of another program; always true with `rules`.
    ///   - failure: returns the text of an error in this form.
    ///   - make: writes the answers; the second argument gives states of single entities.
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
                preconditionFailure("internal error: the prepared report has another type")
            }
            return try make(try prepared.answered(), states)
        }
    }

    /// Declares a renderer that needs only the answers.
    public init<Body: Report>(
        _ report: Body.Type, _ form: ReportForm,
        _ make: @escaping @Sendable (AnsweredReport<Body>) throws(ReportError) -> ReportPage
    ) {
        self.init(report, form) { (answered, _) in try make(answered) }
    }

    /// Writes the answers of a report, to which all events of its query were fed.
    ///
    /// - Throws: `ReportError`, and errors of the log that `states` reads.
    package func page(
        of report: any PendingReport, _ states: any EntityStates
    ) throws -> ReportPage {
        try make(report, states)
    }
}
