/// One part of the app's model: kinds of events, with their commands, projections and reports.
///
/// Tools use only these descriptions, so a new area needs no changes in the tools.
public protocol Area: FileFormats {
    /// The first part of the area's event kinds and command names: `launch`.
    static var name: String { get }
    /// Descriptions of the event kinds that belong to the area.
    static var events: [EventDescription] { get }
    /// Commands whose decisions append the area's events.
    static var commands: [CommandDescription] { get }
    /// Projections that fold events into states.
    static var projections: [ProjectionDescription] { get }
    /// Use cases that talk to a network; none by default.
    static var flows: [FlowDescription] { get }
    /// Reports, which answer questions from many events; none by default.
    static var reports: [ReportDescription] { get }
    /// Conversions of payloads to the next version of their event kind; none by default.
    static var upcasters: [Upcaster] { get }
    /// Checks that find broken rules in a log; none by default.
    static var audits: [AuditDescription] { get }
    /// Life cycles with which the command `transitions` compares a log; none by default.
    static var machines: [StateMachine] { get }
    /// Events that record that a report was handed out or made final; none by default.
    static var publications: [PublicationDescription] { get }
    /// Rule sets in addition to `standard`; none by default.
    static var rules: [RuleSet] { get }
    /// Nouns of tags without personal data, such as `week` in `week:2020-W10`; none by default.
    ///
    /// Pseudonymised scenarios keep the ids in these tags.
    static var plainNouns: Set<String> { get }
    /// Nouns of tags that name people, such as `user` in `user:7`; none by default.
    ///
    /// The personal data of these people can be erased.
    static var people: PersonNouns { get }
}

extension Area {
    /// The default: the area has no flows.
    public static var flows: [FlowDescription] { [] }
    /// The default: the area has no reports.
    public static var reports: [ReportDescription] { [] }
    /// The default: the area has no upcasters.
    public static var upcasters: [Upcaster] { [] }
    /// The default: the area has no audits.
    public static var audits: [AuditDescription] { [] }
    /// The default: the area has no state machines.
    public static var machines: [StateMachine] { [] }
    /// The default: the area has no publications.
    public static var publications: [PublicationDescription] { [] }
    /// The default: the area has only the rule set `standard`.
    public static var rules: [RuleSet] { [] }
    /// The default: tags of every noun may hold personal data.
    public static var plainNouns: Set<String> { [] }
    /// The default: no tag of the area names a person.
    public static var people: PersonNouns { PersonNouns() }
}

extension Area where Self: Projection, Event: DecidedEvents {
    /// The event kinds of the projection whose names begin with the area's name.
    public static var events: [EventDescription] {
        Event.kinds.filter { $0.kind.name.hasPrefix("\(name).") }.map(\.description)
    }
}
