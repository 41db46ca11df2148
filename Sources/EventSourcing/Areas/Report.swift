public import CivilTime

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
    associatedtype Answer: Record

    /// `daily`, as commands and scenarios name it.
    static var name: String { get }
    static var summary: String { get }
    /// The argument that names a day, week or month; `nil` for a report that has none.
    static var period: ReportPeriod? { get }
    /// The fields of the answer that tell what it was made from, and nothing of what happened.
    static var basisFields: Set<String> { get }

    /// The state before the first event. Blank, unless an argument is part of it.
    var initialState: Model.State { get }

    /// The events that it reads; by default all that the model reads.
    var query: Query { get }

    /// The same, once some of those events are folded: a profile tells the zone, the zone the
    /// hours of a day. It may only grow, and is read again until it no longer does.
    func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery

    func answer(_ state: Model.State, _ context: ReportContext) throws(ReportError) -> Answer

    /// The query of several reports that differ in their period alone.
    static func query(
        of reports: [Self], knowing state: Model.State, _ context: ReportContext
    ) -> ReportQuery

    /// Their answers from one state, which may share what takes long to make of it.
    static func answers(
        of reports: [Self], _ state: Model.State, _ context: ReportContext
    ) -> [Result<Answer, ReportError>]
}

extension Report {
    public static var period: ReportPeriod? { nil }
    public static var basisFields: Set<String> { [] }
    public var initialState: Model.State { .blank }
    public var query: Query { Query(Query.Item(kinds: Model.kinds)) }

    public func query(knowing state: Model.State, _ context: ReportContext) -> ReportQuery {
        ReportQuery(query)
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

/// The events that a report reads.
public struct ReportQuery: Hashable, Sendable {
    public var events: Query
    /// Queries of which only the newest event is read.
    public var newest: [Query] = []
    /// The entities whose whole histories are read with them.
    public var entities: Entities?

    /// All entities of a noun that one of the events has a tag of.
    ///
    /// A stretch of time does not show all that made an entity: a sleep that ended this week was
    /// opened in the last one.
    public struct Entities: Hashable, Sendable {
        public var noun: String
        public var kinds: Set<EventKind>
        /// Left out in a log that has none of these kinds. Empty: never left out.
        public var onlyWith: Set<EventKind>

        public init(
            _ noun: String, kinds: Set<EventKind>, onlyWith: Set<EventKind> = []
        ) {
            self.noun = noun
            self.kinds = kinds
            self.onlyWith = onlyWith
        }
    }

    public init(_ events: Query, newest: [Query] = [], entities: Entities? = nil) {
        self.events = events
        self.newest = newest
        self.entities = entities
    }

    /// The events of this query and those of another about the same noun.
    public func union(_ other: ReportQuery) -> ReportQuery {
        ReportQuery.union(of: [self, other])
    }

    /// The events of several queries about the same noun; every event for no query at all.
    public static func union(of queries: [ReportQuery]) -> ReportQuery {
        var union = ReportQuery(Query.union(of: queries.map(\.events)))
        var known: Set<Query> = []
        union.newest = queries.flatMap(\.newest).filter { known.insert($0).inserted }
        for entities in queries.compactMap(\.entities) {
            guard let own = union.entities else {
                union.entities = entities
                continue
            }
            union.entities?.kinds = own.kinds.union(entities.kinds)
            // Histories that one of them always needs are always read.
            union.entities?.onlyWith =
                own.onlyWith.isEmpty || entities.onlyWith.isEmpty
                ? [] : own.onlyWith.union(entities.onlyWith)
        }
        return union
    }

    /// The events of the query among others, which are in the order of the log.
    public func events(among events: [RecordedEvent]) -> [RecordedEvent] {
        var isRead = events.map { self.events.matches(kind: $0.kind, tags: $0.tags) }
        for query in newest {
            let last = events.lastIndex { query.matches(kind: $0.kind, tags: $0.tags) }
            if let last { isRead[last] = true }
        }
        if let entities {
            let own = events.indices.filter { entities.reads(events[$0]) }
            var known: Set<Tag> = []
            let read = events.indices.filter { isRead[$0] }
            var fresh = Set(read.flatMap { entities.tags(events[$0]) })
            while !fresh.isEmpty {
                known.formUnion(fresh)
                fresh = []
                for index in own where !isRead[index] {
                    let tags = entities.tags(events[index])
                    guard tags.contains(where: known.contains) else { continue }
                    isRead[index] = true
                    fresh.formUnion(tags.filter { !known.contains($0) })
                }
            }
        }
        return events.indices.filter { isRead[$0] }.map { events[$0] }
    }
}

extension ReportQuery.Entities {
    /// True for an event that may be part of a history.
    public func reads(_ event: RecordedEvent) -> Bool {
        kinds.isEmpty || kinds.contains(event.kind)
    }

    /// The tags of the entities that an event is about.
    public func tags(_ event: RecordedEvent) -> [Tag] {
        event.tags.filter { $0.noun == noun }
    }
}

/// The argument that names the stretch a report is about, so that it can be asked for many.
public enum ReportPeriod: Hashable, Sendable {
    case day(String)
    case week(String)
    case month(String)

    /// The name of the argument.
    public var argument: String {
        switch self {
        case .day(let argument), .week(let argument), .month(let argument): argument
        }
    }

    /// The most periods that one question may ask for: the days of a century.
    public static let most = 36_600

    /// The names of the periods from one to another, both included.
    ///
    /// - Parameters:
    ///   - first: a period, or a day in it.
    ///   - last: the same; `nil` where it is before `first` or too far after it.
    public func names(from first: CivilDate, through last: CivilDate) -> [String]? {
        var names: [String] = []
        var date = start(of: first)
        let end = start(of: last)
        guard date <= end else { return nil }
        while date <= end {
            guard names.count < Self.most else { return nil }
            names.append(name(date))
            date = next(date)
        }
        return names
    }

    /// The first day of a period by its name, or of the one that a day lies in.
    public func date(_ text: String) -> CivilDate? {
        let named: CivilDate? =
            switch self {
            case .day: nil
            case .week: CivilDate.week(text: text)
            case .month: CivilDate.month(text: text)
            }
        return named ?? CivilDate(text: text).map(start)
    }

    /// An example of a name: `2020-W10`.
    public var example: String {
        switch self {
        case .day: "2020-03-08"
        case .week: "2020-W10"
        case .month: "2020-03"
        }
    }

    private func start(of date: CivilDate) -> CivilDate {
        switch self {
        case .day: date
        case .week: date.startOfWeek(startingOn: .monday)
        case .month: date.firstOfMonth
        }
    }

    private func next(_ date: CivilDate) -> CivilDate {
        switch self {
        case .day: date.adding(days: 1)
        case .week: date.adding(days: 7)
        case .month: date.firstOfNextMonth
        }
    }

    private func name(_ date: CivilDate) -> String {
        switch self {
        case .day: date.text
        case .week: date.isoWeekText
        case .month: date.monthText
        }
    }
}
