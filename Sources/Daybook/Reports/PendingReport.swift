/// A report of any type that is ready to be fed the events of its query, from which it answers.
///
/// Feed it the events of `firstQuery` in order. Whenever `query` then matches more events, restart
/// the report and feed it the events of both queries, as `gather(_:)` does.
package protocol PendingReport: Sendable {
    /// Everything that the answers depend on besides the events.
    var context: ReportContext { get set }
    /// The query for the events to feed first.
    var firstQuery: ReportQuery { get }
    /// The query for all events that the report needs, as known from the events fed so far.
    var query: ReportQuery { get }
    /// The span of time that the answers cover, as known from the events fed so far; `nil` for all
    /// time.
    var stretch: TimeStretch? { get }
    /// True if an event records a time that may lie in the span `stretch`.
    ///
    /// An entity can be left out of the answers about the span if this is false for all its events.
    func mayTouch(_ stretch: TimeStretch, _ event: RecordedEvent) throws(FoldError) -> Bool
    /// True if the report's argument names its entity by the newest of the entity's ids.
    var isCurrent: Bool { get }
    /// True if events must be fed with their personal texts.
    var readsPersonalTexts: Bool { get }
    /// True if the state from which the answers are made holds users' names or personal integers.
    var holdsPersonalValues: Bool { get }
    /// A sentence for the user if no event names the entity of the report, else `nil`.
    var unknownEntityMessage: String? { get }
    /// Sentences for the user about facts that the answers leave out.
    var remarks: [String] { get }

    /// Feeds an event to the report, with its personal texts by their index among them.
    mutating func fold(_ event: RecordedEvent, texts: [UInt32: String]) throws(FoldError)
    /// Feeds the report the events that match a query; `folder` reads them without copying them.
    mutating func fold<Folder: EventFolder>(
        _ query: Query, by folder: Folder
    ) throws(Folder.Failure)
    /// Discards all events fed so far.
    mutating func restart()
    /// Returns one answer for each requested period, in order.
    func answers() -> [ReportAnswer]
}

/// A reader of events that folds the events matching a query into a state of any projection.
package protocol EventFolder {
    /// The error that reading the events throws.
    associatedtype Failure: Error

    /// Folds the events that match a query into `state`, in order.
    func fold<Target: Projection>(
        _ projection: Target.Type, matching query: Query, into state: inout Target.State
    ) throws(Failure)
}

extension PendingReport {
    /// Feeds an event to the report, without the event's personal texts.
    public mutating func fold(_ event: RecordedEvent) throws(FoldError) {
        try fold(event, texts: [:])
    }

    /// Feeds the report all events that it needs, and starts again whenever its query has grown.
    ///
    /// - Parameter feed: feeds the report the events that match a query, in order.
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

    /// Returns the answers for all periods, from all events of the log, in their newest layouts.
    public mutating func answers(from events: [RecordedEvent]) throws(FoldError) -> [ReportAnswer] {
        try gather { (query, report) throws(FoldError) in
            for event in query.events(among: events) { try report.fold(event) }
        }
        return answers()
    }

    /// Returns the answer for the first period, from all events of the log in their newest layouts.
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
package struct ReportAnswer: Sendable {
    /// The name of the period, such as `2020-W10`; empty if the report has no periods.
    public var period: String
    /// The content of the answer, or the reason why there is none.
    public var result: Result<Content, ReportError>

    /// The content of an answer of any type, as text.
    package struct Content: Sendable {
        /// The answer as a JSON object, with points in time as microseconds since 1970.
        public var json: String { makeJSON() }
        private let makeJSON: @Sendable () -> String
        /// The answer as a JSON object for users' programs, with points in time as RFC 3339 texts.
        public var answer: String { makeAnswer() }
        private let makeAnswer: @Sendable () -> String
        /// The single values of the answer with their paths, for tables and comparisons.
        public var leaves: [FlatFields.Leaf] { leaves(nil) }
        private let makeLeaves: @Sendable (Redaction?) -> [FlatFields.Leaf]

        /// Creates the content of an answer that is a record.
        public init(_ answer: some Record) {
            makeJSON = { JSONWriter.text(answer) }
            makeAnswer = { JSONWriter.answer(answer) }
            makeLeaves = { FlatFields.of(answer, $0) }
        }

        /// Returns the single values of the answer under `redaction`; `nil` shows all values.
        public func leaves(_ redaction: Redaction?) -> [FlatFields.Leaf] { makeLeaves(redaction) }
    }
}

/// A report that is ready to be fed events, or several that differ only in their period.
///
/// The reports share one state, so that each event is folded once.
package struct PreparedReport<Body: Report>: PendingReport {
    /// The reports, one for each period, in order.
    public let reports: [Body]
    /// The names of the periods, one for each report; without periods, empty or one empty name.
    public let periods: [String]
    /// Everything that the answers depend on besides the events.
    public var context: ReportContext
    /// The state folded from the events fed so far, from which all answers are made.
    public private(set) var state: Body.Model.State
    private let reader = KindReader<Body.Model.Event>()

    /// Prepares at least one report; `periods` has the name of each report's period, or is empty.
    public init(_ reports: [Body], periods: [String] = [], _ context: ReportContext) {
        precondition(!reports.isEmpty, "expected at least one report, found an empty list")
        self.reports = reports
        self.periods = periods
        self.context = context
        state = reports[0].initialState
    }

    public var firstQuery: ReportQuery { Body.firstQuery(of: reports, context) }
    public var query: ReportQuery { Body.query(of: reports, knowing: state, context) }
    /// The span of time that contains the spans of all reports; `nil` for all time.
    public var stretch: TimeStretch? {
        var union: TimeStretch?
        for report in reports {
            guard let stretch = report.stretch(state, context) else { return nil }
            union = union?.union(stretch) ?? stretch
        }
        return union
    }

    public func mayTouch(_ stretch: TimeStretch, _ event: RecordedEvent) throws(FoldError) -> Bool {
        guard let known = try reader.read(event), let times = Body.times(of: known) else {
            return true
        }
        return times.touches(stretch)
    }

    /// True if the first report's argument names its entity by the newest of the entity's ids.
    public var isCurrent: Bool { reports[0].isCurrent(state) }
    /// True if the report reads personal texts and the context allows showing them.
    public var readsPersonalTexts: Bool { Body.readsPersonalTexts && context.opensTexts }
    public var holdsPersonalValues: Bool { Body.Model.State.holdsPersonalValues }
    /// A sentence for the user if no event names the entity of the first report, else `nil`.
    public var unknownEntityMessage: String? { reports[0].unknownEntityMessage(state) }
    /// Sentences for the user about facts that the answer of the first report leaves out.
    public var remarks: [String] { reports[0].remarks(state, context) }

    public mutating func restart() { state = reports[0].initialState }

    public mutating func fold(_ event: RecordedEvent, texts: [UInt32: String]) throws(FoldError) {
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

    /// Returns the answers and all they depend on; throws the error of the first without an answer.
    public func answered() throws(ReportError) -> AnsweredReport<Body> {
        var answers: [Body.Answer] = []
        for answer in Body.answers(of: reports, state, context) { answers.append(try answer.get()) }
        return AnsweredReport(
            reports: reports, periods: periods, answers: answers, state: state, context: context)
    }
}

/// A report without arguments that is ready to be fed all events of a projection.
struct PreparedFold<Model: Projection>: PendingReport {
    var context: ReportContext
    /// The state folded from the events fed so far.
    private var state = Model.State.blank
    private let makeAnswer:
        @Sendable (Model.State, ReportContext) throws(ReportError) -> ReportAnswer.Content
    private let reader = KindReader<Model.Event>()

    init<Answer: Record>(
        _ context: ReportContext,
        _ make: @escaping @Sendable (Model.State, ReportContext) throws(ReportError) -> Answer
    ) {
        self.context = context
        makeAnswer = { (state, context) throws(ReportError) in
            ReportAnswer.Content(try make(state, context))
        }
    }

    var firstQuery: ReportQuery { query }
    var query: ReportQuery { ReportQuery(Query(Query.Item(kinds: Model.kinds))) }
    /// `nil`: the answer covers all time.
    var stretch: TimeStretch? { nil }
    /// True for every event, because the answer covers all time.
    func mayTouch(_ stretch: TimeStretch, _ event: RecordedEvent) -> Bool { true }
    /// True, because the report is not about one entity, whose id could change.
    var isCurrent: Bool { true }
    /// False: events are fed without personal texts.
    var readsPersonalTexts: Bool { false }
    var holdsPersonalValues: Bool { Model.State.holdsPersonalValues }
    /// `nil`, because the report is not about one entity, which could be unknown.
    var unknownEntityMessage: String? { nil }
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
        let answer = Result { () throws(ReportError) in try makeAnswer(state, context) }
        return [ReportAnswer(period: "", result: answer)]
    }
}
