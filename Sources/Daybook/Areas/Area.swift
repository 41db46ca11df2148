/// One part of the app's model: its events, what decides them, and what reads them.
///
/// Tools know an area through these descriptions alone, so that a new area needs no code in them.
public protocol Area: FileFormats {
    /// The first part of its kinds: `launch`.
    static var name: String { get }
    static var events: [EventDescription] { get }
    /// Commands that decide on the area's events.
    static var commands: [CommandDescription] { get }
    /// Projections that fold events into states.
    static var projections: [ProjectionDescription] { get }
    /// Use cases that talk to a network; none by default.
    static var flows: [FlowDescription] { get }
    /// Questions over many events; none by default.
    static var reports: [ReportDescription] { get }
    /// Conversions of older kinds to newer ones; none by default.
    static var upcasters: [Upcaster] { get }
    /// Checks of recorded facts; none by default.
    static var audits: [AuditDescription] { get }
    /// Life cycles that `transitions` compares a log with; none by default.
    static var machines: [StateMachine] { get }
    /// Reports that are recorded when they are handed out; none by default.
    static var publications: [PublicationDescription] { get }
    /// The names of the rule sets it has beside `standard`.
    static var rules: [RuleSet] { get }
    /// Nouns of tags without personal data: weeks, versions.
    static var plainNouns: Set<String> { get }
    /// The nouns of its tags that name people, whose texts can be erased.
    static var people: PersonNouns { get }
}

extension Area {
    /// Use cases that talk to a network; none by default.
    public static var flows: [FlowDescription] { [] }
    /// Questions over many events; none by default.
    public static var reports: [ReportDescription] { [] }
    /// Conversions of older kinds to newer ones; none by default.
    public static var upcasters: [Upcaster] { [] }
    /// Checks of recorded facts; none by default.
    public static var audits: [AuditDescription] { [] }
    /// Life cycles that `transitions` compares a log with; none by default.
    public static var machines: [StateMachine] { [] }
    /// Reports that are recorded when they are handed out; none by default.
    public static var publications: [PublicationDescription] { [] }
    public static var rules: [RuleSet] { [] }
    public static var plainNouns: Set<String> { [] }
    public static var people: PersonNouns { PersonNouns() }
}

extension Area where Self: Projection, Event: DecidedEvents {
    /// The area's own kinds among the events that it decides on.
    public static var events: [EventDescription] {
        Event.kinds.filter { $0.kind.name.hasPrefix("\(name).") }.map(\.description)
    }
}
