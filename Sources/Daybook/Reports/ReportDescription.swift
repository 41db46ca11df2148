/// One report, as tools see it.
public struct ReportDescription: Sendable {
    /// The name that tools list it under.
    public let name: String
    /// One line for listings.
    public let summary: String
    /// The argument that names a day, week or month.
    public let period: ReportPeriod?
    /// Rule sets under which a period begins on any day, which is then its name.
    public let startsOnAnyDay: Set<RuleSet>
    /// The argument for the present: `nowUs`.
    public let clock: String?
    /// The argument that a command line may give without its name.
    public let positional: String?
    /// The entities that it can be made of, one by one.
    public let subject: ReportSubject?
    /// The fields of the answer that tell only what it was made from.
    public let basisFields: Set<String>
    /// The way it is noted in the log when it is handed out; `nil` where it is not.
    public let publishing: Publishing?
    /// The forms it has beside JSON and a list of its fields, as the catalogue found them.
    public internal(set) var renderers: [ReportForm: ReportRenderer] = [:]
    /// Fields of the question, in order.
    public var arguments: [FieldDescription] { argumentsOf() }
    private let argumentsOf: @Sendable () -> [FieldDescription]
    /// The fields of the answer.
    public var fields: [FieldDescription] { fieldsOf() }
    private let fieldsOf: @Sendable () -> [FieldDescription]
    let type: ObjectIdentifier
    private let prepareOne:
        @Sendable (Tree, String, InputRules, ReportContext, [String]) throws(InputError)
            -> any PendingReport

    public init<Body: Report>(_ report: Body.Type) { self.init(report, publishing: nil) }

    public init<Body: PublishedReport>(_ report: Body.Type) {
        self.init(report, publishing: Publishing(report))
    }

    private init<Body: Report>(_ report: Body.Type, publishing: Publishing?) {
        name = Body.name
        summary = Body.summary
        period = Body.period
        startsOnAnyDay = Body.startsOnAnyDay
        clock = Body.clock
        positional = Body.positional
        subject = Body.subject
        basisFields = Body.basisFields
        self.publishing = publishing
        type = ObjectIdentifier(report)
        argumentsOf = { FieldDescription.fields(of: Body.self, fillsDefaults: true) }
        fieldsOf = { FieldDescription.fields(of: Body.Answer.self, isInput: false) }
        prepareOne = { (tree, field, rules, context, periods) throws(InputError) in
            guard let period = Body.period, !periods.isEmpty else {
                let rules = rules.fillingDefaults
                let body: Body = try TreeReader.read(from: tree, field: field, rules: rules)
                let name = Body.period.flatMap { tree[$0.argument]?.name } ?? ""
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

    /// A report without arguments, over all that a projection reads.
    public init<Model: Projection, Answer: Record>(
        _ name: String, _ summary: String, over model: Model.Type,
        _ make:
            @escaping @Sendable (Model.State, ReportContext) throws(ReportError) -> Answer
    ) {
        self.name = name
        self.summary = summary
        period = nil
        startsOnAnyDay = []
        clock = nil
        positional = nil
        subject = nil
        basisFields = []
        publishing = nil
        type = ObjectIdentifier(model)
        argumentsOf = { [] }
        fieldsOf = { FieldDescription.fields(of: Answer.self, isInput: false) }
        prepareOne = { (tree, field, rules, context, _) throws(InputError) in
            _ = try TreeReader.read(NoArguments.self, from: tree, field: field, rules: rules)
            return PreparedFold<Model>(context, make)
        }
    }

    /// The report with its arguments read.
    ///
    /// - Parameters:
    ///   - arguments: an object. For several periods without the argument that names one.
    ///   - field: the place of the arguments in what was read, for errors.
    ///   - periods: those to answer for; empty for the one that the arguments name.
    public func prepare(
        _ arguments: Tree, field: String = "", rules: InputRules, _ context: ReportContext,
        periods: [String] = []
    ) throws(InputError) -> any PendingReport {
        try prepareOne(arguments, field, rules, context, periods)
    }

    /// The answer from all events up to a position, which are in their newest layouts.
    public func answer(
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
    /// An object with a further member.
    fileprivate func adding(_ key: String, _ value: String) -> Tree {
        guard case .map(let members) = content else { return self }
        let member = Member(key: key, value: Tree(.text(value), line: line))
        return Tree(.map(members + [member]), line: line)
    }

    /// The text of a scalar.
    fileprivate var name: String? {
        if case .text(let text) = content { return text }
        return plain
    }
}

extension Projection {
    /// Folds the events of its kinds, from a blank state.
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
