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

    public init(rules: RuleSet, zones: ZoneSource?, position: Position, knownAt: Instant) {
        self.rules = rules
        self.zones = zones
        self.position = position
        self.knownAt = knownAt
    }
}

/// One report, as tools see it: an answer that takes more than one entity's events.
public struct ReportDescription: Sendable {
    public let name: String
    public let summary: String
    /// What it is asked with.
    public var arguments: [FieldDescription] { argumentsOf() }
    private let argumentsOf: @Sendable () -> [FieldDescription]
    /// What it says.
    public var fields: [FieldDescription] { fieldsOf() }
    private let fieldsOf: @Sendable () -> [FieldDescription]
    /// The answer as a JSON object, from the arguments, the field they stand in and all events up
    /// to a position.
    public let answer:
        @Sendable (Tree, String, InputRules, [RecordedEvent], ReportContext)
            throws(ReportError) -> String

    public init<Arguments: Record, Answer: Record>(
        _ name: String, _ summary: String, _ answer: Answer.Type,
        _ make:
            @escaping @Sendable (Arguments, [RecordedEvent], ReportContext)
            throws(ReportError) -> Answer
    ) {
        self.name = name
        self.summary = summary
        argumentsOf = { FieldDescription.fields(of: Arguments.self) }
        fieldsOf = { FieldDescription.fields(of: Answer.self, isInput: false) }
        self.answer = { (tree, field, rules, events, context) throws(ReportError) in
            let arguments: Arguments
            do throws(InputError) {
                arguments = try TreeReader.read(from: tree, field: field, rules: rules)
            } catch {
                throw .input(error)
            }
            return JSONWriter.text(try make(arguments, events, context))
        }
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
