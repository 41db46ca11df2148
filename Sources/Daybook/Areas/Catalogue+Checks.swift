/// The descriptions that an area lists, read once because each access creates them anew.
struct AreaParts {
    /// The name of the area.
    let name: String
    /// The descriptions of the area's event kinds.
    let events: [EventDescription]
    /// The commands of the area.
    let commands: [CommandDescription]
    /// The projections of the area.
    let projections: [ProjectionDescription]
    /// The reports of the area.
    let reports: [ReportDescription]
    /// The area itself.
    let area: any Area.Type

    init(_ area: any Area.Type) {
        (name, events, commands) = (area.name, area.events, area.commands)
        (projections, reports, self.area) = (area.projections, area.reports, area)
    }
}

extension Catalogue {
    /// Checks the declarations of all areas together; throws the first fault.
    ///
    /// It only compares declarations: it decides no command and folds no event.
    static func check(_ areas: [AreaParts]) throws(InvalidCatalogue) {
        for area in areas { try check(area) }
        let written = Set(areas.flatMap { $0.events.map(\.kind) }).union(kindsOfTheLog)
        for projection in areas.flatMap(\.projections) {
            guard let kind = projection.kinds.subtracting(written).min() else { continue }
            throw .undeclaredKind(kind, readBy: projection.name)
        }
        let machines = areas.flatMap { $0.area.machines }
        _ = try index(machines) { $0.projection }
        for machine in machines {
            let projection = areas.lazy.flatMap(\.projections)
                .first { $0.name == machine.projection }
            guard let projection else { throw .machineWithoutProjection(machine.projection) }
            try check(machine, of: projection)
        }
    }

    /// Checks the names, stored enums and report arguments of one area; throws the first fault.
    private static func check(_ area: AreaParts) throws(InvalidCatalogue) {
        let prefix = "\(area.name)."
        let names = area.events.map(\.kind.name) + area.commands.map(\.name)
        for name in names where !name.hasPrefix(prefix) {
            throw .foreignName(name, in: area.name)
        }
        try checkEnums(area)
        for report in area.reports {
            let known = Set(report.arguments.map(\.name))
            let named = [
                report.period?.argument, report.clock, report.positional, report.subject?.argument,
            ]
            guard let unknown = named.lazy.compactMap(\.self).first(where: { !known.contains($0) })
            else { continue }
            throw .reportArgument(unknown, of: report.name)
        }
    }

    /// Throws an error if a record of the area has a stored enum with faulty numbers or names.
    private static func checkEnums(_ area: AreaParts) throws(InvalidCatalogue) {
        let records =
            area.events.map { ($0.kind.name, $0.storedEnumFault) }
            + area.commands.map { ($0.name, $0.storedEnumFault) }
            + area.projections.map { ($0.name, $0.storedEnumFault) }
        for (owner, misnamed) in records {
            guard let misnamed else { continue }
            throw .misnamedEnum(misnamed, in: owner)
        }
    }

    /// Throws an error if a machine uses a field, event kind or state that its projection lacks.
    private static func check(
        _ machine: StateMachine, of projection: ProjectionDescription
    ) throws(InvalidCatalogue) {
        guard let field = projection.fields.first(where: { $0.name == machine.field }) else {
            throw .machineField(machine.field, of: projection.name)
        }
        let kinds = Set(projection.kinds.map { String($0.stem) })
        let states =
            field.form.hasPrefix("one of ")
            ? Set(
                field.form.dropFirst(7).filter { $0 != "?" }.split(separator: ", ").map(String.init)
            )
            : nil
        for step in machine.legalTransitions {
            guard kinds.contains(step.event) else {
                throw .machineKind(step.event, of: projection.name)
            }
            for state in [step.from, step.to] where state != StateMachine.beginning {
                guard states?.contains(state) ?? true else {
                    throw .machineState(state, of: projection.name)
                }
            }
        }
    }
}
