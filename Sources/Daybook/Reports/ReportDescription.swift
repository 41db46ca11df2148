/// The description of a report type, with which tools prepare and answer a report by its name.
public struct ReportDescription: Sendable {
    /// The name under which tools list the report.
    public let name: String
    /// One line for listings.
    public let summary: String
    /// The argument that names a day, week or month; `nil` for a report without periods.
    public let period: ReportPeriod?
    /// Rule sets under which a period may begin on any day, and is named by it.
    public let ruleSetsWithAnyStartDay: Set<RuleSet>
    /// The argument for the present time, such as `nowUs`; `nil` for none.
    public let clock: String?
    /// The argument that a command line may give without its name; `nil` for none.
    public let positional: String?
    /// The entities that the report can be made for; `nil` if it is not about one entity.
    public let subject: ReportSubject?
    /// Fields of the answer that only describe the data behind it, such as `position`.
    public let basisFields: Set<String>
    /// Creates the notes that record the report in the log; `nil` if it is never recorded.
    public let publishing: Publishing?
    /// Renderers by form, which the catalogue adds.
    ///
    /// Every report also has two forms without a renderer: JSON and a list of its fields.
    public internal(set) var renderers: [ReportForm: ReportRenderer] = [:]
    /// The arguments of the report, in order.
    public var arguments: [FieldDescription] { makeArguments() }
    /// Returns the value of `arguments`.
    private let makeArguments: @Sendable () -> [FieldDescription]
    /// The fields of the answer, in order.
    public var fields: [FieldDescription] { makeFields() }
    /// Returns the value of `fields`.
    private let makeFields: @Sendable () -> [FieldDescription]
    /// The identity of the report's type; without arguments, of the projection's type.
    let type: ObjectIdentifier
    /// Reads the arguments and prepares the report for all requested periods.
    private let prepareReports:
        @Sendable (Tree, String, InputRules, ReportContext, [String]) throws(InputError)
            -> any PendingReport

    /// Describes a report that is never recorded in the log.
    public init<Body: Report>(_ report: Body.Type) { self.init(report, publishing: nil) }

    /// Describes a report that can be recorded in the log.
    public init<Body: PublishedReport>(_ report: Body.Type) {
        self.init(report, publishing: Publishing(report))
    }

    private init<Body: Report>(_ report: Body.Type, publishing: Publishing?) {
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
        makeFields = { FieldDescription.fields(of: Body.Answer.self, isInput: false) }
        prepareReports = { (tree, field, rules, context, periods) throws(InputError) in
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

    /// Describes a report without arguments, over all events that a projection reads.
    ///
    /// - Parameter make: makes the answer from the folded state.
    public init<Model: Projection, Answer: Record>(
        _ name: String, _ summary: String, over model: Model.Type,
        _ make:
            @escaping @Sendable (Model.State, ReportContext) throws(ReportError) -> Answer
    ) {
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

    /// Reads the arguments and prepares the report.
    ///
    /// - Parameters:
    ///   - arguments: an object; without the argument of the period if `periods` is given.
    ///   - field: the path of the arguments in the input, for errors.
    ///   - periods: the names of the periods to answer for; empty for the period that the arguments
    ///     name.
    package func prepare(
        _ arguments: Tree, field: String = "", rules: InputRules, _ context: ReportContext,
        periods: [String] = []
    ) throws(InputError) -> any PendingReport {
        try prepareReports(arguments, field, rules, context, periods)
    }

    /// Returns the answer from all events up to a position, in their newest layouts.
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
    /// Returns the object with an additional member.
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
    /// Folds the events of the projection's kinds, from a blank state.
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
