/// A question about the events of one or more entities. Its fields are its arguments.
///
///     public struct Overdue: Report {
///         public typealias Model = Loans
///         public static let name = "overdue"
///         public static let summary = "The copies that should be back"
///         public var member = ""
///         // … fields
///         public var query: Query { .any(of: Loans.kinds, Tag("member", member)) }
///         public func answer(
///             _ loans: Loans.State, _ context: ReportContext
///         ) throws(ReportError) -> OverdueCopies { … }
///     }
///
/// A report reads no clock and no files, so that the same events always give the same answer.
public protocol Report<Model>: Record {
    /// The projection from whose state the answer is computed.
    associatedtype Model: Projection
    /// The answer, whose fields `schema` lists.
    associatedtype Answer: Record

    /// The name that commands and scenarios use: `daily`.
    static var name: String { get }
    /// A one-line description for listings.
    static var summary: String { get }
    /// The argument that names the day, week or month to report on; `nil`, the default, for none.
    static var period: ReportPeriod? { get }
    /// The rule sets under which a week or month may begin on any day; none by default.
    ///
    /// The date of its first day, such as `2026-02-18`, then names the period.
    static var ruleSetsWithAnyStartDay: Set<RuleSet> { get }
    /// The argument for the present time, which a tool fills in, such as `nowUs`; `nil` by default.
    static var clock: String? { get }
    /// The answer whose fields `schema` lists, blank by default.
    static var blankAnswer: Answer { get }
    /// The argument that a command line may give without its name; `nil`, the default, for none.
    static var positional: String? { get }
    /// The entities for each of which the report can be made; `nil` by default.
    static var subject: ReportSubject? { get }
    /// True if answers may contain personal texts; false by default.
    ///
    /// They contain such texts only if the answer is printed or exported, not if it is stored in
    /// the log or compared.
    static var readsPersonalTexts: Bool { get }
    /// Fields that only describe the data behind the answer, such as `position`; none by default.
    static var basisFields: Set<String> { get }

    /// The state before the first event, with arguments that the fold needs; blank by default.
    var initialState: Model.State { get }

    /// The query for the events that the report needs; by default all events of the projection.
    var query: Query { get }

    /// Returns the query for the events that the report needs, given the state; by default `query`.
    ///
    /// The profile of a baby, for example, gives the time zone, which decides when a day begins.
    /// The query may only grow. Whenever it does, all its events are folded again from the start.
    func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery

    /// Returns the span of time that the answer is about; `nil`, the default, for all time.
    func stretch(_ state: Model.State, _ context: ReportContext) -> TimeStretch?

    /// Returns the span of time that an event records, such as that of a sleep; `nil` by default.
    ///
    /// An answer about a span of time does not need an entity if the times of all its events lie
    /// outside that span. An event without such times (`nil`) counts as inside.
    static func times(of event: Model.Event) -> TimeStretch?

    /// True if the report's argument is the newest id of its entity; true by default.
    func isCurrent(_ state: Model.State) -> Bool

    /// Returns a sentence for the user if no event names the report's entity; `nil` by default.
    ///
    /// The answer itself may be empty, as in an app without data. A user who asks for the report
    /// has probably mistyped the id, and needs the sentence.
    func unknownEntityMessage(_ state: Model.State) -> String?

    /// Returns sentences for the user about facts that the answer leaves out; none by default.
    func remarks(_ state: Model.State, _ context: ReportContext) -> [String]

    /// Returns the answer, computed from the state after all events of the query.
    func answer(_ state: Model.State, _ context: ReportContext) throws(ReportError) -> Answer

    /// Returns the query for the events to read first, for reports with different periods.
    static func firstQuery(of reports: [Self], _ context: ReportContext) -> ReportQuery

    /// Returns the query for all events that reports with different periods need, given the state.
    static func query(
        of reports: [Self], knowing state: Model.State, _ context: ReportContext
    ) -> ReportQuery

    /// Returns the answers of reports with different periods, in order.
    ///
    /// A report type implements this method if its answers can share a costly computation.
    static func answers(
        of reports: [Self], _ state: Model.State, _ context: ReportContext
    ) -> [Result<Answer, ReportError>]
}

/// The entities for which a report can be made, one report for each entity.
public struct ReportSubject: Hashable, Sendable {
    /// The name of the argument that gives the entity's id.
    public var argument: String
    /// The noun of the tags that name the entities, such as `baby` in `baby:7`.
    public var noun: String
    /// The kinds of events in whose tags a tool finds all of these entities.
    public var kinds: Set<EventKind>

    public init(_ argument: String, noun: String, kinds: Set<EventKind>) {
        self.argument = argument
        self.noun = noun
        self.kinds = kinds
    }
}

extension Report {
    /// Returns the query for the projection's events that have at least one of the tags.
    public func events(of tags: Tag...) -> Query { .any(of: Model.kinds, tags) }

    public static var period: ReportPeriod? { nil }
    public static var ruleSetsWithAnyStartDay: Set<RuleSet> { [] }
    public static var clock: String? { nil }
    public static var blankAnswer: Answer { .blank }
    public static var positional: String? { nil }
    public static var subject: ReportSubject? { nil }
    public static var readsPersonalTexts: Bool { false }
    public static var basisFields: Set<String> { [] }
    public var initialState: Model.State { .blank }
    public var query: Query { Query(Query.Item(kinds: Model.kinds)) }
    public static func times(of event: Model.Event) -> TimeStretch? { nil }
    public func stretch(_ state: Model.State, _ context: ReportContext) -> TimeStretch? { nil }
    public func isCurrent(_ state: Model.State) -> Bool { true }
    public func unknownEntityMessage(_ state: Model.State) -> String? { nil }
    public func remarks(_ state: Model.State, _ context: ReportContext) -> [String] { [] }

    public func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery {
        ReportQuery(query)
    }

    /// The default: returns the query of the reports, as known from their initial state.
    public static func firstQuery(of reports: [Self], _ context: ReportContext) -> ReportQuery {
        query(of: reports, knowing: reports[0].initialState, context)
    }

    /// The default: returns a query for the events that any of the reports needs.
    public static func query(
        of reports: [Self], knowing state: Model.State, _ context: ReportContext
    ) -> ReportQuery {
        ReportQuery.union(of: reports.map { $0.query(knowing: state, context) })
    }

    /// The default: computes the answer of each report separately.
    public static func answers(
        of reports: [Self], _ state: Model.State, _ context: ReportContext
    ) -> [Result<Answer, ReportError>] {
        reports.map { report in
            Result { () throws(ReportError) in try report.answer(state, context) }
        }
    }
}
