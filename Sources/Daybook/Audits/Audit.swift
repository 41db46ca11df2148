/// One thing that is wrong in a history.
public struct Finding: Record {
    /// The code of the rule that was broken: `B7`.
    public var rule = ""
    /// The event that shows it.
    public var position: Int64 = 0
    /// Tag of the audited entity: `entry:abc`.
    public var entity = ""
    /// The value that the rule asks for, as people read it.
    public var expected = ""
    /// The recorded value, as people read it.
    public var found = ""

    public static var blank: Self { Self() }

    init() {}

    public init(
        rule: String, position: Int64, entity: String, expected: String, found: String
    ) {
        self.rule = rule
        self.position = position
        self.entity = entity
        self.expected = expected
        self.found = found
    }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        var position = Position(UInt64(clamping: position))
        try field("rule", &rule)
        try field("position", &position)
        self.position = Int64(clamping: position.rawValue)
        try field("entity", &entity)
        try field("expected", &expected)
        try field("found", &found)
    }
}

/// Values that an audit may use beside the events.
public struct AuditContext: Sendable {
    /// Source of time zones; `nil` skips the rules that need one.
    public var zones: ZoneSource?
    /// The zone of everything, in place of what the history says.
    public var zone: String?
    /// Keeps to this: `baby:b1`.
    public var only: Tag?
    /// Whose rules the history is held to.
    public var rules: RuleSet
    /// The first eight bytes of a text's SHA-256, the first one highest.
    public var digest: @Sendable (String) -> UInt64

    public init(
        zones: ZoneSource? = nil, zone: String? = nil, only: Tag? = nil,
        rules: RuleSet = .standard, digest: @escaping @Sendable (String) -> UInt64
    ) {
        self.zones = zones
        self.zone = zone
        self.only = only
        self.rules = rules
        self.digest = digest
    }
}

/// Looks through a history for what is wrong in it.
///
/// It first sees the events of some kinds ahead of the others, then every event of the log in
/// order, whatever its kind. Findings never hold personal texts.
public protocol Audit: Sendable {
    /// An event of the kinds it wants to know ahead.
    mutating func foresee(_ event: RecordedEvent) throws(FoldError)

    /// Reads the next event of the log.
    mutating func take(_ event: RecordedEvent) throws(FoldError)

    /// The same, with the actor of the event's commit; empty where the commit names none.
    mutating func take(_ event: RecordedEvent, actor: String) throws(FoldError)

    /// Ends the audit after the last event.
    mutating func finish() -> AuditResult
}

extension Audit {
    public mutating func foresee(_ event: RecordedEvent) throws(FoldError) {}

    public mutating func take(_ event: RecordedEvent, actor: String) throws(FoldError) {
        try take(event)
    }
}

/// The findings of an audit, and the notes on what it skipped.
public struct AuditResult: Hashable, Sendable {
    /// Findings in the order of their positions.
    public var findings: [Finding]
    /// Sentences that name each unchecked item and the reason.
    public var notes: [String]

    public init(findings: [Finding] = [], notes: [String] = []) {
        self.findings = findings
        self.notes = notes
    }
}

/// A rule that histories are held to.
public struct AuditRule: Record {
    /// `B7`.
    public var code: String
    /// Readable description of what the rule finds.
    public var sentence: String

    public init(_ code: String, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    public static var blank: Self { Self("", "") }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("code", &code, "sentence", &sentence)
    }
}

/// One audit, as tools see it.
public struct AuditDescription: Sendable {
    /// The name that `audit` lists it under.
    public let name: String
    /// The rules that it checks, in order.
    public let rules: [AuditRule]
    /// The kinds it wants to know ahead.
    public let ahead: Set<EventKind>
    /// The kinds of whose commits it wants to know the actor.
    public var actors: Set<EventKind> { findActors() }
    private let findActors: @Sendable () -> Set<EventKind>
    /// Begins an audit.
    public let make: @Sendable (AuditContext) -> any Audit

    public init(
        _ name: String, _ rules: [AuditRule], ahead: Set<EventKind> = [],
        actors: @autoclosure @escaping @Sendable () -> Set<EventKind> = [],
        _ make: @escaping @Sendable (AuditContext) -> any Audit
    ) {
        self.name = name
        self.rules = rules
        self.ahead = ahead
        findActors = actors
        self.make = make
    }
}

/// Several audits under way, fed by one walk over a log.
public struct AuditRun: Sendable {
    /// The rules in the order of their listing.
    public let rules: [AuditRule]
    /// The kinds to show before the walk.
    public let ahead: Set<EventKind>
    /// The kinds of whose commits the actor is wanted.
    public let actors: Set<EventKind>
    private var audits: [any Audit]

    public init(_ descriptions: [AuditDescription], _ context: AuditContext) {
        rules = descriptions.flatMap(\.rules)
        ahead = descriptions.reduce(into: []) { $0.formUnion($1.ahead) }
        actors = descriptions.reduce(into: []) { $0.formUnion($1.actors) }
        audits = descriptions.map { $0.make(context) }
    }

    /// - Parameter event: one of the kinds in `ahead`, in its newest layout.
    public mutating func foresee(_ event: RecordedEvent) throws(FoldError) {
        for index in audits.indices { try audits[index].foresee(event) }
    }

    /// - Parameters:
    ///   - event: the next event of the log, in its newest layout.
    ///   - actor: of its commit, for one of the kinds in `actors`.
    public mutating func take(_ event: RecordedEvent, actor: String = "") throws(FoldError) {
        for index in audits.indices { try audits[index].take(event, actor: actor) }
    }

    /// Everything that was found, by rule and position.
    public mutating func finish() -> AuditResult {
        var result = AuditResult()
        for index in audits.indices {
            let part = audits[index].finish()
            result.findings += part.findings
            result.notes += part.notes
        }
        let order = Dictionary(
            rules.enumerated().map { ($1.code, $0) }, uniquingKeysWith: { first, _ in first })
        result.findings.sort {
            (order[$0.rule] ?? .max, $0.position, $0.entity, $0.expected)
                < (order[$1.rule] ?? .max, $1.position, $1.entity, $1.expected)
        }
        return result
    }
}
