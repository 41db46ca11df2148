/// One part of the app's model: its events, what decides them, and what reads them.
///
/// Tools know an area through these descriptions alone, so that a new area needs no code in them.
public protocol Area: FileFormats {
    /// The first part of its kinds: `launch`.
    static var name: String { get }
    static var events: [EventDescription] { get }
    static var commands: [CommandDescription] { get }
    static var projections: [ProjectionDescription] { get }
    static var flows: [FlowDescription] { get }
    static var reports: [ReportDescription] { get }
    static var upcasters: [Upcaster] { get }
    static var audits: [AuditDescription] { get }
    static var machines: [StateMachine] { get }
    static var publications: [PublicationDescription] { get }
    /// The names of the rule sets it has beside `standard`.
    static var rules: [RuleSet] { get }
    /// Nouns of tags without personal data: weeks, versions.
    static var plainNouns: Set<String> { get }
    /// The nouns of its tags that name people, whose texts can be erased.
    static var people: PersonNouns { get }
}

extension Area {
    public static var flows: [FlowDescription] { [] }
    public static var reports: [ReportDescription] { [] }
    public static var upcasters: [Upcaster] { [] }
    public static var audits: [AuditDescription] { [] }
    public static var machines: [StateMachine] { [] }
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
