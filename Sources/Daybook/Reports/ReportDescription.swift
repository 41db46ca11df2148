/// The description of a report type, with which tools prepare and answer a report by its name.
public struct ReportDescription: Sendable {
    /// The name under which tools list the report.
    public let name: String
    /// A one-line description for listings.
    public let summary: String
    /// The argument that names the day, week or month; `nil` if the report has no periods.
    public let period: ReportPeriod?
    /// The rule sets under which a period may begin on any day, whose date then names the period.
    public let ruleSetsWithAnyStartDay: Set<RuleSet>
    /// The argument for the present time, such as `nowUs`; `nil` if the report has none.
    public let clock: String?
    /// The argument that a command line may give without its name; `nil` if there is none.
    public let positional: String?
    /// The entities for each of which the report can be made; `nil` if it is not about one entity.
    public let subject: ReportSubject?
    /// Fields of the answer that only describe the data from which it was made, such as `position`.
    public let basisFields: Set<String>
    /// The factory of notes that the report was handed out; `nil` if the report is never recorded.
    package let publishing: Publishing?
    /// The renderers of the report by output form, which the catalogue adds.
    ///
    /// Two forms need no renderer: JSON, and a text that lists the fields of the answer.
    public internal(set) var renderers: [ReportForm: ReportRenderer] = [:]
    /// The arguments of the report, in order.
    package var arguments: [FieldDescription] { makeArguments() }
    private let makeArguments: @Sendable () -> [FieldDescription]
    /// The fields of the answer, in order.
    package var fields: [FieldDescription] { makeFields() }
    private let makeFields: @Sendable () -> [FieldDescription]
    /// The identity of the report's type; for a report without a type, that of its projection.
    let type: ObjectIdentifier
    /// Reads the arguments and prepares the reports, one for each period, for `prepare`.
    private let prepareReports:
        @Sendable (Tree, String, InputRules, ReportContext, [String]) throws(InputError)
            -> any PendingReport

    /// The place where the report is declared.
    public let place: SourcePlace

    /// Creates the description of a report that is never recorded, declared by default at the call.
    public init<Body: Report>(_ report: Body.Type, fileID: String = #fileID, line: Int = #line) {
        self.init(report, publishing: nil, SourcePlace(fileID: fileID, line: line))
    }

    /// Creates the description of a report that can be recorded, declared by default at the call.
    public init<Body: PublishedReport>(
        _ report: Body.Type, fileID: String = #fileID, line: Int = #line
    ) {
        self.init(report, publishing: Publishing(report), SourcePlace(fileID: fileID, line: line))
    }

    private init<Body: Report>(_ report: Body.Type, publishing: Publishing?, _ place: SourcePlace) {
        self.place = place
        name = Body.name
        summary = Body.summary
        period = Body.period
        ruleSetsWithAnyStartDay = Body.ruleSetsWithAnyStartDay
        clock = Body.clock
        positional = Body.positional
        subject = Body.subject
        basisFields = Body.basisFields
        self.publishing = publishing
        type = ObjectIdentifier(report)
        makeArguments = { FieldDescription.fields(of: Body.self, fillsDefaults: true) }
        makeFields = { FieldDescription.fields(ofAnswer: Body.blankAnswer) }
        prepareReports = { (tree, field, rules, context, periods) throws(InputError) in
            guard let period = Body.period, !periods.isEmpty else {
                let rules = rules.fillingDefaults
                let body: Body = try TreeReader.read(from: tree, field: field, rules: rules)
                let name = Body.period.flatMap { tree[$0.argument]?.scalarText } ?? ""
                return PreparedReport([body], periods: [name], context)
            }
            var bodies: [Body] = []
            for name in periods {
                let tree = tree.adding(period.argument, name)
                bodies.append(try TreeReader.read(from: tree, field: field, rules: rules))
            }
            return PreparedReport(bodies, periods: periods, context)
        }
    }

    /// Creates the description of a report without arguments, about all events of a projection.
    ///
    /// `make` computes the answer from the final state. The place is by default that of the call.
    public init<Model: Projection, Answer: Record>(
        _ name: String, _ summary: String, over model: Model.Type, fileID: String = #fileID,
        line: Int = #line,
        _ make: @escaping @Sendable (Model.State, ReportContext) throws(ReportError) -> Answer
    ) {
        place = SourcePlace(fileID: fileID, line: line)
        self.name = name
        self.summary = summary
        period = nil
        ruleSetsWithAnyStartDay = []
        clock = nil
        positional = nil
        subject = nil
        basisFields = []
        publishing = nil
        type = ObjectIdentifier(model)
        makeArguments = { [] }
        makeFields = { FieldDescription.fields(of: Answer.self, isInput: false) }
        prepareReports = { (tree, field, rules, context, _) throws(InputError) in
            _ = try TreeReader.read(NoArguments.self, from: tree, field: field, rules: rules)
            return PreparedFold<Model>(context, make)
        }
    }

    /// Reads the arguments, an object, and returns the report, ready to be fed events.
    ///
    /// Without `periods`, the arguments name the only one; otherwise they lack that argument.
    package func prepare(
        _ arguments: Tree, field: String = "", rules: InputRules, _ context: ReportContext,
        periods: [String] = []
    ) throws(InputError) -> any PendingReport {
        try prepareReports(arguments, field, rules, context, periods)
    }

    /// Reads the arguments and answers from all events up to the position in `context`.
    package func answer(
        _ arguments: Tree, _ field: String, _ rules: InputRules, _ events: [RecordedEvent],
        _ context: ReportContext
    ) throws(ReportError) -> ReportAnswer.Content {
        var report: any PendingReport
        do throws(InputError) {
            report = try prepare(arguments, field: field, rules: rules, context)
        } catch {
            throw .input(error)
        }
        return try report.content(from: events)
    }
}

/// The arguments of a report that takes none.
private struct NoArguments: Record {
    static var blank: Self { Self() }
    mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {}
}

extension Tree {
    /// Returns a copy of the object with an additional member, a text.
    fileprivate func adding(_ key: String, _ value: String) -> Tree {
        guard case .map(let members) = content else { return self }
        let member = Member(key: key, value: Tree(.text(value), line: line))
        return Tree(.map(members + [member]), line: line)
    }

    /// A text, or an unquoted YAML scalar as it was written; `nil` for any other value.
    fileprivate var scalarText: String? {
        if case .text(let text) = content { return text }
        return plain
    }
}

extension Projection {
    /// Returns the state folded from events; ignores the kinds that the projection does not read.
    public static func state(after events: [RecordedEvent]) throws(ReportError) -> State {
        var state = State.blank
        let reader = KindReader<Event>()
        do throws(FoldError) {
            for event in events {
                guard let known = try reader.read(event) else { continue }
                evolve(&state, with: known, event.envelope)
            }
        } catch {
            throw .fold(error)
        }
        return state
    }
}
