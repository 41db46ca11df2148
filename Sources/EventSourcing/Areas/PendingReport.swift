/// A report that waits for the events it reads.
///
/// Feed it the events of `query`, in order, and ask for the answers.
public protocol PendingReport: Sendable {
    /// The events that it reads, as far as those fed so far tell.
    var query: ReportQuery { get }
    mutating func fold(_ event: RecordedEvent) throws(FoldError)
    /// Forgets what it has been fed.
    mutating func restart()
    /// One answer for each period asked for, in their order.
    func answers() -> [ReportAnswer]
}

extension PendingReport {
    /// Lets `feed` show the events of a query, again and again while what they tell makes it grow.
    public mutating func gather<Failure: Error>(
        _ feed: (ReportQuery, inout Self) throws(Failure) -> Void
    ) throws(Failure) {
        var query = query
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
}

/// The answer of a report for one period.
public struct ReportAnswer: Sendable {
    /// The value of the argument that names it; empty for a report without periods.
    public var period: String
    public var result: Result<Content, ReportError>

    /// An answer, whatever its type.
    public struct Content: Sendable {
        /// A JSON object.
        public var json: String
        public var leaves: [FlatFields.Leaf]

        public init(_ answer: some Record) {
            json = JSONWriter.text(answer)
            leaves = FlatFields.of(answer)
        }
    }
}

/// Reports of one model that are answered from one state: of several periods, in general.
public struct PreparedReport<Model: Projection>: PendingReport {
    public private(set) var state: Model.State
    private let initialState: Model.State
    private let queryOf: @Sendable (Model.State) -> ReportQuery
    private let answersOf: @Sendable (Model.State) -> [ReportAnswer]
    private let reader = KindReader<Model.Event>()

    /// - Parameters:
    ///   - reports: at least one; they differ in their period alone.
    ///   - periods: their names.
    public init<Body: Report>(
        _ reports: [Body], periods: [String] = [], _ context: ReportContext
    ) where Body.Model == Model {
        precondition(!reports.isEmpty, "there is a report to answer")
        initialState = reports[0].initialState
        state = initialState
        queryOf = { Body.query(of: reports, knowing: $0, context) }
        answersOf = { state in
            let answers = Body.answers(of: reports, state, context)
            return answers.enumerated().map { index, answer in
                ReportAnswer(
                    period: index < periods.count ? periods[index] : "",
                    result: answer.map { ReportAnswer.Content($0) })
            }
        }
    }

    /// A report without arguments.
    init<Answer: Record>(
        _ context: ReportContext,
        _ make:
            @escaping @Sendable (Model.State, ReportContext) throws(ReportError) -> Answer
    ) {
        initialState = .blank
        state = .blank
        queryOf = { _ in ReportQuery(Query(Query.Item(kinds: Model.kinds))) }
        answersOf = { state in
            do throws(ReportError) {
                let answer = ReportAnswer.Content(try make(state, context))
                return [ReportAnswer(period: "", result: .success(answer))]
            } catch {
                return [ReportAnswer(period: "", result: .failure(error))]
            }
        }
    }

    public var query: ReportQuery { queryOf(state) }

    public mutating func restart() { state = initialState }

    public mutating func fold(_ event: RecordedEvent) throws(FoldError) {
        guard let known = try reader.read(event) else { return }
        Model.evolve(&state, with: known, event.envelope)
    }

    public func answers() -> [ReportAnswer] { answersOf(state) }
}
