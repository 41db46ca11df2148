/// A report of any type, to which the events of its query are fed before it answers.
///
/// Feed it the events of `firstQuery` in order. While `query` then grows, restart the report and
/// feed it the events of both queries; `gather(_:)` does so.
package protocol PendingReport: Sendable {
    /// Everything that the answers depend on in addition to the events.
    var context: ReportContext { get }
    /// The query of the events to feed first.
    var firstQuery: ReportQuery { get }
    /// The query of the events that the report reads, given the events fed so far.
    var query: ReportQuery { get }
    /// The span of time that the answers cover, given the events fed so far; `nil` for all time.
    var stretch: TimeStretch? { get }
    /// True if the times that an event records may lie in a span of time.
    ///
    /// The answers about the span do not need an entity if this is false for all its events.
    func mayTouch(_ stretch: TimeStretch, _ event: RecordedEvent) throws(FoldError) -> Bool
    /// True if the report names its subject by the newest id.
    var isCurrent: Bool { get }
    /// True if events must be fed with their personal texts.
    var readsPersonalTexts: Bool { get }
    /// A sentence if no event names the entity of the report, else `nil`.
    var unknown: String? { get }
    /// Sentences about facts that the answers leave out.
    var remarks: [String] { get }

    /// Feeds an event to the report.
    ///
    /// - Parameter texts: the personal texts of the event, by the number of their field.
    mutating func fold(_ event: RecordedEvent, texts: [UInt32: String]) throws(FoldError)
    /// Folds the events of a query into the report's state, as `folder` reads them, without copies.
    mutating func fold<Folder: EventFolder>(
        _ query: Query, by folder: Folder
    ) throws(Folder.Failure)
    /// Discards the state of the events fed so far.
    mutating func restart()
    /// Returns one answer for each requested period, in order.
    func answers() -> [ReportAnswer]
}

/// A reader of events that folds those of a query into the state of any projection.
package protocol EventFolder {
    /// The error that reading the events throws.
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

    /// Feeds the events of the report's query, again from the start whenever the query has grown.
    ///
    /// - Parameter feed: feeds the events of a query to the report, in order.
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

    /// Returns the answers from events in memory, which must be in their newest layouts.
    public mutating func answers(from events: [RecordedEvent]) throws(FoldError) -> [ReportAnswer] {
        try gather { (query, report) throws(FoldError) in
            for event in query.events(among: events) { try report.fold(event) }
        }
        return answers()
    }

    /// Returns the first answer from events in memory, which must be in their newest layouts.
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
    /// The name of the period, such as `2020-W10`; empty for a report without periods.
    public var period: String
    /// The contents, or the reason why there is no answer.
    public var result: Result<Content, ReportError>

    /// The content of an answer of any type.
    public struct Content: Sendable {
        /// The answer as a JSON object, with moments as microseconds since 1970.
        public let json: String
        /// The answer as a JSON object for programs, with moments as RFC 3339 texts.
        public var answer: String { makeAnswer() }
        /// Returns the value of `answer`.
        private let makeAnswer: @Sendable () -> String
        /// The values of the answer, for tables and comparisons.
        public var leaves: [FlatFields.Leaf] { makeLeaves() }
        /// Returns the value of `leaves`.
        private let makeLeaves: @Sendable () -> [FlatFields.Leaf]

        /// Creates the content from an answer.
        public init(_ answer: some Record) {
            json = JSONWriter.text(answer)
            makeAnswer = { JSONWriter.answer(answer) }
            makeLeaves = { FlatFields.of(answer) }
        }
    }
}

/// A prepared report of one type, or several that differ in their period and share a state.
package struct PreparedReport<Body: Report>: PendingReport {
    /// The reports of all periods, in order.
    public let reports: [Body]
    /// The names of the reports' periods; empty for a report without periods.
    public let periods: [String]
    /// Everything that the answers depend on in addition to the events.
    public let context: ReportContext
    /// The state that all answers are made from.
    public private(set) var state: Body.Model.State
    /// The decoder of the model's events.
    private let reader = KindReader<Body.Model.Event>()

    /// Prepares reports that differ only in their period.
    ///
    /// - Parameters:
    ///   - reports: at least one report.
    ///   - periods: the names of the reports' periods; empty for a report without periods.
    public init(_ reports: [Body], periods: [String] = [], _ context: ReportContext) {
        precondition(!reports.isEmpty, "the list of reports is empty")
        self.reports = reports
        self.periods = periods
        self.context = context
        state = reports[0].initialState
    }

    /// The query of the events to feed first.
    public var firstQuery: ReportQuery { Body.firstQuery(of: reports, context) }
    /// The query of the events that the reports read, given the events fed so far.
    public var query: ReportQuery { Body.query(of: reports, knowing: state, context) }
    /// The span that covers the times of all reports; `nil` for all time.
    public var stretch: TimeStretch? {
        var union: TimeStretch?
        for report in reports {
            guard let stretch = report.stretch(state, context) else { return nil }
            union = union?.union(stretch) ?? stretch
        }
        return union
    }

    /// True if the times that an event records may lie in a span of time.
    public func mayTouch(
        _ stretch: TimeStretch, _ event: RecordedEvent
    ) throws(FoldError) -> Bool {
        guard let known = try reader.read(event), let times = Body.times(of: known) else {
            return true
        }
        return times.touches(stretch)
    }

    /// True if the first report names its subject by the newest id.
    public var isCurrent: Bool { reports[0].isCurrent(state) }
    /// True if the report reads personal texts and the context allows showing them.
    public var readsPersonalTexts: Bool { Body.readsPersonalTexts && context.opensTexts }
    /// A sentence if no event names the entity of the first report, else `nil`.
    public var unknown: String? { reports[0].unknown(state) }
    /// Sentences about facts that the answer of the first report leaves out.
    public var remarks: [String] { reports[0].remarks(state, context) }

    /// Discards the state of the events fed so far.
    public mutating func restart() { state = reports[0].initialState }

    /// Feeds an event with its personal texts, by the number of their field.
    public mutating func fold(
        _ event: RecordedEvent, texts: [UInt32: String]
    ) throws(FoldError) {
        guard let known = try reader.read(event, filling: texts) else { return }
        Body.Model.evolve(&state, with: known, event.envelope)
    }

    /// Folds the events of a query into the state, as `folder` reads them.
    public mutating func fold<Folder: EventFolder>(
        _ query: Query, by folder: Folder
    ) throws(Folder.Failure) {
        try folder.fold(Body.Model.self, matching: query, into: &state)
    }

    /// Returns one answer for each report, in order.
    public func answers() -> [ReportAnswer] {
        let answers = Body.answers(of: reports, state, context)
        return answers.enumerated().map { index, answer in
            ReportAnswer(
                period: index < periods.count ? periods[index] : "",
                result: answer.map { ReportAnswer.Content($0) })
        }
    }

    /// Returns the answers with the reports, the state and the context that they were made from.
    ///
    /// - Throws: the error of the first report that has no answer.
    public func answered() throws(ReportError) -> AnsweredReport<Body> {
        var answers: [Body.Answer] = []
        for answer in Body.answers(of: reports, state, context) { answers.append(try answer.get()) }
        return AnsweredReport(
            reports: reports, periods: periods, answers: answers, state: state, context: context)
    }
}

/// A prepared report without arguments, over all events of a projection.
struct PreparedFold<Model: Projection>: PendingReport {
    /// Everything that the answer depends on in addition to the events.
    let context: ReportContext
    /// The state folded from the events so far.
    private var state = Model.State.blank
    /// Returns the answer, computed from the folded state.
    private let make:
        @Sendable (Model.State, ReportContext) throws(ReportError) -> ReportAnswer.Content
    /// The decoder of the projection's events.
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

    /// The query of all events of the projection.
    var firstQuery: ReportQuery { query }
    /// The query of all events of the projection.
    var query: ReportQuery { ReportQuery(Query(Query.Item(kinds: Model.kinds))) }
    /// `nil`: the answer covers all time.
    var stretch: TimeStretch? { nil }
    /// True for every event, because the answer covers all time.
    func mayTouch(_ stretch: TimeStretch, _ event: RecordedEvent) -> Bool { true }
    /// True, because the report has no subject that could be renamed.
    var isCurrent: Bool { true }
    /// False: events are fed without personal texts.
    var readsPersonalTexts: Bool { false }
    /// `nil`, because the report has no subject that could be unknown.
    var unknown: String? { nil }
    /// Empty: the answer leaves out no facts.
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
