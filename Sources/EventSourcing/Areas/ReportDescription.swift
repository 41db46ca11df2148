public import CivilTime

/// What a report is made with beside the events.
public struct ReportContext: Sendable {
    public var rules: RuleSet
    /// `nil` where no tz database is at hand.
    public var zones: ZoneSource?
    /// The last event that was read.
    public var position: Position
    /// What was known by then, by the log's clock.
    public var knownAt: Instant
    /// The end of what had happened, by the devices' clocks; `nil` for none.
    public var validAt: Instant?

    public init(
        rules: RuleSet, zones: ZoneSource?, position: Position, knownAt: Instant,
        validAt: Instant? = nil
    ) {
        self.rules = rules
        self.zones = zones
        self.position = position
        self.knownAt = knownAt
        self.validAt = validAt
    }
}

/// One report, as tools see it.
public struct ReportDescription: Sendable {
    public let name: String
    public let summary: String
    /// The argument that names a day, week or month.
    public let period: ReportPeriod?
    /// The fields of the answer that tell only what it was made from.
    public let basisFields: Set<String>
    /// What it is asked with.
    public var arguments: [FieldDescription] { argumentsOf() }
    private let argumentsOf: @Sendable () -> [FieldDescription]
    /// What it says.
    public var fields: [FieldDescription] { fieldsOf() }
    private let fieldsOf: @Sendable () -> [FieldDescription]
    private let prepareOne:
        @Sendable (Tree, String, InputRules, ReportContext, [String]) throws(InputError)
            -> any PendingReport

    public init<Body: Report>(_ report: Body.Type) {
        name = Body.name
        summary = Body.summary
        period = Body.period
        basisFields = Body.basisFields
        argumentsOf = { FieldDescription.fields(of: Body.self) }
        fieldsOf = { FieldDescription.fields(of: Body.Answer.self, isInput: false) }
        prepareOne = { (tree, field, rules, context, periods) throws(InputError) in
            guard let period = Body.period, !periods.isEmpty else {
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
        basisFields = []
        argumentsOf = { [] }
        fieldsOf = { FieldDescription.fields(of: Answer.self, isInput: false) }
        prepareOne = { (tree, field, rules, context, _) throws(InputError) in
            _ = try TreeReader.read(NoArguments.self, from: tree, field: field, rules: rules)
            return PreparedReport<Model>(context, make)
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
        let answers: [ReportAnswer]
        do throws(FoldError) {
            answers = try report.answers(from: events)
        } catch {
            throw .fold(error)
        }
        return try answers[0].result.get()
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

/// Why there is no report.
public enum ReportError: Error, Hashable, Sendable, CustomStringConvertible {
    case input(InputError)
    case fold(FoldError)
    case zone(UnknownZone)
    /// A sentence.
    case unanswerable(String)

    public var description: String {
        switch self {
        case .input(let error): "\(error)"
        case .fold(let error): "\(error)"
        case .zone(let error): "\(error)"
        case .unanswerable(let reason): reason
        }
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
