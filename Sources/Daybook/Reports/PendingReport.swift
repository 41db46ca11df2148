/// A report that waits for the events it reads.
///
/// Feed it the events of its query, in order, and ask for the answers.
public protocol PendingReport: Sendable {
    /// The circumstances of the question.
    var context: ReportContext { get }
    /// The events to begin with.
    var firstQuery: ReportQuery { get }
    /// The events that it reads, as far as those fed so far tell.
    var query: ReportQuery { get }
    /// The times that the answers are about, as far as is known; `nil` for all.
    var stretch: TimeStretch? { get }
    /// False for an event whose entity the answers about a stretch do not need.
    func mayTouch(_ stretch: TimeStretch, _ event: RecordedEvent) throws(FoldError) -> Bool
    /// True where its subject is named by the newest id that it has.
    var isCurrent: Bool { get }
    /// True where events are to be fed with their personal texts.
    var readsPersonalTexts: Bool { get }
    /// A sentence where no event names the entity in question.
    var unknown: String? { get }
    /// Sentences on the facts that the answers leave out.
    var remarks: [String] { get }

    /// - Parameter texts: the personal texts of the event, by the number of their field.
    mutating func fold(_ event: RecordedEvent, texts: [UInt32: String]) throws(FoldError)
    /// Lets a log fold events where they lie, which takes no copy of each.
    mutating func fold<Folder: EventFolder>(
        _ query: Query, by folder: Folder
    ) throws(Folder.Failure)
    /// Forgets what it has been fed.
    mutating func restart()
    /// One answer for each period asked for, in their order.
    func answers() -> [ReportAnswer]
}

/// Folds the events of a query into the state of any projection.
public protocol EventFolder {
    associatedtype Failure: Error

    /// Folds the events that match a query into a state.
    func fold<Target: Projection>(
        _ projection: Target.Type, matching query: Query, into state: inout Target.State
    ) throws(Failure)
}

extension PendingReport {
    /// Feeds an event without its personal texts.
    public mutating func fold(_ event: RecordedEvent) throws(FoldError) {
        try fold(event, texts: [:])
    }

    /// Lets `feed` show the events of a query, again and again while what they tell makes it grow.
    public mutating func gather<Failure: Error>(
        _ feed: (ReportQuery, inout Self) throws(Failure) -> Void
    ) throws(Failure) {
        var query = firstQuery
        while true {
            try feed(query, &self)
            let wider = query.union(self.query)
            guard wider != query else { return }
            query = wider
            restart()
        }
    }

    /// The answers from events in memory, which are in their newest layouts.
    public mutating func answers(from events: [RecordedEvent]) throws(FoldError) -> [ReportAnswer] {
        try gather { (query, report) throws(FoldError) in
            for event in query.events(among: events) { try report.fold(event) }
        }
        return answers()
    }

    /// The first of these answers.
    public mutating func content(
        from events: [RecordedEvent]
    ) throws(ReportError) -> ReportAnswer.Content {
        let answers: [ReportAnswer]
        do throws(FoldError) {
            answers = try self.answers(from: events)
        } catch {
            throw .fold(error)
        }
        return try answers[0].result.get()
    }
}

/// The answer of a report for one period.
public struct ReportAnswer: Sendable {
    /// The value of the argument that names it; empty for a report without periods.
    public var period: String
    /// The contents, or the reason why there is no answer.
    public var result: Result<Content, ReportError>

    /// An answer, whatever its type.
    public struct Content: Sendable {
        /// A JSON object.
        public let json: String
        /// The same for programs, with moments as RFC 3339 texts.
        public var answer: String { answerOf() }
        private let answerOf: @Sendable () -> String
        /// The values of the answer, for tables and comparisons.
        public var leaves: [FlatFields.Leaf] { leavesOf() }
        private let leavesOf: @Sendable () -> [FlatFields.Leaf]

        public init(_ answer: some Record) {
            json = JSONWriter.text(answer)
            answerOf = { JSONWriter.answer(answer) }
            leavesOf = { FlatFields.of(answer) }
        }
    }
}

/// Reports that are answered from one state: one, or several that differ in their period.
public struct PreparedReport<Body: Report>: PendingReport {
    /// The reports of all periods, in order.
    public let reports: [Body]
    /// The names of their periods; empty for reports without.
    public let periods: [String]
    /// The circumstances of the question.
    public let context: ReportContext
    /// The state that all of them are made from.
    public private(set) var state: Body.Model.State
    private let reader = KindReader<Body.Model.Event>()

    /// - Parameters:
    ///   - reports: at least one.
    ///   - periods: their names.
    public init(_ reports: [Body], periods: [String] = [], _ context: ReportContext) {
        precondition(!reports.isEmpty, "there is a report to answer")
        self.reports = reports
        self.periods = periods
        self.context = context
        state = reports[0].initialState
    }

    public var firstQuery: ReportQuery { Body.firstQuery(of: reports, context) }
    public var query: ReportQuery { Body.query(of: reports, knowing: state, context) }
    public var stretch: TimeStretch? {
        var union: TimeStretch?
        for report in reports {
            guard let stretch = report.stretch(state, context) else { return nil }
            union = union?.union(stretch) ?? stretch
        }
        return union
    }

    public func mayTouch(
        _ stretch: TimeStretch, _ event: RecordedEvent
    ) throws(FoldError) -> Bool {
        guard let known = try reader.read(event), let times = Body.times(of: known) else {
            return true
        }
        return times.touches(stretch)
    }

    public var isCurrent: Bool { reports[0].isCurrent(state) }
    public var readsPersonalTexts: Bool { Body.readsPersonalTexts && context.opensTexts }
    public var unknown: String? { reports[0].unknown(state) }
    public var remarks: [String] { reports[0].remarks(state, context) }

    public mutating func restart() { state = reports[0].initialState }

    public mutating func fold(
        _ event: RecordedEvent, texts: [UInt32: String]
    ) throws(FoldError) {
        guard let known = try reader.read(event, filling: texts) else { return }
        Body.Model.evolve(&state, with: known, event.envelope)
    }

    public mutating func fold<Folder: EventFolder>(
        _ query: Query, by folder: Folder
    ) throws(Folder.Failure) {
        try folder.fold(Body.Model.self, matching: query, into: &state)
    }

    public func answers() -> [ReportAnswer] {
        let answers = Body.answers(of: reports, state, context)
        return answers.enumerated().map { index, answer in
            ReportAnswer(
                period: index < periods.count ? periods[index] : "",
                result: answer.map { ReportAnswer.Content($0) })
        }
    }

    /// The answers with all they were made from.
    ///
    /// - Throws: the error of the first period that has no answer.
    public func answered() throws(ReportError) -> AnsweredReport<Body> {
        var answers: [Body.Answer] = []
        for answer in Body.answers(of: reports, state, context) { answers.append(try answer.get()) }
        return AnsweredReport(
            reports: reports, periods: periods, answers: answers, state: state, context: context)
    }
}

/// A report without arguments that waits for the events of its projection.
struct PreparedFold<Model: Projection>: PendingReport {
    let context: ReportContext
    private var state = Model.State.blank
    private let make:
        @Sendable (Model.State, ReportContext) throws(ReportError) -> ReportAnswer.Content
    private let reader = KindReader<Model.Event>()

    init<Answer: Record>(
        _ context: ReportContext,
        _ make:
            @escaping @Sendable (Model.State, ReportContext) throws(ReportError) -> Answer
    ) {
        self.context = context
        self.make = { (state, context) throws(ReportError) in
            ReportAnswer.Content(try make(state, context))
        }
    }

    var firstQuery: ReportQuery { query }
    var query: ReportQuery { ReportQuery(Query(Query.Item(kinds: Model.kinds))) }
    var stretch: TimeStretch? { nil }
    func mayTouch(_ stretch: TimeStretch, _ event: RecordedEvent) -> Bool { true }
    var isCurrent: Bool { true }
    var readsPersonalTexts: Bool { false }
    var unknown: String? { nil }
    var remarks: [String] { [] }

    mutating func restart() { state = .blank }

    mutating func fold(_ event: RecordedEvent, texts: [UInt32: String]) throws(FoldError) {
        guard let known = try reader.read(event, filling: texts) else { return }
        Model.evolve(&state, with: known, event.envelope)
    }

    mutating func fold<Folder: EventFolder>(
        _ query: Query, by folder: Folder
    ) throws(Folder.Failure) {
        try folder.fold(Model.self, matching: query, into: &state)
    }

    func answers() -> [ReportAnswer] {
        do throws(ReportError) {
            return [ReportAnswer(period: "", result: .success(try make(state, context)))]
        } catch {
            return [ReportAnswer(period: "", result: .failure(error))]
        }
    }
}
