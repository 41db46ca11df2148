/// An output form of a report, such as `text`, `json` or `csv`.
public struct ReportForm: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name of the form on the command line: `csv`.
    public let name: String

    public init(_ name: String) { self.name = name }
    public init(stringLiteral name: String) { self.init(name) }

    /// Text for people. If the report has no renderer, it lists the fields that have a value.
    public static let text: ReportForm = "text"
    /// The answer as a JSON object, which every report has.
    public static let json: ReportForm = "json"
    /// A table for spreadsheets.
    public static let csv: ReportForm = "csv"
    /// An SVG picture of one answer.
    public static let svg: ReportForm = "svg"
}

/// The answers of a report, written in one output form.
public enum ReportPage: Hashable, Sendable {
    /// Whole lines, such as SVG, in which the renderer has already escaped invisible characters.
    case text(String)
    /// A JSON object.
    case json(String)
    /// Lines for people, in which the tool will escape invisible characters.
    case lines([String])
    /// The cells of each row of a table for spreadsheets, the header first, written as CSV.
    case table([[CSVCell]])
    /// A heading, and a list of the answer's fields that have a value, except those in `omitting`.
    case fields(heading: String? = nil, omitting: Set<String> = [])
}

/// The answers of a report, with the arguments, the state and the context they were made from.
public struct AnsweredReport<Body: Report>: Sendable {
    /// The reports, one for each period, at least one.
    public let reports: [Body]
    /// The names of the periods, one for each answer; without periods, empty or one empty name.
    public let periods: [String]
    /// The answers, one for each report, in the same order.
    public let answers: [Body.Answer]
    /// The state from which all answers were made.
    public let state: Body.Model.State
    /// Everything that the answers depend on besides the events.
    public let context: ReportContext
}

/// A source of entities' states, from which a renderer takes names and totals to add to an answer.
public protocol EntityStates {
    /// Returns each entity's state, with personal texts, by its tag, which may have an old id.
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
    /// The output form that the renderer writes.
    public let form: ReportForm
    /// The only rule set that can be used, if another program defines the form; else `nil`.
    public let rules: RuleSet?
    /// True if the form is JSON as another program writes it.
    public let isShape: Bool
    /// True if the form shows no personal text, user's name or location, whatever the events hold.
    ///
    /// It may then be in files that leave those out.
    public let isImpersonal: Bool
    /// Writes an error in this form; `nil` if the form cannot express errors.
    public let failure: (@Sendable (ReportError) -> String)?
    /// The identity of the report's type; `page` accepts no other report.
    let type: ObjectIdentifier
    /// Writes the answers of a report, with the second argument as the source of entities' states.
    private let makePage: @Sendable (any PendingReport, any EntityStates) throws -> ReportPage

    /// Declares a renderer; the arguments that are not explained here are the properties.
    ///
    /// `rules` implies `isShape`. The second argument of `make` is the source of entities' states.
    public init<Body: Report>(
        _ report: Body.Type, _ form: ReportForm, by rules: RuleSet? = nil, isShape: Bool = false,
        isImpersonal: Bool = false, failure: (@Sendable (ReportError) -> String)? = nil,
        _ make: @escaping @Sendable (AnsweredReport<Body>, any EntityStates) throws -> ReportPage
    ) {
        self.report = Body.name
        self.form = form
        self.rules = rules
        self.isShape = isShape || rules != nil
        self.isImpersonal = isImpersonal
        self.failure = failure
        type = ObjectIdentifier(report)
        makePage = { pending, states in
            guard let prepared = pending as? PreparedReport<Body> else {
                preconditionFailure("internal error: the prepared report has another type")
            }
            return try make(try prepared.answered(), states)
        }
    }

    /// Declares a renderer that needs the answers, but no entities' states.
    public init<Body: Report>(
        _ report: Body.Type, _ form: ReportForm, isImpersonal: Bool = false,
        _ make: @escaping @Sendable (AnsweredReport<Body>) throws(ReportError) -> ReportPage
    ) {
        self.init(report, form, isImpersonal: isImpersonal) { (answered, _) in try make(answered) }
    }

    /// Writes the answers of a report that was fed its events; throws errors of `states` too.
    package func page(
        of report: any PendingReport, _ states: any EntityStates
    ) throws -> ReportPage {
        try makePage(report, states)
    }
}
