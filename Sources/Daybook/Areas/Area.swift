/// One part of the app's model: kinds of events, with their commands, projections and reports.
///
/// Tools use only these descriptions, so a new area needs no changes in the tools.
public protocol Area: FileFormats {
    /// The area's name, with which the names of its event kinds and commands begin: `launch`.
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
    /// State machines (life cycles) that the command `transitions` compares with a log; none by
    /// default.
    static var machines: [StateMachine] { get }
    /// Events that record that a report was handed out or made final; none by default.
    static var publications: [PublicationDescription] { get }
    /// Rule sets in addition to `standard`; none by default.
    static var rules: [RuleSet] { get }
    /// Nouns, such as `week` in `week:2020-W10`, whose tags have no personal data; none by default.
    ///
    /// Pseudonymised scenarios keep the ids in these tags.
    static var plainNouns: Set<String> { get }
    /// Nouns, such as `user` in `user:7`, whose tags name people; none by default.
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
    /// The default: no event of the area records that a report was handed out.
    public static var publications: [PublicationDescription] { [] }
    /// The default: the area has only the rule set `standard`.
    public static var rules: [RuleSet] { [] }
    /// The default: every tag of the area may contain personal data.
    public static var plainNouns: Set<String> { [] }
    /// The default: no tag of the area names a person.
    public static var people: PersonNouns { PersonNouns() }
}

extension Area where Self: Projection, Event: DecidedEvents {
    /// The default: the projection's event kinds whose names begin with the area's name.
    public static var events: [EventDescription] {
        // No `filter` and no key path, for which Swift looks up conformances at run time.
        var events: [EventDescription] = []
        for stored in Event.kinds where stored.kind.name.hasPrefix("\(name).") {
            events.append(stored.description)
        }
        return events
    }
}
