/// A violation of a rule, found by an audit of a log.
public struct Finding: Record {
    /// The code of the broken rule: `B7`.
    public var rule = ""
    /// Position of the event that violates the rule, or that shows the violation.
    public var position: Int64 = 0
    /// Tag of the audited entity: `entry:abc`.
    public var entity = ""
    /// The value that the rule expects, as text for people.
    public var expected = ""
    /// The recorded value, as text for people.
    public var found = ""

    public static var blank: Self { Self() }

    init() {}

    public init(rule: String, position: Int64, entity: String, expected: String, found: String) {
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

/// Values that an audit may use in addition to the events.
public struct AuditContext: Sendable {
    /// The tz database; if `nil`, audits skip the rules that need a time zone.
    public var zones: ZoneSource?
    /// Other databases, with which published reports may have been computed.
    public var olderZones: [ZoneSource] = []
    /// Name of the time zone that replaces the zones of the events; `nil` for no replacement.
    public var zone: String?
    /// The tag of the only entity to audit, such as `baby:b1`; `nil` for all entities.
    public var only: Tag?
    /// The rule set by which audits compute the expected values.
    public var rules: RuleSet
    /// Returns the digest to compare with a recorded one: the first eight bytes of a text's
    /// SHA-256, as a big-endian number.
    public var digest: @Sendable (String) -> UInt64
    /// Runs independent checks, perhaps on several threads; returns their findings in order.
    package var findAll: @Sendable (_ checks: [@Sendable () -> [Finding]]) -> [Finding] = {
        $0.flatMap { $0() }
    }

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

/// A check that reads a history and finds broken rules.
///
/// An audit first gets the events of the kinds in `AuditDescription.kindsReadAhead`, then the events
/// of the log in order, at least those that it does not ignore. Findings never contain personal
/// texts.
public protocol Audit: Sendable {
    /// True if events of this kind can neither change the audit's findings nor make the audit fail.
    ///
    /// The pass over the log may then skip these events. Asked after `readAhead`; false by default.
    func ignores(_ kind: EventKind) -> Bool

    /// Reads an event before the pass over the log; by default the event is ignored.
    ///
    /// - Parameter event: an event of a kind in the `kindsReadAhead` of this audit or of another
    ///   audit that runs in the same pass.
    mutating func readAhead(_ event: RecordedEvent) throws(FoldError)

    /// Checks the next event of the log.
    mutating func check(_ event: RecordedEvent) throws(FoldError)

    /// Checks the next event, with the actor of its commit; by default only calls `check(_:)`.
    ///
    /// - Parameter actor: the actor of the event's commit; empty if the commit names none, and
    ///   possibly empty for kinds that are not in `AuditDescription.kindsNeedingActor`.
    mutating func check(_ event: RecordedEvent, actor: String) throws(FoldError)

    /// Ends the audit after the last event, and returns its findings and notes.
    mutating func finish() -> AuditResult
}

extension Audit {
    public func ignores(_ kind: EventKind) -> Bool { false }

    public mutating func readAhead(_ event: RecordedEvent) throws(FoldError) {}

    public mutating func check(_ event: RecordedEvent, actor: String) throws(FoldError) {
        try check(event)
    }
}

/// The findings of an audit, and notes on the checks that it skipped.
public struct AuditResult: Equatable, Sendable {
    /// The findings of the audit.
    public var findings: [Finding]
    /// Sentences that each name a skipped check and the reason.
    public var notes: [String]

    public init(findings: [Finding] = [], notes: [String] = []) {
        self.findings = findings
        self.notes = notes
    }
}

/// A rule that an audit checks.
public struct AuditRule: Record {
    /// The code of the rule, as in `audit --rule B7`.
    public var code: String
    /// A sentence that says what is wrong if the rule is violated.
    public var sentence: String
    /// The place where the rule is declared.
    public let place: SourcePlace

    /// Creates a rule with the place of its declaration, by default that of the call.
    public init(_ code: String, _ sentence: String, fileID: String = #fileID, line: Int = #line) {
        self.code = code
        self.sentence = sentence
        place = SourcePlace(fileID: fileID, line: line)
    }

    public static var blank: Self { Self("", "") }

    public mutating func fields<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
        try field("code", &code, "sentence", &sentence)
    }
}

/// The description of an audit: its name, its rules, and a function that creates it.
public struct AuditDescription: Sendable {
    /// The name of the audit, by which tools sort the audits.
    public let name: String
    /// The rules that the audit checks, in the order in which tools list them.
    public let rules: [AuditRule]
    /// Kinds of events that the audit reads before its pass over the log.
    public let kindsReadAhead: Set<EventKind>
    /// Kinds of events for which the audit needs the actor of the commit.
    public var kindsNeedingActor: Set<EventKind> { findKindsNeedingActor() }
    private let findKindsNeedingActor: @Sendable () -> Set<EventKind>
    /// Creates an audit that has read no events.
    public let make: @Sendable (AuditContext) -> any Audit

    /// Describes an audit.
    ///
    /// - Parameters:
    ///   - kindsReadAhead: kinds of events that the audit reads before its pass over the log.
    ///   - kindsNeedingActor: kinds of events for which the audit needs the actor of the commit.
    ///   - make: creates an audit that has read no events.
    public init(
        _ name: String, _ rules: [AuditRule], kindsReadAhead: Set<EventKind> = [],
        kindsNeedingActor: @autoclosure @escaping @Sendable () -> Set<EventKind> = [],
        _ make: @escaping @Sendable (AuditContext) -> any Audit
    ) {
        self.name = name
        self.rules = rules
        self.kindsReadAhead = kindsReadAhead
        findKindsNeedingActor = kindsNeedingActor
        self.make = make
    }
}

/// Several audits that run together in one pass over a log.
package struct AuditRun: Sendable {
    /// The rules of all audits, in the order of the descriptions.
    public let rules: [AuditRule]
    /// Kinds of events to pass to `readAhead(_:)` before the pass over the log.
    public let kindsReadAhead: Set<EventKind>
    /// Kinds of events for which `check(_:actor:)` needs the actor of the commit.
    public let kindsNeedingActor: Set<EventKind>
    private var audits: [any Audit]

    /// Creates all audits with one context.
    public init(_ descriptions: [AuditDescription], _ context: AuditContext) {
        rules = descriptions.flatMap(\.rules)
        kindsReadAhead = descriptions.reduce(into: []) { $0.formUnion($1.kindsReadAhead) }
        kindsNeedingActor = descriptions.reduce(into: []) { $0.formUnion($1.kindsNeedingActor) }
        audits = descriptions.map { $0.make(context) }
    }

    /// Passes an event of a kind in `kindsReadAhead`, in its newest layout, to every audit.
    public mutating func readAhead(_ event: RecordedEvent) throws(FoldError) {
        for index in audits.indices { try audits[index].readAhead(event) }
    }

    /// Passes the next event of the log, in its newest layout, to every audit.
    ///
    /// - Parameter actor: the actor of the event's commit; needed only for `kindsNeedingActor`.
    public mutating func check(_ event: RecordedEvent, actor: String = "") throws(FoldError) {
        for index in audits.indices { try audits[index].check(event, actor: actor) }
    }

    /// Ends the audits, and returns their results, sorted by rule and then by position.
    public mutating func finish() -> AuditResult {
        AuditResult(joining: audits.indices.map { audits[$0].finish() }, inOrderOf: rules)
    }
}

extension AuditResult {
    /// Joins the results of several audits, with the findings sorted by rule and then by position.
    package init(joining results: [AuditResult], inOrderOf rules: [AuditRule]) {
        self.init(findings: results.flatMap(\.findings), notes: results.flatMap(\.notes))
        let order = Dictionary(
            rules.enumerated().map { ($1.code, $0) }, uniquingKeysWith: { first, _ in first })
        findings.sort {
            (order[$0.rule] ?? .max, $0.position, $0.entity, $0.expected)
                < (order[$1.rule] ?? .max, $1.position, $1.entity, $1.expected)
        }
    }
}
