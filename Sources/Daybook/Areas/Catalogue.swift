/// The descriptions of all areas of a program, by name.
///
/// A catalogue is immutable. It is a class because most parts of a program share it.
public final class Catalogue: Sendable {
    /// Descriptions of events by event kind.
    public let events: [EventKind: EventDescription]
    /// Commands by name.
    public let commands: [String: CommandDescription]
    /// Projections by name.
    public let projections: [String: ProjectionDescription]
    /// Flows by name.
    public let flows: [String: FlowDescription]
    /// Reports by name.
    public let reports: [String: ReportDescription]
    /// Upcasters by the event kind that they convert from.
    public let upcasters: [EventKind: Upcaster]
    /// Audits by name.
    public let audits: [String: AuditDescription]
    /// Creates the value of `machines` at its first use.
    private let lazyMachines: LazyValue<[String: StateMachine]>
    /// Descriptions of the events that record a handed-out or final report, by event kind.
    public let publications: [EventKind: PublicationDescription]
    /// Rule sets of all areas: `standard`, then the others in the order of their names.
    public let rules: [RuleSet]
    /// Nouns of all areas, such as `week` in `week:2020-W10`, whose tags have no personal data.
    public let plainNouns: Set<String>
    /// Noun of the last part of a compound id, by the noun of the whole id.
    ///
    /// A wallet's id is `user/household`, so the noun `wallet` has the last part `household`.
    public let lastParts: [String: String]
    /// The nouns whose tags name people, such as `user` in `user:7`, of all areas.
    public let people: PersonNouns
    /// Import formats, in the order in which areas and file formats declare them.
    public let imports: [ImportDescription]
    /// Export formats, in the order in which areas and file formats declare them.
    public let exports: [ExportDescription]
    /// Endpoints of the app's servers, in the order of their sources, paths and methods.
    public let routes: [RouteDescription]
    /// Pictures of entities by the name of their projection.
    public let pictures: [String: ExportDescription]

    /// Event kinds that only the log itself writes; no command or scenario may write such events.
    public static let kindsOfTheLog: Set<EventKind> = [TextsErased.kind]

    /// A catalogue without areas, which has only the event kinds that the log itself writes.
    public static let empty: Catalogue = {
        do throws(InvalidCatalogue) {
            return try Catalogue([])
        } catch {
            preconditionFailure("a catalogue without areas has no names that clash: \(error)")
        }
    }()

    /// Collects the descriptions of areas and checks that they are consistent.
    ///
    /// - Parameters:
    ///   - formats: file formats, pictures, renderers and routes that no area lists itself.
    ///   - isTested: true if a test creates the same catalogue. The checks that visit every field
    ///     of every event, command and state are then skipped, so that the program starts faster.
    /// - Throws: the first fault found, such as a repeated name, or an upcaster chain with a gap, a
    ///   cycle or a fork.
    public init(
        _ areas: [any Area.Type], formats: [any FileFormats.Type] = [], isTested: Bool = false
    ) throws(InvalidCatalogue) {
        let own = [EventDescription(TextsErased.self)]
        let files: [any FileFormats.Type] = areas + formats
        let parts = areas.map { AreaParts($0) }
        lazyMachines = LazyValue {
            let machines = areas.flatMap { $0.machines }.map { ($0.projection, $0) }
            return Dictionary(machines) { first, _ in first }
        }
        events = try Self.index(own + parts.flatMap(\.events)) { $0.kind }
        commands = try Self.index(parts.flatMap(\.commands)) { $0.name }
        projections = try Self.index(parts.flatMap(\.projections)) { $0.name }
        flows = try Self.index(areas.flatMap { $0.flows }) { $0.name }
        reports = try Self.addingRenderers(
            try Self.index(parts.flatMap(\.reports)) { $0.name }, files.flatMap { $0.renderers })
        upcasters = try Self.index(areas.flatMap { $0.upcasters }) { $0.from }
        let shared = events.isEmpty ? [] : [FactAudit.description(of: events)]
        audits = try Self.index(areas.flatMap { $0.audits } + shared) { $0.name }
        plainNouns = Set(areas.flatMap { $0.plainNouns })
        lastParts = try Self.lastParts(of: projections.values, renamedBy: events.values)
        publications = try Self.index(areas.flatMap { $0.publications }) { $0.kind }
        people = try Self.joinedPersonNouns(of: areas)
        imports = files.flatMap { $0.imports }
        exports = files.flatMap { $0.exports }
        pictures = try Self.index(files.flatMap { $0.pictures }) { $0.key }.mapValues(\.value)
        routes = files.flatMap { $0.routes }
            .sorted { ($0.source, $0.path, $0.method) < ($1.source, $1.path, $1.method) }
        let others = Set(areas.flatMap { $0.rules }).subtracting([.standard])
        rules = [.standard] + others.sorted { $0.name < $1.name }
        if !isTested { try Self.check(parts) }
        try Self.check(imports, exports, files.flatMap { $0.trials })
        for picture in pictures.keys where projections[picture] == nil {
            throw .pictureWithoutProjection(picture)
        }
        for projection in projections.values {
            for rules in projection.rules where !self.rules.contains(rules) {
                throw .unknownRules(rules.name, of: projection.name)
            }
        }
        try Self.validate(upcasters, leadingTo: Set(events.keys))
        try check(routes)
    }

    /// State machines of entities (their life cycles) by the name of the projection.
    ///
    /// They are created at the first access, because Swift takes a tenth of a millisecond to name
    /// the cases of an enum.
    public var machines: [String: StateMachine] { lazyMachines.value }

    /// Returns the reports, with each renderer added to the report that it names.
    private static func addingRenderers(
        _ reports: [String: ReportDescription], _ renderers: [ReportRenderer]
    ) throws(InvalidCatalogue) -> [String: ReportDescription] {
        var reports = reports
        for renderer in renderers {
            let form = renderer.form
            guard let report = reports[renderer.report], report.type == renderer.type else {
                throw .rendererWithoutReport(renderer.report, form)
            }
            guard report.renderers[form] == nil, form != .json else {
                throw .duplicateName("the renderer of \(report.name) as \(form.name)")
            }
            reports[report.name]?.renderers[form] = renderer
        }
        return reports
    }

    /// Returns the noun of each compound id's last part, by the noun of the whole id.
    private static func lastParts(
        of projections: some Sequence<ProjectionDescription>,
        renamedBy events: some Sequence<EventDescription>
    ) throws(InvalidCatalogue) -> [String: String] {
        var parts: [String: String] = [:]
        for projection in projections {
            guard let part = projection.lastPartNoun else { continue }
            guard events.contains(where: { $0.renames[part] != nil }) else {
                throw .partNeverRenamed(part, of: projection.name)
            }
            guard parts.updateValue(part, forKey: projection.noun) ?? part == part else {
                throw .duplicateName(projection.noun)
            }
        }
        return parts
    }

    /// Joins the person nouns of all areas; throws an error if a noun is declared in two ways.
    private static func joinedPersonNouns(
        of areas: [any Area.Type]
    ) throws(InvalidCatalogue) -> PersonNouns {
        var nouns: [String: String] = [:]
        for (noun, person) in areas.flatMap({ $0.people.nouns }) {
            guard nouns.updateValue(person, forKey: noun) ?? person == person else {
                throw .duplicateName(noun)
            }
        }
        var owners: [String: String] = [:]
        for (noun, owner) in areas.flatMap({ $0.people.owners }) {
            guard owners.updateValue(owner, forKey: noun) ?? owner == owner, nouns[noun] == nil
            else { throw .duplicateName(noun) }
        }
        return PersonNouns(nouns, owners: owners)
    }

    /// Throws an error unless upcasters lead from each older version of a kind to the next version.
    private static func validate(
        _ upcasters: [EventKind: Upcaster], leadingTo kinds: Set<EventKind>
    ) throws(InvalidCatalogue) {
        for upcaster in upcasters.values {
            guard upcaster.from.stem == upcaster.to.stem,
                upcaster.to.version == upcaster.from.version + 1
            else { throw .upcasterSkips(upcaster.from, upcaster.to) }
            guard kinds.contains(upcaster.to) || upcasters.keys.contains(upcaster.to) else {
                throw .upcasterLeadsNowhere(upcaster.to)
            }
        }
        for kind in kinds where kind.version > 1 {
            for version in 1..<kind.version {
                let earlier = "\(kind.stem).v\(version)"
                guard upcasters.keys.contains(where: { $0.name == earlier }) else {
                    throw .upcasterMissing(from: earlier)
                }
            }
        }
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

    /// Returns the values by name; throws an error for a repeated name.
    static func index<Name: Hashable, Value>(
        _ values: [Value], by name: (Value) -> Name
    ) throws(InvalidCatalogue) -> [Name: Value] {
        var index: [Name: Value] = [:]
        for value in values {
            guard index.updateValue(value, forKey: name(value)) == nil else {
                throw .duplicateName("\(name(value))")
            }
        }
        return index
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
