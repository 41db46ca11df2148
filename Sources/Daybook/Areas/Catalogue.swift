import Synchronization

/// Everything a program knows of its areas, found by name.
///
/// A class, which never changes, since it is handed to everything.
public final class Catalogue: Sendable {
    /// Events by kind.
    public let events: [EventKind: EventDescription]
    /// Commands by name.
    public let commands: [String: CommandDescription]
    /// Projections by name.
    public let projections: [String: ProjectionDescription]
    /// Flows by name.
    public let flows: [String: FlowDescription]
    /// Reports by name.
    public let reports: [String: ReportDescription]
    /// Upcasters by the older kind.
    public let upcasters: [EventKind: Upcaster]
    /// Audits by name.
    public let audits: [String: AuditDescription]
    private let areas: [any Area.Type]
    private let madeMachines = Mutex<[String: StateMachine]?>(nil)
    /// Publications by the kind of the event that records them.
    public let publications: [EventKind: PublicationDescription]
    /// Every rule set that some area has, the standard one first.
    public let rules: [RuleSet]
    /// Nouns of tags without personal data.
    public let plainNouns: Set<String>
    /// Nouns of the last parts of ids that are made of several, by the noun of the whole.
    public let lastParts: [String: String]
    /// Nouns of tags that name people, of all areas.
    public let people: PersonNouns
    /// Formats of files, in the order in which they are listed.
    public let imports: [ImportDescription]
    /// Exports in the order in which they are listed.
    public let exports: [ExportDescription]
    /// Endpoints of the app's servers, by source, path and method.
    public let routes: [RouteDescription]
    /// Drawings of entities by the name of their projection.
    public let pictures: [String: PictureDescription]

    /// The kinds that the log itself writes, and no command or scenario.
    public static let kindsOfTheLog: Set<EventKind> = [TextsErased.kind]

    /// No area: the kinds that the log itself writes alone.
    public static let empty: Catalogue = {
        do throws(InvalidCatalogue) {
            return try Catalogue([])
        } catch {
            preconditionFailure("a catalogue without areas has no names that clash: \(error)")
        }
    }()

    /// - Parameters:
    ///   - formats: files of the areas whose parsers these may not use themselves.
    ///   - isTested: `true` where a test of the program makes the same catalogue, so that not each
    ///     start has to visit every field of every event, command and state.
    /// - Throws: what is wrong with the areas: a name that stands twice, or an upcaster chain
    ///   with a gap, a cycle or a fork.
    public init(
        _ areas: [any Area.Type], formats: [any FileFormats.Type] = [], isTested: Bool = false
    ) throws(InvalidCatalogue) {
        let own = [EventDescription(TextsErased.self)]
        let files: [any FileFormats.Type] = areas + formats
        let parts = areas.map { AreaParts($0) }
        self.areas = areas
        events = try Self.index(own + parts.flatMap(\.events)) { $0.kind }
        commands = try Self.index(parts.flatMap(\.commands)) { $0.name }
        projections = try Self.index(parts.flatMap(\.projections)) { $0.name }
        flows = try Self.index(areas.flatMap { $0.flows }) { $0.name }
        reports = try Self.join(
            try Self.index(parts.flatMap(\.reports)) { $0.name }, files.flatMap { $0.renderers })
        upcasters = try Self.index(areas.flatMap { $0.upcasters }) { $0.from }
        let shared = events.isEmpty ? [] : [FactAudit.description(of: events)]
        audits = try Self.index(areas.flatMap { $0.audits } + shared) { $0.name }
        plainNouns = Set(areas.flatMap { $0.plainNouns })
        lastParts = try Self.lastParts(of: projections.values, renamedBy: events.values)
        publications = try Self.index(areas.flatMap { $0.publications }) { $0.kind }
        people = try Self.people(of: areas)
        imports = files.flatMap { $0.imports }
        exports = files.flatMap { $0.exports }
        pictures = try Self.index(files.flatMap { $0.pictures }) { $0.projection }
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

    /// Declared life cycles by the name of their projection.
    ///
    /// They are made when they are first asked for, since Swift takes a tenth of a millisecond to
    /// name the cases of an enum.
    public var machines: [String: StateMachine] {
        madeMachines.withLock { made in
            if let made { return made }
            let machines = areas.flatMap { $0.machines }.map { ($0.projection, $0) }
            let byProjection = Dictionary(machines) { first, _ in first }
            made = byProjection
            return byProjection
        }
    }

    private static func join(
        _ reports: [String: ReportDescription], _ renderers: [ReportRenderer]
    ) throws(InvalidCatalogue) -> [String: ReportDescription] {
        var reports = reports
        for renderer in renderers {
            let form = renderer.form
            guard let report = reports[renderer.report], report.type == renderer.type else {
                throw .rendererWithoutReport(renderer.report, form)
            }
            guard report.renderers[form] == nil, form != .json else {
                throw .nameStandsTwice("\(report.name) as \(form.name)")
            }
            reports[report.name]?.renderers[form] = renderer
        }
        return reports
    }

    private static func lastParts(
        of projections: some Sequence<ProjectionDescription>,
        renamedBy events: some Sequence<EventDescription>
    ) throws(InvalidCatalogue) -> [String: String] {
        var parts: [String: String] = [:]
        for projection in projections {
            guard let part = projection.lastPart else { continue }
            guard events.contains(where: { $0.renames[part] != nil }) else {
                throw .partNeverRenamed(part, of: projection.name)
            }
            guard parts.updateValue(part, forKey: projection.noun) ?? part == part else {
                throw .nameStandsTwice(projection.noun)
            }
        }
        return parts
    }

    private static func people(
        of areas: [any Area.Type]
    ) throws(InvalidCatalogue) -> PersonNouns {
        var nouns: [String: String] = [:]
        for (noun, person) in areas.flatMap({ $0.people.nouns }) {
            guard nouns.updateValue(person, forKey: noun) ?? person == person else {
                throw .nameStandsTwice(noun)
            }
        }
        var owners: [String: String] = [:]
        for (noun, owner) in areas.flatMap({ $0.people.owners }) {
            guard owners.updateValue(owner, forKey: noun) ?? owner == owner, nouns[noun] == nil
            else { throw .nameStandsTwice(noun) }
        }
        return PersonNouns(nouns, owners: owners)
    }

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

    /// `true` for an older layout, which has a newer one.
    package func isOutdated(_ kind: EventKind) -> Bool {
        !upcasters.isEmpty && upcasters[kind] != nil
    }

    /// The event in the newest layout the program knows; itself where it is that already.
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

    static func index<Name: Hashable, Value>(
        _ values: [Value], by name: (Value) -> Name
    ) throws(InvalidCatalogue) -> [Name: Value] {
        var index: [Name: Value] = [:]
        for value in values {
            guard index.updateValue(value, forKey: name(value)) == nil else {
                throw .nameStandsTwice("\(name(value))")
            }
        }
        return index
    }
}

/// The reason why areas do not form a catalogue.
public enum InvalidCatalogue: Error, Hashable, Sendable, CustomStringConvertible {
    /// Two descriptions of one sort have this name.
    case nameStandsTwice(String)
    /// An event or command of an area whose name begins with another area.
    case foreignName(String, in: String)
    /// A stored enum whose names do not fit its cases, and the event, command or projection with it.
    case misnamedEnum(String, in: String)
    /// A kind that a projection reads and no area has.
    case kindNobodyWrites(EventKind, readBy: String)
    /// A life cycle of a projection that no area has.
    case machineWithoutProjection(String)
    /// A life cycle of a field that the projection does not have.
    case machineField(String, of: String)
    /// A life cycle with a kind that its projection does not read.
    case machineKind(String, of: String)
    /// A life cycle with a state that its field cannot have.
    case machineState(String, of: String)
    /// A form of a report that no area has, or that is of another type.
    case rendererWithoutReport(String, ReportForm)
    /// A report whose period, clock, subject or unnamed argument is none of its arguments.
    case reportArgument(String, of: String)
    /// A projection has a fold under rules that no area declares.
    case unknownRules(String, of: String)
    /// A projection whose ids end in one of a noun that no event gives another id.
    case partNeverRenamed(String, of: String)
    /// A format has an option whose name the command has for one of its own.
    case reservedOption(String)
    /// A picture of the entities of a projection that no area has.
    case pictureWithoutProjection(String)
    /// A route that nothing serves, without the reason.
    case routeWithoutReason(String)
    /// A route served by something that no area has.
    case routeToNothing(String, String)
    /// An upcaster leads to a version that is not the next one.
    case upcasterSkips(EventKind, EventKind)
    /// A version of a kind has no upcaster to the next version.
    case upcasterMissing(from: String)
    /// An upcaster leads to a kind that no area declares.
    case upcasterLeadsNowhere(EventKind)

    public var description: String {
        switch self {
        case .nameStandsTwice(let name): "'\(name)' stands twice in the catalogue"
        case .foreignName(let name, let area):
            "'\(name)' is listed in the area '\(area)', whose names begin with '\(area).'"
        case .misnamedEnum(let misnamed, let owner): "\(owner): \(misnamed)"
        case .kindNobodyWrites(let kind, let projection):
            "the projection '\(projection)' reads \(kind), which no area lists among its events"
        case .machineWithoutProjection(let name):
            "a life cycle is declared for the projection '\(name)', which no area has"
        case .machineField(let field, let projection):
            "the life cycle of '\(projection)' is about the field '\(field)', which its state lacks"
        case .machineKind(let kind, let projection):
            "the life cycle of '\(projection)' has the kind \(kind), which it does not read"
        case .machineState(let state, let projection):
            "the life cycle of '\(projection)' has the state '\(state)', which its field lacks"
        case .rendererWithoutReport(let report, let form):
            "the form '\(form.name)' is of a report '\(report)', which no area has"
        case .reportArgument(let argument, let report):
            "the report '\(report)' names the argument '\(argument)', which its fields lack"
        case .unknownRules(let rules, let projection):
            "the projection \(projection) has a fold under the rules '\(rules)', which no area declares"
        case .partNeverRenamed(let noun, let projection):
            "ids of '\(projection)' end in one of '\(noun)', which no event gives another id"
        case .reservedOption(let name):
            "a format has the option --\(name), which the command has itself"
        case .pictureWithoutProjection(let name):
            "there is a picture of the projection '\(name)', which no area has"
        case .routeWithoutReason(let route):
            "the route '\(route)' is served by nothing, and does not say why"
        case .routeToNothing(let route, let service):
            "the route '\(route)' is served by '\(service)', which no area has"
        case .upcasterSkips(let from, let to): "the upcaster from \(from) leads to \(to)"
        case .upcasterMissing(let from): "no upcaster leads on from \(from)"
        case .upcasterLeadsNowhere(let to): "upcasters end at \(to), which no area has"
        }
    }
}
