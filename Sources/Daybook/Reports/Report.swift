/// A question that needs the events of several entities; its fields are its arguments.
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
/// A report reads no clock and no files, so that the same history gives the same bytes.
public protocol Report<Model>: Record {
    /// The projection from whose state the report is answered.
    associatedtype Model: Projection
    /// The answer, whose fields `schema` lists.
    associatedtype Answer: Record

    /// The name that commands and scenarios use: `daily`.
    static var name: String { get }
    /// One line for listings.
    static var summary: String { get }
    /// The argument that names a day, week or month; `nil` by default.
    static var period: ReportPeriod? { get }
    /// Rule sets under which a period may begin on any day, whose date then names it: `2026-02-18`.
    static var ruleSetsWithAnyStartDay: Set<RuleSet> { get }
    /// The argument for the present time, which a tool with a clock fills in: `nowUs`.
    static var clock: String? { get }
    /// The argument that a command line may give without its name.
    static var positional: String? { get }
    /// The entities that the report can be made for; `nil`, the default, if not for one entity.
    static var subject: ReportSubject? { get }
    /// True if answers may show personal texts; they do so only if an answer is just printed.
    static var readsPersonalTexts: Bool { get }
    /// Fields of the answer that only describe the data behind it, such as `position`.
    static var basisFields: Set<String> { get }

    /// The state before the first event; blank, unless an argument is part of the state.
    var initialState: Model.State { get }

    /// The query of the events that the report reads; by default all events of the model.
    var query: Query { get }

    /// Returns the query of the events that the report reads, given the events folded so far.
    ///
    /// A profile, for example, gives the time zone, which decides when a day begins. The query may
    /// only grow;
    /// its events are read again until it no longer grows.
    func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery

    /// Returns the span of time that the answer covers; `nil`, the default, for all time.
    func stretch(_ state: Model.State, _ context: ReportContext) -> TimeStretch?

    /// Returns the span of time that an event records, such as a sleep.
    ///
    /// The default, `nil`, means that no event records a time.
    ///
    /// An answer about a span of time does not need an entity if the times of all its events lie
    /// outside that span. An event without times counts as inside.
    static func times(of event: Model.Event) -> TimeStretch?

    /// True if the report names its subject by the newest id; true by default.
    func isCurrent(_ state: Model.State) -> Bool

    /// Returns a sentence if no event names the entity of the report; `nil` by default.
    ///
    /// The answer may only say that there is nothing yet, as an app does. A person who asks has
    /// probably mistyped the id, and needs the sentence.
    func unknown(_ state: Model.State) -> String?

    /// Returns sentences about facts that the answer leaves out; none by default.
    func remarks(_ state: Model.State, _ context: ReportContext) -> [String]

    /// Returns the answer, computed from the folded state.
    func answer(_ state: Model.State, _ context: ReportContext) throws(ReportError) -> Answer

    /// Returns the query of the events to read first, for reports that differ only in their period.
    static func firstQuery(of reports: [Self], _ context: ReportContext) -> ReportQuery

    /// Returns the query of the events to read, for reports that differ only in their period.
    static func query(
        of reports: [Self], knowing state: Model.State, _ context: ReportContext
    ) -> ReportQuery

    /// Returns the answers of reports that differ only in their period, from one state.
    ///
    /// The answers may share a costly computation on the state.
    static func answers(
        of reports: [Self], _ state: Model.State, _ context: ReportContext
    ) -> [Result<Answer, ReportError>]
}

/// The entities that a report can be made for, one report for each entity.
public struct ReportSubject: Hashable, Sendable {
    /// The argument that names the entity.
    public var argument: String
    /// The noun of the tags that name the entities, such as `baby` in `baby:7`.
    public var noun: String
    /// The kinds of the events whose tags name all of the entities.
    public var kinds: Set<EventKind>

    public init(_ argument: String, noun: String, kinds: Set<EventKind>) {
        self.argument = argument
        self.noun = noun
        self.kinds = kinds
    }
}

extension Report {
    /// Returns the query of the model's events that carry one of these tags.
    public func events(of tags: Tag...) -> Query { .any(of: Model.kinds, tags) }

    /// The default: the report has no periods.
    public static var period: ReportPeriod? { nil }
    /// The default: no rule set lets a period begin on any day.
    public static var ruleSetsWithAnyStartDay: Set<RuleSet> { [] }
    /// The default: no argument is the present time.
    public static var clock: String? { nil }
    /// The default: every argument is given by name.
    public static var positional: String? { nil }
    /// The default: the report is about no single entity.
    public static var subject: ReportSubject? { nil }
    /// The default: the report reads no personal texts.
    public static var readsPersonalTexts: Bool { false }
    /// The default: every field of the answer belongs to the answer itself.
    public static var basisFields: Set<String> { [] }
    /// The blank state, by default.
    public var initialState: Model.State { .blank }
    public var query: Query { Query(Query.Item(kinds: Model.kinds)) }
    /// Returns `nil` by default.
    public static func times(of event: Model.Event) -> TimeStretch? { nil }
    /// Returns `nil` by default.
    public func stretch(_ state: Model.State, _ context: ReportContext) -> TimeStretch? { nil }
    /// The default: the report names its subject by the newest id.
    public func isCurrent(_ state: Model.State) -> Bool { true }
    /// Returns `nil` by default.
    public func unknown(_ state: Model.State) -> String? { nil }
    /// Returns no remarks, by default.
    public func remarks(_ state: Model.State, _ context: ReportContext) -> [String] { [] }

    /// Returns `query` by default, whatever the state.
    public func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery {
        ReportQuery(query)
    }

    /// Returns the query of the reports in their initial state, by default.
    public static func firstQuery(of reports: [Self], _ context: ReportContext) -> ReportQuery {
        query(of: reports, knowing: reports[0].initialState, context)
    }

    /// Returns the union of the reports' queries, by default.
    public static func query(
        of reports: [Self], knowing state: Model.State, _ context: ReportContext
    ) -> ReportQuery {
        ReportQuery.union(of: reports.map { $0.query(knowing: state, context) })
    }

    /// Returns the answer of each report in turn, by default.
    public static func answers(
        of reports: [Self], _ state: Model.State, _ context: ReportContext
    ) -> [Result<Answer, ReportError>] {
        reports.map { report in
            do throws(ReportError) {
                return .success(try report.answer(state, context))
            } catch {
                return .failure(error)
            }
        }
    }
}
