/// The descriptions of all areas of a program, by name.
///
/// A catalogue is immutable. It is a class because most parts of a program share it. Each of its
/// tables is created at its first use, so that a short command pays only for the tables it reads.
public final class Catalogue: Sendable {
    /// The areas whose descriptions the catalogue has.
    package let areas: [any Area.Type]
    /// The areas, then the types with file formats that no area lists itself.
    package let files: [any FileFormats.Type]

    // The tables below, each created at its first use.
    private let lazyEvents: LazyValue<[EventKind: EventDescription]>
    private let lazyCommands: LazyValue<[String: CommandDescription]>
    private let lazyProjections: LazyValue<[String: ProjectionDescription]>
    private let lazyFlows: LazyValue<[String: FlowDescription]>
    private let lazyReports: LazyValue<[String: ReportDescription]>
    private let lazyUpcasters: LazyValue<[EventKind: Upcaster]>
    private let lazyAudits: LazyValue<[String: AuditDescription]>
    private let lazyMachines: LazyValue<[String: StateMachine]>
    private let lazyPublications: LazyValue<[EventKind: PublicationDescription]>
    private let lazyRules: LazyValue<[RuleSet]>
    private let lazyPlainNouns: LazyValue<Set<String>>
    private let lazyLastParts: LazyValue<[String: String]>
    private let lazyPeople: LazyValue<PersonNouns>
    private let lazyImports: LazyValue<[ImportDescription]>
    private let lazyExports: LazyValue<[ExportDescription]>
    private let lazyRoutes: LazyValue<[RouteDescription]>
    private let lazyPictures: LazyValue<[String: ExportDescription]>

    /// Descriptions of events by event kind.
    public var events: [EventKind: EventDescription] { lazyEvents.value }
    /// Commands by name.
    public var commands: [String: CommandDescription] { lazyCommands.value }
    /// Projections by name.
    public var projections: [String: ProjectionDescription] { lazyProjections.value }
    /// Flows by name.
    public var flows: [String: FlowDescription] { lazyFlows.value }
    /// Reports by name.
    public var reports: [String: ReportDescription] { lazyReports.value }
    /// Upcasters by the event kind that they convert from.
    public var upcasters: [EventKind: Upcaster] { lazyUpcasters.value }
    /// Audits by name.
    public var audits: [String: AuditDescription] { lazyAudits.value }
    /// State machines of entities (their life cycles) by the name of the projection.
    public var machines: [String: StateMachine] { lazyMachines.value }
    /// Descriptions of the events that record a handed-out or final report, by event kind.
    public var publications: [EventKind: PublicationDescription] { lazyPublications.value }
    /// Rule sets of all areas: `standard`, then the others in the order of their names.
    public var rules: [RuleSet] { lazyRules.value }
    /// Nouns of all areas, such as `week` in `week:2020-W10`, whose tags have no personal data.
    public var plainNouns: Set<String> { lazyPlainNouns.value }
    /// Noun of the last part of a compound id, by the noun of the whole id.
    ///
    /// A wallet's id is `user/household`, so the noun `wallet` has the last part `household`.
    public var lastParts: [String: String] { lazyLastParts.value }
    /// The nouns whose tags name people, such as `user` in `user:7`, of all areas.
    public var people: PersonNouns { lazyPeople.value }
    /// Import formats, in the order in which areas and file formats declare them.
    public var imports: [ImportDescription] { lazyImports.value }
    /// Export formats, in the order in which areas and file formats declare them.
    public var exports: [ExportDescription] { lazyExports.value }
    /// Endpoints of the app's servers, in the order of their sources, paths and methods.
    public var routes: [RouteDescription] { lazyRoutes.value }
    /// Pictures of entities by the name of their projection.
    public var pictures: [String: ExportDescription] { lazyPictures.value }

    /// Event kinds that only the log itself writes; no command or scenario may write such events.
    public static let kindsOfTheLog: Set<EventKind> = [TextsErased.kind]

    /// A catalogue without areas, which has only the event kinds that the log itself writes.
    public static let empty = Catalogue(unchecked: [])

    /// Collects the descriptions of areas and checks that they are consistent.
    ///
    /// - Parameter formats: file formats, pictures, renderers and routes that no area lists itself.
    /// - Throws: the first fault found, such as a repeated name, or an upcaster chain with a gap, a
    ///   cycle or a fork.
    public convenience init(
        _ areas: [any Area.Type], formats: [any FileFormats.Type] = []
    ) throws(InvalidCatalogue) {
        self.init(unchecked: areas, formats: formats)
        try check()
    }

    /// Collects the descriptions of areas that tests check.
    ///
    /// Of several descriptions with one name, the catalogue has the first.
    package init(unchecked areas: [any Area.Type], formats: [any FileFormats.Type] = []) {
        self.areas = areas
        // Not `areas as`, which looks for each conformance at run time.
        let files: [any FileFormats.Type] = areas.map { $0 } + formats
        self.files = files
        let events = LazyValue {
            Catalogue.index([EventDescription(TextsErased.self)] + areas.flatMap { $0.events }) {
                $0.kind
            }
        }
        lazyEvents = events
        lazyCommands = LazyValue { Catalogue.index(areas.flatMap { $0.commands }) { $0.name } }
        let projections = LazyValue {
            Catalogue.index(areas.flatMap { $0.projections }) { $0.name }
        }
        lazyProjections = projections
        lazyFlows = LazyValue { Catalogue.index(areas.flatMap { $0.flows }) { $0.name } }
        lazyReports = LazyValue {
            var reports = Catalogue.index(areas.flatMap { $0.reports }) { $0.name }
            for renderer in files.flatMap({ $0.renderers })
            where reports[renderer.report]?.type == renderer.type {
                reports[renderer.report]?.renderers[renderer.form] = renderer
            }
            return reports
        }
        lazyUpcasters = LazyValue { Catalogue.index(areas.flatMap { $0.upcasters }) { $0.from } }
        lazyAudits = LazyValue {
            let shared = FactAudit.description(of: events.value)
            return Catalogue.index(areas.flatMap { $0.audits } + [shared]) { $0.name }
        }
        lazyMachines = LazyValue {
            Catalogue.index(areas.flatMap { $0.machines }) { $0.projection }
        }
        lazyPublications = LazyValue {
            Catalogue.index(areas.flatMap { $0.publications }) { $0.kind }
        }
        lazyRules = LazyValue {
            let others = Set(areas.flatMap { $0.rules }).subtracting([.standard])
            return [.standard] + others.sorted { $0.name < $1.name }
        }
        lazyPlainNouns = LazyValue { Set(areas.flatMap { $0.plainNouns }) }
        lazyLastParts = LazyValue {
            let compound = projections.value.values.filter { $0.lastPartNoun != nil }
            return Catalogue.index(Array(compound)) { $0.noun }.compactMapValues(\.lastPartNoun)
        }
        lazyPeople = LazyValue {
            let people = areas.map { $0.people }
            return PersonNouns(
                Catalogue.index(people.flatMap { $0.nouns }) { $0.key }.mapValues(\.value),
                owners: Catalogue.index(people.flatMap { $0.owners }) { $0.key }.mapValues(\.value))
        }
        lazyImports = LazyValue { files.flatMap { $0.imports } }
        lazyExports = LazyValue { files.flatMap { $0.exports } }
        lazyRoutes = LazyValue {
            files.flatMap { $0.routes }
                .sorted { ($0.source, $0.path, $0.method) < ($1.source, $1.path, $1.method) }
        }
        lazyPictures = LazyValue {
            Catalogue.index(files.flatMap { $0.pictures }) { $0.key }.mapValues(\.value)
        }
    }

    /// Returns the values by name; of several values with one name, the first.
    private static func index<Name: Hashable, Value>(
        _ values: [Value], by name: (Value) -> Name
    ) -> [Name: Value] {
        var index: [Name: Value] = [:]
        for value in values {
            let name = name(value)
            if index[name] == nil { index[name] = value }
        }
        return index
    }

    /// True if an upcaster converts this event kind to a newer version.
    package func isOutdated(_ kind: EventKind) -> Bool {
        !upcasters.isEmpty && upcasters[kind] != nil
    }

    /// Converts an event to the newest layout of its kind that the catalogue knows.
    ///
    /// An event that already has the newest layout is returned unchanged.
    ///
    /// - Throws: `FoldError.corrupt` if an upcaster cannot read the payload.
    public func upcast(_ event: RecordedEvent) throws(FoldError) -> RecordedEvent {
        guard !upcasters.isEmpty, var upcaster = upcasters[event.kind] else { return event }
        var event = event
        while true {
            event.payload = try mappingPayloadErrors(of: event, try upcaster.upcast(event.payload))
            event.kind = upcaster.to
            guard let next = upcasters[event.kind] else { return event }
            upcaster = next
        }
    }
}

/// The reason why areas cannot form a catalogue.
public enum InvalidCatalogue: Error, Hashable, Sendable, CustomStringConvertible {
    /// A name is declared twice, or a noun or option has two conflicting declarations.
    case duplicateName(String)
    /// The name of an event or command does not begin with the name of the area that lists it.
    case foreignName(String, in: String)
    /// A stored enum has faulty numbers or names.
    ///
    /// The values are a sentence about the fault, and the event, command or projection that has a
    /// field of the enum.
    case misnamedEnum(String, in: String)
    /// A projection reads an event kind that no area lists.
    case undeclaredKind(EventKind, readBy: String)
    /// A state machine is declared for a projection that no area lists.
    case machineWithoutProjection(String)
    /// A state machine describes a field that the projection's state lacks.
    case machineField(String, of: String)
    /// A state machine uses an event kind that its projection does not read.
    case machineKind(String, of: String)
    /// A state machine describes a field, but one of its states is not a value of that field.
    case machineState(String, of: String)
    /// A renderer names a report that no area lists, or whose type is not the renderer's.
    case rendererWithoutReport(String, ReportForm)
    /// The period, clock, subject or positional argument of a report is not among its arguments.
    case reportArgument(String, of: String)
    /// A projection has a separate fold for a rule set that no area declares.
    case unknownRules(String, of: String)
    /// Ids of a projection end in another entity's id, but no event renames that entity.
    case partNeverRenamed(String, of: String)
    /// A file format declares an option with a name that the commands reserve.
    case reservedOption(String)
    /// A picture is declared for a projection that no area lists.
    case pictureWithoutProjection(String)
    /// A route names neither a command, report or the like that serves it nor why there is none.
    case routeWithoutReason(String)
    /// A route (first value) names a command, report or the like (second value) that is unknown.
    case routeToUnknownPart(String, String)
    /// An upcaster, from the first kind to the second, does not lead to the next version.
    case upcasterSkips(EventKind, EventKind)
    /// No upcaster converts this version of an event kind to the next version.
    case upcasterMissing(from: String)
    /// An upcaster leads to an event kind that no area declares and no upcaster converts.
    case upcasterLeadsNowhere(EventKind)

    public var description: String {
        switch self {
        case .duplicateName(let name): "'\(name)' is declared twice in the catalogue"
        case .foreignName(let name, let area):
            "the area '\(area)' lists an event or command named '\(name)'; expected a name that "
                + "begins with '\(area).'"
        case .misnamedEnum(let misnamed, let owner):
            "a field of '\(owner)' has a stored enum with faulty cases: \(misnamed)"
        case .undeclaredKind(let kind, let projection):
            "the projection '\(projection)' reads the event kind \(kind), which no area lists"
        case .machineWithoutProjection(let name):
            "a life cycle is declared for the projection '\(name)', which no area declares"
        case .machineField(let field, let projection):
            "the life cycle of the projection '\(projection)' describes the field '\(field)', "
                + "which the projection's state lacks"
        case .machineKind(let kind, let projection):
            "the life cycle of the projection '\(projection)' uses the event kind '\(kind)', which "
                + "the projection does not read"
        case .machineState(let state, let projection):
            "the life cycle of the projection '\(projection)' uses the state '\(state)', which is "
                + "not a value of the field that the life cycle describes"
        case .rendererWithoutReport(let report, let form):
            "a renderer writes the report '\(report)' as '\(form.name)', but no area declares a "
                + "report of this name and type"
        case .reportArgument(let argument, let report):
            "the report '\(report)' uses '\(argument)' as its period, clock, subject or positional "
                + "argument, but declares no argument of this name"
        case .unknownRules(let rules, let projection):
            "the projection '\(projection)' has a separate fold for the rule set '\(rules)', which "
                + "no area declares"
        case .partNeverRenamed(let noun, let projection):
            "the ids of the projection '\(projection)' are declared to end in the id of a "
                + "'\(noun)', but no event renames a '\(noun)'"
        case .reservedOption(let name):
            "a file format declares the option --\(name), a name that the commands reserve"
        case .pictureWithoutProjection(let name):
            "a picture is declared for the projection '\(name)', which no area declares"
        case .routeWithoutReason(let route):
            "the route '\(route)' names nothing that serves the route; expected a command, "
                + "projection, report, file format or flow, or the reason why nothing serves it"
        case .routeToUnknownPart(let route, let service):
            "the route '\(route)' is declared to be served by '\(service)', which no area declares"
        case .upcasterSkips(let from, let to):
            "the upcaster from \(from) leads to \(to); expected the next version of the same kind"
        case .upcasterMissing(let from):
            "no upcaster leads from the event kind \(from) to its next version"
        case .upcasterLeadsNowhere(let to):
            "an upcaster leads to the event kind \(to), which no area declares and no other "
                + "upcaster converts"
        }
    }
}
