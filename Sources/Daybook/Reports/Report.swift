/// A question that takes the events of more than one entity: its fields are its arguments.
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
/// It reads no clock and no files, so that the same history gives the same bytes.
public protocol Report<Model>: Record {
    /// The projection whose state it answers from.
    associatedtype Model: Projection
    /// The answer, whose fields `schema` lists.
    associatedtype Answer: Record

    /// `daily`, as commands and scenarios name it.
    static var name: String { get }
    /// One line for listings.
    static var summary: String { get }
    /// The argument that names a day, week or month; `nil` for a report that has none.
    static var period: ReportPeriod? { get }
    /// Rule sets under which a period begins on any day, which is then its name: `2026-02-18`.
    static var startsOnAnyDay: Set<RuleSet> { get }
    /// The argument for the present, which a tool with a clock fills in: `nowUs`.
    static var clock: String? { get }
    /// The argument that a command line may give without its name.
    static var positional: String? { get }
    /// The entities that the report can be made of, one by one; `nil` for none in particular.
    static var subject: ReportSubject? { get }
    /// True for a report whose model keeps personal texts, in answers that are only printed.
    static var readsPersonalTexts: Bool { get }
    /// The fields of the answer that tell what it was made from, and nothing of what happened.
    static var basisFields: Set<String> { get }

    /// The state before the first event. Blank, unless an argument is part of it.
    var initialState: Model.State { get }

    /// The events that it reads; by default all that the model reads.
    var query: Query { get }

    /// The same, once some of those events are folded: a profile tells the zone, the zone the
    /// hours of a day. It may only grow, and is read again until it no longer does.
    func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery

    /// The times that the answer is about; `nil` for all.
    func stretch(_ state: Model.State, _ context: ReportContext) -> TimeStretch?

    /// The times that an event gives its entity; `nil` for an event that gives none. An entity none
    /// of whose times touch a stretch is not needed for it.
    static func times(of event: Model.Event) -> TimeStretch?

    /// True where the state is that of the report's subject under its newest id, and not one that
    /// it had before.
    func isCurrent(_ state: Model.State) -> Bool

    /// A sentence where no event names the entity in question. An answer may say just that there is
    /// nothing yet, as an app does; a person who asks has mistyped the id.
    func unknown(_ state: Model.State) -> String?

    /// Sentences on the facts that the answer leaves out.
    func remarks(_ state: Model.State, _ context: ReportContext) -> [String]

    /// Answers from the folded state.
    func answer(_ state: Model.State, _ context: ReportContext) throws(ReportError) -> Answer

    /// The events to read first, of several reports that differ in their period alone.
    static func firstQuery(of reports: [Self], _ context: ReportContext) -> ReportQuery

    /// The query of several reports that differ in their period alone.
    static func query(
        of reports: [Self], knowing state: Model.State, _ context: ReportContext
    ) -> ReportQuery

    /// Their answers from one state, which may share what takes long to make of it.
    static func answers(
        of reports: [Self], _ state: Model.State, _ context: ReportContext
    ) -> [Result<Answer, ReportError>]
}

/// The entities that a report can be made of: each has its own.
public struct ReportSubject: Hashable, Sendable {
    /// The argument that names one.
    public var argument: String
    /// The noun of the tags that name them.
    public var noun: String
    /// The kinds of the events that make one known.
    public var kinds: Set<EventKind>

    public init(_ argument: String, noun: String, kinds: Set<EventKind>) {
        self.argument = argument
        self.noun = noun
        self.kinds = kinds
    }
}

extension Report {
    /// The events of the model that carry one of these tags.
    public func events(of tags: Tag...) -> Query { .any(of: Model.kinds, tags) }

    public static var period: ReportPeriod? { nil }
    public static var startsOnAnyDay: Set<RuleSet> { [] }
    public static var clock: String? { nil }
    public static var positional: String? { nil }
    public static var subject: ReportSubject? { nil }
    public static var readsPersonalTexts: Bool { false }
    public static var basisFields: Set<String> { [] }
    public var initialState: Model.State { .blank }
    public var query: Query { Query(Query.Item(kinds: Model.kinds)) }
    public static func times(of event: Model.Event) -> TimeStretch? { nil }
    public func stretch(_ state: Model.State, _ context: ReportContext) -> TimeStretch? { nil }
    public func isCurrent(_ state: Model.State) -> Bool { true }
    public func unknown(_ state: Model.State) -> String? { nil }
    public func remarks(_ state: Model.State, _ context: ReportContext) -> [String] { [] }

    public func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery {
        ReportQuery(query)
    }

    public static func firstQuery(of reports: [Self], _ context: ReportContext) -> ReportQuery {
        query(of: reports, knowing: reports[0].initialState, context)
    }

    public static func query(
        of reports: [Self], knowing state: Model.State, _ context: ReportContext
    ) -> ReportQuery {
        ReportQuery.union(of: reports.map { $0.query(knowing: state, context) })
    }

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
